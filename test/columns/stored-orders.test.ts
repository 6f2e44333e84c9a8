import { describe, expect, test } from '@jest/globals';
import { oneOf, seededRandom, wholeNumber } from '../../bench/data/seeded-random.ts';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { datasetBlock } from '../../src/block/block.ts';
import type { PackedColumn, PackedColumns } from '../../src/columns/encode-chunk.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { withCodes } from '../../src/columns/pack-codes.ts';
import { withPlaces } from '../../src/columns/pack-places.ts';
import { withWords } from '../../src/columns/pack-words.ts';
import {
  matches,
  nearConditions,
  type Predicate,
  searchedFields,
} from '../../src/query/predicate.ts';
import type { Query, RowStore } from '../../src/query/row-store.ts';
import { plansOf } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { haversine, type Point } from '../../src/values/places.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { keyRow } from '../support/key-row.ts';
import { packColumns } from '../support/pack-columns.ts';

/** What is stored once more at import, places and words in their orders, must change no answer. */

const FIELDS: readonly Field[] = [
  { type: 'number', name: 'longitude', title: 'Longitude' },
  { type: 'number', name: 'latitude', title: 'Latitude' },
  { type: 'text', name: 'name', title: 'Name' },
  { type: 'text', name: 'street', title: 'Street' },
  { type: 'phone', name: 'phone', title: 'Phone' },
  { type: 'integer', name: 'units', title: 'Units' },
];
const GEOMETRY = { longitude: 'longitude', latitude: 'latitude' };
const SEARCHED = searchedFields(FIELDS);

const LONG = 'donaudampfschifffahrtsgesellschaftskapitaen';
/** Some begin with others, some are longer than a bound, some take several bytes a character. */
const WORDS = [
  ...['a', 'ab', 'abc', 'b', 'Łódź', 'lodz', 'Éclair', '日本', '日本橋', '𝒳y', '12', '123', 'ﬀ'],
  ...[LONG, `${LONG}s`, `${LONG.slice(0, 32)}x`, '', '-', '  ', 'x-y', "o'a"],
];
const DEGREES = {
  longitude: [-180, -179.999999, -73.95, -73.949999, 0, 90, 179.5, 180, 181],
  latitude: [-90, -89.999999, -40.7, 0, 40.7, 40.700001, 89.5, 90, -91],
};

type Table = {
  readonly rows: readonly Row[];
  readonly packed: PackedColumns;
  readonly ordered: PackedColumns;
};

function tableOf(seed: number, count: number, rowsPerChunk: number): Table {
  const random = seededRandom(seed);
  const text = () =>
    Array.from({ length: wholeNumber(random, 0, 4) }, () => oneOf(random, WORDS)).join(' ');
  const degrees = (axis: 'longitude' | 'latitude', from: number, to: number) => {
    const kind = random();
    if (kind < 0.1) return null;
    if (kind < 0.4) return oneOf(random, DEGREES[axis]);
    const anywhere = from + (to - from) * random();
    return kind < 0.7 ? Math.round(anywhere) : Math.round(anywhere * 1e6) / 1e6;
  };
  const isTown = seed % 2 === 0;
  const rows = Array.from({ length: count }, (_, i): Row => {
    const [west, east, south, north] = isTown ? [-74.2, -73.7, 40.5, 40.9] : [-180, 180, -90, 90];
    return {
      longitude: degrees('longitude', west as number, east as number),
      latitude: degrees('latitude', south as number, north as number),
      name: text() || null,
      street: i < count / 3 ? `street ${i % 90}` : text() || null,
      phone: random() < 0.5 ? null : `718-55${wholeNumber(random, 0, 99)}-7581`,
      units: wholeNumber(random, 0, 9),
    };
  });
  const packed = packColumns(FIELDS, rows, rowsPerChunk);
  return { rows, packed, ordered: withWords(withPlaces(packed, GEOMETRY), SEARCHED) };
}

const TABLES = [
  tableOf(1, 1100, 256),
  tableOf(2, 2000, 701),
  tableOf(3, 3000, 64),
  tableOf(4, 2000, 4096),
];
const QUERIES_OF_TABLE = 30;

