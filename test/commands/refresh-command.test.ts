import { promises, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { atHome, CA, type FileServer, LOCAL_REACH, serveTls } from '../files/file-server.ts';
import { cleanUp } from '../support/process.ts';
import { zipOf } from '../support/zip-of.ts';
import { OwnBlocks } from './own-blocks.ts';

/** What changes the disk. */
const STEPS = ['copyFile', 'mkdir', 'open', 'rename', 'rm', 'writeFile'] as const;
const disk = promises as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
const real = { ...disk };
/** How many such steps are still made: then the process is as good as killed, and makes no more. */
let stepsLeft = Number.POSITIVE_INFINITY;
let stepsMade = 0;
for (const step of STEPS) {
  disk[step] = async (...args) => {
    if (stepsLeft-- <= 0) throw new Error('Killed');
    stepsMade++;
    return real[step]?.(...args);
  };
}
// For those who import the functions by name.
syncBuiltinESMExports();

const FIRST = 'id,name,visits\n1,Canton,5\n2,Fells Point,6\n';
const NEXT = 'id,name,visits\n1,Canton,7\n3,Hampden,8\n4,Guilford,9\n';
const DAY = 'Sat, 14 Nov 2026 06:00:00 GMT';

let blocks: OwnBlocks;
let server: FileServer;
/** What the server answers. */
let content: string | Uint8Array;
let headers: http.OutgoingHttpHeaders;
let status: number;
/** Whether the end of the connection is the end of the file. */
let isOpenEnded: boolean;
let address: string;

beforeEach(async () => {
  [content, headers] = [FIRST, { 'last-modified': DAY }];
  [status, isOpenEnded] = [200, false];
  server = await serveTls((request, response) => {
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
    if (isOpenEnded) {
      response.removeHeader('content-length');
      response.removeHeader('transfer-encoding');
    }
    response.writeHead(isKnown ? 304 : status, headers).end(isKnown ? undefined : content);
  });
  address = `https://data.test:${server.port}/shops.csv`;
  blocks = await OwnBlocks.inNewFolder({ reach: LOCAL_REACH, resolve: atHome, ca: CA });
  const { code, err } = await blocks.run('add', address);
  if (code !== 0) throw new Error(err);
});
afterEach(async () => {
  stepsLeft = Number.POSITIVE_INFINITY;
  await server.close();
});
afterAll(async () => {
  Object.assign(disk, real);
  syncBuiltinESMExports();
  await cleanUp();
});

const dataFiles = () => readdirSync(path.join(blocks.folder, 'seed-data'));

test('add writes the address that refresh asks', () => {
  expect(blocks.blockFile('shops')).toMatchObject({
    downloadUrl: address,
    sources: [{ title: 'shops.csv', path: address }],
  });
});

describe('a new file', () => {
  test('is taken over: its rows, hash, number of rows and day, and nothing else', async () => {
    const { hash: _hash, file: before, ...old } = blocks.blockFile('shops');
    content = NEXT;
    const { code, out, err } = await blocks.run('refresh');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^shops: a new file\n3 rows, 2 before: 2 added, 1 gone, 1 changed\n/);
    expect(out).toMatch(/shops: taken over\n$/);
    const { hash, file, ...block } = blocks.blockFile('shops');
    expect(file).toBe(`shops-${hash?.slice('sha256:'.length, 'sha256:'.length + 12)}.csv`);
    expect(file).not.toBe(before);
    expect(block).toEqual({
      ...old,
      rows: 3,
      sources: [{ ...old.sources[0], date: '2026-11-14' }],
    });
    expect(Object.keys(blocks.blockFile('shops'))).toEqual([
      ...Object.keys({ title: 0, description: 0, file: 0, hash: 0 }),
      ...Object.keys(old).filter((name) => !['title', 'description'].includes(name)),
    ]);
    expect(await blocks.rows('shops')).toEqual([
      { id: 1, name: 'Canton', visits: 7 },
      { id: 3, name: 'Hampden', visits: 8 },
      { id: 4, name: 'Guilford', visits: 9 },
    ]);
    expect(dataFiles()).toEqual([file]);
    expect(readdirSync(blocks.folder).sort()).toEqual(['.blockyard', 'functions', 'seed-data']);
  });

  test('has its total left out where it stands now', async () => {
    const total = '5,Total,24\n';
    content = `${FIRST}Total,,11\n`;
    await blocks.run('refresh', 'shops');
    const totals = [{ column: 'id', is: 'Total' }];
    expect(blocks.blockFile('shops').dialect).toEqual({ totals });
    content = `${NEXT}Total,,24\n`;
    await blocks.run('refresh', 'shops');
    expect(blocks.blockFile('shops').dialect).toEqual({ totals });
    expect(await blocks.rows('shops')).toHaveLength(3);
    content = `${NEXT}${total}`;
    await blocks.run('refresh', 'shops');
    expect(blocks.blockFile('shops').dialect).toEqual({
      totals: [...totals, { column: 'name', is: 'Total' }],
    });
    expect(await blocks.rows('shops')).toHaveLength(3);
  });

  test('has its last row left out only if that adds up, without a word', async () => {
    content = `${NEXT},,24\n`;
    await blocks.run('refresh', 'shops');
    expect(blocks.blockFile('shops').dialect).toEqual({ totals: [{ column: 'id', is: '' }] });
    expect(await blocks.rows('shops')).toHaveLength(3);
    content = `${NEXT}5,,25\n`;
    await blocks.run('refresh', 'shops');
    expect(blocks.blockFile('shops').dialect).toBeUndefined();
    expect(await blocks.rows('shops')).toHaveLength(4);
  });

  test('is today’s if the server does not say its day', async () => {
    [content, headers] = [NEXT, {}];
    await blocks.run('refresh', 'shops');
    const { date } = blocks.blockFile('shops').sources[0] ?? {};
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('leaves the old data file where another block names it', async () => {
    const { file } = blocks.blockFile('shops');
    const other = path.join(blocks.folder, 'functions', 'other', 'block.json');
    await real.mkdir?.(path.dirname(other));
    const { downloadUrl: _url, ...block } = blocks.blockFile('shops');
    writeFileSync(other, JSON.stringify(block));
    content = NEXT;
    expect((await blocks.run('refresh')).code).toBe(0);
    expect(dataFiles()).toHaveLength(2);
    expect(dataFiles()).toContain(file);
    expect(await blocks.rows('other')).toHaveLength(2);
  });
});

describe('a file on the disk', () => {
  const givenFile = (text: string) => {
    const file = path.join(blocks.folder, 'mine.csv');
    writeFileSync(file, text);
    return file;
  };

  test('is taken over by its name, and the address stays', async () => {
    const { code, out, err } = await blocks.run('refresh', 'shops', givenFile(NEXT));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /3 rows, 2 before: 2 added, 1 gone, 1 changed\n[\s\S]*shops: taken over\n$/,
    );
    expect(blocks.blockFile('shops').downloadUrl).toBe(address);
    expect((await blocks.rows('shops')).length).toBe(3);
    expect((await blocks.run('refresh', 'shops', givenFile(NEXT))).out).toBe('shops: unchanged\n');
  });

  test('that does not fit, or is not there, changes nothing', async () => {
    const before = blocks.blockFile('shops');
    const unfit = await blocks.run(
      'refresh',
      'shops',
      givenFile('id,name,visits\n1,Canton,many\n'),
    );
    expect([unfit.code, unfit.err]).toEqual([
      3,
      expect.stringContaining('"many" is not a whole number'),
    ]);
    const none = await blocks.run('refresh', 'shops', path.join(blocks.folder, 'none.csv'));
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('there is no such file')]);
    expect(blocks.blockFile('shops')).toEqual(before);
  });

  test('that lacks many rows, or has a column without values, is looked at', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => `${i},place ${i},${i}\n`);
    await blocks.run('refresh', 'shops', givenFile(`id,name,visits\n${rows.join('')}`));
    const fewer = await blocks.run(
      'check',
      'shops',
      givenFile(`id,name,visits\n${rows.slice(3).join('')}`),
    );
    expect(fewer.out).toContain('Look: of 10 rows, 3 are missing now.');
    const blank = rows.map((row) => row.replace(/,\d+\n/, ',\n')).join('');
    const { code, out } = await blocks.run('check', 'shops', givenFile(`id,name,visits\n${blank}`));
    expect(code).toBe(0);
    expect(out).toContain('Look: no row has a value any more in visits.');
    expect(out).not.toContain('missing now');
  });
});

