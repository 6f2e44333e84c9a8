import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { MOST_SQUARES, type TwoNumbersFound } from '../../src/block/two-numbers.ts';
import { plansOf } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';

const block = datasetBlock({
  id: 'films-id',
  name: 'films',
  title: 'Films',
  description: 'Made by a test.',
  fields: [
    { type: 'text', name: 'title', title: 'Title', main: true },
    { type: 'text', name: 'kind', title: 'Kind' },
    { type: 'integer', name: 'minutes', title: 'Minutes', unit: 'min' },
    { type: 'number', name: 'budget', title: 'Budget', unit: '$' },
    { type: 'number', name: 'gross', title: 'Gross', unit: '$' },
    { type: 'number', name: 'change', title: 'Change' },
  ],
  keyFields: ['title'],
  primaryKey: ['title'],
  examples: [{ title: 'All', arguments: {} }],
});

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };

/** Some films lack a number; budgets are above 0, and some films gross nothing. */
function filmsOf(count: number, seed: number): Row[] {
  const random = seededRandom(seed);
  const orBlank = (value: number) => (random() < 0.06 ? null : value);
  return Array.from({ length: count }, (_, i) => ({
    title: `Film ${i}`,
    kind: random() < 0.3 ? 'short' : 'long',
    minutes: orBlank(60 + Math.floor(random() * 120)),
    budget: orBlank(Number((10 ** (2 + 6 * random())).toFixed(2))),
    gross: orBlank(random() < 0.02 ? 0 : Number((10 ** (1 + 7 * random())).toFixed(1))),
    change: orBlank(Number((random() * 2 - 1).toFixed(3)) + 0),
  }));
}

type Settings = { readonly rowsPerChunk?: number; readonly cacheBytes?: number };

async function ask(
  rows: readonly Row[],
  given: Record<string, unknown>,
  settings: Settings = {},
  budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY),
) {
  const { manifest, rows: imported } = makeDataset(block, rows, SOURCE);
  const store = memoryRows(block.fields, imported, settings);
  const read = readArgumentsOf(block)(
    { query: {}, body: given, isPost: true, isWebhook: false },
    budget,
  );
  const output = await plansOf({ block, manifest, store })(read.values, budget).run(budget);
  if (output.kind !== 'rows' || output.xy === undefined) throw new TypeError('No two numbers.');
  return {
    ...output,
    xy: output.xy,
    results: listTexts(output.rows).map((text) => JSON.parse(text)),
  };
}

const numberIn = (row: Row, name: string) => row[name] as number;
const median = (numbers: readonly number[]) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
};

/** What a reader would make of the rows, who goes through them one by one. */
function plain(rows: readonly Row[], x: string, y: string, xy: TwoNumbersFound) {
  const both = rows.filter((row) => row[x] !== null && row[y] !== null);
  const logs = (
    [
      ['x', x],
      ['y', y],
    ] as const
  ).filter(([axis]) => xy[axis].scale === 'log');
  const placed = both.filter((row) => logs.every(([, name]) => numberIn(row, name) !== 0));
  const ends = (name: string) => {
    const numbers = placed.map((row) => numberIn(row, name));
    return { min: Math.min(...numbers), max: Math.max(...numbers) };
  };
  return { both, placed, x: ends(x), y: ends(y) };
}

/** Recomputes an answer in squares from the rows. */
function expectSquares(
  answer: Awaited<ReturnType<typeof ask>>,
  placed: readonly Row[],
  x: string,
  y: string,
) {
  const within = (row: Row, square: Row, name: string) =>
    numberIn(row, name) >= numberIn(square, `${name}_from`) &&
    numberIn(row, name) < numberIn(square, `${name}_to`);
  for (const square of answer.results) {
    const inside = placed.filter((row) => within(row, square, x) && within(row, square, y));
    expect({ ...square, count: inside.length }).toEqual(square);
  }
  const sum = answer.results.reduce((all, { count }) => all + count, 0);
  expect(sum).toBe(placed.length);
  expect(answer.results.length).toBeLessThanOrEqual(MOST_SQUARES.all);
}

