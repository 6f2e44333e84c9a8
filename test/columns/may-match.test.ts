import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BOUND_LENGTH } from '../../src/columns/chunk.ts';
import { mayMatch } from '../../src/columns/select-codes.ts';
import { type FieldCondition, matches } from '../../src/query/predicate.ts';
import type { PatternsTest, RangesTest, Value } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';
import { fieldOf, packRows, rowsOf } from '../support/stored-column.ts';

const not = fc.boolean();
const about = { field: 'a', parameters: ['a'] } as const;

type Test = RangesTest | PatternsTest | { readonly test: 'empty' };

function conditionOf(test: Test, isNot: boolean): FieldCondition {
  return { ...about, ...(isNot ? { not: true } : {}), ...test };
}

const empty = not.map((isNot) => conditionOf({ test: 'empty' }, isNot));

/** Few numbers, so that the ends of ranges are often those of the chunk. */
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.1, 0.2, 0.1 + 0.2, 0.3, -0, 1e308, -1e308, 5e-324),
);
const ranges = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(number, fc.constant(Number.NEGATIVE_INFINITY)),
        fc.oneof(number, fc.constant(Number.POSITIVE_INFINITY)),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    not,
  )
  .map(([anyOf, isNot]) => conditionOf({ test: 'ranges', anyOf }, isNot));

/** Texts that differ around the last unit of a bound, by characters of one and of two units. */
const text = fc
  .tuple(
    fc.constantFrom(0, 0, BOUND_LENGTH - 2, BOUND_LENGTH - 1, BOUND_LENGTH, BOUND_LENGTH + 1),
    fc.string({
      unit: fc.constantFrom('a', 'B', 'é', '\u{1f600}', '\u{1f601}', '\u{10ffff}', '\ue000', ' '),
      maxLength: 4,
    }),
  )
  .map(([length, end]) => 'x'.repeat(length) + end);

const phone = fc.constantFrom(
  ...['718-624-7581', '1 718 624 7581', '+1 (718) 624-7580', '311', '1', '', 'none'],
);

/** Texts as filters, some with wildcards; `values` are texts of rows. */
function patterns({ type }: Field, value: fc.Arbitrary<string>): fc.Arbitrary<FieldCondition> {
  const filtered = fieldOf(type);
  const one = fc.oneof(
    { weight: 3, arbitrary: value },
    fc
      .tuple(value, fc.constantFrom('*', '* ', ''), fc.constantFrom('*', ''))
      .map(([part, before, behind]) => before + part + behind),
  );
  return fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), not)
    .map(([texts, isNot]) => conditionOf(typeOf(filtered).testOf(texts, filtered), isNot));
}

type Kind = {
  readonly field: Field;
  readonly value: fc.Arbitrary<Value>;
  /** Conditions about some of a chunk's values, or others. */
  condition(value: fc.Arbitrary<Value>): fc.Arbitrary<FieldCondition>;
};

function kindOfTexts(type: 'text' | 'phone', value: fc.Arbitrary<string>): Kind {
  const field = fieldOf(type);
  return {
    field,
    value,
    condition: (asked) =>
      fc.oneof({ weight: 4, arbitrary: patterns(field, asked as fc.Arbitrary<string>) }, empty),
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  numbers: { field: fieldOf('number'), value: number, condition: () => fc.oneof(ranges, empty) },
  texts: kindOfTexts('text', text),
  'phone numbers': kindOfTexts('phone', phone),
};

/** Some values of a chunk, and a condition. */
function chunksOf({ value, condition }: Kind): fc.Arbitrary<[(Value | null)[], FieldCondition]> {
  return fc
    .array(value, { minLength: 1, maxLength: 5 })
    .chain((some) =>
      fc.tuple(
        fc.array(fc.option(fc.constantFrom(...some)), { maxLength: 5 }),
        condition(fc.oneof(fc.constantFrom(...some), value)),
      ),
    );
}

describe('a chunk that has a matching row is never ruled out by its entry', () => {
  test.each(Object.keys(KINDS))('%s', (kind) => {
    const its = KINDS[kind] as Kind;
    let [matching, ruledOut] = [0, 0];
    fc.assert(
      fc.property(chunksOf(its), ([values, asked]) => {
        const rows = rowsOf(its.field, values);
        // As the entry is read from a table.
        const entry = JSON.parse(JSON.stringify(packRows(its.field, rows).entry));
        const isMatch = rows.some((row) => matches([asked], row));
        const isPossible = mayMatch(asked, entry);
        if (isMatch) expect(isPossible).toBe(true);
        if (isMatch) matching++;
        if (!isPossible) ruledOut++;
      }),
      { seed: 16, numRuns: 3000 },
    );
    expect(matching).toBeGreaterThan(500);
    expect(ruledOut).toBeGreaterThan(200);
  });
});

describe('a chunk is ruled out', () => {
  const entryOf = (type: Field['type'], values: readonly Value[]) =>
    packRows(fieldOf(type), rowsOf(fieldOf(type), values)).entry;
  const range = (min: number, max: number) =>
    conditionOf({ test: 'ranges', anyOf: [[min, max]] }, false);
  const equals = (key: string) =>
    conditionOf({ test: 'patterns', anyOf: [[key]], byDigits: false }, false);
  const long = 'x'.repeat(BOUND_LENGTH);

  test.each<[string, boolean, FieldCondition, Field['type'], readonly Value[]]>([
    ['by a range below', true, range(0, 4.99), 'number', [5, 9]],
    ['not by one that ends at the least', false, range(0, 5), 'number', [5, 9]],
    ['by a range above', true, range(9.01, 20), 'number', [5, 9]],
    ['not by one that begins at the greatest', false, range(9, 20), 'number', [5, 9]],
    ['not by a range between', false, range(6, 7), 'number', [5, 9]],
    ['by any range if it has no number', true, range(-1e9, 1e9), 'number', [null]],
    ['by a text before', true, equals('a'), 'text', ['b', 'd']],
    [
      'not by a character above the surrogates',
      false,
      equals('\u{1f600}'),
      'text',
      ['\ue000', '\u{1f600}'],
    ],
    ['by a text behind', true, equals('e'), 'text', ['b', 'd']],
    ['not by a text between', false, equals('c'), 'text', ['b', 'd']],
    ['by a text before a cut one', true, equals('x'), 'text', [`${long}b`]],
    ['not by a text that begins as a cut one', false, equals(`${long}z`), 'text', [`${long}b`]],
    ['by a text behind a cut one', true, equals('y'), 'text', [`${long}b`]],
    [
      'by "empty" if each row has a key',
      true,
      conditionOf({ test: 'empty' }, false),
      'text',
      ['a'],
    ],
    [
      'not by it if a text folds to nothing',
      false,
      conditionOf({ test: 'empty' }, false),
      'text',
      [' ', 'a'],
    ],
    [
      'by "filled" if no row has a key',
      true,
      conditionOf({ test: 'empty' }, true),
      'text',
      [' ', null],
    ],
  ])('%s: %p', (_, isRuledOut, condition, type, values) => {
    expect(mayMatch(condition, entryOf(type, values))).toBe(!isRuledOut);
  });
});
