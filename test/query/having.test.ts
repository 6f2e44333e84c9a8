import { expect, test } from '@jest/globals';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';

const KIND: Field = { type: 'text', name: 'kind', title: 'Kind' };
const PRICE: Field = { type: 'number', name: 'price', title: 'Price' };
const SHADOWS: readonly Field[] = [
  { type: 'integer', name: 'count', title: 'Count' },
  { type: 'number', name: 'avg_price', title: 'Average price' },
];
const ROWS = [
  { kind: 'a', count: 1, avg_price: 2, price: 3 },
  { kind: 'a', count: 5, avg_price: 9, price: 4 },
  { kind: 'b', count: 7, avg_price: 1, price: 1 },
];

/** The groups of an answer, and its total; or its faults. */
async function asked(fields: readonly Field[], values: Record<string, unknown>) {
  const block = datasetBlock({
    ...{ id: 'having-id', name: 'having', title: 'Having', description: 'Made by a test.' },
    ...{ fields: [...fields], examples: [{ title: 'All', arguments: {} }] },
  });
  const rows = ROWS.map(
    (row): Row =>
      Object.fromEntries(fields.map(({ name }) => [name, row[name as keyof typeof row]])),
  );
  const source = { title: 't', publisher: 'p', license: 'l', date: '2026' };
  const { manifest, rows: keyed } = makeDataset(block, rows, source);
  const budget = ampleBudget();
  const given = { query: {}, body: values, isPost: true, isWebhook: false };
  const read = readArgumentsOf(block)(given, budget);
  const dataset = { block, manifest, store: memoryRows(fields, keyed) };
  const output = await runQuery(dataset, queryOf(dataset, read.values, budget), budget);
  if (output.kind !== 'rows') throw new Error('expected rows');
  return { groups: listTexts(output.rows).map((text) => JSON.parse(text)), total: output.total };
}

const plain = [KIND, PRICE];
const shadowed = [KIND, PRICE, ...SHADOWS];

test.each([
  [
    { _group: 'kind', count_min: 2 },
    [
      { kind: 'a', count: 1 },
      { kind: 'b', count: 1 },
    ],
  ],
  [{ _group: 'kind', '_having.count_min': 2 }, [{ kind: 'a', count: 2 }]],
  [
    { _group: 'kind', _measure: 'avg:price', avg_price_max: 2 },
    [
      { kind: 'a', avg_price: 3 },
      { kind: 'b', avg_price: 1 },
    ],
  ],
  [
    { _group: 'kind', _measure: 'avg:price', _having: { avg_price_max: 2 } },
    [{ kind: 'b', avg_price: 1 }],
  ],
])('filters on groups shadow no field, and no field shadows them: %j', async (values, groups) => {
  expect(await asked(shadowed, values)).toEqual({ groups, total: groups.length });
});

test.each([
  [{ count_min: 2 }, 'unknown-parameter', '_having.count_min'],
  [{ '_having.cuont_min': 2 }, 'unknown-parameter', '_having.count_min'],
  [{ _having: 5 }, 'not-an-object', undefined],
  [{ _having: { count_min: 'x' } }, 'not-a-number', undefined],
  [{ _having: { count_min: 3, count_max: 2 } }, 'min-above-max', undefined],
])('what is no filter on these groups is refused: %j', async (given, code, suggestion) => {
  await expect(asked(plain, { _group: 'kind', ...given })).rejects.toMatchObject({
    faults: [
      { code, ...(suggestion === undefined ? {} : { suggestion }) },
      ...(code === 'min-above-max' ? [{ code }] : []),
    ],
  });
});

test('a filter on groups without groups is refused', async () => {
  await expect(asked(plain, { _having: { count_min: 2 } })).rejects.toMatchObject({
    faults: [{ code: 'missing-parameter', parameter: '_having.count_min' }],
  });
});
