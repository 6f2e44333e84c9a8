/** What no run on this machine can tell: AWS's times. None of these was measured on AWS. */
export const ASSUMED = {
  /** Of a function, in MB; Lambda gives CPU in proportion. */
  memoryMb: 1024,
  /** "At 1,769 MB, a function has the equivalent of one vCPU" (AWS: "Lambda quotas"). */
  mbPerVcpu: 1769,
  /** A Query of a few items: DynamoDB's "single-digit millisecond". */
  leastPageMs: 5,
  /** A Query that reads a whole page, where 65 in a row take at least 2.8 s. */
  fullPageMs: 43,
  /** Of a function's memory that may be full: V8 needs room to collect in. */
  usableMemory: 0.8,
} as const;

/** What the bounds of the product are; test/docs/scaling.test.ts holds them against its sources. */
export const BOUNDS = {
  /** src/importer/import-dataset.ts */
  shardOfPage: 0.9,
  /** src/dynamodb/dynamodb-store.ts */
  beginWithinMs: 2000,
  /** src/query/budget.ts */
  runWithinMs: 2800,
  /** src/dynamodb/dataset-store.ts */
  loadWithinMs: 60_000,
} as const;