test('check reads the same address, and writes nothing', async () => {
  const before = blocks.content();
  content = NEXT;
  const { code, out } = await blocks.run('check', 'shops', address);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^3 rows, [\s\S]*It fits shops\.\nA portal would miss .*\n$/),
  ]);
  expect(blocks.content()).toEqual(before);
});

describe('a block of regions', () => {
  const FIELDS = [
    { type: 'text', name: 'area', title: 'Area', main: true },
    { type: 'number', name: 'lon', title: 'Longitude' },
    { type: 'number', name: 'lat', title: 'Latitude' },
  ];
  const shape = (area: string) => ({
    type: 'Feature',
    properties: { area },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [8, 47],
          [8, 48],
          [9, 48],
          [8, 47],
        ],
      ],
    },
  });

  beforeEach(async () => {
    const seedData = path.join(blocks.folder, 'seed-data');
    await real.mkdir?.(path.join(seedData, 'old'));
    await real.mkdir?.(path.dirname(blocks.pathOf('areas')));
    const features = ['Bern', 'Jura'].map(shape);
    writeFileSync(path.join(seedData, 'old/areas.csv'), 'area,lon,lat\nBern,8.1,47.5\n');
    writeFileSync(
      path.join(seedData, 'old/shapes.json'),
      JSON.stringify({ type: 'FeatureCollection', features }),
    );
    const sources = [{ title: 'Areas' }];
    const block = {
      ...{ title: 'Areas', description: 'Areas.', file: 'old/areas.csv', sources, fields: FIELDS },
      geometry: { kind: 'regions', region: 'area', longitude: 'lon', latitude: 'lat' },
      boundaries: { file: 'old/shapes.json', property: 'area', sources },
      examples: [{ title: 'All', arguments: {} }],
      downloadUrl: address,
    };
    writeFileSync(blocks.pathOf('areas'), JSON.stringify(block));
  });

  test('keeps its boundaries, and gets a hash if it had none', async () => {
    content = 'area,lon,lat\nJura,8.2,47.6\n';
    const { code, err } = await blocks.run('refresh', 'areas');
    expect([code, err]).toEqual([0, '']);
    expect(await blocks.rows('areas')).toEqual([{ area: 'Jura', lon: 8.2, lat: 47.6 }]);
    const { file, hash, rows, boundaries } = blocks.blockFile('areas');
    expect([file, hash, rows]).toEqual([
      expect.stringMatching(/^areas-[0-9a-f]{12}\.csv$/),
      expect.stringMatching(/^sha256:/),
      1,
    ]);
    expect(boundaries?.file).toBe('old/shapes.json');
    expect(readdirSync(path.join(blocks.folder, 'seed-data', 'old'))).toEqual(['shapes.json']);
  });

  test('stays as it was if a row has no shape', async () => {
    content = 'area,lon,lat\nUri,8.6,46.8\n';
    const before = blocks.content();
    const { code, err } = await blocks.run('refresh', 'areas');
    expect([code, err]).toEqual([3, expect.stringMatching(/has no boundary of Uri/)]);
    expect(blocks.content()).toEqual(before);
  });
});

