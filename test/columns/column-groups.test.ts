import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../bench/data/seeded-random.ts';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { datasetBlock } from '../../src/block/block.ts';
import { dimensionOfForm } from '../../src/block/grouping.ts';
import { type Dataset, type Output, plansOf, queryOf, runQuery } from '../../src/query/run.ts';
import { ownMember, type Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { naiveKey, naiveRows, naiveTests } from '../support/naive.ts';
import { naiveGroups, naiveHaving, naiveSorted } from '../support/naive-groups.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { randomQuestion } from '../support/random-questions.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const rows = sampleCells(150, 41).map(rowOf);
const imported = makeDataset(typedBlock, rows, SOURCE);
const { fields } = typedBlock;

const readTyped = readArgumentsOf(typedBlock);

async function answerOf(
  dataset: Dataset,
  values: Record<string, unknown>,
  read = readTyped,
  budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY),
) {
  const given = { query: {}, body: values, isPost: true, isWebhook: false };
  const query = queryOf(dataset, read(given, budget).values, budget);
  const output = await runQuery(dataset, query, budget);
  if (output.kind !== 'rows') throw new Error('expected rows');
  return output;
}

/** The rows of all pages together, and the totals that they tell. */
async function walk(dataset: Dataset, values: Record<string, unknown>, read = readTyped) {
  const found: string[] = [];
  const totals = new Set<number>();
  let warnings: Output['warnings'] = [];
  let cursor: string | undefined;
  do {
    const output = await answerOf(
      dataset,
      cursor === undefined ? values : { ...values, _cursor: cursor },
      read,
    );
    found.push(...listTexts(output.rows));
    totals.add(output.total);
    warnings = output.warnings;
    cursor = output.next ?? undefined;
  } while (cursor !== undefined);
  return { found, totals: [...totals], warnings };
}

const question = randomQuestion(typedBlock);

describe('groups are the naive ones', () => {
  test.each([
    { rowsPerChunk: 150, cacheBytes: Number.POSITIVE_INFINITY, seed: 5 },
    { rowsPerChunk: 7, cacheBytes: Number.POSITIVE_INFINITY, seed: 6 },
    { rowsPerChunk: 40, cacheBytes: 0, seed: 7 },
  ])('$rowsPerChunk rows a chunk, $cacheBytes bytes of memory', async ({ seed, ...settings }) => {
    const store = memoryRows(fields, imported.rows, settings);
    const dataset: Dataset = { block: typedBlock, manifest: imported.manifest, store };
    await fc.assert(
      fc.asyncProperty(question, randomArguments(typedBlock, rows), async (asked, given) => {
        const { _sort, _limit, _fields, ...filters } = given;
        const matching = naiveRows(fields, rows, { arguments: filters });
        const groups = naiveGroups(
          fields,
          matching.map((position) => rows[position] as Row),
          asked,
        );
        const passing = naiveHaving(groups, asked._having ?? {});
        const expected = naiveSorted(passing, typedBlock.fields, asked, asked._sort);
        const { found, totals } = await walk(dataset, { ...filters, ...asked });
        expect(found.join('\n')).toBe(expected.map((group) => JSON.stringify(group)).join('\n'));
        expect(totals).toEqual([expected.length]);
      }),
      { seed, numRuns: 60 },
    );
  });
});

test('a facet of a field called count has its values', async () => {
  const count: Field = { type: 'integer', name: 'count', title: 'Count' };
  const block = datasetBlock({
    ...{ id: 'counts-id', name: 'counts', title: 'Counts', description: 'Made by a test.' },
    ...{ fields: [count], examples: [{ title: 'All', arguments: {} }] },
  });
  const its = [7, 9, 7].map((count): Row => ({ count }));
  const dataset = makeDataset(block, its, SOURCE);
  const asked = { block, manifest: dataset.manifest, store: memoryRows([count], dataset.rows) };
  const { facets } = await answerOf(asked, { _facets: 'count' }, readArgumentsOf(block));
  const values = [
    { value: 7, count: 2 },
    { value: 9, count: 1 },
  ];
  expect(facets?.count).toEqual({ values, others: 0, empty: 0 });
});

