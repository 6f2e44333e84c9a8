import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countOperators, filterExpression } from '../../src/dynamodb/filter-expression.ts';
import { LIMITS } from '../../src/dynamodb/limits.ts';
import type { Field } from '../../src/fields/field.ts';
import type { Condition, Predicate } from '../../src/query/predicate.ts';

const text = (field: string, ...anyOf: string[][]): Condition => ({
  test: 'patterns',
  field,
  parameters: [field],
  byDigits: false,
  anyOf,
});
const range = (
  field: string,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): Condition => ({ test: 'ranges', field, parameters: [field], anyOf: [[min, max]] });

const fields = [
  ...['a', 'b', 'c', 'p'].map((name): Field => ({ type: 'text', name, title: name })),
  ...['n', 'm'].map((name): Field => ({ type: 'number', name, title: name })),
  { type: 'date', name: 'd', title: 'd' } as const,
];
const expression = (...predicate: Condition[]) => filterExpression(predicate, fields)?.expression;

describe('a predicate as a filter expression', () => {
  test.each<[string, Predicate, string | undefined]>([
    ['nothing', [], undefined],
    ['equality', [text('a', ['x'])], '#f0 = :v0'],
    ['a list', [text('a', ['x'], ['y'])], '#f0 IN (:v0, :v1)'],
    ['a prefix', [text('a', ['x', ''])], 'begins_with(#f0, :v0)'],
    ['a suffix, as far as DynamoDB goes', [text('a', ['', 'x'])], 'contains(#f0, :v0)'],
    ['any text', [text('a', ['', ''])], 'attribute_exists(#f0)'],
    [
      'a list with wildcards',
      [text('a', ['x'], ['', 'y', ''])],
      '(#f0 = :v0 OR contains(#f0, :v1))',
    ],
    ['both ends', [range('n', 1, 2)], '#f0 BETWEEN :v0 AND :v1'],
    ['one end', [range('n', 1), range('m', undefined, 2)], '#f0 >= :v0 AND #f1 <= :v1'],
    ['a bound DynamoDB cannot hold', [range('n', 1e200, 1e300)], undefined],
    ['one of two', [range('n', -1e200, 3)], '#f0 <= :v0'],
  ])('%s', (_, predicate, expected) => {
    expect(expression(...predicate)).toBe(expected);
  });

  test('leaves a wildcard on digits to the row function', () => {
    expect(expression({ ...text('p', ['718', '']), byDigits: true } as Condition)).toBeUndefined();
  });

  test.each<[string, Condition]>([
    ['what is turned round', { ...text('a', ['x']), not: true }],
    [
      'several ranges',
      {
        ...range('n'),
        anyOf: [
          [1, 2],
          [4, 5],
        ],
      } as Condition,
    ],
    ['no range', { ...range('n'), anyOf: [] } as Condition],
    ['what is empty', { field: 'a', parameters: ['_empty'], test: 'empty' }],
  ])('leaves %s to the row function', (_, condition) => {
    expect(expression(condition)).toBeUndefined();
  });

  test('compares a date by its key, which is a number', () => {
    expect(filterExpression([range('d', 1)], fields)?.names).toEqual({ '#f0': 'd~key' });
  });

  test('leaves out a whole condition that does not fit, and keeps the others', () => {
    const many = Array.from({ length: 100 }, (_, i) => ['', `${i}`, 'x', 'y', '']);
    const {
      expression: text_,
      values,
      names,
    } = filterExpression([text('a', ...many), range('n', 5)], fields) ?? {};
    expect(text_).toBe('#f0 >= :v0');
    expect([Object.keys(values ?? {}), Object.values(names ?? {})]).toEqual([[':v0'], ['n']]);
  });

  test('keeps within every limit of DynamoDB, whatever the predicate', () => {
    const piece = fc.string({ maxLength: 20, unit: 'grapheme' });
    const condition: fc.Arbitrary<Condition> = fc.oneof(
      fc
        .tuple(
          fc.constantFrom('a', 'b', 'c'),
          fc.boolean(),
          fc.array(fc.array(piece, { minLength: 1, maxLength: 8 }), {
            minLength: 1,
            maxLength: 100,
          }),
        )
        .map(([field, byDigits, anyOf]) => ({ ...text(field, ...anyOf), byDigits }) as Condition),
      fc
        .tuple(fc.constantFrom('n', 'm'), fc.double({ noNaN: true }))
        .map(([field, min]) => range(field, min)),
    );
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 60 }), (predicate) => {
        const made = filterExpression(predicate, fields);
        if (made === undefined) return;
        expect(Buffer.byteLength(made.expression)).toBeLessThanOrEqual(LIMITS.expressionBytes);
        expect(countOperators(made.expression)).toBeLessThanOrEqual(LIMITS.operators);
        for (const [list] of made.expression.matchAll(/IN \([^)]*\)/g)) {
          expect(list.split(',').length).toBeLessThanOrEqual(LIMITS.inOperands);
        }
        const used = new Set(made.expression.match(/[#:][fv]\d+/g));
        expect(new Set([...Object.keys(made.names), ...Object.keys(made.values)])).toEqual(used);
        for (const { N } of Object.values(made.values)) {
          if (N !== undefined && Number(N) !== 0) expect(Math.abs(Number(N))).toBeLessThan(1e126);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