/** A random query, with words or a place, and other conditions beside. */
function queryOf(random: () => number): Query {
  const word = () => {
    const whole = oneOf(random, [...WORDS, 'street', 'str', 's', '7185', '5', 'none'])
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]|ł/gu, '');
    return whole.slice(0, wholeNumber(random, 1, 40));
  };
  const at: Point = [
    random() < 0.6 ? oneOf(random, DEGREES.longitude.slice(0, -1)) : 360 * random() - 180,
    random() < 0.6 ? oneOf(random, DEGREES.latitude.slice(0, -1)) : 180 * random() - 90,
  ];
  const near = { at, ...GEOMETRY };
  const [isNear, hasWords] = [random() < 0.6, random() < 0.6];
  const metres = random() < 0.2 ? 5_000_000 * random() : undefined;
  const words = [...new Set(Array.from({ length: wholeNumber(random, 1, 3) }, word))];
  const predicate: Predicate = [
    ...(random() < 0.2
      ? [{ field: 'units', parameters: ['units'], test: 'ranges', anyOf: [[2, 6]] } as const]
      : []),
    ...(hasWords
      ? [
          {
            test: 'words',
            parameters: ['_q'],
            fields: SEARCHED,
            words: words.filter(Boolean),
          } as const,
        ]
      : []),
    ...(isNear ? nearConditions(near, metres) : []),
  ];
  const limit = random() < 0.3 ? 1000 : wholeNumber(random, 1, 30);
  return { predicate, limit, ...(isNear ? { near } : {}) };
}

function readingOf({ rows }: Table, { predicate, near }: Query): number[] {
  const found = rows.flatMap((row, i) => (matches(predicate, keyRow(FIELDS, row)) ? [i] : []));
  if (near === undefined) return found;
  const far = (i: number) =>
    haversine([rows[i]?.longitude, rows[i]?.latitude] as unknown as Point, near.at);
  return found
    .map((i) => [i, far(i)] as const)
    .sort(([i, a], [j, b]) => a - b || i - j)
    .map(([i]) => i);
}

/** The rows of the first three pages, and what each page tells. */
async function pagesOf(store: RowStore, query: Query) {
  const pages: { positions: number[]; total: number; rows: readonly string[]; isLast: boolean }[] =
    [];
  let after: number | undefined;
  do {
    const asked = after === undefined ? query : { ...query, after };
    const { positions = [], total, rows, last } = await store.read(asked, ampleBudget());
    pages.push({
      positions: Array.from(positions),
      total,
      rows: listTexts(rows),
      isLast: last === undefined,
    });
    after = last;
  } while (after !== undefined && pages.length < 3);
  return pages;
}

describe.each(TABLES.map((table, i) => [i + 1, table] as const))('table %i', (seed, table) => {
  test('gives the same pages with its places and words in order, without, and read plainly', async () => {
    const random = seededRandom(100 + seed);
    const ordered = packedRows(FIELDS, table.ordered);
    const unordered = packedRows(FIELDS, table.packed);
    for (let i = 0; i < QUERIES_OF_TABLE; i++) {
      const query = queryOf(random);
      const pages = await pagesOf(ordered, query);
      expect([query, pages]).toEqual([query, await pagesOf(unordered, query)]);
      const expected = readingOf(table, query);
      const found = pages.flatMap(({ positions }) => positions);
      expect([query, found]).toEqual([query, expected.slice(0, found.length)]);
      for (const { total } of pages) expect(total).toBe(expected.length);
      expect(pages.at(-1)?.isLast).toBe(found.length === expected.length);
    }
  });
});