describe('facets', () => {
  const store = memoryRows(fields, imported.rows, { rowsPerChunk: 40 });
  let searches = 0;
  const counted: Dataset = {
    block: typedBlock,
    manifest: imported.manifest,
    store: {
      read: (...asked) => store.read(...asked),
      rest: (...asked) => store.rest(...asked),
      group: (...asked) => {
        searches++;
        return store.group(...asked);
      },
    },
  };
  const facetsOf = async (values: Record<string, unknown>, dataset = counted) =>
    (await answerOf(dataset, values)).facets ?? {};
  const inMemory: Dataset = {
    ...counted,
    store: {
      ...counted.store,
      groupWithoutEach: (...asked) => {
        const found = store.groupWithoutEach?.(...asked);
        if (found !== undefined) searches++;
        return found;
      },
    },
  };

  // With filters on five fields, one search tests all rows by each condition.
  const onFive = { place: '*', score_min: -3, seats_min: 2, opened_min: '1980', outdoors: 'no' };

  test.each([
    ['a search each', counted, {}],
    ['one search', inMemory, onFive],
  ])('asked for together are those asked for alone, by %s', async (_, dataset, more) => {
    const all = ['place', 'score', 'seats.10', 'opened.month', 'opened.year', 'outdoors'];
    const asked = fc.subarray(all, { minLength: 2 });
    await fc.assert(
      fc.asyncProperty(asked, randomArguments(typedBlock, rows), async (texts, given) => {
        const { _sort, _limit, _fields, ...others } = given;
        const isBeside = (name: string) =>
          !/^(?:_|place|score|points|seats|opened|outdoors)/.test(name);
        const filters =
          dataset === counted
            ? others
            : Object.fromEntries(Object.entries(others).filter(([name]) => isBeside(name)));
        const together = await facetsOf({ ...more, ...filters, _facets: texts }, dataset);
        expect(Object.keys(together)).toEqual(texts);
        for (const text of texts) {
          const alone = await facetsOf({ ...more, ...filters, _facets: [text] });
          expect(together[text]).toEqual(alone[text]);
        }
      }),
      { seed: 19, numRuns: 60 },
    );
  });

  test.each([
    [{}, 1],
    [{ seats_min: 3 }, 1],
    [{ seats_min: 3, score_min: 1 }, 2],
    [{ opened_min: '1990-01-01' }, 2],
  ])('of fields that are not filtered by take one search: %j', async (filters, expected) => {
    searches = 0;
    await facetsOf({ ...filters, _facets: ['place', 'score', 'opened.month', 'opened.year'] });
    expect(searches).toBe(expected);
  });

  test('of five fields that are filtered take one search once their columns are in memory', async () => {
    const asked = { ...onFive, _facets: ['place', 'score', 'seats', 'opened.year', 'outdoors'] };
    const first = await facetsOf(asked);
    searches = 0;
    expect(await facetsOf(asked, inMemory)).toEqual(first);
    expect(searches).toBe(1);
  });
});

test('the bins of a histogram count the rows that all filters leave but those of its boxes', async () => {
  const ranges = fields.filter(({ name }) => ownMember(imported.profile.bins, name) !== undefined);
  expect(ranges.length).toBeGreaterThan(2);
  const bins = ranges.map((field) =>
    dimensionOfForm(field, imported.profile.bins[field.name]?.edges ?? []),
  );
  const store = memoryRows(fields, imported.rows, { rowsPerChunk: 40 });
  const plan = plansOf({ block: typedBlock, manifest: imported.manifest, store });
  await fc.assert(
    fc.asyncProperty(randomArguments(typedBlock, rows), async (given) => {
      const { _sort, _limit, _fields, ...filters } = given;
      const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
      const asked = { query: {}, body: filters, isPost: true, isWebhook: false };
      const { values } = readTyped(asked, budget);
      const output = await plan(values, budget, undefined, bins).run(budget);
      for (const { field, edges = [] } of bins) {
        const boxes = [field.name, `${field.name}_min`, `${field.name}_max`];
        const others = Object.fromEntries(
          Object.entries(filters).filter(([name]) => !boxes.includes(name)),
        );
        const tests = naiveTests(fields, { arguments: others });
        const left = rows.filter((row) => tests.every(({ passes }) => passes(row)));
        const counts = new Array(edges.length - 1).fill(0);
        for (const row of left) {
          const key = keyOf(field, row);
          if (key === null) continue;
          const above = edges.findIndex((edge) => edge > key);
          counts[(above < 0 ? edges.length - 1 : above) - 1]++;
        }
        const empty = left.filter((row) => row[field.name] === null).length;
        const counted = output.kind === 'rows' ? output.bins?.[field.name] : undefined;
        expect({ [field.name]: counted }).toEqual({ [field.name]: { counts, empty } });
      }
    }),
    { seed: 23, numRuns: 100 },
  );
});

