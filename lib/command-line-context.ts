import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The context that the CDK will have: of `cdk.json`, and of its arguments, which win: `-c
 * name=value`, as often as it is given.
 */
export function contextOf(root: string, args: readonly string[]): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { ...context, ...Object.fromEntries(pairsOf(args)) };
}

function pairsOf(args: readonly string[]): [string, string][] {
  return args
    .flatMap((arg, i) => {
      const inline = /^(?:-c|--context)=(.*)$/s.exec(arg)?.[1] ?? /^-c(.+)$/s.exec(arg)?.[1];
      if (inline !== undefined) return [inline];
      return arg === '-c' || arg === '--context' ? [args[i + 1] ?? ''] : [];
    })
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    });
}
