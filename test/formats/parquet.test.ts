import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import type { RowsAsked, TypedColumn } from '../../src/formats/format.ts';
import { parquetPieces } from '../../src/formats/parquet-writer.ts';
import { ReadCost } from '../../src/query/row-store.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { readParquet, typedRow } from '../support/read-parquet.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { rowOf, sampleCells, TYPED_FIELDS, typedCells } from '../support/typed-block.ts';

const unbounded = () => ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);

const of = (fields: readonly Field[]): TypedColumn[] => fields.map((field) => ({ field }));

async function written(
  fields: readonly TypedColumn[],
  batches: Parameters<typeof parquetPieces>[1],
): Promise<Buffer> {
  return Buffer.concat(await piecesOf(fields, batches));
}

async function piecesOf(
  fields: readonly TypedColumn[],
  batches: Parameters<typeof parquetPieces>[1],
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetPieces({ typed: fields }, batches, unbounded()))
    pieces.push(piece);
  return pieces;
}

const writtenRows = (fields: readonly Field[], rows: readonly Row[]) =>
  written(of(fields), [rows.map((row) => JSON.stringify(row))]);

const TEXT: Field = { type: 'text', name: 'text', title: 'Text' };
const NUMBER: Field = { type: 'number', name: 'number', title: 'Number' };
const INTEGER: Field = { type: 'integer', name: 'integer', title: 'Integer' };
const FLAG: Field = { type: 'boolean', name: 'flag', title: 'Flag' };
const DAY: Field = { type: 'date', name: 'day', title: 'Day' };
const INSTANT: Field = { type: 'datetime', name: 'instant', title: 'Instant' };
const LOCAL: Field = { type: 'datetime', name: 'local', title: 'Local', local: true };

