import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { type Dataset, queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { asRead, distanceOf, naiveRows, naiveSort } from '../support/naive.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { sampleSpots, spotsBlock } from '../support/spots-block.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const SETS = [
  { block: typedBlock, rows: sampleCells(150, 31).map(rowOf) },
  { block: spotsBlock, rows: sampleSpots(60, 33) },
].map((set) => ({ ...set, imported: makeDataset(set.block, set.rows, SOURCE) }));

/** The texts of all rows that the pages of a query give together, and the totals that they tell. */
async function walk(dataset: Dataset, values: Record<string, unknown>) {
  const found: string[] = [];
  const totals = new Set<number>();
  let cursor: string | undefined;
  do {
    const sent = cursor === undefined ? values : { ...values, _cursor: cursor };
    const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
    const output = await runQuery(dataset, queryOf(dataset, asRead(sent), budget), budget);
    if (output.kind !== 'rows') throw new Error('expected rows');
    found.push(...listTexts(output.rows));
    totals.add(output.total);
    cursor = output.next ?? undefined;
  } while (cursor !== undefined);
  return { found, totals: [...totals] };
}

function textOf(row: Row, fields = Object.keys(row)): string {
  return JSON.stringify(Object.fromEntries(fields.map((name) => [name, row[name]])));
}

const SHORTCUTS = [
  { bounds: true, orders: true },
  { bounds: false, orders: true },
  { bounds: true, orders: false },
];

describe('columns give the naive rows, each once, in order, whatever is taken as a shortcut', () => {
  // Memory for all chunks, for some, and for none. Each one missing is unpacked again, so that the
  // smallest are all in memory.
  const settings = [
    { rowsPerChunk: 150, cacheBytes: Number.POSITIVE_INFINITY, seed: 5 },
    { rowsPerChunk: 7, cacheBytes: Number.POSITIVE_INFINITY, seed: 6 },
    { rowsPerChunk: 20, cacheBytes: 3000, seed: 7 },
    { rowsPerChunk: 64, cacheBytes: 0, seed: 8 },
  ];
  test.each(
    SETS.flatMap((set) => settings.map((one) => ({ ...set, ...one, name: set.block.name }))),
  )('$name: $rowsPerChunk rows a chunk, $cacheBytes bytes of memory', async (given) => {
    const { block, rows, imported, rowsPerChunk, cacheBytes, seed } = given;
    const { manifest } = imported;
    const datasets = SHORTCUTS.map((shortcuts): Dataset => {
      const settings = { rowsPerChunk, cacheBytes, shortcuts };
      return { block, manifest, store: memoryRows(block.fields, imported.rows, settings) };
    });
    await fc.assert(
      fc.asyncProperty(randomArguments(block, rows), async (values) => {
        const { _sort, _limit, _fields, ...given } = values;
        const sort = naiveSort(_sort);
        const expected = naiveRows(block.fields, rows, {
          ...(block.geometry === undefined ? {} : { geometry: block.geometry }),
          arguments: given,
          ...(sort === undefined ? {} : { sort }),
        }).map((position) => {
          const row = rows[position] as Row;
          const text = textOf(row, _fields as string[] | undefined);
          if (given._near === undefined) return text;
          const far = distanceOf(row, given._near, block.geometry) as number;
          return `${text.slice(0, -1)},"_distance":${Math.round(far * 10) / 10}}`;
        });
        for (const [i, dataset] of datasets.entries()) {
          const { found, totals } = await walk(dataset, values);
          // One text, since Jest takes long to compare many.
          expect(found.join('\n')).toBe(expected.join('\n'));
          expect([SHORTCUTS[i], totals]).toEqual([SHORTCUTS[i], [expected.length]]);
        }
      }),
      { seed, numRuns: 40 },
    );
  });
});
