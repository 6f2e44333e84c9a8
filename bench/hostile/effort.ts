/** How much is measured. */
export type Effort = {
  readonly rows: number;
  /** Of the block of long texts. */
  readonly longTexts: number;
  /** Random requests, and rounds of changes to the slowest of them. */
  readonly first: number;
  readonly rounds: number;
  /** How often a request is sent whose median is shown. */
  readonly repeats: number;
  readonly crowdMs: number;
  /** The most of a crowd. */
  readonly crowd: number;
  /** Of the block of 401 columns. */
  readonly wideRows: number;
  readonly wideCrowdMs: number;
};

/** The run that the results keep. */
export const FULL: Effort = {
  rows: 100_000,
  longTexts: 1000,
  first: 500,
  rounds: 25,
  repeats: 5,
  crowdMs: 15_000,
  crowd: 1000,
  wideRows: 10_000,
  wideCrowdMs: 10_000,
};

export const QUICK: Effort = { ...FULL, first: 120, rounds: 6 };

export const SMOKE: Effort = {
  rows: 1000,
  longTexts: 20,
  first: 5,
  rounds: 1,
  repeats: 1,
  crowdMs: 100,
  crowd: 5,
  wideRows: 20,
  wideCrowdMs: 50,
};
