import type { Fault } from '../problem/errors.ts';

/** Where the members of a body stood within it: in an envelope, or where the query points. */
export type ArgumentPlaces = {
  /**
   * Where a member is in the body as it was sent, or would be; `index` is of its list. Undefined
   * where the body is not where it would be.
   */
  readonly pathOf: (name: string, index?: string) => readonly string[] | undefined;
  /** What was wrong with how they were to be found. */
  readonly faults: readonly Fault[];
  /** The parameters that those faults are about: that they are not given needs no fault more. */
  readonly faulty: ReadonlySet<string>;
  /**
   * What is wrong where no parameter is given at all: whoever sends what is not made for a block
   * did not ask it for everything.
   */
  readonly unlessGiven: () => readonly Fault[];
};