/** A range's value as the number that bins have: of dates, days since 1970. */
function keyOf(field: Field, row: Row): number | null {
  const key = naiveKey(field, row);
  if (typeof key !== 'string') return key === null ? null : Number(key);
  return Date.parse(key) / 86_400_000;
}

const NUMBERS: readonly Field[] = [
  { type: 'text', name: 'kind', title: 'Kind' },
  { type: 'number', name: 'size', title: 'Size' },
];
const numbersBlock = datasetBlock({
  ...{ id: 'numbers-id', name: 'numbers', title: 'Numbers', description: 'Made by a test.' },
  ...{ fields: NUMBERS, examples: [{ title: 'All', arguments: {} }] },
});

/** Numbers whose sums are rounded wrongly by most: of many digits, far apart, or that cancel out. */
const hostile = fc.oneof(
  fc.constantFrom(0.1, 0.2, -0.3, 1e16, -1e16, 1, 2 ** 53, 1e120, -1e120, 1e-120, 1e-7, -0),
  fc
    .double({ noNaN: true, min: -1e100, max: 1e100 })
    .map((size) => (Math.abs(size) < 1e-120 ? 0 : size)),
  fc.integer({ min: -1e6, max: 1e6 }).map((units) => units / 100),
  fc.integer({ min: -9e15, max: 9e15 }),
);

