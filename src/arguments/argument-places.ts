import type { Fault } from '../problem/errors.ts';

/** Where the arguments were in a body: in an envelope, or where the query's pointers lead. */
export type ArgumentPlaces = {
  /**
   * The path of a member in the body as sent, or where it would be; `index` is its index in a list.
   * Undefined if the body does not contain that place.
   */
  readonly pathOf: (name: string, index?: string) => readonly string[] | undefined;
  /** Faults in the request's pointers to its arguments. */
  readonly faults: readonly Fault[];
  /** The parameters of those faults; they are not reported as missing as well. */
  readonly faulty: ReadonlySet<string>;
  /**
   * Faults to report if no parameter was found: a body that was not written for this block must not
   * return the whole dataset.
   */
  readonly unlessGiven: () => readonly Fault[];
};
