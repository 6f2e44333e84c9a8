import { describe, expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { periodText, wordsOfFigure, wordsOfRows } from '../../src/page/block-head.tsx';
import { periodIn } from '../../src/portals/period.ts';
import type { Field } from '../../src/values/field-types.ts';
import { refused } from '../../src/views/refused.tsx';

const FIELDS: readonly Field[] = [
  { type: 'text', name: 'town', title: 'Town' },
  { type: 'integer', name: 'score', title: 'Score' },
  { type: 'datetime', name: 'at', title: 'At' },
];

const block = datasetBlock({
  ...{ id: 'b', name: 'b', title: 'Scores', description: 'What towns scored.', noun: 'towns' },
  ...{ examples: [], fields: FIELDS },
});

const page = (values: Record<string, unknown>) => ({
  ...{ block, language: ENGLISH, values, manifest: { rows: 1234 } as Manifest },
});
const wordsOf = (values: Record<string, unknown>, matching = 12) =>
  wordsOfRows(page(values), matching);

describe('the title of a page says what its address asks for', () => {
  test('nothing: the block', () => {
    expect(wordsOf({})).toEqual({ title: 'Scores', description: 'What towns scored.' });
  });

  test('filters: how many rows match, and which', () => {
    expect(wordsOf({ town: 'Bern', score_min: 5 })).toEqual({
      title: '12 of 1,234 towns where Town is “Bern” and Score is at least… – Scores',
      shared: '12 of 1,234 towns where Town is “Bern” and Score is at least 5 – Scores',
      description:
        '12 of 1,234 towns where Town is “Bern” and Score is at least 5. What towns scored.',
    });
  });

  test('a figure: what it shows', () => {
    const figure = { title: 'Number of towns', state: '12 of 1,234 towns', sentence: 'Bars.' };
    expect(wordsOfFigure(page({ town: 'Bern' }), figure)).toEqual({
      title: 'Number of towns where Town is “Bern” – Scores',
      shared: 'Number of towns where Town is “Bern” – Scores',
      description: '12 of 1,234 towns where Town is “Bern”. Bars.',
    });
  });

  test('what is refused: an error', () => {
    const read = { title: 'Not found', detail: '', faults: [], runId: '' } as const;
    expect(refused.words(read as never, page({}) as never).title).toBe('Error: Scores');
  });

  test('a long filter is cut', () => {
    const { title } = wordsOf({ town: 'x'.repeat(300) });
    expect([title.length, title.endsWith('… – Scores')]).toEqual([70, true]);
  });
});

const TODAY = '1970-03-01';

function periodOf(...of: Parameters<typeof periodIn>): string | undefined {
  const period = periodIn(...of);
  return period && periodText(period, TODAY, ENGLISH);
}

describe('the period of a dataset', () => {
  const day = 86_400_000;

  test('is from the first to the last day of its first field with times', () => {
    const statistics = { at: { nulls: 0, distinct: 2, bytes: 0, min: 0, max: 400 * day + 5 } };
    expect(periodOf(FIELDS, statistics)).toBe('1 Jan 1970 – 5 Feb 1971 (some after today)');
    expect(
      periodOf([{ type: 'date', name: 'at', title: '' }], {
        at: { nulls: 0, distinct: 1, bytes: 0, min: 3, max: 3 },
      }),
    ).toBe('4 Jan 1970');
  });

  test.each([
    [59, '1 Jan 1970 – 1 Mar 1970'],
    [60, '1 Jan 1970 – 2 Mar 1970 (some after today)'],
  ])('says that some of it is yet to come, from tomorrow on: day %s', (last, said) => {
    const fields: Field[] = [{ type: 'date', name: 'at', title: '' }];
    expect(periodOf(fields, { at: { nulls: 0, distinct: 2, bytes: 0, min: 0, max: last } })).toBe(
      said,
    );
    const times = { at: { nulls: 0, distinct: 2, bytes: 0, min: 0, max: last * day + day - 1 } };
    expect(periodOf(FIELDS, times)).toBe(said);
  });

  test('is none without times', () => {
    expect(
      periodOf(FIELDS, { score: { nulls: 0, distinct: 2, bytes: 0, min: 0, max: 4 } }),
    ).toBeUndefined();
    expect(periodOf(FIELDS, { at: { nulls: 9, distinct: 0, bytes: 0 } })).toBeUndefined();
  });
});