describe('different texts', () => {
  const fields: readonly Field[] = [
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'integer', name: 'district', title: 'District' },
    { type: 'text', name: 'name', title: 'Name' },
  ];
  const block = datasetBlock({
    id: 'people-id',
    name: 'people',
    title: 'People',
    description: 'Made by a test.',
    fields,
    examples: [],
  });
  const random = seededRandom(21);
  // Some are equal but for their case, or in other chunks, and some are blank.
  const rows = Array.from({ length: 21_000 }, (_, i) => ({
    kind: oneOf(random, ['a', 'b', 'c']),
    district: wholeNumber(random, 0, 99),
    name:
      random() < 0.05
        ? null
        : i % 3 === 0
          ? `name ${wholeNumber(random, 0, 3000)}`
          : `${oneOf(random, ['Name', 'NAME', 'other'])} ${i % 15_000}`,
  }));
  const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };
  const { columns, manifest } = makeDataset(block, rows, source, { rowsPerChunk: 5000 });
  const ask = async (packed: PackedColumns, body: Record<string, unknown>) => {
    const dataset = { block, manifest, store: packedRows(fields, packed) };
    const given = { query: {}, body, isPost: true, isWebhook: false };
    const budget = ampleBudget();
    const { values } = readArgumentsOf(block)(given, budget);
    const output = await plansOf(dataset)(values, budget).run(budget);
    if (output.kind !== 'rows') throw new Error('expected rows');
    return listTexts(output.rows).map((text) => JSON.parse(text));
  };

  test.each([['kind'], ['district'], ['kind,district']])(
    'by %s are as many by their codes, by their texts, and counted plainly',
    async (group) => {
      const names = group.split(',') as ('kind' | 'district')[];
      for (const filter of [{}, { district_min: 30 }, { kind: 'b' }]) {
        const asked = { ...filter, _group: group, _measure: 'distinct:name,count:name' };
        const found = await ask(columns, { ...asked, _limit: 1000 });
        expect(found).toEqual(await ask(earlier(columns), { ...asked, _limit: 1000 }));
        const groups = new Map<string, { keys: Set<string>; count: number }>();
        for (const row of rows) {
          if ('kind' in filter && row.kind !== filter.kind) continue;
          if ('district_min' in filter && row.district < 30) continue;
          const key = names.map((name) => row[name]).join();
          const of = groups.get(key) ?? { keys: new Set(), count: 0 };
          if (row.name !== null) of.keys.add(row.name.toLowerCase());
          if (row.name !== null) of.count++;
          groups.set(key, of);
        }
        expect(found).toHaveLength(groups.size);
        for (const one of found) {
          const of = groups.get(names.map((name) => one[name]).join());
          expect([one.distinct_name, one.count_name]).toEqual([of?.keys.size, of?.count]);
        }
      }
    },
  );

  test('are counted without reading the texts', async () => {
    const texts = { ...columns.columns.get('name') } as PackedColumn;
    const unreadable = new Map([...columns.columns, ['name', { ...texts, chunks: [] }]]);
    const asked = { _group: 'kind', _measure: 'distinct:name' };
    expect(await ask({ ...columns, columns: unreadable }, asked)).toEqual(
      await ask(columns, asked),
    );
  });

  /** The columns of a dataset that was imported before there were codes. */
  function earlier(packed: PackedColumns): PackedColumns {
    return {
      ...packed,
      columns: new Map(
        Array.from(packed.columns, ([name, { directory, chunks }]) => [
          name,
          { directory: { chunks: directory.chunks }, chunks },
        ]),
      ),
    };
  }
});

test('a column of more ids than a list of words has leaves no list, one of as many addresses does', () => {
  const fields: readonly Field[] = [{ type: 'text', name: 'is', title: 'Is' }];
  const count = 2 ** 19 + 100;
  const columnsOf = (textOf: (row: number) => string) => {
    const rows = Array.from({ length: count }, (_, i): Row => ({ is: textOf(i) }));
    return withWords(withCodes(packColumns(fields, rows), fields), searchedFields(fields)).columns;
  };
  const [ids, addresses] = [
    columnsOf((row) => `id${row}`),
    columnsOf((row) => `${row % 800} street ${Math.floor(row / 800)}`),
  ];
  expect([...ids.keys()]).toEqual(['is', 'is~code']);
  expect([...addresses.keys()]).toEqual(['is', 'is~code', '~word', '~gap', '~length']);
});
