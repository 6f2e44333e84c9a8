import type { Members } from '../../src/arguments/given.ts';
import type { Kind } from './measured.ts';

/** A request that is modelled and measured. */
export type RequestCase = {
  readonly title: string;
  readonly kind: Kind;
  /** Valid arguments, as a run gets them. */
  readonly values: Members;
  /** The share of the rows that it finds; 0 for a single one. */
  readonly share: number;
};

/** Of a single row. */
export const KNOWN_PHONE = '7185551234';

const RANGES = { total_population_min: 4000, persons_per_acre_min: 12, _limit: 100 };
const ASKED = ['total_population', 'persons_per_acre'];
const ofCensus = (title: string, values: Members, share = 0.28) =>
  ({ kind: 'census', title: `census, ${title}`, values, share }) as const;
const ofDirectory = (title: string, values: Members, share: number) =>
  ({ kind: 'directory', title: `directory, ${title}`, values, share }) as const;

export const REQUEST_CASES = {
  key: ofDirectory('a phone number: one row', { phone_number: KNOWN_PHONE, _limit: 100 }, 0),
  type: ofDirectory('one of 36 types', { type_of_business: 'laundries', _limit: 100 }, 1 / 36),
  first: ofCensus('no filter: the first 100 rows', { _limit: 100 }, 1),
  two: ofCensus('two ranges, `_fields` of the two', { ...RANGES, _fields: ASKED }),
  rows: ofCensus('two ranges: 100 whole rows', RANGES),
  sortTwo: ofCensus('the two, by a third: `_sort`', {
    ...RANGES,
    _fields: ASKED,
    _sort: ['-vacant_units'],
  }),
  sort: ofCensus('the same, 100 whole rows', { ...RANGES, _sort: ['-vacant_units'] }),
} satisfies Record<string, RequestCase>;

export type CaseName = keyof typeof REQUEST_CASES;
export const CASE_NAMES = Object.keys(REQUEST_CASES) as CaseName[];
