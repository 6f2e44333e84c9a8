/** A question that asks for as much as a request may. */
export type WorstQuestion = {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

const NUMBERS = Array.from({ length: 8 }, (_, i) => `n${i}`);
const TEXTS = ['name', 't1', 't2', 't3', 't4', 't5', 't6', 't7'];
const LETTERS = 'abcdefghijklmnop';

/** Of the hostile set: `name` is different in each row, `t6` has 200 values, `t7` 50. */
export const WORST_QUESTIONS: readonly WorstQuestion[] = [
  {
    name: '10,000 groups by 8 sums',
    arguments: { _group: ['t6', 't7'], _measure: NUMBERS.map((name) => `sum:${name}`) },
  },
  {
    name: '10,000 groups by 8 medians',
    arguments: { _group: ['t6', 't7'], _measure: NUMBERS.map((name) => `median:${name}`) },
  },
  {
    name: '10,000 groups by the distinct values of 8 texts',
    arguments: { _group: ['t6', 't7'], _measure: TEXTS.map((name) => `distinct:${name}`) },
  },
  {
    name: 'the distinct values of a text that each row has its own of',
    arguments: { _measure: ['distinct:name'] },
  },
  {
    name: 'more than 10,000 groups, of texts',
    arguments: { _group: ['name'] },
  },
  {
    name: 'a width of many digits',
    arguments: { _group: ['n0.0.123456789'], _measure: ['avg:n0'] },
  },
  {
    name: 'weeks in a zone',
    arguments: { _group: ['opened.week'], _measure: ['count', 'min:opened'] },
  },
  {
    name: 'eight facets',
    arguments: { _facets: ['t3', 't4', 't5', 't6', 't7', 't8', 't9', 'n1'], _limit: 1 },
  },
  {
    name: 'eight facets under as many filters',
    arguments: {
      ...Object.fromEntries(TEXTS.map((name) => [name, '*e*'])),
      _facets: ['t3', 't4', 't5', 't6', 't7', 't8', 't9', 'n1'],
      _limit: 1,
    },
  },
  { name: '16 words of a letter', arguments: { _q: [...LETTERS].join(' '), _limit: 1000 } },
  {
    name: '16 words that no row has',
    arguments: { _q: [...LETTERS].map((c) => `${c}zzq`).join(' ') },
  },
  {
    name: 'all rows by their distance',
    arguments: { _near: '-73.5,40.5', _format: 'ndjson' },
  },
  {
    name: 'the distances of all rows, sorted by a text',
    arguments: { _near: '-73.5,40.5', _within: '20000km', _sort: '-name', _limit: 1000 },
  },
  {
    name: 'four alternatives of 25 wildcards each',
    arguments: {
      _or: ['name', 't1', 't2', 't3'].map((name) => ({
        [name]: Array.from(
          { length: 25 },
          (_, i) => `*${LETTERS[i % 16]}*${LETTERS[(i * 7) % 16]}*q`,
        ),
      })),
    },
  },
  {
    name: 'all of it at once',
    arguments: {
      _q: 'a e',
      _near: '-73.5,40.5',
      _or: [{ name: '*a*' }, { t1: '*e*' }, { t2: '*i*' }, { t3: '*o*' }],
      _group: ['t7', 'opened.year'],
      _measure: ['count', 'median:n0', 'distinct:t1', 'sum:n1'],
      _facets: ['t4', 't5', 't6'],
    },
  },
];
