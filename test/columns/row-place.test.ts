import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import type { DatasetBlock } from '../../src/block/block.ts';
import { type Query, ReadCost, type RowStore } from '../../src/query/row-store.ts';
import { queryOf } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { naiveRows, naiveSort } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

/** Rows in chunks so small that ties and neighbours lie in different ones. */
function datasetOf(block: DatasetBlock, rows: readonly Row[]) {
  const { manifest, rows: keyed } = makeDataset(block, rows, SOURCE);
  return { block, manifest, store: memoryRows(block.fields, keyed, { rowsPerChunk: 16 }) };
}

const placeIn = (store: RowStore, query: Query, position: number, steps = 1e12) =>
  store.placeOf?.(query, position, new Budget(new Scheduler(), steps, 60_000), new ReadCost());

describe('a row is found among the rows of a question as anybody would count them', () => {
  test.each([
    ['of every type', typedBlock, sampleCells(120, 53).map(rowOf)],
    ['with places', spotsBlock, sampleSpots(120, 7)],
  ] as const)('%s', async (_, block, rows) => {
    const dataset = datasetOf(block, rows);
    const ask = readArgumentsOf(block);
    let [found, notFound] = [0, 0];
    await fc.assert(
      fc.asyncProperty(randomArguments(block, rows), async (given) => {
        const sent = { query: {}, body: given, isPost: true, isWebhook: false };
        const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
        const query = queryOf(dataset, ask(sent, budget).values, budget);
        const sort = naiveSort(given._sort);
        const { geometry } = block;
        const expected = naiveRows(block.fields, rows, {
          arguments: given,
          geometry,
          ...(sort && { sort }),
        });
        for (const position of rows.keys()) {
          const index = expected.indexOf(position);
          const place = await placeIn(dataset.store, query, position);
          const [previous, next] = [expected[index - 1], expected[index + 1]];
          expect([given, position, place]).toEqual([
            given,
            position,
            index < 0
              ? { total: expected.length }
              : {
                  total: expected.length,
                  found: {
                    before: index,
                    ...(previous === undefined ? {} : { previous }),
                    ...(next === undefined ? {} : { next }),
                  },
                },
          ]);
          if (index < 0) notFound++;
          else found++;
        }
      }),
      { seed: 83, numRuns: 60 },
    );
    expect(Math.min(found, notFound)).toBeGreaterThan(500);
  });
});

test('finding a row is counted, and refused if it takes more work than a run has', async () => {
  const { store } = datasetOf(typedBlock, sampleCells(120, 53).map(rowOf));
  const query = { predicate: [], limit: 1, sort: { field: 'seats', descending: true } };
  await expect(placeIn(store, query, 5, 100)).rejects.toMatchObject({ code: 'too-much-work' });
});