describe('a file that is the same', () => {
  test('is asked for by its ETag, once that is known, and not sent again', async () => {
    headers = { etag: '"1"', 'last-modified': DAY };
    const before = blocks.blockFile('shops');
    expect(await blocks.run('refresh')).toEqual({ code: 0, out: 'shops: unchanged\n', err: '' });
    expect(await blocks.run('refresh')).toEqual({ code: 0, out: 'shops: unchanged\n', err: '' });
    expect(server.asked.map((asked) => asked.headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      '"1"',
    ]);
    expect(blocks.blockFile('shops')).toEqual(before);
  });

  test.each<[string, () => void]>([
    [
      'whose data file is gone',
      () => rmSync(path.join(blocks.folder, 'seed-data', blocks.blockFile('shops').file)),
    ],
    [
      'that has another hash since',
      () => {
        const block = { ...blocks.blockFile('shops'), hash: `sha256:${'0'.repeat(64)}` };
        writeFileSync(blocks.pathOf('shops'), JSON.stringify(block));
      },
    ],
    [
      'whose notes are damaged',
      () => writeFileSync(path.join(blocks.folder, '.blockyard/fetched/shops.json'), '{"etag"'),
    ],
  ])('is not taken for unchanged by its ETag for a block %s', async (_, change) => {
    headers = { etag: '"1"' };
    await blocks.run('refresh');
    change();
    await blocks.run('refresh');
    expect(server.asked.at(-1)?.headers['if-none-match']).toBeUndefined();
  });
});

