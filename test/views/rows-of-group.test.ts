import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import {
  type Grouping,
  groupingOf,
  readDimensions,
  timePartsOf,
} from '../../src/block/grouping.ts';
import { readQuery } from '../../src/http/read-given.ts';
import { changed, type PageState } from '../../src/page/links.ts';
import { type Dataset, queryOf, runQuery } from '../../src/query/run.ts';
import type { Row } from '../../src/values/field-type.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { filtersOfValue, rowsOfGroup } from '../../src/views/rows-of-group.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { rowOf, sampleCells, typedBlock } from '../support/typed-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const rows = sampleCells(120, 53).map(rowOf);
const imported = makeDataset(typedBlock, rows, SOURCE);
const { fields } = typedBlock;
const dataset: Dataset = {
  block: typedBlock,
  manifest: imported.manifest,
  store: memoryRows(fields, imported.rows, { rowsPerChunk: 50 }),
};
const ask = readArgumentsOf(typedBlock);

/** The answer to a query of an address. */
async function answerOf(state: PageState) {
  const budget = ampleBudget(new Scheduler(), Number.POSITIVE_INFINITY);
  const query = readQuery(
    new URLSearchParams(state.map(([name, value]) => [name, value])).toString(),
  );
  const given = { query, body: {}, isPost: false, isWebhook: false };
  const { values } = ask(given, budget);
  const output = await runQuery(dataset, queryOf(dataset, values, budget), budget);
  if (output.kind !== 'rows') throw new Error('expected rows');
  return { ...output, values };
}

const dimension = fc.constantFrom(
  ...fields.flatMap((field) => [
    field.name,
    ...timePartsOf(field).map((part) => `${field.name}.${part}`),
    ...(field.type === 'integer' ? [`${field.name}.10`, `${field.name}.2.5`] : []),
  ]),
);

/** Filters as the pairs of an address. */
const filters = randomArguments(typedBlock, rows).map((given): PageState => {
  const { _sort, _limit, _fields, ...its } = given;
  return Object.entries(its).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
});

test.each([
  ['seats.1.6', -65.6, { seats_min: '-65.6', seats_max: '-65' }],
  ['seats.1.02', -256.02, { seats_min: '-256.02', seats_max: '-256' }],
  ['seats.0.1', 5, { seats_min: '5', seats_max: '5' }],
  [
    'seats.0.00000000000001',
    900719925474099,
    { seats_min: '900719925474099', seats_max: '900719925474099' },
  ],
  ['opened.week', '9999-W52', { opened_min: '9999-12-27', opened_max: '9999-12-31' }],
])('%s from %s is asked for by its exact ends, within what a filter takes', (text, value, is) => {
  const [dimension] = readDimensions(fields, [text]);
  if (dimension === undefined) throw new Error('expected a dimension');
  expect(filtersOfValue(dimension, value)).toEqual(is);
});

test('a month of the year and its year lead to the rows of that month', () => {
  const asked = { _group: ['opened.month_of_year', 'opened.year'] };
  const grouping = groupingOf(typedBlock, asked) as Grouping;
  const row = { opened_month_of_year: 3, opened_year: 2021, count: 1 };
  expect(rowsOfGroup([], grouping, row)).toEqual([
    ['_view', 'table'],
    ['opened', '2021-03'],
  ]);
  expect(rowsOfGroup([], grouping, { opened_year: 2021 })).toContainEqual(['opened', '2021']);
  expect(rowsOfGroup([], grouping, { opened_month_of_year: 3 })).toBeUndefined();
  // Two conditions on one date are one of its parameter, and the rows would be more.
  expect(rowsOfGroup([['opened', '2021']], grouping, row)).toBeUndefined();
});

describe('what a page links to finds the rows that it counts', () => {
  test('the rows of each group', async () => {
    let followed = 0;
    const asked = fc.uniqueArray(dimension, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(asked, filters, async (group, given) => {
        const state: PageState = [...given, ['_group', group.join()], ['_sort', '-count']];
        const { rows: groups, values } = await answerOf(state);
        const grouping = groupingOf(typedBlock, values);
        if (grouping === undefined) throw new Error('expected groups');
        for (const text of listTexts(groups).slice(0, 12)) {
          const row = JSON.parse(text) as Row;
          const link = rowsOfGroup(state, grouping, row);
          if (link === undefined) continue;
          followed++;
          const { total } = await answerOf(link);
          expect([link, total]).toEqual([link, row.count]);
        }
      }),
      { seed: 61, numRuns: 60 },
    );
    expect(followed).toBeGreaterThan(150);
  });

  test('the rows of each value of a facet, in place of the own filter of its field', async () => {
    let followed = 0;
    const asked = fc.uniqueArray(dimension, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(asked, filters, async (texts, given) => {
        const { facets = {}, values } = await answerOf([...given, ['_facets', texts.join()]]);
        expect(Object.keys(facets)).toEqual(texts);
        for (const one of readDimensions(fields, values._facets)) {
          const { name } = one.field;
          const own = [name, `${name}_min`, `${name}_max`, `_not.${name}`, '_empty', '_filled'];
          // What is asked of several fields by one name stays, so such filters are left out here.
          if (given.some(([other]) => other === '_empty' || other === '_filled')) continue;
          const others = changed(given, Object.fromEntries(own.map((each) => [each, null])));
          const { values: counted, others: more, empty } = facets[one.text] ?? { values: [] };
          let sum = (more ?? 0) + (empty ?? 0);
          for (const { value, count } of counted) {
            sum += count;
            const link = filtersOfValue(one, value);
            if (link === undefined) continue;
            followed++;
            const { total } = await answerOf(changed(others, link));
            expect([link, total]).toEqual([link, count]);
          }
          expect(sum).toBe((await answerOf(others)).total);
          expect(counted.map(({ count }) => count)).toEqual(
            counted.map(({ count }) => count).toSorted((a, b) => b - a),
          );
        }
      }),
      { seed: 67, numRuns: 60 },
    );
    expect(followed).toBeGreaterThan(200);
  });
});