describe('sums, averages and medians are the numbers nearest to the exact ones', () => {
  test.each([3, 1000])('with %i rows a chunk', async (rowsPerChunk) => {
    const row = fc.record({
      kind: fc.constantFrom('a', 'b', null),
      size: fc.option(hostile, { freq: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (its: Row[]) => {
        const made = makeDataset(numbersBlock, its, SOURCE);
        const store = memoryRows(NUMBERS, made.rows, { rowsPerChunk });
        const dataset: Dataset = { block: numbersBlock, manifest: made.manifest, store };
        const asked = {
          _group: ['kind'],
          _measure: ['sum:size', 'avg:size', 'median:size', 'distinct:size', 'min:size'],
        };
        const { found } = await walk(dataset, asked, readArgumentsOf(numbersBlock));
        const expected = naiveGroups(NUMBERS, its, asked);
        expect(found).toEqual(expected.map((group) => JSON.stringify(group)));
      }),
      { seed: 17, numRuns: 150 },
    );
  });
});

test('medians of thousands of numbers are those of all of them in order', async () => {
  const size = fc.oneof(fc.constant(1), fc.nat(3), fc.nat(10 ** 6), fc.constant(1));
  const row = fc.record({
    kind: fc.constantFrom('a', 'a', 'a', 'b'),
    size: fc.option(size, { freq: 50 }),
  });
  const many = fc.array(row, { minLength: 6000, maxLength: 9000, size: 'max' });
  const filters = fc.constantFrom({}, { size_min: 2 }, { size_min: 900_000 });
  await fc.assert(
    fc.asyncProperty(many, filters, async (its: Row[], filter) => {
      const asked = { _group: ['kind'], _measure: ['median:size'] };
      const { found } = await walk(datasetOf(its), { ...filter, ...asked }, askNumbers);
      const matching = its.filter(
        ({ size }) =>
          filter.size_min === undefined || (size !== null && Number(size) >= filter.size_min),
      );
      const expected = naiveGroups(NUMBERS, matching, asked);
      expect(found).toEqual(expected.map((group) => JSON.stringify(group)));
    }),
    { seed: 23, numRuns: 12 },
  );
});

test('numbers whose difference is rounded are groups of their own', async () => {
  const close = [
    0,
    1e-100,
    -1e-100,
    1e-17,
    1,
    1 - 2 ** -53,
    1 + 2 ** -52,
    -20,
    2 ** 53 - 1,
    2 ** 53,
  ];
  const its = [...close, ...close].map((size): Row => ({ kind: 'a', size }));
  const dataset = datasetOf(its);
  const { found } = await walk(dataset, { _group: ['size'] }, askNumbers);
  const expected = naiveGroups(NUMBERS, its, { _group: ['size'] });
  expect(found).toEqual(expected.map((group) => JSON.stringify(group)));
  expect(found).toHaveLength(close.length);
});

test('numbers far apart, near 0 and beyond 2^53 are in the groups of their decimals', async () => {
  const sizes = fc.array(fc.oneof(hostile, fc.constantFrom(0, 1e-13, 9e14, 123456789012345)), {
    minLength: 1,
    maxLength: 30,
  });
  const width = fc.constantFrom('', '.10', '.7', '.0.1', '.0.001', '.0.00000000000001');
  await fc.assert(
    fc.asyncProperty(sizes, width, async (numbers, by) => {
      const its = numbers.map((size): Row => ({ kind: null, size }));
      const made = makeDataset(numbersBlock, its, SOURCE);
      const store = memoryRows(NUMBERS, made.rows, { rowsPerChunk: 20 });
      const dataset: Dataset = { block: numbersBlock, manifest: made.manifest, store };
      const group = [`size${by}`];
      const { found } = await walk(dataset, { _group: group }, readArgumentsOf(numbersBlock));
      const expected = naiveGroups(NUMBERS, its, { _group: group });
      expect(found).toEqual(expected.map((one) => JSON.stringify(one)));
    }),
    { seed: 18, numRuns: 300 },
  );
});

/** Answers about rows with these ids, of a chunk each thousand. */
function ofIds(ids: readonly number[]): Dataset {
  return datasetOf(ids.map((id): Row => ({ kind: `k${id}`, size: id })));
}

function datasetOf(its: readonly Row[]): Dataset {
  const { rows: keyed, manifest } = makeDataset(numbersBlock, its, SOURCE);
  return {
    block: numbersBlock,
    manifest,
    store: memoryRows(NUMBERS, keyed, { rowsPerChunk: 1000 }),
  };
}

const askNumbers = readArgumentsOf(numbersBlock);

/** Counts how often others have their turns. */
class CountedBudget extends Budget {
  pauses = 0;

  override pause(): Promise<void> {
    this.pauses++;
    return super.pause();
  }
}

/** How often others had their turns while questions about one chunk of values were answered. */
async function pausesFor(field: Field, its: Row[], ...asked: Record<string, unknown>[]) {
  const block = datasetBlock({
    ...{ id: 'turns-id', name: 'turns', title: 'Turns', description: 'Made by a test.' },
    ...{ fields: [field], examples: [{ title: 'All', arguments: {} }] },
  });
  const { rows: keyed, manifest } = makeDataset(block, its, SOURCE);
  const store = memoryRows([field], keyed, { rowsPerChunk: its.length });
  const pauses: number[] = [];
  for (const values of asked) {
    const budget = new CountedBudget(new Scheduler(), Number.POSITIVE_INFINITY, 20_000);
    await answerOf({ block, manifest, store }, values, readArgumentsOf(block), budget);
    pauses.push(budget.pauses);
  }
  return pauses;
}

describe('others have their turns within a chunk', () => {
  test('of times over three hundred years in a zone', async () => {
    const opened = {
      type: 'datetime',
      name: 'opened',
      title: 'Opened',
      timeZone: 'America/New_York',
    };
    const its = Array.from({ length: 5000 }, (_, i): Row => {
      const year = 1800 + ((i * 7) % 330);
      return { opened: `${year}-0${1 + (i % 9)}-15T12:00:00Z` };
    });
    const [pauses] = await pausesFor(opened as Field, its, { _group: 'opened.year' });
    expect(pauses).toBeGreaterThan(5);
  });

  test('of decimals far apart', async () => {
    const size: Field = { type: 'number', name: 'size', title: 'Size' };
    const its = Array.from(
      { length: 20_000 },
      (_, i): Row => ({
        size: Number(`${i + 1}.5e${[100, -100, 0][i % 3]}`),
      }),
    );
    const [first, again] = await pausesFor(size, its, ...Array(2).fill({ _measure: 'sum:size' }));
    // The first one splits the numbers; the others add up their parts.
    expect(first).toBeGreaterThan(15);
    expect(again).toBeGreaterThan(3);
  });

  test('of long texts', async () => {
    const kind: Field = { type: 'text', name: 'kind', title: 'Kind' };
    const its = Array.from({ length: 60 }, (_, i): Row => ({ kind: `${i} ${'x'.repeat(20_000)}` }));
    const [pauses] = await pausesFor(kind, its, { _group: 'kind', _limit: 1 });
    expect(pauses).toBeGreaterThan(5);
  });

  test('of many groups', async () => {
    const size: Field = { type: 'integer', name: 'size', title: 'Size' };
    const its = Array.from({ length: 10_000 }, (_, i): Row => ({ size: i }));
    const asked = { _group: 'size', _measure: 'count,sum:size,avg:size,median:size', _limit: 1 };
    // In an order, the values of all are read; else those of the page alone.
    const [pauses, fewer] = await pausesFor(size, its, { ...asked, _sort: 'median_size' }, asked);
    expect(pauses).toBeGreaterThan(3);
    expect(fewer).toBe(0);
  });
});

describe('of many groups, the first in any order are the naive ones', () => {
  const random = seededRandom(43);
  const of = (count: number) => Math.floor(random() * count);
  const its = Array.from({ length: 26_000 }, (): Row => {
    const kind =
      random() < 0.01 ? null : `${random() < 0.5 ? 'Ö' : 'o'} ${of(14_000).toString(36)}`;
    return { kind, size: random() < 0.05 ? null : (of(40) - 20) / 10 };
  });
  const dataset = datasetOf(its);
  test.each([
    { _group: ['kind'], _sort: '-count' },
    { _group: ['kind'], _sort: 'count', _limit: 700 },
    { _group: ['kind'] },
    { _group: ['kind'], _sort: '-kind' },
    { _group: ['kind'], _measure: ['min:size', 'share:count'], _sort: 'min_size' },
    { _group: ['kind'], _measure: ['p40:size', 'distinct:size'], _sort: '-p40_size' },
    { _group: ['kind', 'size'], _measure: ['share:sum:size', 'avg:size'], _sort: '-avg_size' },
    { _group: ['kind', 'size'], _measure: ['count', 'share:count'], _sort: 'share_count' },
    { _group: ['size', 'size.0.7', 'kind'], _sort: '-count' },
    { _group: ['kind', 'size'], _sort: '-count,-size' },
    { _group: ['kind'], _measure: ['min:size', 'count'], _sort: 'min_size,-count' },
    { _group: ['kind'], _measure: ['min:size', 'count'], _sort: '-count,-kind' },
  ])('%j', async (asked) => {
    const expected = naiveSorted(naiveGroups(NUMBERS, its, asked), NUMBERS, asked, asked._sort);
    const { _limit = 90 } = asked;
    let cursor: string | null = null;
    for (let page = 0; page < 3; page++) {
      const paged = { ...asked, _limit, ...(cursor === null ? {} : { _cursor: cursor }) };
      const { rows, total, next }: Awaited<ReturnType<typeof answerOf>> = await answerOf(
        dataset,
        paged,
        askNumbers,
      );
      const wanted = expected.slice(page * _limit, (page + 1) * _limit);
      expect(listTexts(rows)).toEqual(wanted.map((group) => JSON.stringify(group)));
      expect(total).toBe(expected.length);
      cursor = next;
    }
  });
});

describe('bounds', () => {
  const many = ofIds(Array.from({ length: 10_001 }, (_, i) => i));

  test('10,000 groups are an answer, whole in pages', async () => {
    const { found, totals } = await walk(many, { size_min: 1, _group: 'kind' }, askNumbers);
    expect(totals).toEqual([10_000]);
    expect(new Set(found).size).toBe(10_000);
  });

  test.each([
    [{ _group: 'size' }],
    [{ _group: 'kind', _measure: 'avg:size', _sort: '-kind' }],
    [{ _group: 'size.1,size.5000', _sort: 'size_5000' }],
  ])('of 10,001 the first 10,000 are listed, and the last page says so: %j', async (asked) => {
    const { found, totals, warnings } = await walk(many, asked, askNumbers);
    expect(totals).toEqual([10_001]);
    expect(new Set(found).size).toBe(10_000);
    expect(warnings).toMatchObject([
      {
        title: 'More groups than are listed',
        message: expect.stringContaining('1 more are counted in the total of 10,001'),
      },
    ]);
  });

  test('a facet of 10,001 values is refused by its own name', async () => {
    await expect(answerOf(many, { _facets: ['size'] }, askNumbers)).rejects.toMatchObject({
      faults: [
        {
          code: 'too-many-groups',
          parameter: '_facets',
          detail: expect.stringMatching(
            /^A field of _facets has more than 10,000 different values/,
          ),
        },
      ],
    });
  });

  test('groups of three fields are counted by what there is, not by what could be', async () => {
    const { total } = await answerOf(many, { _group: ['size.2', 'size.3', 'size.5'] }, askNumbers);
    // As many as there are different triples of quotients.
    const triples = Array.from({ length: 10_001 }, (_, i) =>
      [2, 3, 5].map((by) => Math.floor(i / by)).join(),
    );
    expect(total).toBe(new Set(triples).size);
  });
});
