import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * What to install before a deployment, in a line; undefined if all is there. A package leaves the
 * CDK to those who deploy, since it is far larger than all else.
 */
export function missingForDeploy(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  const found = (name: string, file: string) =>
    (resolve.paths(name) ?? []).find((folder) => existsSync(path.join(folder, name, file)));
  const own = found('blockyard', 'package.json');
  // A checkout installs all of it.
  if (own === undefined) return undefined;
  const manifest = readFileSync(path.join(own, 'blockyard', 'package.json'), 'utf8');
  const wanted = Object.entries<string>(JSON.parse(manifest).peerDependencies);
  const missing = wanted.filter(([name]) => found(name, 'package.json') === undefined);
  if (missing.length === 0) return undefined;
  const words = missing.map(([name, version]) => `${name}@${version}`).join(' ');
  return `blockyard deploys by the AWS CDK, which is not installed here. Run: npm install --save-dev ${words}`;
}
