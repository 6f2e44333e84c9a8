import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadBlocks } from '../src/import/load-blocks.ts';
import { ROOT } from './support/service.ts';

/** The product's own sources, by their path from the root. */
const SOURCES = ['src', 'functions', 'bin', 'lib'].flatMap(sourcesBelow);
const blocks = await loadBlocks(path.join(ROOT, 'functions'));

function sourcesBelow(folder: string): string[] {
  return filesBelow(folder).filter((file) => /\.(?:tsx?|js)$/.test(file));
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** What a file imports: paths from the root for our own files, else the specifier as it is. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(
    /(?:^|[;\n])\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  );
  return [...statements].map(([, fixed, dynamic]) => {
    const specifier = (fixed ?? dynamic) as string;
    return specifier.startsWith('.')
      ? path.relative(ROOT, path.resolve(ROOT, path.dirname(file), specifier))
      : specifier;
  });
}

/** Imports that a folder may not have, as `file -> import`. */
function forbidden(folder: string, isAllowed: (imported: string) => boolean): string[] {
  return sourcesBelow(folder).flatMap((file) =>
    importsOf(file)
      .filter((imported) => !isAllowed(imported))
      .map((imported) => `${file} -> ${imported}`),
  );
}

const isBelow =
  (...folders: string[]) =>
  (imported: string) =>
    folders.some((folder) => imported.startsWith(`${folder}/`));

/** The line's own nouns, a folder each: pure. */
const CORE = [
  ...['src/block', 'src/fields', 'src/arguments', 'src/query', 'src/problem'],
  ...['src/text', 'src/words', 'src/waiting'],
];

const writerModule = (name: string) => `hyparquet-writer/src/${name}.js`;

describe('dependencies point inward', () => {
  test('imports are seen, in every form', () => {
    expect(importsOf('src/files/read-csv.ts')).toEqual([
      'node:stream',
      'csv-parse',
      'csv-parse/sync',
      'src/block/declaration.ts',
      'src/text/wording.ts',
      'src/files/encoding.ts',
      'src/files/read-csv.ts',
      'src/files/read-csv.ts',
      'src/files/read-csv.ts',
      'src/files/source-table.ts',
      'src/files/source-table.ts',
    ]);
    expect(SOURCES.flatMap(importsOf).length).toBeGreaterThan(200);
  });

  test.each(CORE)(
    '%s, of the core, imports the core, ajv, node:crypto and a text distance',
    (folder) => {
      const isCore = isBelow(...CORE);
      const packages = /^ajv(?:\/|$)|^node:crypto$|^fastest-levenshtein$/;
      expect(forbidden(folder, (imported) => isCore(imported) || packages.test(imported))).toEqual(
        [],
      );
    },
  );

  test('colour imports nothing outside itself', () => {
    expect(forbidden('src/color', isBelow('src/color'))).toEqual([]);
  });

  test.each([
    [
      'src/formats',
      [...CORE, 'src/formats'],
      ['hyparquet', ...['bytewriter', 'datapage', 'metadata', 'snappy'].map(writerModule)],
    ],
    ['src/snippets', [...CORE, 'src/snippets'], []],
    ['src/openapi', [...CORE, 'src/formats', 'src/openapi'], []],
    [
      'src/columns',
      [...CORE, 'src/columns'],
      ['node:buffer', 'node:crypto', 'node:events', 'node:zlib'],
    ],
    ['src/webhooks', [...CORE, 'src/webhooks'], ['node:crypto']],
    [
      'src/fetching',
      [...CORE, 'src/fetching'],
      [
        ...['node:crypto', 'node:dns/promises', 'node:fs/promises', 'node:http', 'node:https'],
        ...['node:net', 'node:stream', 'node:zlib'],
      ],
    ],
    ['src/page', [...CORE, 'src/snippets', 'src/page'], ['hono/html', 'hono/jsx']],
    ['src/chat', [...CORE, 'src/chat'], []],
    ['src/command-line', [...CORE, 'src/chat', 'src/command-line'], ['string-width', 'node:util']],
    [
      'src/slack',
      [...CORE, 'src/chat', 'src/http', 'src/page', 'src/slack'],
      ['@slack/types', 'node:crypto'],
    ],
    ['src/mcp', [...CORE, 'src/http', 'src/mcp'], ['@modelcontextprotocol/server']],
    ['client/src', ['client/src'], []],
  ])('%s imports %j, and %j', (folder, folders, packages) => {
    const isOwn = isBelow(...folders);
    const allowed: readonly string[] = packages;
    expect(forbidden(folder, (imported) => isOwn(imported) || allowed.includes(imported))).toEqual(
      [],
    );
  });

  test.each([
    ['src/http', ['src/dynamodb', 'src/importer', 'src/local', 'src/lambda']],
    ['src/catalog', ['src/dynamodb', 'src/importer', 'src/local', 'src/lambda']],
    ['src/dynamodb', ['src/http', 'src/catalog', 'src/importer', 'src/local', 'src/lambda']],
    ['src/importer', ['src/http', 'src/catalog', 'src/local', 'src/lambda', 'src/adding']],
    ['src/readers', ['src/importer', 'src/inference', 'src/dynamodb', 'src/columns', 'src/http']],
    ['src/inference', ['src/importer', 'src/columns', 'src/http', 'src/local', 'src/lambda']],
    ['src/census', ['src/adding', 'src/dynamodb', 'src/columns', 'src/http', 'src/local']],
    ['src/adding', ['src/http', 'src/catalog', 'src/local', 'src/lambda', 'src/build']],
    ['src/lambda', ['src/local', 'src/importer', 'src/catalog', 'src/build']],
    ['src/local', ['src/lambda', 'src/build']],
    ['src/build', ['src/local']],
    ['src', ['functions', 'bin', 'lib', 'test']],
    ['functions', ['src/local', 'src/catalog', 'bin', 'lib', 'test']],
  ])('%s imports nothing of %j', (folder, others) => {
    const isOther = isBelow(...others);
    expect(forbidden(folder, (imported) => !isOther(imported))).toEqual([]);
  });

  test('the infrastructure knows what is built, and the core; no adapter', () => {
    const others = forbidden(
      'lib',
      (imported) =>
        !/^(?:src|functions|bin)\//.test(imported) || isBelow('src/build', ...CORE)(imported),
    );
    // An option of a deployment is read, and has its default, as the service has it; a function has
    // the name that the channels derive.
    expect(others).toEqual([
      'lib/block-service.ts -> src/lambda/invoke-block.ts',
      'lib/block-service.ts -> src/lambda/invoke-block.ts',
      'lib/deployment-options.ts -> src/columns/column-cache.ts',
      'lib/deployment-options.ts -> src/http/allow-origin.ts',
      'lib/service-function.ts -> src/lambda/invoke-block.ts',
    ]);
  });

  test('the AWS SDK is for src/dynamodb and those who are given its client; for secrets, to call functions, and to check new ones', () => {
    const users = SOURCES.filter((file) => importsOf(file).some((name) => /^@aws-sdk/.test(name)));
    expect(users.filter((file) => !/^(?:src\/dynamodb|lib)\//.test(file))).toEqual([
      'src/lambda/check-version.ts',
      'src/lambda/fetch-secret.ts',
      'src/lambda/invoke-block.ts',
      'src/local/prepare-datasets.ts',
    ]);
  });

  test("no function imports another's folder", () => {
    const owner = (file: string) => file.split('/')[1];
    const others = sourcesBelow('functions').flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('functions/') && owner(name) !== owner(file))
        .map((name) => `${file} -> ${name}`),
    );
    expect(others).toEqual([]);
  });
});

