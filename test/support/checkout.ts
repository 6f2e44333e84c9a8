import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './process.ts';
import { ROOT } from './service.ts';

const COPIED = [
  'bench/data',
  'bench/report',
  'bench/scaling',
  'bin',
  'client/src',
  'lib',
  'src',
  'functions',
  'docs/scaling.md',
  'seed-data',
  'cdk.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

/** A copy of the checkout, to be changed at will; the installed packages are the same. */
export async function copyCheckout(): Promise<string> {
  const copy = await temporaryFolder();
  for (const entry of COPIED) {
    await cp(path.join(ROOT, entry), path.join(copy, entry), { recursive: true });
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Adds a dataset block as `docs/adding-a-block.md` says: a folder, and its data. No other file. */
export async function addBlock(
  checkout: string,
  { name, fields, csv }: { name: string; fields: readonly unknown[]; csv: string },
): Promise<void> {
  const folder = path.join(checkout, 'functions', name);
  await mkdir(folder);
  const block = { id: `${name}-id`, name, title: name, description: 'Made by a test.', fields };
  const example = { title: 'All', arguments: {} };
  const files = {
    'block.ts': `import { datasetBlock } from '../../src/block/block.ts';

export const block = datasetBlock(${JSON.stringify({ ...block, examples: [example] })});
`,
    'dataset.ts': `import type { DatasetSource } from '../../src/importer/dataset-source.ts';

export const dataset: DatasetSource = { file: '${name}.csv' };
`,
    'handler.ts': `import { datasetHandler } from '../../src/lambda/dataset-handler.ts';
import { block } from './block.ts';

export const handler = datasetHandler(block, process.env);
`,
    'README.md': `# ${name}\n`,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  const data = path.join(checkout, 'seed-data');
  await writeFile(path.join(data, `${name}.csv`), csv);
  const source = { title: name, publisher: 'a test', license: 'CC0', date: '2026-11' };
  await writeFile(path.join(data, `${name}.source.json`), JSON.stringify(source));
}
