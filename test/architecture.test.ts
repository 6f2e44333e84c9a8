import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { moduleState } from '../bench/house/module-state.ts';
import { CHANNELS } from '../src/channels/channels.ts';
import { loadBlocks } from '../src/import/load-blocks.ts';
import { ROOT } from './support/service.ts';

/** The product's own sources, by their path from the root. */
const SOURCES = ['src', 'functions', 'bin', 'lambda', 'lib'].flatMap(sourcesBelow);
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

/** What a file loads before it runs: no types, and nothing that is imported later. */
function loadedFirst(file: string): string[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\sfrom\s+)?['"](\.[^'"]+)['"]/gm,
  );
  return [...statements].flatMap(([, names = '', specifier = '']) => {
    const named = /\{([\s\S]*)\}/.exec(names)?.[1]?.split(',') ?? [];
    const filled = named.map((one) => one.trim()).filter((one) => one !== '');
    const isOfTypes = filled.length > 0 && filled.every((one) => one.startsWith('type '));
    const imported = path.resolve(ROOT, path.dirname(file), specifier);
    return isOfTypes ? [] : path.relative(ROOT, imported);
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

/** The rooms, in the order of what they need: none imports one that stands behind it. */
const ROOMS = [
  // The pure middle.
  ...[
    'text',
    'languages',
    'problem',
    'work',
    'values',
    'formats',
    'measures',
    'block',
    'portals',
    'arguments',
    'query',
    'columns',
  ],
  // How answers look and travel, and where rows are kept.
  ...['dynamodb', 'snippets', 'figure', 'first', 'page', 'views', 'http'],
  // People's files.
  ...['fetch', 'files', 'recipe', 'import', 'assets'],
  // Who asks.
  ...['channels/chat', 'channels/terminal', 'channels/slack', 'channels/mcp', 'channels/openapi'],
  'channels',
  ...['commands', 'lambda', 'build', 'local', 'package'],
].map((room) => `src/${room}`);

/** The rooms that every room after them may import: no adapter is among them. */
const CORE = [
  'text',
  'languages',
  'problem',
  'work',
  'values',
  'formats',
  'measures',
  'block',
  'portals',
  'arguments',
  'query',
].map((room) => `src/${room}`);

/** What the core may import that is not ours. */
const CORE_PACKAGES = [
  ...['ajv/dist/2020.js', 'node:crypto', 'node:zlib', 'fastest-levenshtein'],
  ...['hyparquet', 'hyparquet-writer'],
];

/** What draws the earth below maps, which is loaded with the first of them. */
const OF_EARTH = ['d3-geo', 'topojson-client', 'topojson-specification'];

const roomOf = (file: string) => ROOMS.find((room) => file.startsWith(`${room}/`));

/** Circles of imports among files, each as the files that it joins. */
function circles(files: readonly string[]): string[][] {
  const all = new Set(files);
  const found: string[][] = [];
  const [index, low] = [new Map<string, number>(), new Map<string, number>()];
  const stack: string[] = [];
  const lowOf = (file: string) => low.get(file) as number;
  // Tarjan's strongly connected components.
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const imported of importsOf(file).filter((name) => all.has(name))) {
      if (!index.has(imported)) visit(imported);
      if (stack.includes(imported)) low.set(file, Math.min(lowOf(file), lowOf(imported)));
    }
    if (lowOf(file) !== index.get(file)) return;
    const joined = stack.splice(stack.indexOf(file));
    if (joined.length > 1) found.push(joined.sort());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}

describe('dependencies point inward', () => {
  test('imports are seen, in every form', () => {
    expect(importsOf('src/formats/parquet.ts')).toEqual(
      expect.arrayContaining(['src/formats/format.ts', 'src/formats/parquet-writer.ts']),
    );
    expect(importsOf('src/import/read-block-file.ts')).toEqual(
      expect.arrayContaining(['@humanwhocodes/momoa', 'ajv/dist/2020.js', 'src/text/wording.ts']),
    );
    expect(SOURCES.flatMap(importsOf).length).toBeGreaterThan(200);
  });

  test('no circle of imports, types included', () => {
    expect(circles(SOURCES)).toEqual([]);
  });

  test('every file of src/ is in a room', () => {
    expect(sourcesBelow('src').filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  test.each(ROOMS)('%s imports no room behind it', (room) => {
    const behind = ROOMS.slice(ROOMS.indexOf(room) + 1);
    const isBehind = (imported: string) => behind.includes(roomOf(imported) ?? '');
    expect(forbidden(room, (imported) => !isBehind(imported))).toEqual([]);
  });

  test.each(CORE)(
    '%s, of the core, imports the core, ajv, node:crypto, node:zlib, a text distance and Parquet',
    (folder) => {
      const isCore = isBelow(...CORE);
      const isAllowed = (name: string) => isCore(name) || CORE_PACKAGES.includes(name);
      expect(forbidden(folder, isAllowed)).toEqual([]);
    },
  );

  test('docs/choices.md names the packages that the core imports', () => {
    const choice = /^- \*\*Core imports .*$/m.exec(textOf('docs/choices.md'))?.[0] ?? '';
    const named = [...choice.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    const packages = CORE_PACKAGES.map((specifier) => specifier.split('/')[0]);
    expect(named.sort()).toEqual([...new Set(packages)].sort());
  });

  test.each([
    [
      'src/formats',
      ['text', 'problem', 'work', 'values', 'formats'].map((room) => `src/${room}`),
      ['hyparquet', 'hyparquet-writer', 'node:zlib'],
    ],
    ['src/snippets', [...CORE, 'src/snippets'], []],
    ['src/channels/openapi', [...CORE, 'src/channels/openapi'], []],
    [
      'src/columns',
      [...CORE, 'src/columns'],
      ['node:buffer', 'node:crypto', 'node:events', 'node:zlib'],
    ],
    [
      'src/figure',
      ['text', 'languages', 'values', 'measures', 'block', 'query', 'figure'].map(
        (room) => `src/${room}`,
      ),
      ['d3-scale', 'd3-shape', ...OF_EARTH],
    ],
    [
      'src/page',
      [...CORE, 'src/snippets', 'src/figure', 'src/first', 'src/page'],
      ['hono/html', 'hono/jsx'],
    ],
    [
      'src/views',
      ['snippets', 'figure', 'first', 'page', 'views'].map((room) => `src/${room}`).concat(CORE),
      ['hono/jsx'],
    ],
    ['src/channels/chat', [...CORE, 'src/channels/chat'], []],
    [
      'src/channels/terminal',
      [...CORE, 'src/channels/chat', 'src/channels/terminal'],
      ['string-width', 'node:util'],
    ],
    [
      'src/channels/slack',
      [...CORE, 'src/channels/chat', 'src/http', 'src/channels/slack'],
      ['@slack/types', 'node:crypto'],
    ],
    [
      'src/channels/mcp',
      [...CORE, 'src/http', 'src/channels/mcp'],
      ['@modelcontextprotocol/server'],
    ],
    ['client/src', ['client/src'], []],
  ])('%s imports %j, and %j', (folder, folders, packages) => {
    const isOwn = isBelow(...folders);
    const allowed: readonly string[] = packages;
    expect(forbidden(folder, (imported) => isOwn(imported) || allowed.includes(imported))).toEqual(
      [],
    );
  });

  test.each([
    ['src/http', ['src/dynamodb', 'src/columns']],
    ['src/files', ['src/dynamodb', 'src/columns', 'src/http', 'src/page']],
    ['src/import', ['src/dynamodb', 'src/http', 'src/page']],
    ['src/commands', ['src/http', 'src/page', 'src/columns']],
    ['src/lambda', ['src/import', 'src/files']],
    ['src/local', ['src/lambda', 'src/build']],
    ['src', ['functions', 'bin', 'lambda', 'lib', 'test']],
    ['functions', ['src/local', 'bin', 'lambda', 'lib', 'test']],
  ])('%s imports nothing of %j', (folder, others) => {
    const isOther = isBelow(...others);
    expect(forbidden(folder, (imported) => !isOther(imported))).toEqual([]);
  });

  test('of the formats of files, the root of their room knows their list alone', () => {
    const roots = SOURCES.filter((file) => /^src\/files\/[^/]+$/.test(file));
    const knowing = roots.filter((file) =>
      importsOf(file).some((imported) => /^src\/files\/[^/]+\//.test(imported)),
    );
    expect(knowing).toEqual(['src/files/file-formats.ts']);
  });

  test('what a block answers with narrows it: no cast says so', () => {
    expect(SOURCES.filter((file) => textOf(file).includes(' as DatasetBlock'))).toEqual([]);
  });

  test('the infrastructure knows what is built, and the core; no adapter', () => {
    const others = forbidden(
      'lib',
      (imported) =>
        !/^(?:src|functions|bin|lambda)\//.test(imported) ||
        isBelow('src/build', ...CORE)(imported),
    );
    // An option of a deployment is read, and has its default, as the service has it; a function has
    // the name that the channels derive, and the settings that it reads; what copies files is told them.
    expect(others).toEqual([
      'lib/block-service.ts -> src/lambda/block-function.ts',
      'lib/block-service.ts -> src/lambda/function-settings.ts',
      'lib/deployment-options.ts -> src/columns/column-cache.ts',
      'lib/deployment-options.ts -> src/http/allow-origin.ts',
      'lib/deployment-options.ts -> src/lambda/function-settings.ts',
      'lib/service-function.ts -> src/lambda/block-function.ts',
      'lib/service-function.ts -> src/lambda/function-settings.ts',
      'lib/version-files.ts -> src/lambda/copy-files.ts',
    ]);
  });

  test("of DynamoDB, the commands know what it takes, for those who import people's files", () => {
    expect(forbidden('src/commands', (imported) => !isBelow('src/dynamodb')(imported))).toEqual([
      'src/commands/write-block.ts -> src/dynamodb/storage.ts',
    ]);
  });

  test('the AWS SDK is for src/dynamodb and those who are given its client; for secrets and files, to call functions, and to check new ones', () => {
    const users = SOURCES.filter((file) => importsOf(file).some((name) => /^@aws-sdk/.test(name)));
    expect(users.filter((file) => !/^(?:src\/dynamodb|lib)\//.test(file))).toEqual([
      'src/lambda/channel-handler.ts',
      'src/lambda/check-version.ts',
      'src/lambda/copy-files.ts',
      'src/lambda/fetch-secret.ts',
      'src/lambda/read-bucket.ts',
    ]);
  });

  test("of a block's folder, nothing imports a file: without it, its code is gone", () => {
    const importers = SOURCES.filter((file) => !file.startsWith('functions/')).flatMap((file) =>
      importsOf(file).filter((name) => name.startsWith('functions/')),
    );
    expect(importers).toEqual([]);
  });

  test('a start from a folder loads no client of DynamoDB', () => {
    const loaded = new Set(['src/local/start.ts']);
    for (const file of loaded) {
      // It is imported when a start is told of a DynamoDB.
      const now = importsOf(file).filter((name) => name !== 'src/local/emulator-store.ts');
      for (const name of now.filter((one) => SOURCES.includes(one))) loaded.add(name);
    }
    expect(loaded.size).toBeGreaterThan(100);
    expect([...loaded].filter((file) => /^src\/dynamodb\/.*client/.test(file))).toEqual([]);
  });

  test('an answer in JSON or a file loads no page, no figure and no language', () => {
    const loaded = new Set(['lambda/dataset.ts', 'functions/rgb-to-color-name/handler.ts']);
    for (const file of loaded) for (const one of loadedFirst(file)) loaded.add(one);
    expect(loaded.size).toBeGreaterThan(100);
    const rooms = ['page', 'views', 'figure', 'first', 'snippets', 'languages'];
    expect([...loaded].filter(isBelow(...rooms.map((room) => `src/${room}`)))).toEqual([
      // How a block's rows are called, if their publisher did not say.
      'src/languages/names.ts',
    ]);
  });

  test('only a map loads the earth, and only the earth loads its outlines and projections', () => {
    const isOfEarth = isBelow('src/figure/earth');
    const all = SOURCES.filter((file) => !isOfEarth(file));
    const first = all.flatMap((file) => loadedFirst(file).filter(isOfEarth));
    // It is packed by what `npm run generate` runs.
    expect([...new Set(first)]).toEqual(['src/figure/earth/packed-arc.ts']);
    const later = all.filter((file) => importsOf(file).some(isOfEarth));
    expect(later.sort()).toEqual([
      'bin/outlines.ts',
      'src/import/exchanged-places.ts',
      'src/import/map-of-us.ts',
      'src/import/named-areas.ts',
      'src/recipe/area-names.ts',
      'src/views/read-figure.ts',
    ]);
    const projecting = SOURCES.filter((file) => importsOf(file).includes('d3-geo'));
    expect(projecting.filter((file) => file.startsWith('src/figure/') && !isOfEarth(file))).toEqual(
      [],
    );
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

test('what a view is called is asked in the views alone, and no part of a page names one', () => {
  const kind = /[=!]== '(?:chart|map|table|columns|api)'/;
  const asking = sourcesBelow('src').filter((file) => kind.test(textOf(file)));
  // A map is a layout of pictures too.
  expect(asking.filter((file) => !isBelow('src/views')(file))).toEqual([
    // What block.json may say that a page opens with.
    'src/arguments/check-examples.ts',
    // A block without places has no map among its choices.
    'src/block/options.ts',
    'src/figure/small-picture.ts',
  ]);
});

describe('state has an owner', () => {
  /** What a variable of a module may hold: what would be the same if it were made anew each time. */
  const MEMOS: Readonly<Record<string, string>> = {
    'src/columns/chunk.ts NUMBERS': 'the first whole numbers',
    'src/columns/column-store.ts BYTES': "by directory, as long as that is in the store's memory",
    'src/columns/key-list.ts LISTS': 'by list, as long as its query is answered',
    'src/columns/wildcard-codes.ts DIGITS': "by chunk, as long as that is in the store's memory",
    'src/measures/text-ids.ts EIGHT_BYTES': 'the same bytes',
    'src/measures/text-ids.ts NUMBER': "a number's bytes, read as soon as they are written",
    'src/columns/word-index.ts KNOWN': 'by code point',
    'src/figure/earth/earth.ts layers': 'by outline of the code itself; there are three',
    'src/figure/earth/earth.ts wholes': 'by whole map of these; there are three',
    'src/figure/periods.ts kept': 'by language, of which there are a few',
    'src/files/json/json-columns.ts SCALAR': 'a pattern, told before each use where to begin',
    'src/import/read-block-file.ts validate': 'of a schema that never changes',
    'src/languages/language.ts namesOf': 'by language, of which there are a few',
    'src/lambda/source-places.ts maps': 'by file of the code that runs',
    'src/query/row-store.ts NOTHING_READ': 'typed so that nobody adds to it',
    'src/text/wording.ts FORMATS': 'by language, and count of decimals, of which there are 101',
    'src/values/time-zone.ts CLOCKS': 'by zone of a field',
    'src/values/time-zone.ts ZONES': 'by zone of a field',
    'src/values/written-time.ts MADE': 'by language, of which there are a few',
  };

  test('no module keeps what a request changes', () => {
    const kept = sourcesBelow('src')
      // The page's scripts run for one reader.
      .filter((file) => !isBelow('src/assets')(file))
      .flatMap((file) => moduleState(textOf(file)).map((name) => `${file} ${name}`));
    expect(kept.sort()).toEqual(Object.keys(MEMOS).sort());
  });

  test.each([
    ['let count = 0;', ['count']],
    ['export let timer: NodeJS.Timeout | undefined;', ['timer']],
    ['let [taken, waiting] = [0, 0];', ['taken', 'waiting']],
    [
      'const made = new Map<string, () => void>();\nconst add = () => {\n  made.set("", add);\n};',
      ['made'],
    ],
    ['const names = new Set(["a"]);\nfunction isName() {\n  return names.has("a");\n}', []],
    ['const lines: Readonly<Record<Line, number[]>> = { a: [] };\n\tlines.a.push(1);', ['lines']],
    ['const seen: number[] = [];\nfunction see() {\n  seen[0] = 1;\n}', ['seen']],
    ['const used = { times: 0 };\nfunction use() {\n  used.times += 1;\n}', ['used']],
    ['const scheduler = new Scheduler();', ['scheduler']],
    ['const PATTERN = new RegExp("a");', []],
  ])('such a variable is seen: %j', (text, names) => {
    expect(moduleState(text)).toEqual(names);
  });
});

test('the environment is read by bin/ and the Lambda handlers alone', () => {
  const readers = SOURCES.filter((file) =>
    /\bprocess\s*\.\s*env\b|\benv\b.*node:process/.test(textOf(file)),
  );
  const others = readers.filter(
    (file) => !/^(?:bin|lambda)\/|^functions\/[^/]+\/handler\.ts$/.test(file),
  );
  // What the clients of the AWS SDK would read there themselves.
  expect(others).toEqual(['src/lambda/aws-settings.ts']);
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
      [
        'handler.ts',
        'schema.json',
        ...(kind === 'dataset' ? ['block.json'] : ['block.ts', 'run.ts']),
      ],
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
    '%s occurs nowhere in src/, lib/, lambda/ and bin/',
    (address) => {
      const elsewhere = ['src', 'lib', 'bin', 'lambda'].flatMap(filesBelow);
      expect(elsewhere.length).toBeGreaterThan(50);
      expect(elsewhere.filter((file) => textOf(file).includes(address))).toEqual([]);
    },
  );

  test.each(blocks.filter(({ kind }) => kind === 'dataset'))(
    "$block.name's data are named in its folder alone",
    (loaded) => {
      if (loaded.kind !== 'dataset') throw new Error('not a dataset');
      const elsewhere = ['src', 'lib', 'bin', 'lambda'].flatMap(filesBelow);
      expect(elsewhere.filter((file) => textOf(file).includes(loaded.dataset.file))).toEqual([]);
    },
  );
});

test.each(CHANNELS)(
  "the channel $name is a folder, its function's handler, and a line in the list",
  ({ name }) => {
    const files = [`lambda/${name}.ts`, `src/channels/${name}/${name}-routes.ts`];
    expect(SOURCES).toEqual(expect.arrayContaining(files));
    const elsewhere = ['src/local', 'src/build', 'lib'].flatMap((folder) =>
      forbidden(folder, (imported) => !isBelow(`src/channels/${name}`)(imported)),
    );
    // What a secret is, for the settings of a server.
    expect(elsewhere.filter((line) => !line.endsWith('/slash-command.ts'))).toEqual([]);
  },
);

test('no file or folder is a drawer', () => {
  const all = ['src', 'functions', 'bin', 'lambda', 'lib', 'test', 'bench', 'docs']
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