test('each field has the type that its values have', async () => {
  const { metadata } = await readParquet(await writtenRows(TYPED_FIELDS, []));
  const [, ...columns] = metadata.schema;
  const timestamp = (isAdjustedToUTC: boolean) => [
    'INT64',
    { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MILLIS' },
  ];
  expect(
    Object.fromEntries(columns.map(({ name, type, logical_type }) => [name, [type, logical_type]])),
  ).toEqual({
    place: ['BYTE_ARRAY', { type: 'STRING' }],
    phone: ['BYTE_ARRAY', { type: 'STRING' }],
    website: ['BYTE_ARRAY', { type: 'STRING' }],
    score: ['DOUBLE', undefined],
    seats: ['INT64', undefined],
    opened: ['INT32', { type: 'DATE' }],
    inspected: timestamp(true),
    seen: timestamp(true),
    clock: timestamp(false),
    outdoors: ['BOOLEAN', undefined],
    checked: ['INT32', { type: 'DATE' }],
  });
  expect(columns.every(({ repetition_type }) => repetition_type === 'OPTIONAL')).toBe(true);
});

test.each<[Field, string, unknown]>([
  [NUMBER, '-0', -0],
  [NUMBER, '1e308', 1e308],
  [NUMBER, '-1.7976931348623157e308', -Number.MAX_VALUE],
  [NUMBER, '5e-324', 5e-324],
  [NUMBER, '0.1', 0.1],
  [INTEGER, '-0', 0n],
  [INTEGER, '9007199254740992', 2n ** 53n],
  [INTEGER, '-9223372036854775808', -(2n ** 63n)],
  [FLAG, 'false', false],
  [DAY, '"0001-01-01"', new Date('0001-01-01T00:00:00Z')],
  [DAY, '"9999-12-31"', new Date('9999-12-31T00:00:00Z')],
  [DAY, '"1969-12-31"', new Date('1969-12-31T00:00:00Z')],
  [INSTANT, '"1969-12-31T23:59:59.999Z"', new Date(-1)],
  [INSTANT, '"1883-11-18T12:03:57-04:56"', new Date('1883-11-18T16:59:57Z')],
  [INSTANT, '"0001-01-01T00:00:00Z"', new Date('0001-01-01T00:00:00Z')],
  [INSTANT, '"9999-12-31T23:59:59.999Z"', new Date('9999-12-31T23:59:59.999Z')],
  [LOCAL, '"2020-03-08T02:30:00"', new Date('2020-03-08T02:30:00Z')],
  [TEXT, '""', ''],
  [TEXT, '"\\u0000\\ufeff𝕏é\\ue000"', '\0\ufeff𝕏é\ue000'],
  // UTF-8 has no half of a pair.
  [TEXT, '"a\\ud800b"', 'a\ufffdb'],
  [TEXT, 'null', null],
  [NUMBER, 'null', null],
  [INTEGER, 'null', null],
  [FLAG, 'null', null],
  [DAY, 'null', null],
  [INSTANT, 'null', null],
])('%j keeps %s', async (field, json, value) => {
  const row = `{${JSON.stringify(field.name)}:${json}}`;
  const { rows } = await readParquet(await written(of([field]), [[row]]));
  expect(rows).toEqual([{ [field.name]: value }]);
});

test('whole numbers beyond 64 bits are doubles if they are known, and never other numbers', async () => {
  const row = '{"integer":-12345678901234567000}';
  const known = [{ field: INTEGER, min: -12345678901234567000, max: 0 }];
  const { rows } = await readParquet(await written(known, [[row]]));
  expect(rows).toEqual([{ integer: -12345678901234567000 }]);
  await expect(written(of([INTEGER]), [[row]])).rejects.toThrow(RangeError);
});

test.each<[string, number, number, string]>([
  ['32 bits', -(2 ** 31), 2 ** 31 - 1, 'INT32'],
  ['more', -(2 ** 31), 2 ** 31, 'INT64'],
  ['more below', -(2 ** 31) - 1, 0, 'INT64'],
  ['more than 64 bits', 0, 2 ** 63, 'DOUBLE'],
])('whole numbers of %s have the least type that has them all', async (_, min, max, type) => {
  const texts = [min, max].map((integer) => JSON.stringify({ integer }));
  const { rows, metadata } = await readParquet(
    await written([{ field: INTEGER, min, max }], [texts]),
  );
  expect(metadata.schema[1]?.type).toBe(type);
  expect(rows.map(({ integer }) => Number(integer))).toEqual([min, max]);
});

test('each group tells the least and the greatest of each column, and its blanks', async () => {
  const fields = [INTEGER, NUMBER, TEXT, DAY, INSTANT, FLAG];
  const rows = Array.from({ length: 36_000 }, (_, i) => ({
    integer: i,
    number: i / 4,
    text: i % 2 === 0 ? null : `street ${i % 7}`,
    day: `2020-01-${i < 33_000 ? '02' : '30'}`,
    instant: '2020-05-17T12:00:00Z',
    flag: i < 33_000,
  }));
  const { metadata } = await readParquet(await writtenRows(fields, rows));
  const told = metadata.row_groups.map(({ columns }) =>
    columns.map(({ meta_data }) => {
      const { min_value, max_value, null_count } = meta_data?.statistics ?? {};
      return [min_value, max_value, null_count];
    }),
  );
  const instant = new Date('2020-05-17T12:00:00Z');
  const day = (text: string) => new Date(`2020-01-${text}`);
  expect(told).toEqual([
    [
      [0n, 32_767n, 0n],
      // Parquet wants this for a zero, which may be either.
      [-0, 8191.75, 0n],
      ['street 0', 'street 6', 16_384n],
      [day('02'), day('02'), 0n],
      [instant, instant, 0n],
      [true, true, 0n],
    ],
    [
      [32_768n, 35_999n, 0n],
      [8192, 8999.75, 0n],
      ['street 0', 'street 6', 1616n],
      [day('02'), day('30'), 0n],
      [instant, instant, 0n],
      [false, true, 0n],
    ],
  ]);
});

test('texts that come again and again are written once a group', async () => {
  const names = ['Bedford-Stuyvesant', 'Washington Heights', 'Jackson Heights'];
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ text: names[(i * i) % 3] as string }));
  const long = await writtenRows([TEXT], rows(10_000));
  const { metadata } = await readParquet(long);
  const [column] = metadata.row_groups[0]?.columns ?? [];
  expect(column?.meta_data).toMatchObject({
    codec: 'GZIP',
    encodings: ['PLAIN', 'RLE_DICTIONARY'],
  });
  expect(long.length - (await writtenRows([TEXT], rows(100))).length).toBeLessThan(1000);
});