const films = filmsOf(2500, 59);
const FIELDS = ['minutes', 'budget', 'gross', 'change'];

describe('an answer about two numbers is what a plain reading of the rows makes', () => {
  test.each([
    { rowsPerChunk: 2500, cacheBytes: Number.POSITIVE_INFINITY, seed: 1 },
    { rowsPerChunk: 300, cacheBytes: Number.POSITIVE_INFINITY, seed: 2 },
    { rowsPerChunk: 700, cacheBytes: 0, seed: 3 },
  ])('$rowsPerChunk rows a chunk, $cacheBytes bytes of memory', async ({ seed, ...settings }) => {
    const random = seededRandom(seed);
    for (let i = 0; i < 8; i++) {
      const x = FIELDS[Math.floor(random() * 4)] as string;
      const y = FIELDS.filter((name) => name !== x)[Math.floor(random() * 3)] as string;
      const least = random() < 0.5 ? undefined : 10 ** (2 + Math.floor(random() * 6));
      const kind = random() < 0.4 ? 'short' : undefined;
      const filters = { budget_min: least, kind };
      const matching = films.filter(
        (row) =>
          (least === undefined || (row.budget !== null && numberIn(row, 'budget') >= least)) &&
          (kind === undefined || row.kind === kind),
      );
      const answer = await ask(films, { _xy: [x, y], _medians: true, ...filters }, settings);
      const { xy } = answer;
      const told = plain(matching, x, y, xy);
      expect(answer.matching).toBe(matching.length);
      expect(xy.without).toBe(matching.length - told.both.length);
      expect([xy.rows, xy.zeros ?? 0]).toEqual([
        told.placed.length,
        told.both.length - told.placed.length,
      ]);
      expect(xy.of).toBe(told.placed.length <= 1000 ? 'rows' : 'squares');
      if (told.placed.length === 0) continue;
      expect(xy.x).toMatchObject({ field: x, ...told.x });
      expect(xy.y).toMatchObject({ field: y, ...told.y });
      for (const [axis, name] of [
        ['x', x],
        ['y', y],
      ] as const) {
        const numbers = told.both.map((row) => numberIn(row, name));
        const above = told.placed.map((row) => numberIn(row, name));
        const isFar = Math.min(...above) > 0 && Math.max(...above) >= 1000 * Math.min(...above);
        expect([axis, xy[axis].scale]).toEqual([
          axis,
          isFar && Math.min(...numbers) >= 0 ? 'log' : 'linear',
        ]);
      }
      if (xy.of === 'rows') {
        expect(answer.results).toEqual(
          told.placed.map((row) => ({ title: row.title, [x]: row[x], [y]: row[y] })),
        );
      } else expectSquares(answer, told.placed, x, y);
      for (const { from, to, count, median: found } of xy.medians ?? []) {
        const inside = told.placed.filter(
          (row) => numberIn(row, x) >= from && numberIn(row, x) < to,
        );
        expect([inside.length, median(inside.map((row) => numberIn(row, y)))]).toEqual([
          count,
          expect.closeTo(found, 6),
        ]);
        expect(count).toBeGreaterThanOrEqual(20);
      }
    }
  });
});

test('1,000 rows are points, and one more makes squares', async () => {
  const row = (i: number): Row => ({
    ...filmsOf(1, i)[0],
    title: `${i}`,
    minutes: 60 + i,
    change: 7 + i / 10,
  });
  const rows = Array.from({ length: 1001 }, (_, i) => row(i));
  const points = await ask(rows.slice(0, 1000), { _xy: 'minutes,change' });
  expect([points.xy.of, points.total, points.next]).toEqual(['rows', 1000, null]);
  const squares = await ask(rows, { _xy: 'minutes,change' });
  expect(squares.xy).toMatchObject({ of: 'squares', rows: 1001, without: 0 });
  expect(squares.fields.map(({ name }) => name)).toEqual([
    'minutes_from',
    'minutes_to',
    'change_from',
    'change_to',
    'count',
  ]);
});

