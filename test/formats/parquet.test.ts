import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import type { TypedColumn } from '../../src/formats/format.ts';
import { parquetPieces } from '../../src/formats/parquet-writer.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { readParquet, typedRow } from '../support/read-parquet.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { rowOf, TYPED_FIELDS, typedCells } from '../support/typed-block.ts';

const unbounded = () => ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);

const of = (fields: readonly Field[]): TypedColumn[] => fields.map((field) => ({ field }));

async function written(
  fields: readonly TypedColumn[],
  batches: Iterable<readonly string[]>,
): Promise<Buffer> {
  return Buffer.concat(await piecesOf(fields, batches));
}

async function piecesOf(
  fields: readonly TypedColumn[],
  batches: Iterable<readonly string[]>,
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetPieces({ typed: fields }, batches, unbounded())) pieces.push(piece);
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

test('many rows have groups of a bounded number of rows, and no more than one is held', async () => {
  const fields = [INTEGER, FLAG, TEXT];
  const all = 17_000;
  const rowAt = (i: number) => ({
    integer: i,
    flag: i % 3 === 0 ? null : i % 2 === 0,
    text: i < 16_500 ? null : `${i % 7}`,
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
  const first = 16_000;
  expect(givenAt).toEqual([0, first, first, first, all, all, all, all]);
  const { rows, metadata } = await readParquet(Buffer.concat(pieces));
  expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([16_384, 616]);
  expect(rows).toHaveLength(all);
  const wrong = rows.findIndex((row, i) => {
    const { integer, flag, text } = rowAt(i);
    return row.integer !== BigInt(integer) || row.flag !== flag || row.text !== text;
  });
  expect(wrong).toBe(-1);
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