describe('all stays as it was', () => {
  test.each<[string, number, () => void, RegExp]>([
    [
      'a cell is of another type',
      3,
      () => {
        content = NEXT.replace('8', 'many');
      },
      /line 3, column visits: "many" is not a whole number\nshops stays as it was/,
    ],
    [
      'a column is gone',
      3,
      () => {
        content = 'id,name\n1,Canton\n';
      },
      /line 1, column visits: the column is gone/,
    ],
    [
      'the server has an error page',
      1,
      () => {
        status = 503;
      },
      /shops stays as it was: /,
    ],
    [
      'rows are gone and nobody says where the file ends',
      3,
      () => {
        [content, isOpenEnded] = [FIRST.slice(0, FIRST.indexOf('2,')), true];
      },
      /1 rows are gone, and the server does not say where its file ends/,
    ],
  ])('if %s', async (_, expected, change, told) => {
    change();
    const before = blocks.content();
    const { code, err } = await blocks.run('refresh');
    expect([code, err]).toEqual([expected, expect.stringMatching(told)]);
    expect(blocks.content()).toEqual(before);
  });

  test('and the other blocks are refreshed', async () => {
    const other = path.join(blocks.folder, 'functions', 'a-broken-one', 'block.json');
    await real.mkdir?.(path.dirname(other));
    content = NEXT;
    writeFileSync(other, '{"title": 1}');
    const { code, out, err } = await blocks.run('refresh');
    expect([code, err]).toEqual([1, expect.stringMatching(/^a-broken-one stays as it was: /)]);
    expect(out).toContain('shops: taken over');
  });

  test.each([
    ['two blocks and a file', ['a', 'b', 'c'], /3 words; expected at most 2/],
    ['an unknown option', ['--yes'], /There is no option --yes/],
    ['no such block', ['shop'], /no data block "shop" in .*; try shops/],
    ['a block without an address', ['plain'], /plain stays as it was: .*"downloadUrl"/],
  ])('for %s', async (_, args, told) => {
    await blocks.add('plain.csv', FIRST);
    const { code, err } = await blocks.run('refresh', ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(told)]);
  });

  test('in a folder where no block has an address', async () => {
    const others = await OwnBlocks.inNewFolder();
    await others.add('plain.csv', FIRST);
    const { code, err } = await others.run('refresh');
    expect([code, err]).toEqual([1, expect.stringMatching(/No block in .* has a "downloadUrl"/)]);
  });
});

test('killed before any step on the disk, the block is the old or the new one, and the next run is as if nothing had been', async () => {
  const old = blocks.content();
  const [oldRows, oldBlock] = [await blocks.rows('shops'), blocks.blockFile('shops')];
  content = NEXT;
  stepsMade = 0;
  await blocks.run('refresh');
  const steps = stepsMade;
  const [newRows, newBlock, after] = [
    await blocks.rows('shops'),
    blocks.blockFile('shops'),
    blocks.content(),
  ];
  expect(steps).toBeGreaterThan(10);
  expect(newRows).not.toEqual(oldRows);
  const seen = { old: 0, new: 0 };
  for (let step = 0; step < steps; step++) {
    await real.rm?.(blocks.folder, { recursive: true });
    for (const [file, text] of Object.entries(old)) {
      await real.mkdir?.(path.dirname(path.join(blocks.folder, file)), { recursive: true });
      writeFileSync(path.join(blocks.folder, file), text, 'latin1');
    }
    stepsLeft = step;
    await expect(blocks.run('refresh')).rejects.toThrow('Killed');
    stepsLeft = Number.POSITIVE_INFINITY;
    const isOld = blocks.blockFile('shops').hash === oldBlock.hash;
    seen[isOld ? 'old' : 'new']++;
    expect(blocks.blockFile('shops')).toEqual(isOld ? oldBlock : newBlock);
    // Imported, so its hash and its number of rows are the data's.
    expect(await blocks.rows('shops')).toEqual(isOld ? oldRows : newRows);

    const again = await blocks.run('refresh');
    expect([again.code, again.err]).toEqual([0, '']);
    expect(blocks.content()).toEqual(after);
  }
  expect(seen.old).toBeGreaterThan(5);
  expect(seen.new).toBeGreaterThan(1);
  expect(readdirSync(blocks.folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
});

test('a packed file is new if what is in it is', async () => {
  address = address.replace('shops.csv', 'trees.csv.gz');
  content = gzipSync(FIRST);
  expect(await blocks.run('add', address)).toMatchObject({ code: 0 });
  content = gzipSync(FIRST, { level: 1 });
  expect((await blocks.run('refresh', 'trees')).out).toBe('trees: unchanged\n');
  content = gzipSync(NEXT);
  expect((await blocks.run('refresh', 'trees')).out).toContain('trees: taken over');
  expect((await blocks.rows('trees')).map(({ visits }) => visits)).toEqual([7, 8, 9]);
  content = zipOf({ 'x.csv': FIRST, 'README.md': '' });
  const { code, err } = await blocks.run('refresh', 'trees');
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('"innerPath"') });
});

test('a file that is packed for the way alone has no .gz in its name', async () => {
  address = address.replace('shops.csv', 'trees.csv.gz');
  headers = { 'content-encoding': 'gzip' };
  content = gzipSync(FIRST);
  expect((await blocks.run('add', address)).out).not.toContain('unpacked');
  expect((await blocks.rows('trees')).length).toBe(2);
});