test('a scale that is asked for holds, for both axes or for each', async () => {
  const scalesOf = async (scale: string | undefined) => {
    const { xy } = await ask(films, { _xy: 'budget,minutes', _scale: scale });
    return [xy.x.scale, xy.y.scale];
  };
  expect(await scalesOf(undefined)).toEqual(['log', 'linear']);
  expect(await scalesOf('linear')).toEqual(['linear', 'linear']);
  expect(await scalesOf('log')).toEqual(['log', 'log']);
  expect(await scalesOf('linear,log')).toEqual(['linear', 'log']);
});

test('numbers without a logarithm are refused in words, and a 0 is left out and told', async () => {
  await expect(ask(films, { _xy: 'change,gross', _scale: 'log' })).rejects.toMatchObject({
    code: 'invalid-arguments',
    faults: [
      {
        code: 'out-of-range',
        parameter: '_scale',
        detail: expect.stringContaining('Change has numbers below 0'),
      },
    ],
  });
  const zeros = films.filter(({ gross, budget }) => gross === 0 && budget !== null).length;
  const { xy } = await ask(films, { _xy: 'budget,gross' });
  expect(zeros).toBeGreaterThan(10);
  expect(xy).toMatchObject({ y: { scale: 'log' }, zeros });
});

test('if many have a 0, the axis is even and has them', async () => {
  const rows = films.map((row, i) => (i % 4 === 0 ? { ...row, gross: 0 } : row));
  const { xy } = await ask(rows, { _xy: 'budget,gross' });
  expect([xy.y, xy.zeros]).toEqual([
    expect.objectContaining({ scale: 'linear', min: 0 }),
    undefined,
  ]);
});

test('where no row has both numbers, the answer is empty and says how many lack one', async () => {
  const rows = films.slice(0, 30).map((row) => ({ ...row, gross: null }));
  const { xy, results } = await ask(rows, { _xy: 'budget,gross' });
  expect([results, xy.rows, xy.without, xy.x.min]).toEqual([[], 0, 30, null]);
});

test('a question that takes more work than a run has is refused, and names _xy', async () => {
  await expect(
    ask(films, { _xy: 'budget,gross' }, {}, new Budget(new Scheduler(), 3000)),
  ).rejects.toMatchObject({ code: 'too-much-work', faults: [{ parameter: '_xy' }] });
});

test.each([
  [{ _xy: 'budget' }, ['_xy'], 'two different number fields'],
  [{ _xy: 'budget,budget' }, ['_xy'], 'two different number fields'],
  [{ _xy: 'budget,gross,minutes' }, ['_xy'], 'at most 2'],
  [{ _xy: 'budget,title' }, ['_xy'], 'expected one of minutes, budget, gross, change'],
  [{ _scale: 'log' }, ['_scale'], 'Give _xy=x,y'],
  [{ _medians: true }, ['_medians'], 'Give _xy=x,y'],
  [{ _xy: 'budget,gross', _limit: 5 }, ['_limit'], 'Leave one out'],
  [{ _xy: 'budget,gross', _sort: 'title' }, ['_sort'], 'Leave one out'],
  [{ _xy: 'budget,gross', _fields: 'title' }, ['_fields'], 'Leave one out'],
  [
    { _xy: 'budget,gross', _group: 'kind', _measure: 'count' },
    ['_group', '_measure'],
    'Leave one out',
  ],
  [
    { _xy: 'budget,gross', _group: 'kind', '_having.count_min': 2 },
    ['_group', '_having.count_min'],
    'Leave one out',
  ],
])('%j is refused, and named', (given, parameters, detail) => {
  const budget = new Budget(new Scheduler());
  const read = () =>
    readArgumentsOf(block)({ query: {}, body: given, isPost: true, isWebhook: false }, budget);
  let thrown: unknown;
  try {
    read();
  } catch (error) {
    thrown = error;
  }
  const faults = parameters.map((parameter) =>
    expect.objectContaining({ parameter, detail: expect.stringContaining(detail) }),
  );
  expect((thrown as { faults: unknown }).faults).toEqual(faults);
});
