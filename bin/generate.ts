import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { boundsTables } from '../bench/house/bounds.ts';
import { EXECUTION_POLICY, executionPolicy } from '../bench/policy/execution-policy.ts';
import { withTables } from '../bench/scaling/document-tables.ts';
import { hostileTables } from '../bench/scaling/hostile-tables.ts';
import { lastMeasured } from '../bench/scaling/measured.ts';
import { scalingTables } from '../bench/scaling/scaling-tables.ts';
import { blockTypes } from '../src/assets/block-types.ts';
import { ARGUMENT_SCHEMA, argumentSchema } from '../src/block/argument-schema.ts';
import { slackManifestFile } from '../src/channels/slack/app-manifest.ts';
import { BLOCK_FILE_SCHEMA_PATH, blockFileSchema } from '../src/import/block-file-schema.ts';
import { loadBlocks } from '../src/import/load-blocks.ts';
import { notebookFiles } from '../src/snippets/notebook-of.ts';
import { packedCounties, packedOutlines } from './outlines.ts';

// `npm run generate` writes every file of the checkout that is made from others. With `--check` it
// writes nothing, names the files that are out of date, and exits with 1 if there are any.

interface GeneratedFile {
  /** Relative to the root of the checkout. */
  readonly path: string;
  text(): string | Promise<string>;
}

const BOUNDS = 'docs/bounds.md';
const SCALING = 'docs/scaling.md';
const DEPLOYING = 'docs/deploying.md';

const { values: options } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
});

const blocks = (await loadBlocks(fileInCheckout('functions'), true)).map(({ block }) => block);

const generatedFiles: readonly GeneratedFile[] = [
  { path: 'client/src/blocks.ts', text: () => blockTypes(blocks) },
  {
    path: BLOCK_FILE_SCHEMA_PATH,
    text: () => `${JSON.stringify(blockFileSchema(), null, 2)}\n`,
  },
  {
    path: EXECUTION_POLICY,
    text: () => `${JSON.stringify(executionPolicy(), null, 2)}\n`,
  },
  slackManifestFile,
  { path: 'src/figure/earth/outlines.json', text: packedOutlines },
  { path: 'src/figure/earth/counties.json', text: packedCounties },
  {
    path: SCALING,
    text: () => withTables(readText(SCALING) ?? '', scalingTables(lastMeasured())),
  },
  { path: BOUNDS, text: () => withTables(readText(BOUNDS) ?? '', boundsTables()) },
  { path: DEPLOYING, text: () => withTables(readText(DEPLOYING) ?? '', hostileTables()) },
  ...blocks.map((block) => ({
    path: `functions/${block.name}/${ARGUMENT_SCHEMA}`,
    text: () => `${JSON.stringify(argumentSchema(block), null, 2)}\n`,
  })),
  ...notebookFiles(blocks),
];

for (const { path, text } of generatedFiles) {
  const wanted = await text();
  if (readText(path) === wanted) continue;
  if (options.check) {
    console.error(`${path} is out of date: run "npm run generate".`);
    process.exitCode = 1;
  } else {
    const file = fileInCheckout(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`${path} written.`);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(fileInCheckout(path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileInCheckout(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
