import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commandThatWorks } from '../support/command.ts';
import { install } from '../support/install.ts';

const FOLDER = path.join(import.meta.dirname, 'runtime');

/**
 * The folder of the `node` that Lambda runs our functions on; installed where it is not there yet.
 * Throws if it is of another version: without it, functions would run on this machine's Node.
 */
export async function lambdaRuntime(): Promise<string> {
  await install('test/deploy/runtime');
  const bin = path.join(FOLDER, 'node_modules', '.bin');
  const { dependencies } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
  const version = await commandThatWorks(path.join(bin, 'node'), ['--version'], {
    cwd: FOLDER,
    env: {},
  });
  if (version.trim() === `v${dependencies.node}`) return bin;
  throw new Error(`npm ci in ${FOLDER} brought Node ${version}, not ${dependencies.node}.`);
}
