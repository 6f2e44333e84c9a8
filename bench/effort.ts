import type { SetName } from './data/generated-set.ts';

/** How much is measured. */
export type Effort = {
  readonly sets: readonly SetName[];
  readonly queries: number;
  readonly connections: readonly number[];
  /** Every contender is measured once a round. */
  readonly rounds: number;
  readonly sliceSeconds: number;
  readonly warmUpSeconds: number;
  /** A contender whose requests take longer than this is measured in the first round only. */
  readonly slowMilliseconds: number;
  /** What a slow one is asked at most in a slice, and of the queries that are checked first. */
  readonly slowRequests: number;
  /** Colours to be compared before anything is timed. */
  readonly colorsCompared: number;
  readonly colorRounds: number;
  readonly colorMilliseconds: number;
};

const SMALL: readonly SetName[] = [
  { kind: 'directory', size: 250 },
  { kind: 'census', size: 500 },
];
const MIDDLE: readonly SetName[] = [
  { kind: 'directory', size: 10_000 },
  { kind: 'census', size: 10_000 },
];
const LARGE: readonly SetName[] = [
  { kind: 'directory', size: 100_000 },
  { kind: 'census', size: 100_000 },
];

/** The run that RESULTS.md keeps. */
export const FULL: Effort = {
  sets: [...SMALL, ...MIDDLE, ...LARGE],
  queries: 200,
  connections: [1, 10, 50],
  rounds: 5,
  sliceSeconds: 0.5,
  warmUpSeconds: 1.5,
  slowMilliseconds: 50,
  slowRequests: 20,
  colorsCompared: 100,
  colorRounds: 5,
  colorMilliseconds: 600,
};

/** A look, about a minute: no large sets, short slices. */
export const QUICK: Effort = {
  ...FULL,
  sets: [...SMALL, ...MIDDLE],
  rounds: 3,
  sliceSeconds: 0.2,
  warmUpSeconds: 0.5,
  colorRounds: 2,
  colorMilliseconds: 300,
};

/** All contenders, but hardly asked. */
export const SMOKE: Effort = {
  ...FULL,
  sets: [{ kind: 'directory', size: 250 }],
  queries: 10,
  connections: [1, 2],
  rounds: 1,
  sliceSeconds: 0.05,
  warmUpSeconds: 0.05,
  slowRequests: 2,
  colorsCompared: 2,
  colorRounds: 1,
  colorMilliseconds: 20,
};
