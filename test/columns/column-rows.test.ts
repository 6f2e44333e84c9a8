import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import type { Row } from '../../src/fields/field.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { Budget } from '../../src/query/budget.ts';
import { textsOf } from '../../src/query/row-texts.ts';
import { type Dataset, planRows, readRows } from '../../src/query/run-dataset.ts';
import { naiveRows } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const rows = sampleCells(150, 31).map(rowOf);
const imported = makeDataset(typedBlock, rows, SOURCE);

/** All rows that the pages of a query give together, and the totals that they tell. */
async function walk(dataset: Dataset, values: Record<string, unknown>) {
  const found: Row[] = [];
  const totals = new Set<number | null>();
  let cursor: string | undefined;
  do {
    const sent = cursor === undefined ? values : { ...values, _cursor: cursor };
    const budget = new Budget(Number.POSITIVE_INFINITY, 20_000);
    const output = await readRows(dataset, planRows(dataset, sent, budget), budget);
    if (output.kind !== 'rows') throw new Error('expected rows');
    found.push(...textsOf(output.rows).map((text) => JSON.parse(text)));
    totals.add(output.total);
    cursor = output.next ?? undefined;
  } while (cursor !== undefined);
  return { found, totals: [...totals] };
}

describe.each([
  { rowsPerChunk: 150, cacheBytes: Number.POSITIVE_INFINITY },
  { rowsPerChunk: 64, cacheBytes: Number.POSITIVE_INFINITY },
  { rowsPerChunk: 7, cacheBytes: 3000 },
  { rowsPerChunk: 40, cacheBytes: 0 },
])('columns in chunks of $rowsPerChunk rows, with $cacheBytes bytes of memory', (settings) => {
  test.each([
    { bounds: true, orders: true },
    { bounds: false, orders: true },
    { bounds: true, orders: false },
  ])(
    'give the naive rows, each once, in order, with $bounds bounds and $orders orders',
    async (shortcuts) => {
      const store = memoryRows(typedBlock.fields, imported.rows, { ...settings, shortcuts });
      const { manifest } = imported;
      const residentBytes = Number.POSITIVE_INFINITY;
      const dataset: Dataset = { block: typedBlock, manifest, residentBytes, store };
      await fc.assert(
        fc.asyncProperty(randomArguments(typedBlock, rows), async ({ _fields, ...values }) => {
          const { _sort, _limit, ...given } = values;
          const sort =
            typeof _sort === 'string'
              ? { field: _sort.replace(/^-/, ''), descending: _sort.startsWith('-') }
              : undefined;
          const expected = naiveRows(typedBlock.fields, rows, {
            arguments: given,
            ...(sort === undefined ? {} : { sort }),
          });
          const { found, totals } = await walk(dataset, values);
          expect(found).toEqual(expected.map((i) => rows[i]));
          expect(totals).toEqual([expected.length]);
          if (_fields === undefined) return;
          const parts = await walk(dataset, { ...values, _fields });
          expect(parts.found).toEqual(
            expected.map((i) =>
              Object.fromEntries((_fields as string[]).map((name) => [name, rows[i]?.[name]])),
            ),
          );
        }),
        { seed: 5, numRuns: 60 },
      );
    },
  );
});
