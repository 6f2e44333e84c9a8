import type { Kind } from './dataset-shape.ts';

/** What one case did over so many rows, here. */
export type MeasuredCase = {
  readonly name: string;
  readonly rows: number;
  readonly items: number;
  readonly pages: number;
  readonly capacityUnits: number;
  readonly milliseconds: number;
  /** Our own process alone; DynamoDB is another. */
  readonly cpuMilliseconds: number;
};

/** What loading so many rows took, here. */
export type MeasuredLoad = {
  readonly kind: Kind;
  readonly rows: number;
  readonly pages: number;
  readonly capacityUnits: number;
  readonly milliseconds: number;
  readonly cpuMicrosecondsPerRow: number;
  readonly heldBytesPerRow: number;
  readonly peakBytesPerRow: number;
  /** By how much the process grew; with memory to spare, V8 collects late. */
  readonly residentSetBytes: number;
  readonly queryMilliseconds: number;
};

export type Measured = {
  /** When, and on what. */
  readonly machine: string;
  readonly cases: readonly MeasuredCase[];
  readonly loads: readonly MeasuredLoad[];
};
