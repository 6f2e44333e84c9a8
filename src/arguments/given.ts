import type { Fault, Warning } from '../problem/errors.ts';
import type { Budget } from '../query/budget.ts';
import type { ArgumentPlaces } from './argument-places.ts';

/** Names and values as received from one source; an object without a prototype. */
export type Members = Readonly<Record<string, unknown>>;

export type Handling = 'strict' | 'lenient';

/** A request's arguments as sent. If query and body have the same name, the query wins. */
export type RawArguments = {
  readonly query: Members;
  readonly body: Members;
  readonly isPost: boolean;
  /** The value of `Prefer: handling=`. */
  readonly preferred?: Handling;
  /**
   * Whether the request is marked as a webhook delivery; senders of these add their own members.
   */
  readonly isWebhook: boolean;
  /** Whether the answer's format has a place for warnings; it has none if absent. */
  readonly canWarn?: boolean;
  /** Set if the arguments were not members of the body's root object. */
  readonly places?: ArgumentPlaces;
};

/** A request's arguments and options: typed and valid, without blanks. */
export type Arguments = {
  readonly values: Members;
  readonly warnings: readonly Warning[];
  /** The preference that was applied, which the answer must acknowledge. */
  readonly applied?: Handling;
  /** Adds the place in the request to a fault found later. */
  readonly locate: (fault: Fault) => Fault;
};

/** Reads arguments, or throws one Problem with every fault. */
export type ReadArguments = (given: RawArguments, budget: Budget) => Arguments;
