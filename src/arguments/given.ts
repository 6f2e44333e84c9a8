import type { Grouping } from '../block/grouping.ts';
import type { Parameter } from '../block/parameter.ts';
import type { Fault, Warning } from '../problem/errors.ts';
import { isBlankText } from '../text/fold.ts';
import { argumentTypeOf } from '../values/argument-types.ts';
import { splitAtCommas } from '../values/choice.ts';
import { MOST_LIST_MEMBERS } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';

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
  /** What rows are grouped by; absent if rows are asked for. */
  readonly grouping?: Grouping | undefined;
  readonly warnings: readonly Warning[];
  /** The preference that was applied, which the answer must acknowledge. */
  readonly applied?: Handling;
  /** Adds the place in the request to a fault found later. */
  readonly locate: (fault: Fault) => Fault;
};

/** Reads arguments, or throws one Problem with every fault. */
export type ReadArguments = (given: RawArguments, budget: Budget) => Arguments;

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

/**
 * Converts an argument to its normal form and never refuses: an unreadable value stays as sent, so
 * that the schema refuses it. The value must not be blank (`isBlank`).
 */
export function normalise(parameter: Parameter, value: unknown): unknown {
  const { read, readList } = argumentTypeOf(parameter);
  if (!Array.isArray(value)) return read(value, parameter);
  if (readList !== undefined) return readList(value);
  // A list over the limit is refused as a whole, so its members are neither read nor checked.
  if (value.length > MOST_LIST_MEMBERS) return OVERLONG;
  // A list within a list stays, even if it is blank, so that it is refused.
  return value
    .filter((member) => Array.isArray(member) || !isBlank(member))
    .flatMap((member) => {
      if (Array.isArray(member)) return [member];
      const one = read(member, parameter);
      return Array.isArray(one) ? one : [one];
    });
}

/** Replaces an overlong list: it fails the length check without a look at the members sent. */
const OVERLONG: readonly string[] = new Array(MOST_LIST_MEMBERS + 1).fill('x');

/** How many members one sent member becomes in the normalised list. */
export function countNormalised({ type, list }: Parameter, member: unknown): number {
  if (Array.isArray(member)) return 1;
  if (isBlank(member)) return 0;
  return type === 'choice' && list ? splitAtCommas(member).length : 1;
}

/** The cost of reading a value, in budget steps. */
export function stepsOfNormalising(parameter: Parameter, value: unknown): number {
  const { stepsOfReading } = argumentTypeOf(parameter);
  if (stepsOfReading === undefined) return 0;
  const stepsOf = (one: unknown) => (typeof one === 'string' ? stepsOfReading(one, parameter) : 0);
  if (!Array.isArray(value)) return stepsOf(value);
  if (value.length > MOST_LIST_MEMBERS) return 0;
  return value.reduce((sum: number, member) => sum + stepsOf(member), 0);
}

/**
 * Blank values count as not given: null, "", white space, text that folds to nothing, and lists of
 * blanks.
 */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankScalar);
  return isBlankScalar(value);
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlankText(value));
}