test('the environment is read by bin/ and the Lambda handlers alone', () => {
  const readers = SOURCES.filter((file) =>
    /\bprocess\s*\.\s*env\b|\benv\b.*node:process/.test(textOf(file)),
  );
  expect(readers.filter((file) => !/^bin\/|^functions\/[^/]+\/handler\.ts$/.test(file))).toEqual(
    [],
  );
  expect(readers).toContain('bin/start.ts');
});

describe('a block is a folder', () => {
  const folders = readdirSync(path.join(ROOT, 'functions'));

  test('every folder holds a block, known by its name', () => {
    expect(blocks.map(({ block }) => block.name)).toEqual([...folders].sort());
  });

  test.each(
    blocks.map(({ kind, block }) => [
      block.name,
      kind === 'dataset' ? ['block.json'] : ['block.ts', 'run.ts', 'handler.ts'],
    ]),
  )('%s has %j', (name, files) => {
    const present = filesBelow(`functions/${name}`).map((file) => path.basename(file));
    expect((files as string[]).filter((file) => !present.includes(file))).toEqual([]);
  });

  test.each(blocks.map(({ kind, block }) => ({ kind, ...block })))(
    '$name has examples, and a dataset its data',
    ({ kind, name, examples }) => {
      expect(examples.length).toBeGreaterThanOrEqual(1);
      const loaded = blocks.find(({ block }) => block.name === name);
      if (kind === 'value' || loaded?.kind !== 'dataset') return;
      const { file } = loaded.dataset;
      expect(filesBelow('seed-data')).toContain(`seed-data/${file}`);
    },
  );

  test.each(blocks.flatMap(({ block }) => [...new Set([block.id, block.name])]))(
    '%s occurs nowhere in src/, lib/ and bin/',
    (address) => {
      const elsewhere = ['src', 'lib', 'bin'].flatMap(filesBelow);
      expect(elsewhere.length).toBeGreaterThan(50);
      expect(elsewhere.filter((file) => textOf(file).includes(address))).toEqual([]);
    },
  );

  test.each(blocks.filter(({ kind }) => kind === 'dataset'))(
    "$block.name's data are named in its folder alone",
    (loaded) => {
      if (loaded.kind !== 'dataset') throw new Error('not a dataset');
      const elsewhere = ['src', 'lib', 'bin'].flatMap(filesBelow);
      expect(elsewhere.filter((file) => textOf(file).includes(loaded.dataset.file))).toEqual([]);
    },
  );
});

test('no file or folder is a drawer', () => {
  const all = ['src', 'functions', 'bin', 'lib', 'test', 'bench', 'docs']
    .flatMap(filesBelow)
    .filter((file) => !file.includes('node_modules/'));
  const drawers = all.filter((file) =>
    file
      .split('/')
      .some((part) => /^(?:utils?|helpers?|common|misc|types|shared)(?:\..*)?$/i.test(part)),
  );
  expect(all.length).toBeGreaterThan(100);
  expect(drawers).toEqual([]);
});