test('the bytes do not tell the system that packed them', async () => {
  const file = await writtenRows([TEXT], [{ text: 'a' }]);
  const gzip = file.indexOf(Buffer.from([0x1f, 0x8b, 8]));
  expect(gzip).toBeGreaterThan(0);
  expect(file[gzip + 9]).toBe(255);
});

describe('rows with a place', () => {
  const X: Field = { type: 'number', name: 'x', title: 'X' };
  const Y: Field = { type: 'number', name: 'y', title: 'Y' };
  const points = { kind: 'points', longitude: 'x', latitude: 'y' } as const;
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [0, 0],
      ],
    ],
  };
  const boundaries = () => ({ square: JSON.stringify(square) });
  const read = async (asked: Pick<RowsAsked, 'typed' | 'places'>, rows: readonly Row[]) => {
    const texts = rows.map((row) => JSON.stringify(row));
    const pieces: Uint8Array[] = [];
    for await (const piece of parquetPieces(asked, [texts], unbounded())) pieces.push(piece);
    const { rows: found, metadata } = await readParquet(Buffer.concat(pieces));
    const [geo] = metadata.key_value_metadata ?? [];
    return { found, geo: geo && [geo.key, JSON.parse(geo.value as string)] };
  };

  test('have it as GeoParquet, with the box around all of them', async () => {
    const rows = [
      { x: -73.5, y: 40.25 },
      { x: null, y: 40 },
      { x: 200, y: 40 },
      { x: 12, y: -1 },
    ];
    const at = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
    const { found, geo } = await read({ typed: of([X, Y]), places: { geometry: points } }, rows);
    expect(found.map(({ geometry }) => geometry)).toEqual([
      at(-73.5, 40.25),
      null,
      null,
      at(12, -1),
    ]);
    const column = { encoding: 'WKB', geometry_types: ['Point'], bbox: [-73.5, -1, 12, 40.25] };
    expect(geo).toEqual([
      'geo',
      { version: '1.1.0', primary_column: 'geometry', columns: { geometry: column } },
    ]);
  });

  test('have their shapes, or the points in their place', async () => {
    const geometry = { kind: 'regions', region: 'text', longitude: 'x', latitude: 'y' } as const;
    const rows = [
      { text: 'square', x: 1, y: 0.5 },
      { text: 'elsewhere', x: 1, y: 0.5 },
    ];
    const typed = of([TEXT, X, Y]);
    const shapes = await read({ typed, places: { geometry, boundaries } }, rows);
    expect(shapes.found.map((row) => row.geometry)).toEqual([square, null]);
    expect(shapes.geo?.[1].columns.geometry).toEqual({
      ...{ encoding: 'WKB', geometry_types: ['Polygon'], bbox: [0, 0, 2, 1] },
    });
    const centres = await read({ typed, places: { geometry, boundaries, form: 'point' } }, rows);
    const centre = { type: 'Point', coordinates: [1, 0.5] };
    expect(centres.found.map((row) => row.geometry)).toEqual([centre, centre]);
  });

  test('have none in a file without the fields that tell it', async () => {
    const asked = { typed: of([X]), places: { geometry: points } };
    expect(await read(asked, [{ x: 1 }])).toEqual({ found: [{ x: 1 }], geo: undefined });
  });

  test('have it beside a field of that name', async () => {
    const field: Field = { type: 'text', name: 'geometry', title: 'Geometry' };
    const asked = { typed: of([X, Y, field]), places: { geometry: points } };
    const { found, geo } = await read(asked, [{ x: 1, y: 2, geometry: 'flat' }]);
    expect(found).toEqual([
      { x: 1, y: 2, geometry: 'flat', _geometry: { type: 'Point', coordinates: [1, 2] } },
    ]);
    expect(geo?.[1].primary_column).toBe('_geometry');
  });

  test('share a region’s shape, and no group has more of them than characters', async () => {
    const ring = Array.from({ length: 20_000 }, (_, i) => [i / 1000, Math.sin(i)]);
    const large = (i: number) =>
      JSON.stringify({ type: 'Polygon', coordinates: [[...ring, [i, i]]] });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`r${i}`, large(i)]));
    const geometry = { kind: 'regions', region: 'text', longitude: 'x', latitude: 'y' } as const;
    const asked = { typed: of([TEXT]), places: { geometry, boundaries: () => many } };
    const bytesOf = async (regions: number, rows: number) => {
      const texts = Array.from({ length: rows }, (_, i) => `{"text":"r${i % regions}"}`);
      const sizes: number[] = [];
      for await (const { length } of parquetPieces(asked, [texts], unbounded())) sizes.push(length);
      return sizes;
    };
    const [once, often] = [await bytesOf(1, 1), await bytesOf(1, 5000)];
    expect(Math.max(...often)).toBeLessThan(1.1 * Math.max(...once));
    // Each shape has some 600,000 characters.
    expect(await bytesOf(20, 20)).toHaveLength(1 + 3 * 2 + 1);
  });
});

