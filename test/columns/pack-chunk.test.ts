import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BOUND_LENGTH, bytesInMemory, bytesOfChunk, textOfRow } from '../../src/columns/chunk.ts';
import { unpackChunk } from '../../src/columns/decode-chunk.ts';
import { rowWriter } from '../../src/columns/row-texts.ts';
import type { Value } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { anyCharacter } from '../support/any-character.ts';
import { keyRow } from '../support/key-row.ts';
import {
  fieldOf,
  givenKeys,
  packRows,
  readKeys,
  rowsOf,
  storedColumn,
} from '../support/stored-column.ts';
import { rowOf, TYPED_FIELDS, typedCells } from '../support/typed-block.ts';

type Numbers = fc.Arbitrary<number>;

const NUMBERS: Readonly<Record<string, Numbers>> = {
  'numbers of one byte': fc.integer({ min: 0, max: 255 }),
  'numbers of two bytes': fc.integer({ min: -300, max: 65_000 }),
  'numbers of four bytes': fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  'numbers around the bounds of widths': fc
    .tuple(fc.constantFrom(8, 16, 32, 52, 53, 54, 63), fc.integer({ min: -2, max: 2 }))
    .map(([bits, more]) => 2 ** bits + more),
  'negative numbers': fc.integer({ min: -70_000, max: -1 }),
  'numbers up to 2^53': fc.maxSafeInteger(),
  'numbers from 2^53 on': fc.maxSafeNat().map((more) => 2 ** 53 + 2 * more),
  tenths: decimals(1),
  thousandths: decimals(3),
  millionths: decimals(6),
  billionths: decimals(9),
  'numbers of up to nine digits': fc.integer({ min: 1, max: 9 }).chain(decimals),
  'numbers with a digit more than fits': fc.integer({ min: 9, max: 12 }).chain(decimals),
  'decimals of few whole units, at the limit of their digits': fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(1e7, 8e7, 90_071_993.123_456_78))
    .map(([more, base]) => base + more / 1e8),
  'decimals of more units than 2^53': fc
    .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 1, max: 9 }))
    .map(
      ([more, digits]) => Math.sign(more || 1) * ((2 ** 53 + 2 * Math.abs(more)) / 10 ** digits),
    ),
  'multiples of powers of ten': fc
    .tuple(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 1, max: 12 }))
    .map(([number, zeros]) => number * 10 ** zeros),
  prices: fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100),
  'seconds since 1600': fc.integer({ min: -11_676_096_000, max: 4_102_444_800 }),
  'milliseconds since 1600': fc.integer({ min: -11_676_096_000_000, max: 4_102_444_800_000 }),
  'any numbers': fc.double({ noNaN: true, noDefaultInfinity: true }),
  'numbers that are rarely right': fc.constantFrom(
    ...[-0, 0, 0.1 + 0.2, 0.3, 5e-324, -5e-324, 2.2e-308, 1e308, -1e308, Number.MAX_VALUE],
    ...[2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, 1e-7, 1234567.1234567, 1 / 3],
  ),
};

function decimals(digits: number): Numbers {
  return fc
    .oneof(fc.integer({ min: -99_999, max: 99_999 }), fc.maxSafeInteger())
    .map((units) => units / 10 ** digits);
}

const anyText = fc.string({ unit: anyCharacter, maxLength: 12 });
const asciiText = fc.string({ maxLength: 8 });

const TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'any texts': anyText,
  'plain texts': asciiText,
  'few texts': fc.constantFrom('retail', 'services', 'food and drink'),
  'spellings of the same key': fc.constantFrom(
    'Court St',
    'COURT  ST',
    'court st',
    'Côurt St',
    'x',
  ),
  'texts that fold to nothing': fc.constantFrom('', ' ', '\u200b', '\u00ad ', 'a', 'A'),
  'characters above and below the surrogates': fc.string({
    unit: fc.constantFrom('\u{1f600}', '\u{10ffff}', '\u{10000}', '\uffee', '\ue000', 'z', '字'),
    maxLength: 4,
  }),
  'U+0000': fc.string({ unit: fc.constantFrom('\0', 'a', 'é'), maxLength: 4 }),
  'long texts': fc
    .tuple(fc.constantFrom('a', 'É', '字', '\u{1f600}'), fc.integer({ min: 100, max: 700 }))
    .map(([unit, length]) => unit.repeat(length)),
  'texts longer than bounds': fc
    .tuple(fc.integer({ min: 28, max: 34 }), fc.constantFrom('', 'b', '\u{1f600}', '\uffee'))
    .map(([length, end]) => 'a'.repeat(length) + end),
};

const PHONES = fc.constantFrom(
  ...['718-624-7581', '1 (718) 624-7581', '+1 718 624 7581', '7186240000', '17186240000'],
  ...['none', '1', '11', '', '311', '٣'],
);

/** Columns of some values: some null, one many times, sorted either way. */
function columnsOf<T extends Value>(value: fc.Arbitrary<T>): fc.Arbitrary<(T | null)[]> {
  const mixed = fc.array(fc.option(value, { freq: 6 }), { maxLength: 300, size: 'max' });
  const compare = (a: T | null, b: T | null) =>
    a === b ? 0 : a === null ? -1 : b === null || a > b ? 1 : -1;
  return fc.oneof(
    mixed,
    fc.array(value, { maxLength: 300, size: 'max' }),
    fc.array(value, { maxLength: 3 }),
    mixed.map((values) => values.sort(compare)),
    mixed.map((values) => values.sort(compare).reverse()),
    fc
      .tuple(value, fc.integer({ min: 1, max: 300 }))
      .map(([one, length]) => Array(length).fill(one)),
    // Each value many times.
    fc
      .tuple(
        fc.array(value, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(6), { maxLength: 300 }),
      )
      .map(([few, places]) => places.map((place) => few[place] ?? null)),
    fc.nat(300).map((length) => Array(length).fill(null)),
  );
}

/** That a column reads back as it was, and that its entry says what is in it. */
async function expectExact(field: Field, values: readonly Value[]): Promise<void> {
  const stored = await storedColumn(field, values);
  const { chunk, packed } = stored;
  const { entry } = packed;
  const keys = givenKeys(stored);
  expectSame(readKeys(chunk), keys);
  if (typeOf(field).comparedBy === 'text') {
    expectSame(
      Array.from(values.keys(), (row) => textOfRow(chunk, row)),
      values,
    );
  }
  const write = rowWriter([field], [chunk]);
  expectSame(
    Array.from(values.keys(), write),
    values.map((value) => JSON.stringify({ [field.name]: value })),
  );
  const distinct = sortedKeys(keys);
  const codes = new Map(keys.map((key, row) => [key, chunk.codes[row] as number]));
  const inOrder = distinct.map((key) => codes.get(key) as number);
  expectSame(
    inOrder,
    [...new Set(inOrder)].sort((a, b) => a - b),
  );
  expect(entry).toMatchObject({
    rows: values.length,
    nulls: keys.filter((key) => key === null).length,
    distinct: distinct.length,
  });
  expect([entry.min, entry.max]).toEqual([cutOf(distinct[0]), cutOf(distinct.at(-1))]);
  expect(bytesInMemory(entry)).toBe(bytesOfChunk(chunk));
  expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
}

/** Lists of tens of thousands, and -0 is not 0. */
function expectSame(found: readonly unknown[], expected: readonly unknown[]): void {
  const at = expected.findIndex((one, i) => !Object.is(one, found[i]));
  expect({ at, length: found.length, found: found[at] }).toEqual({
    at: -1,
    length: expected.length,
    found: undefined,
    ...(at >= 0 ? { found: expected[at] } : {}),
  });
}

