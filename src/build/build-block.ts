import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build, type Plugin } from 'esbuild';
import { newAjv, SCHEMA } from '../arguments/compile-schema.ts';
import type { Members } from '../arguments/given.ts';
import { ARGUMENT_SCHEMA, argumentSchema } from '../block/argument-schema.ts';
import type { Block } from '../block/block.ts';
import { OPENAPI } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { openapiOfBlock } from '../channels/openapi/openapi-document.ts';
import { packedRows } from '../columns/memory-rows.ts';
import { datasetItems } from '../dynamodb/column-items.ts';
import { type Item, type TableShape, tableShape } from '../dynamodb/item.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { textOf } from '../http/answer.ts';
import { answerBy } from '../http/line.ts';
import { jsonOf } from '../http/present-data.ts';
import { serveDataset } from '../http/serve-dataset.ts';
import { askedOf, isOfDataset, type ServedBlock, serveValue } from '../http/served-block.ts';
import { importDataset } from '../import/import-dataset.ts';
import type { LoadedBlock, LoadedDataset } from '../import/load-blocks.ts';
import { ownFile } from '../import/own-code.ts';
import { type BlockExpectation, type FirstAnswer, firstAnswerIn } from '../lambda/check-version.ts';
import type { FunctionSettings } from '../lambda/function-settings.ts';
import { type BlockTexts, textsOf } from '../portals/block-index.ts';
import { type ListedBlock, listBlock } from '../portals/listed-block.ts';
import { profileWithPicture } from '../views/draw-picture.ts';
import { Scheduler } from '../work/scheduler.ts';
import { type BuiltFiles, buildFiles, placedFiles } from './build-files.ts';
import { bundleHandlers, copyBundle, EVENT_STREAMS, FOR_LAMBDA } from './bundle-handler.ts';

/** The names of the files beside a function's code; the first is found without a setting. */
const BLOCK = 'block.json';
const FACTS = 'manifest.json';
const PROFILE = 'profile.json';
const BOUNDARIES = 'boundaries.json';
const FILES = 'files.json';
const SEED_DATA = 'seed-data';

/** A block in the form that a stack deploys. */
export type BuiltBlock = {
  readonly block: Block;
  /** The manifest of its dataset. */
  readonly manifest?: Manifest;
  /** For each text field of its dataset, common values to filter by. */
  readonly suggestions?: DatasetProfile['suggestions'];
  /** What the catalogue shows of it, and what it is found by. */
  readonly listed: ListedBlock;
  readonly texts: BlockTexts;
  /** The folder with the function's code: `index.mjs` exports `handler`. */
  readonly code: string;
  /** The function's own settings; file paths are relative to `index.mjs`. */
  readonly environment: FunctionSettings;
  readonly table?: BuiltTable;
  /** The files that programs open in place. */
  readonly files?: BuiltFiles;
  /** What a new version must answer before it goes live. */
  readonly expected: BlockExpectation;
};

/** A dataset's table, which the import of its items creates. */
export type BuiltTable = {
  readonly shape: TableShape;
  readonly version: string;
  readonly rows: number;
  readonly bytes: number;
  /** The items: gzipped DynamoDB JSON. */
  readonly file: string;
};

export type BuildFolders = {
  /** The folder of the sources. */
  readonly root: string;
  /** The folder with `functions/` and `seed-data/`. */
  readonly blocks: string;
  /** The folder for everything that is built. */
  readonly out: string;
};

/** The source of a function, and the packages that it never loads. */
export type HandlerSource = { readonly entry: string; readonly without: readonly string[] };

/** Bundles a handler's source into a folder of its own; gives the bundle. */
export async function bundleSource(
  { entry, without }: HandlerSource,
  root: string,
  folder: string,
): Promise<string> {
  const entries = { index: entry };
  await bundleHandlers({ entries, folder, root, plugins: [schemaBeside], without });
  return path.join(folder, 'index.mjs');
}

/**
 * Puts a block's function together, imports its dataset, and runs its first example. `bundleOf` gives
 * the bundle of a handler's source.
 */