test('rows are counted, and too many break the file off', async () => {
  const rows = ['{"flag":true}', '{"flag":null}'];
  const write = async (mostCharacters: number) => {
    const pieces = parquetPieces({ typed: of([FLAG]) }, [rows], unbounded(), mostCharacters);
    for await (const _ of pieces);
  };
  await expect(write(26)).resolves.toBeUndefined();
  await expect(write(25)).rejects.toThrow('more than 25 characters');
});

test('rows of every type are read back, however they come', async () => {
  const batches = fc.array(fc.array(typedCells, { maxLength: 20 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(batches, async (cells) => {
      const given = cells.map((some) => some.map(rowOf));
      const texts = given.map((some) => some.map((row) => JSON.stringify(row)));
      const { rows, metadata } = await readParquet(await written(of(TYPED_FIELDS), texts));
      // A negative zero is zero in JSON.
      const expected: Row[] = JSON.parse(JSON.stringify(given.flat()));
      expect(rows).toEqual(expected.map((row) => typedRow(TYPED_FIELDS, row, metadata)));
      expect(metadata.num_rows).toBe(BigInt(expected.length));
    }),
    { numRuns: 30, seed: 15 },
  );
});

test('rows that come as values make the same file as those that come as texts', async () => {
  const cells = [...sampleCells(60, 7), { score: '-0' }];
  const rows = cells.map((some) => ({ values: rowOf(some), keys: {} }));
  const columns = of(TYPED_FIELDS);
  for (const rowsPerChunk of [7, 1000]) {
    const store = memoryRows(TYPED_FIELDS, rows, { rowsPerChunk });
    const query = { predicate: [], limit: 1000 };
    const read = [query, unbounded(), new ReadCost()] as const;
    const byValues = await written(columns, store.restOfValues?.(...read) ?? []);
    expect(byValues).toEqual(await written(columns, store.rest(...read)));
    const { rows: found } = await readParquet(byValues);
    expect(found).toHaveLength(rows.length);
  }
});

test('many rows have groups of a bounded number of rows, and no more than one is held', async () => {
  const fields = [INTEGER, FLAG, TEXT];
  const all = 33_500;
  const rowAt = (i: number) => ({
    integer: i,
    flag: i % 3 === 0 ? null : i % 2 === 0,
    text: i < 33_000 ? null : `${i % 7}`,
  });
  let given = 0;
  function* batches() {
    for (; given < all; given += 500) {
      yield Array.from({ length: 500 }, (_, i) => JSON.stringify(rowAt(given + i)));
    }
  }
  const pieces: Uint8Array[] = [];
  const givenAt: number[] = [];
  for await (const piece of parquetPieces({ typed: of(fields) }, batches(), unbounded())) {
    pieces.push(piece);
    givenAt.push(given);
  }
  // The mark of the beginning, three columns of each group, and the end.
  const first = 32_500;
  expect(givenAt).toEqual([0, first, first, first, all, all, all, all]);
  const { rows, metadata } = await readParquet(Buffer.concat(pieces));
  expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([32_768, 732]);
  expect(rows).toHaveLength(all);
  const wrong = rows.findIndex((row, i) => {
    const { integer, flag, text } = rowAt(i);
    return row.integer !== BigInt(integer) || row.flag !== flag || row.text !== text;
  });
  expect(wrong).toBe(-1);
});

test('13 columns of numbers have groups as long, so that the end of a file is a small part of it', async () => {
  const fields = Array.from({ length: 13 }, (_, i) => ({ ...NUMBER, name: `number_${i}` }));
  const row = fields.map((_, i) => i / 4);
  const { metadata } = await readParquet(await written(of(fields), [Array(33_000).fill(row)]));
  expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([32_768, 232]);
});

test('long texts make shorter groups; a file that breaks off is none to a reader', async () => {
  // 100 KB a row, and 4 MiB a group.
  const texts = Array.from({ length: 60 }, (_, i) => {
    const parts = Array.from({ length: 800 }, (_, j) => hash('sha512', `${i} ${j}`));
    return JSON.stringify({ text: parts.join(' ') });
  });
  const pieces = await piecesOf(of([TEXT]), [texts]);
  expect(pieces).toHaveLength(4);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2.5 * 2 ** 20);
  const whole = Buffer.concat(pieces);
  const { rows, metadata } = await readParquet(whole);
  expect(rows).toEqual(texts.map((text) => JSON.parse(text)));
  expect(metadata.row_groups).toHaveLength(2);
  const ends = pieces.map((_, i) => Buffer.concat(pieces.slice(0, i)).length);
  for (const end of [...ends, whole.length - 1]) {
    await expect(readParquet(whole.subarray(0, end))).rejects.toThrow();
  }
});

describe('a file of 401 columns', () => {
  const fields = wideBlock.fields;
  const rows = wideRows(400);
  const texts = rows.map((row) => JSON.stringify(row));
  const rowOfFields = (row: Row, some: readonly Field[]): Row =>
    Object.fromEntries(some.map(({ name }) => [name, row[name] ?? null]));

  test('is hardly larger than files with some of its columns each', async () => {
    const whole = await written(of(fields), [texts]);
    let parts = 0;
    for (let from = 0; from < fields.length; from += 40) {
      const some = fields.slice(from, from + 40);
      parts += (
        await writtenRows(
          some,
          rows.map((row) => rowOfFields(row, some)),
        )
      ).length;
    }
    expect(whole.length).toBeLessThan(1.1 * parts);
    const read = await readParquet(whole);
    expect(read.rows.map(({ figure_397 }) => figure_397)).toEqual(
      rows.map(({ figure_397 }) => figure_397),
    );
  });

  test('lets others have their turns while it is written', async () => {
    const budget = unbounded();
    const bytes: number[] = [];
    const pieces = parquetPieces({ typed: of(fields) }, [texts], budget);
    const { turns } = await turnsDuring(async () => {
      for await (const { length } of pieces) bytes.push(length);
    });
    // The mark, each column, and the end.
    expect(bytes).toHaveLength(1 + fields.length + 1);
    // A pause for each column at least, and for each 200,000 steps of its rows.
    expect(turns).toBeGreaterThan(fields.length);
  });
});
