import type { BuildOptions } from 'esbuild';

/**
 * How commands, and what blocks import, are bundled with their packages: Node loads a few files in
 * half the time of many. What several entries import is in a file that they share, so that a class
 * is the same class in all of them.
 */
export const COMMANDS_IN_BUNDLES = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // What runs programs or files of its own.
  external: ['aws-cdk*', 'dynalite', 'esbuild'],
  // Some packages are CommonJS.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
} satisfies BuildOptions;
