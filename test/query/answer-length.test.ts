import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { DatasetBlock } from '../../src/block/block.ts';
import { isWhole } from '../../src/http/answer.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

/** A block, and the most bytes that its answers in pieces may have; any number if absent. */
function serving(block: DatasetBlock, values: readonly Row[], streamBytes?: number) {
  const { manifest, rows } = makeDataset(block, values, SOURCE);
  const store = memoryRows(block.fields, rows);
  const runs: RunRecord[] = [];
  const bound = streamBytes === undefined ? {} : { streamBytes };
  const service = serviceOf(blockRoutes(serveDataset({ block, manifest, store })), {
    ...{ ...SETTINGS, ...bound },
    record: (run) => runs.push(run),
  });
  const ask = (query: string) => requestOf(service)(`/api_v2/blocks/${block.name}?${query}`);
  return { service, ask, runs };
}

type Detailed = { readonly code: string; readonly detail: string };

/** 3,000 short rows, then 1,000 long ones. */
const ROWS = Array.from({ length: 4000 }, (_, number) => ({
  street: number < 3000 ? 'Elm' : 'A street of a long name, '.repeat(8),
  number,
}));
const SPOTS = sampleSpots(3000, 7);

describe('an answer that would be longer than its channel sends', () => {
  test.each([
    ['csv', 'tiny', ''],
    ['ndjson', 'tiny', ''],
    ['ndjson', 'tiny', '&_fields=number'],
    ['csv', 'tiny', '&_fields=street'],
    ['csv', 'tiny', '&_sort=-number'],
    ['csv', 'spots', ''],
    ['ndjson', 'spots', ''],
    ['ndjson', 'spots', '&_fields=seats,name'],
  ])(
    'is refused before its first byte, and none that fits: %s of %s %s',
    async (format, name, more) => {
      const [block, rows] = name === 'tiny' ? [tinyBlock, ROWS] : [spotsBlock, SPOTS];
      const query = `_format=${format}${more}`;
      const { byteLength } = await (await serving(block, rows).ask(query)).arrayBuffer();
      const fits = await serving(block, rows, byteLength).ask(query);
      expect([fits.status, (await fits.arrayBuffer()).byteLength]).toEqual([200, byteLength]);
      const refused = await serving(block, rows, Math.floor(byteLength * 0.97)).ask(query);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { code: 'result-too-large', errors: [{ parameter: '_limit' }] },
      ]);
    },
  );

  test.each([
    ['geojson', 0.75],
    ['parquet', 0.1],
  ])('is refused where it is far longer: %s', async (format, share) => {
    const rows = SPOTS.map((row, i) => ({ ...row, name: hash('sha256', `${i}`) }));
    const query = `_format=${format}`;
    const { byteLength } = await (await serving(spotsBlock, rows).ask(query)).arrayBuffer();
    expect((await serving(spotsBlock, rows, byteLength).ask(query)).status).toBe(200);
    const refused = await serving(spotsBlock, rows, byteLength * share).ask(query);
    expect(await refused.json()).toMatchObject({ code: 'result-too-large' });
  });

  test('is told what it has, and every way on works', async () => {
    const { ask, runs } = serving(tinyBlock, ROWS, 200_000);
    const refused = (await (await ask('_format=csv')).json()) as Detailed;
    expect(refused.detail).toBe(
      "4,000 rows match, about 1 MB as CSV, and an answer has at most 1 MB here. Ask for pages: with _limit=1000, and then with the _cursor that each answer's Link header has, until it has none. Or name the fields that you need in _fields, take Parquet (_format=parquet), which is shorter, or filter for fewer rows.",
    );
    expect(runs).toMatchObject([{ status: 400, code: 'result-too-large' }]);
    const pages: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page: Response = await ask(`_format=csv&_limit=1000${next}`);
      pages.push(...(await page.text()).trim().split('\r\n').slice(1));
      const cursor = /[?&](_cursor=[^&>]*)/.exec(page.headers.get('link') ?? '');
      next = cursor === null ? undefined : `&${cursor[1]}`;
    }
    expect(pages).toHaveLength(4000);
    for (const way of [
      '_fields=number&_format=csv',
      '_format=parquet',
      '_format=csv&number_max=2999',
    ]) {
      expect([way, (await ask(way)).status]).toEqual([way, 200]);
    }
  });

  test('is not sent to Parquet where that would be refused too', async () => {
    const { ask } = serving(tinyBlock, ROWS, 10_000);
    for (const format of ['csv', 'parquet']) {
      const { code, detail } = (await (await ask(`_format=${format}`)).json()) as Detailed;
      expect([code, detail]).toEqual(['result-too-large', expect.not.stringContaining('_format=')]);
    }
  });

  test('is whole where the channel has no bound', async () => {
    const text = await (await serving(tinyBlock, ROWS).ask('_format=csv')).text();
    expect(text.trim().split('\r\n')).toHaveLength(1 + 4000);
  });

  test('is not refused after a cursor, or as groups: how long these are is not known', async () => {
    const { ask } = serving(tinyBlock, ROWS, 100_000);
    const { params } = (await (await ask('_limit=1000')).json()) as { params: { next: string } };
    expect((await ask(`_format=csv&_fields=number&_cursor=${params.next}`)).status).toBe(200);
    expect((await ask('_format=csv&_group=number')).status).toBe(200);
  });
});

test.each([
  ['tiny', ''],
  ['tiny', '&number_max=2000'],
  ['spots', ''],
  ['spots', '&_fields=name,kind'],
])(
  'a page links the files that are answered, and names those that would be refused: %s %s',
  async (name, more) => {
    const [block, rows] = name === 'tiny' ? [tinyBlock, ROWS] : [spotsBlock, SPOTS];
    const { byteLength } = await (
      await serving(block, rows).ask(`_format=csv${more}`)
    ).arrayBuffer();
    for (const [most, isLinked] of [
      [byteLength * 2, true],
      [byteLength * 0.5, false],
    ] as const) {
      const { ask } = serving(block, rows, Math.floor(most));
      const page = await (await ask(`_format=html&_view=table${more}`)).text();
      const files = [
        ...page.matchAll(
          /<dt>(?:<a href="\?([^"]*_format=\w+[^"]*)">)?([\w .]+)(?:<\/a>)?([^<]*)</g,
        ),
      ];
      const csv = files.find(([, , title]) => title === 'CSV');
      expect([csv?.[1] !== undefined, csv?.[3]?.includes('longer than an answer may be')]).toEqual([
        isLinked,
        !isLinked,
      ]);
      for (const [, query] of files) {
        if (query === undefined) continue;
        expect((await ask(query.replaceAll('&amp;', '&'))).status).toBe(200);
      }
    }
  },
);

test('an answer that turns out longer than was told breaks off, and none of it is beyond the bound', async () => {
  // By the mean of all rows these have a fourth of their length.
  const most = 150_000;
  const { service, runs } = serving(tinyBlock, ROWS, most);
  let sent = 0;
  const asking = requestOf(async (request) => {
    const answer = await service(request);
    expect(answer.status).toBe(200);
    if (isWhole(answer.body)) throw new Error('expected pieces');
    const pieces = answer.body;
    async function* counted() {
      for await (const piece of pieces) {
        sent += Buffer.byteLength(piece);
        yield piece;
      }
    }
    return { ...answer, body: counted() };
  });
  await expect(asking('/api_v2/blocks/tiny?_format=csv&number_min=2500')).rejects.toThrow(
    'more than 1 MB as CSV, and an answer has at most 1 MB here',
  );
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(most);
  expect(runs).toMatchObject([{ status: 200, code: 'result-too-large' }]);
});
