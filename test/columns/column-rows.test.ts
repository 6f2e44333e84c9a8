import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import { type Dataset, plansOf, queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
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

describe('the page before another ends where that one begins, though an answer is cut by its bytes', () => {
  const block = datasetBlock({
    ...{ id: 'long', name: 'long', title: 'Long', description: 'Made.', noun: 'rows' },
    examples: [],
    fields: [
      { type: 'integer', name: 'n', title: 'N' },
      { type: 'text', name: 'text', title: 'Text' },
    ],
  });
  // Of the middle ones, which are as long as a row may be, 22 fit an answer.
  const rows: Row[] = Array.from({ length: 120 }, (_, n) => ({
    n,
    text: `${n} ${'long '.repeat(n < 25 || n > 90 ? 1 : 38_000)}`,
  }));
  const { manifest, rows: keyed } = makeDataset(block, rows, SOURCE);
  const plan = plansOf({ block, manifest, store: memoryRows(block.fields, keyed) });

  test.each([
    ['in the order of the data', {}],
    ['sorted', { _sort: ['-n'] }],
    ['filtered', { n_min: 1 }],
    ['of some columns', { _fields: ['text'] }],
  ])('%s', async (_, asked) => {
    const pageAt = async (cursor: string | null) => {
      const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
      const planned = plan(
        { ...asked, _limit: 40, ...(cursor === null ? {} : { _cursor: cursor }) },
        budget,
      );
      const output = await planned.run(budget);
      if (output.kind !== 'rows') throw new Error('expected rows');
      const before = await planned.before?.(budget);
      const from = before?.rows ?? Number.NaN;
      return { next: output.next, before: before?.cursor, from, to: from + output.rows.length };
    };
    let page = await pageAt(null);
    let pages = 1;
    for (; page.next !== null; pages++) {
      const following = await pageAt(page.next);
      expect(following.from).toBe(page.to);
      page = following;
    }
    expect(pages).toBeGreaterThan(3);
    while (page.from > 0) {
      const previous = await pageAt(page.before ?? null);
      expect(previous.from).toBeLessThan(page.from);
      expect(previous.to).toBeGreaterThanOrEqual(page.from);
      page = previous;
    }
  });
});
