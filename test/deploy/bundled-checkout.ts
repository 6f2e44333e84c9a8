import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { copyCheckout } from '../support/checkout.ts';
import { ROOT } from '../support/service.ts';
import type { Emulator } from './emulator.ts';

/** Two folders below the checkout, as sources are, by which the code finds its other files. */
const BUNDLES = '.blockyard/bundles';
const COMMAND = `${BUNDLES}/blockyard.mjs`;
const APP = `${BUNDLES}/app.mjs`;

const folderOf = ({ folder }: Emulator) => path.join(folder, 'bundled');

/** `blockyard` of the bundled checkout, for Node to run. */
export const bundledCommand = (emulator: Emulator) => path.join(folderOf(emulator), COMMAND);

/** Its app of the CDK. */
export const bundledApp = (emulator: Emulator) => path.join(folderOf(emulator), APP);

/**
 * Makes a copy of the checkout whose commands, and whose app of the CDK, are in a few files: a
 * deployment by them takes two thirds of the time. The app leaves out CloudFormation's rules.
 */
export async function bundleCheckout(emulator: Emulator): Promise<void> {
  const folder = await copyCheckout(folderOf(emulator));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['bin/main.ts', 'bin/app.ts'],
    outdir: path.join(folder, BUNDLES),
    // Else they would be taken for a package's.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  await writeFile(
    bundledCommand(emulator),
    "import { main } from './main.mjs';\nawait main(process.argv.slice(2));\n",
  );
  await leaveOutRules(bundledApp(emulator));
  const settings = path.join(folder, 'cdk.json');
  const cdk = JSON.parse(await readFile(settings, 'utf8'));
  await writeFile(settings, JSON.stringify({ ...cdk, app: `node ${APP}` }));
}

/**
 * Lets an app of the CDK synthesise without CloudFormation's rules, as `synthesizeUnchecked` does:
 * they take more than half of a synthesis.
 */
export async function leaveOutRules(app: string): Promise<void> {
  const settings = 'analyticsReporting: false';
  const before = await readFile(app, 'utf8');
  const after = before.replace(settings, `${settings}, builtinCloudFormationValidation: false`);
  if (after === before) throw new Error(`${app} does not say ${settings}.`);
  await writeFile(app, after);
}