function sortedKeys(keys: readonly unknown[]): (string | number)[] {
  const distinct = [...new Set(keys)].filter((key) => key !== null);
  if (typeof distinct[0] !== 'string') return (distinct as number[]).sort((a, b) => a - b);
  const bytes = (distinct as string[]).map((key) => Buffer.from(key));
  return bytes.sort(Buffer.compare).map(String);
}

/** Cut to at most 32 units, or 31 if a character would be halved. */
function cutOf(key: unknown): unknown {
  if (typeof key !== 'string') return key;
  let cut = '';
  for (const character of key) {
    if (cut.length + character.length > BOUND_LENGTH) break;
    cut += character;
  }
  return cut;
}

describe('every value of a packed column reads back', () => {
  const checked = (field: Field, values: fc.Arbitrary<Value[]>) =>
    fc.assert(
      fc.asyncProperty(values, (column) => expectExact(field, column)),
      { seed: 13, numRuns: 40 },
    );

  test.each(Object.keys(NUMBERS))('%s', async (kind) => {
    await checked(fieldOf('number'), columnsOf(NUMBERS[kind] as Numbers));
  });

  test('numbers of several kinds', async () => {
    const mixed = fc
      .subarray(Object.values(NUMBERS), { minLength: 2, maxLength: 3 })
      .chain((some) => columnsOf(fc.oneof(...some)));
    await checked(fieldOf('number'), mixed);
  });

  test.each(Object.keys(TEXTS))('%s', async (kind) => {
    await checked(fieldOf('text'), columnsOf(TEXTS[kind] as fc.Arbitrary<string>));
  });

  test('texts of several kinds', async () => {
    const mixed = fc
      .subarray(Object.values(TEXTS), { minLength: 2, maxLength: 3 })
      .chain((some) => columnsOf(fc.oneof(...some)));
    await checked(fieldOf('text'), mixed);
  });

  test('phone numbers, with a leading 1 or without', async () => {
    await checked(fieldOf('phone'), columnsOf(PHONES));
  });

  test('booleans', async () => {
    await checked(fieldOf('boolean'), columnsOf(fc.boolean()));
  });

  const WHOLE = 2 ** 16;
  const many = (at: (row: number) => Value) => Array.from({ length: WHOLE }, (_, row) => at(row));
  test.each<[string, Field['type'], Value[]]>([
    ['different numbers, ascending', 'number', many((row) => row * 3 - 70_000)],
    ['as many codes as two bytes hold', 'number', many((row) => (row * 40_503) % WHOLE)],
    ['one code more', 'number', many((row) => (row === 9 ? null : (row * 40_503) % WHOLE))],
    [
      'a wide frame and no number in it',
      'number',
      many((row) => ((row * 40_503) % WHOLE) * 65_537),
    ],
    ['different fractions', 'number', many((row) => 1 / (row + 1))],
    ['fractions beside nothing', 'number', many((row) => (row % 7 === 0 ? null : Math.sqrt(row)))],
    ['different texts', 'text', many((row) => `Business ${(row * 40_503) % WHOLE}`)],
    ['two spellings of each key', 'text', many((row) => (row % 2 ? 'N' : 'n') + (row >> 1))],
    ['different phone numbers', 'phone', many((row) => String(7_180_000_000 + row * 7))],
    ['nothing', 'text', many(() => null)],
  ])('65,536 rows: %s', async (_, type, values) => {
    await expectExact(fieldOf(type), values);
  });

  test('a text of a megabyte', async () => {
    await expectExact(fieldOf('text'), ['x', 'Ä\u{1f600}'.repeat(2 ** 18), null, 'y']);
  });
});