export async function buildBlock(
  loaded: LoadedBlock,
  folders: BuildFolders,
  bundleOf: (source: HandlerSource) => Promise<string>,
): Promise<BuiltBlock> {
  const { block } = loaded;
  const code = path.join(folders.out, block.name);
  await mkdir(code, { recursive: true });
  const source = { entry: handlerSource(loaded, folders), without: withoutIn(loaded) };
  await copyBundle(await bundleOf(source), code);
  await writeSchema(block, { root: folders.root, folder: code });
  const { served, environment, table, files } =
    loaded.kind === 'dataset'
      ? await buildDataset(loaded, folders, code)
      : await buildValue(loaded, folders, code);
  const { manifest, profile } = served;
  const openapi = await openapiOfBlock(served)(new Scheduler());
  await writeFile(path.join(code, OPENAPI), openapi);
  return {
    block,
    listed: listBlock(block, manifest, profile?.()),
    texts: textsOf({ block, manifest, ...profile?.() }),
    manifest,
    suggestions: profile?.().suggestions,
    code,
    environment: { ...environment, OPENAPI_FILE: `./${OPENAPI}` },
    table,
    files,
    expected: {
      example: firstExample(block),
      answer: await firstAnswer(served),
      manifest,
      files: files && placedFiles(files).files,
    },
  };
}

/** DynamoDB has no streams of events. What a value block loads is not known. */
export const withoutIn = ({ kind }: Pick<LoadedBlock, 'kind'>) =>
  kind === 'dataset' ? EVENT_STREAMS : [];

/** The source of a block's function, relative to the root. Data blocks need none of their own. */
export function handlerSource(
  { kind, block }: LoadedBlock,
  { root, blocks }: Pick<BuildFolders, 'root' | 'blocks'>,
): string {
  const own = path.join(blocks, 'functions', block.name, 'handler.ts');
  return kind === 'dataset' && !existsSync(own)
    ? ownFile('lambda/dataset.ts')
    : path.relative(root, own);
}

type BuiltData = Pick<BuiltBlock, 'environment' | 'table' | 'files'> & {
  readonly served: ServedBlock;
};

async function buildDataset(
  { block, declared, dataset }: LoadedDataset,
  { blocks, out }: BuildFolders,
  code: string,
): Promise<BuiltData> {
  const imported = await importDataset(block, dataset, path.join(blocks, SEED_DATA), DYNAMODB);
  const { manifest, columns, profile, boundaries } = imported;
  const store = packedRows(block.fields, columns);
  const listed = await profileWithPicture(imported, store);
  const file = path.join(out, `${block.name}-${manifest.version}.json.gz`);
  await pipeline(
    Readable.from(importLines(datasetItems(imported))),
    createGzip(),
    createWriteStream(file),
  );
  await writeFile(path.join(code, BLOCK), JSON.stringify(declared));
  await writeFile(path.join(code, FACTS), JSON.stringify(manifest));
  await writeFile(path.join(code, PROFILE), JSON.stringify(profile));
  if (boundaries !== undefined) {
    await writeFile(path.join(code, BOUNDARIES), JSON.stringify(boundaries));
  }
  const { version, rows: count, bytes } = manifest;
  const more = { profile: () => listed, boundaries: boundaries && (() => boundaries) };
  const served = serveDataset({ block, manifest, store }, more);
  if (!isOfDataset(served)) throw new TypeError(`${block.name} has no rows.`);
  const files = await buildFiles(served, out);
  await writeFile(path.join(code, FILES), JSON.stringify(placedFiles(files)));
  return {
    environment: {
      FILES: `./${FILES}`,
      DATASET_MANIFEST: `./${FACTS}`,
      DATASET_PROFILE: `./${PROFILE}`,
      ...(boundaries === undefined
        ? {}
        : ({ BOUNDARIES: `./${BOUNDARIES}` } satisfies FunctionSettings)),
    },
    table: { shape: tableShape(block.fields), version, rows: count, bytes, file },
    files,
    served,
  };
}

async function buildValue(
  {
    block,
    createRun,
    seedFiles = [],
    prepareSeedData,
    checkSeedData,
  }: LoadedBlock & { kind: 'value' },
  { blocks }: BuildFolders,
  code: string,
): Promise<BuiltData> {
  const seedData = path.join(blocks, SEED_DATA);
  checkSeedData?.(seedData);
  const shipped = path.join(code, SEED_DATA);
  for (const file of seedFiles) {
    await cp(path.join(seedData, file), path.join(shipped, file), { recursive: true });
  }
  prepareSeedData?.(shipped);
  // Runs on the shipped files, so that a missing one is found here.
  return {
    environment: { SEED_DATA: `./${SEED_DATA}` },
    served: serveValue(block, createRun(shipped)),
  };
}

