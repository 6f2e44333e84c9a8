import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { type Dataset, queryOf, runQuery } from '../../src/query/run.ts';
import type { Field } from '../../src/values/field-types.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { compared, naiveRows } from '../support/naive.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const rows = sampleCells(400, 83).map(rowOf);
const imported = makeDataset(typedBlock, rows, SOURCE);
const { fields } = typedBlock;
const read = readArgumentsOf(typedBlock);

async function answerOf(dataset: Dataset, values: Record<string, unknown>) {
  const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
  const given = { query: {}, body: values, isPost: true, isWebhook: false };
  const output = await runQuery(
    dataset,
    queryOf(dataset, read(given, budget).values, budget),
    budget,
  );
  if (output.kind !== 'rows') throw new Error('expected rows');
  return output;
}

/** Values that a field may be asked for: of its rows, as other rows write them, and of no row. */
const valuesOf = (name: string): fc.Arbitrary<unknown> => {
  const { type } = fields.find((field) => field.name === name) ?? {};
  const own = rows.flatMap((row) => row[name] ?? []).filter((one) => String(one).trim() !== '');
  const strange =
    type === 'text'
      ? fc.oneof(
          fc
            .string({ minLength: 1, maxLength: 6, unit: 'grapheme' })
            .map((text) => `z${text.replaceAll('*', '')}`),
          fc.constantFrom('\u{10ffff}x', '\uffeex', '\ud83d\ude00 bar', 'COURT  ST', 'lodz'),
        )
      : type === 'phone'
        ? fc.integer({ min: 7_180_000_000, max: 7_189_999_999 }).map(String)
        : type === 'date'
          ? fc.integer({ min: 1950, max: 2040 }).map((year) => `${year}-02`)
          : fc.integer({ min: -400, max: 400 });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...own) },
    { weight: 5, arbitrary: strange },
  );
};

const NAMES = fields.flatMap(({ name, type, filterable }) =>
  filterable !== false && ['text', 'phone', 'number', 'integer', 'date'].includes(type)
    ? [name]
    : [],
);

const asked = fc.constantFrom(...NAMES).chain((name) =>
  fc.record({
    name: fc.constant(name),
    list: fc.array(valuesOf(name), { minLength: 2, maxLength: 400, size: 'max' }),
    isNot: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    wildcard: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  }),
);

/** What a value is found by: a text by what it is compared by, a date by its text. */
function keyOf(field: Field, value: unknown): unknown {
  return ['text', 'phone'].includes(field.type) ? compared(field, value as string) : value;
}

/** The rows of each key, found in one pass: the naive reading would look at all rows for each value. */
const ROWS_BY_KEY = new Map(
  fields.map((field) => {
    const byKey = new Map<unknown, number[]>();
    for (const [i, row] of rows.entries()) {
      const value = row[field.name] ?? null;
      if (value === null) continue;
      // A part of a date finds all that begin with it.
      const lengths = field.type === 'date' ? [4, 7, 10] : [];
      const periods = lengths.map((length) => String(value).slice(0, length));
      for (const key of lengths.length > 0 ? periods : [keyOf(field, value)]) {
        byKey.set(key, [...(byKey.get(key) ?? []), i]);
      }
    }
    return [field.name, byKey];
  }),
);

/** The rows that have this value. */
function rowsWith(name: string, value: unknown): readonly number[] {
  if (String(value).includes('*')) return naiveRows(fields, rows, { arguments: { [name]: value } });
  const field = fields.find((one) => one.name === name) as Field;
  return ROWS_BY_KEY.get(name)?.get(keyOf(field, value)) ?? [];
}

test.each(NAMES)('rows by their keys are the naive ones: %s', (name) => {
  for (const value of fc.sample(valuesOf(name), { seed: 94, numRuns: 50 })) {
    expect(rowsWith(name, value)).toEqual(
      naiveRows(fields, rows, { arguments: { [name]: value } }),
    );
  }
});

describe('lists of values, long and short', () => {
  test.each([
    { rowsPerChunk: 400, seed: 91 },
    { rowsPerChunk: 37, seed: 92 },
    { rowsPerChunk: 5, seed: 93 },
  ])(
    'find the naive rows, and tell what no row has: $rowsPerChunk rows a chunk',
    async ({ rowsPerChunk, seed }) => {
      const store = memoryRows(fields, imported.rows, { rowsPerChunk });
      const dataset: Dataset = { block: typedBlock, manifest: imported.manifest, store };
      const keys = [...(typedBlock.primaryKey ?? []), typedBlock.keyFields[0]];
      let missed = 0;
      await fc.assert(
        fc.asyncProperty(asked, async ({ name, list, isNot, wildcard }) => {
          const isText = fields.some((field) => field.name === name && field.type === 'text');
          const members = wildcard && isText ? [...list, '*st*'] : list;
          const parameter = isNot ? `_not.${name}` : name;
          const given = { [parameter]: members };
          const once = [...new Set(members)];
          const having = new Set(once.flatMap((one) => rowsWith(name, one)));
          const wanted = rows.flatMap((_, i) => (having.has(i) === isNot ? [] : [i]));
          const { rows: found, total, notFound = {}, warnings } = await answerOf(dataset, given);
          expect([total, listTexts(found)]).toEqual([
            wanted.length,
            wanted.map((row) => JSON.stringify(rows[row])),
          ]);
          const missing = once.filter((one) => one !== '*st*' && rowsWith(name, one).length === 0);
          const areKeys = members.length > 100 || keys.includes(name);
          const isTold = areKeys && !isNot && once.length > 1 && missing.length > 0;
          if (!isTold) expect(notFound).toEqual({});
          else expect(notFound[name]?.map(String)).toEqual(missing.map(String));
          const told = warnings.filter(({ title }) => title === 'Values not found');
          expect(told).toHaveLength(Object.keys(notFound).length);
          missed += missing.length;
        }),
        { seed, numRuns: 60 },
      );
      expect(missed).toBeGreaterThan(1000);
    },
  );
});
