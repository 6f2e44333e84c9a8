import { expect, test } from '@jest/globals';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { datasetBlock } from '../../src/block/block.ts';
import type { GroupsQuestion } from '../../src/figure/question.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { plansOf } from '../../src/query/run.ts';
import { listTexts } from '../../src/values/row-texts.ts';
import { Budget } from '../../src/work/budget.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { dayText, FIELDS, figure, GEOMETRY, linkOf, questionOf, rowOf } from './questions.ts';

const block = datasetBlock({
  ...{ id: 'loads-id', name: 'loads', title: 'Loads', description: 'Made by a test.' },
  ...{ noun: 'loads', examples: [], fields: [...FIELDS], geometry: GEOMETRY },
});
const rows = Array.from({ length: 80 }, (_, i) =>
  rowOf({
    ...{ day: dayText(i * 5), kind: `k${i % 4}`, load: i % 7 === 0 ? null : i - 20 },
    ...{ lon: 10 + (i % 9) / 10, lat: 50 + (i % 5) / 10, year: 1950 + (i % 12) },
  }),
);

/** A question whose answer the product gives, as a page would ask it. */
async function answered(_group: string, _measure: string): Promise<GroupsQuestion> {
  const source = { title: 'Loads', publisher: 'A test', license: 'l', date: '2026' };
  const { rows: imported, manifest } = makeDataset(block, rows, source);
  const store = memoryRows(block.fields, imported);
  const budget = new Budget(new Scheduler(), Number.POSITIVE_INFINITY, 1e9);
  const body = { _group, _measure, _limit: 1000 };
  const asked = { query: {}, body, isPost: true, isWebhook: false };
  const { values, grouping } = readArgumentsOf(block)(asked, budget);
  const output = await plansOf({ block, manifest, store })(values, budget, grouping).run(budget);
  if (output.kind === 'value' || grouping === undefined) throw new TypeError('These are groups.');
  const groups = [...listTexts(output.rows)].map((text) => JSON.parse(text));
  return {
    answer: { grouping, groups, total: output.total, matching: output.matching ?? 0 },
    known: {
      ...{ noun: block.noun, rows: manifest.rows, fields: block.fields, source: manifest.source },
      ...{ statistics: manifest.fields, version: 'a6400dea481cbd1ecb19', language: ENGLISH },
    },
    linkOf,
  };
}

test.each([
  ['day.month', 'sum:load,count'],
  ['day.week', 'count'],
  ['day.quarter,kind', 'avg:load,count'],
  ['year', 'avg:load,count'],
  ['kind', 'count'],
  ['load.10', 'count'],
  ['kind,day.weekday', 'count'],
  ['place.20km', 'count'],
])(
  'groups by %s of %s, as the product answers, make the figure of the naive ones',
  async (_group, _measure) => {
    const { plate, ...own } = figure(await answered(_group, _measure));
    const { plate: _, ...naive } = figure(questionOf(rows, { _group, _measure }));
    expect(own).toEqual(naive);
    expect(own.picture).toBeDefined();
    expect(plate.rows).toBe('all 80 loads');
  },
);