/** Items as DynamoDB's import from S3 takes them: DynamoDB JSON, one item a line, many lines at once. */
function* importLines(items: Iterable<Item>): Generator<string> {
  let lines = '';
  for (const item of items) {
    lines += `${JSON.stringify({ Item: inJson(item) })}\n`;
    if (lines.length < LEAST_LINES) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** Characters; compressing fewer at once takes longer. */
const LEAST_LINES = 2 ** 16;

/** An item in DynamoDB JSON, which has bytes in base64. */
function inJson(item: Item): object {
  return Object.fromEntries(
    Object.entries(item).map(([name, { B, ...value }]) => [
      name,
      B === undefined ? value : { B: Buffer.from(B).toString('base64') },
    ]),
  );
}

/** The file beside a block's code that checks its arguments. */
const FILE = 'compiled-schema.mjs';

/** Lets a handler take the checks from the file beside it, so that blocks can share its bundle. */
export const schemaBeside: Plugin = {
  name: 'schema-beside',
  setup(build) {
    build.onResolve({ filter: /[\\/]compile-schema\.[jt]s$/ }, () => ({
      path: `./${FILE}`,
      external: true,
    }));
  },
};

/**
 * Writes a block's schema, and its checks compiled at build time; ajv would compile them at every
 * cold start. Parameters of one form share a check: the 169 of the census have 12.
 */
async function writeSchema(
  block: Block,
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<void> {
  const schema = argumentSchema(block);
  await writeFile(path.join(folder, ARGUMENT_SCHEMA), JSON.stringify(schema));
  const ajv = newAjv({ source: true, esm: true }).addSchema(schema, SCHEMA);
  const forms = Object.entries(schema.$defs);
  const exported = Object.fromEntries(
    forms.map(([name], i) => [`check${i}`, `${SCHEMA}#/$defs/${name}`]),
  );
  const code = (standaloneCode as unknown as typeof standaloneCode.default)(ajv, exported);
  const checks = forms.map(([, form], i) => `[${JSON.stringify(JSON.stringify(form))}, check${i}]`);
  const contents = `${code.replaceAll('export const ', 'const ')}
const CHECKS = new Map([${checks}]);
export function checksOf() {
  return (form) => {
    const check = CHECKS.get(JSON.stringify(form));
    return (value) => (check(value) ? [] : check.errors);
  };
}`;
  await build({
    ...FOR_LAMBDA,
    absWorkingDir: root,
    stdin: { contents, loader: 'js', resolveDir: root },
    outfile: path.join(folder, FILE),
    sourcemap: false,
  });
}

/** Enough rows to recognise an answer. */
const MOST_ROWS = 10;

/** The bound on a run in the build, where data are in memory. */
const ANSWERED_WITHIN_MS = 60_000;

/** The arguments of a block's first example, as they are sent. */
export function firstExample({ name, answers, examples }: Block): Members {
  const [example] = examples;
  if (example === undefined) throw new TypeError(`Block ${name} has no example.`);
  return answers === 'rows' ? { ...example.arguments, _limit: MOST_ROWS } : example.arguments;
}

/** Runs a block's first example by the line that every run follows, and with more time. */
export async function firstAnswer(served: ServedBlock): Promise<FirstAnswer> {
  const scheduler = new Scheduler();
  const request = { method: 'POST', origin: '', path: '', query: '', headers: {}, body: noBody };
  const settings = { build: '', record: () => {}, runWithinMs: ANSWERED_WITHIN_MS };
  const run = { request, settings, scheduler, runId: '', began: performance.now() };
  const body = firstExample(served.block);
  const asked = askedOf(run, served, { query: {}, body, isPost: true, isWebhook: false });
  const answer = await answerBy(asked, jsonOf(asked));
  return firstAnswerIn(await textOf(answer.body));
}

/** The example is given as arguments. */
const noBody = async () => new Uint8Array();
