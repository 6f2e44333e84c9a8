import { existsSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compileCheckout } from './compile.ts';
import { temporaryFolder } from './process.ts';
import { ROOT } from './service.ts';

const COPIED = [
  'bench/data',
  'bench/house',
  'bench/policy',
  'bench/report',
  'bench/scaling',
  'bin',
  'lambda',
  'client/src',
  'lib',
  'src',
  'functions',
  'docs/bounds.md',
  'docs/deploying.md',
  'docs/scaling.md',
  'seed-data',
  'cdk.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

/**
 * A copy of the checkout, to be changed at will; the installed packages are the same. In a folder
 * that had one, it is as the checkout again, but for files that the checkout has not.
 */
export async function copyCheckout(folder?: string): Promise<string> {
  const copy = folder ?? (await temporaryFolder());
  for (const entry of COPIED) {
    await cp(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  }
  const packages = path.join(copy, 'node_modules');
  if (!existsSync(packages)) await symlink(path.join(ROOT, 'node_modules'), packages);
  return copy;
}

/** blockyard of a copy that was changed, as it is installed. */
export async function installed(checkout: string): Promise<string> {
  const folder = await temporaryFolder();
  await compileCheckout(checkout, folder);
  return folder;
}

export type AddedBlock = {
  readonly name: string;
  readonly fields: readonly unknown[];
  readonly csv: string;
  readonly id?: string;
};

/** Adds a dataset block as `docs/adding-a-block.md` says: a folder, and its data. No other file. */
export async function addBlock(
  checkout: string,
  { name, fields, csv, id = `${name}-id` }: AddedBlock,
): Promise<void> {
  const folder = path.join(checkout, 'functions', name);
  await mkdir(folder);
  const block = {
    id,
    title: name,
    description: 'Made by a test.',
    file: `${name}.csv`,
    sources: [{ title: name }],
    licenses: [{ name: 'CC0' }],
    fields,
    examples: [{ title: 'All', arguments: {} }],
  };
  await writeFile(path.join(folder, 'block.json'), JSON.stringify(block));
  await writeFile(path.join(checkout, 'seed-data', `${name}.csv`), csv);
}
