import { readFileSync } from 'node:fs';
import path from 'node:path';
import { command, commandThatWorks } from '../support/command.ts';

const FOLDER = path.join(import.meta.dirname, 'runtime');

/** The folder of the `node` that Lambda runs our functions on; installed where it is not there yet. */
export async function lambdaRuntime(): Promise<string> {
  const bin = path.join(FOLDER, 'node_modules', '.bin');
  const { dependencies } = JSON.parse(readFileSync(path.join(FOLDER, 'package.json'), 'utf8'));
  if ((await versionOf(bin)) === `v${dependencies.node}`) return bin;
  console.log("Installing Lambda's Node, once …");
  await commandThatWorks('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    env: process.env,
  });
  const version = await versionOf(bin);
  if (version === `v${dependencies.node}`) return bin;
  throw new Error(`npm ci in ${FOLDER} brought Node ${version}, not ${dependencies.node}.`);
}

async function versionOf(bin: string): Promise<string | undefined> {
  const node = path.join(bin, 'node');
  const ended = await command(node, ['--version'], { cwd: FOLDER, env: {} }).catch(() => undefined);
  return ended?.stdout.trim();
}