describe('a column of a block of every type', () => {
  test('is written as the row is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(typedCells, { minLength: 1, maxLength: 60 }), async (cells) => {
        const rows = cells.map(rowOf);
        const keyed = rows.map((row) => keyRow(TYPED_FIELDS, row));
        const chunks = await Promise.all(
          TYPED_FIELDS.map((field) => {
            const { bytes, entry } = packRows(field, keyed);
            return unpackChunk(bytes, entry);
          }),
        );
        const write = rowWriter(TYPED_FIELDS, chunks);
        expect(Array.from(rows.keys(), write)).toEqual(rows.map((row) => JSON.stringify(row)));
      }),
      { seed: 14, numRuns: 60 },
    );
  });
});

describe('a column is packed small', () => {
  const count = (length: number, at: (row: number) => Value) =>
    Array.from({ length }, (_, i) => at(i));
  test.each<[string, readonly Value[], object, 1 | 2 | 4]>([
    ['bytes from any number on', count(256, (i) => 1e6 + i), frame(1e6, 0), 1],
    ['bytes and nothing', [null, ...count(255, (i) => i)], frame(-1, 0), 1],
    ['one more', [null, ...count(256, (i) => i)], frame(-1, 0), 2],
    ['cents', count(200, (i) => i / 100), frame(0, -2), 1],
    ['billionths', count(100, (i) => (i + 1) / 1e9), frame(1, -9), 1],
    ['thousands', count(200, (i) => i * 7000), frame(0, 3), 2],
    ['no number', [null, null], frame(0, 0), 1],
    ['few numbers far apart', count(200, (i) => (i % 3) * 1e6 + 0.25), { kind: 'numbers' }, 1],
    ['fractions', count(200, (i) => 1 / (3 + i)), { kind: 'numbers' }, 1],
    ['numbers from 2^53 on', [2 ** 53, 2 ** 53 + 2], { kind: 'numbers' }, 1],
  ])('%s', async (_, values, dictionary, width) => {
    const { chunk, packed } = await storedColumn(fieldOf('number'), values);
    expect(packed.entry.dictionary).toEqual(dictionary);
    expect(chunk.codes.BYTES_PER_ELEMENT).toBe(width);
  });

  function frame(first: number, power: number) {
    return { kind: 'frame', first, power };
  }

  test.each<[string, readonly Value[], object]>([
    ['texts that are their keys', ['a', 'b', null], { keyBytes: 2 }],
    ['a text for each key', ['A', 'bb', 'bb'], { keyBytes: 3, textBytes: 3 }],
    ['several texts for a key', ['A', 'a', 'bb'], { keyBytes: 3, textBytes: 4, texts: 3 }],
    ['a text without a key', [' ', 'a'], { keyBytes: 1, textBytes: 2, texts: 2 }],
    ['no text', [null], { keyBytes: 0 }],
  ])('%s', async (_, values, dictionary) => {
    const { packed } = await storedColumn(fieldOf('text'), values);
    expect(packed.entry.dictionary).toEqual({ kind: 'texts', ...dictionary });
  });

  test('ascending codes as differences, and no others', async () => {
    const ascending = await storedColumn(
      fieldOf('integer'),
      count(10_000, (i) => i * 5),
    );
    const others = await storedColumn(
      fieldOf('integer'),
      count(10_000, (i) => (i * 7919) % 10_000),
    );
    expect([ascending.packed.entry.deltas, others.packed.entry.deltas]).toEqual([true, false]);
    expect(ascending.packed.bytes.length).toBeLessThan(200);
  });
});

describe('what a column cannot hold is refused', () => {
  test.each<[string, Field['type'], Value]>([
    ['half a surrogate pair', 'text', 'a\ud83d'],
    ['half a pair that another text completes', 'text', '\ude00'],
    ['no number', 'number', Number.NaN],
    ['an infinite number', 'number', Number.POSITIVE_INFINITY],
  ])('%s', (_, type, value) => {
    const field = fieldOf(type);
    const other = type === 'text' ? 'z\ud83d' : 1;
    expect(() => packRows(field, rowsOf(field, [value]))).toThrow(TypeError);
    expect(() => packRows(field, rowsOf(field, [other, value, other]))).toThrow(TypeError);
  });
});
