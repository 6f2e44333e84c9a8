/** On one core of the machine that RESULTS.md names; a run prints its own beside these. */
export const MEASURED_CPU = {
  /** A request's own work, whatever it reads (../RESULTS.md, one connection). */
  requestMicroseconds: 150,
  /** A Query of the SDK, without the rows that come of it. */
  queryMicroseconds: 2000,
  /** A resident query, for each row of the dataset. */
  residentNanosecondsPerRow: 3,
} as const;
