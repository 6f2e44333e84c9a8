import type { Members } from '../../src/arguments/arguments.ts';
import type { Kind } from './dataset-shape.ts';

/** A request whose access path is modelled and measured. */
export type AccessCase = {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** Valid arguments, as a run gets them. */
  readonly values: Members;
  /** Of the rows read, the share that DynamoDB's filter lets through. */
  readonly share: number;
};

/** The tables' own paths; the planner takes them where a dataset is over the resident bound. */
export const ACCESS_CASES: readonly AccessCase[] = [
  {
    name: 'index-one',
    title: 'index:phone_number, a key of one row',
    kind: 'directory',
    values: { phone_number: '7180000000' },
    share: 1,
  },
  {
    name: 'index-common',
    title: 'index:type_of_business, the commonest key',
    kind: 'directory',
    values: { type_of_business: 'Tobacco Retail Dealer' },
    share: 1,
  },
  {
    name: 'shards-all',
    title: 'shards, a filter that few rows match',
    kind: 'census',
    values: { total_population_min: 1_000_000 },
    share: 0,
  },
  {
    name: 'shards-half',
    title: 'shards, a filter that half the rows match',
    kind: 'census',
    values: { total_population_min: 10_021 },
    share: 0.5,
  },
  {
    name: 'shards-first',
    title: 'shards, no filter: the first page of everything',
    kind: 'census',
    values: {},
    share: 1,
  },
];
