import { GROUP_NAMES, type Grouping, HAVING } from '../block/grouping.ts';
import { MOST_ALTERNATIVES, NOT, OR, type Parameter, prefixOf } from '../block/parameter.ts';
import { XY } from '../block/two-numbers.ts';
import type { Fault, Warning } from '../problem/errors.ts';
import { isBlankText } from '../text/fold.ts';
import { numberText } from '../text/wording.ts';
import { splitAtCommas } from '../values/choice.ts';
import { MOST_LIST_MEMBERS, ownMember, quotedValue } from '../values/field-type.ts';
import { argumentTypeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';

/** Names and values from one part of a request. The object has no prototype. */
export type Members = Readonly<Record<string, unknown>>;

export type Handling = 'strict' | 'lenient';

/**
 * The names in a query, by what happens to them. Names that tools and old clients add are in none
 * of the lists.
 */
export type QueryNames = {
  /** The query that they are of. A query that was changed since has other names. */
  readonly of: Members;
  readonly known: readonly string[];
  /** At the address of one row: names that only the block's own address takes. */
  readonly notForOneRow: readonly string[];
  /** Names that probably stand for a known one, so they are never ignored. */
  readonly near: readonly string[];
  readonly strangers: readonly string[];
};

/**
 * A request's arguments as sent. If the query and the body have the same name, the query's value is
 * used.
 */
export type RawArguments = {
  readonly query: Members;
  /** The names of this query, if they were read before the arguments are. */
  readonly names?: QueryNames;
  readonly body: Members;
  readonly isPost: boolean;
  /** The value of `Prefer: handling=`. */
  readonly preferred?: Handling;
  /**
   * Whether the request is marked as a webhook delivery. The senders of these add members of their
   * own.
   */
  readonly isWebhook: boolean;
  /** Whether the format of the answer has room for warnings. Absent means that it has none. */
  readonly canWarn?: boolean;
  /** Where the arguments were. Absent if they were members of the body's root object. */
  readonly locations?: ArgumentLocations;
};

/** A request's arguments and options: typed and valid, without blanks. */
export type Arguments = {
  readonly values: Members;
  /** What the rows are grouped by. Absent if the caller wants rows. */
  readonly grouping?: Grouping | undefined;
  readonly warnings: readonly Warning[];
  /** The preference that was applied, which the answer must acknowledge. */
  readonly applied?: Handling;
  /** Adds the location in the request to a fault that is found later. */
  readonly locate: (fault: Fault) => Fault;
};

/** Reads the arguments, or throws one Problem with every fault. */
export type ReadArguments = (given: RawArguments, budget: Budget) => Arguments;

/** Where the arguments were in a body: in an envelope, or at the query's pointers. */
export type ArgumentLocations = {
  /**
   * The path to a member of the body as sent, or to where it would be. If the member is in a list,
   * `index` is its index. Undefined if the body does not have that location.
   */
  readonly pathOf: (name: string, index?: string) => readonly string[] | undefined;
  /** Faults in the request's pointers to its arguments. */
  readonly faults: readonly Fault[];
  /** The parameters of those faults. They are not reported as missing in addition. */
  readonly faulty: ReadonlySet<string>;
  /**
   * The faults to report if no parameter was found. A body that was not written for this block must
   * not return the whole dataset.
   */
  readonly unlessGiven: () => readonly Fault[];
};

/**
 * Converts an argument to its normal form. It never refuses: an unreadable value stays as sent, so
 * that the schema refuses it. The value must not be blank (`isBlank`).
 */
export function normalise(parameter: Parameter, value: unknown): unknown {
  const { read, readList } = argumentTypeOf(parameter);
  if (!Array.isArray(value)) return read(value, parameter);
  if (readList !== undefined) return readList(value);
  // A list that is too long is refused as a whole, so its members are neither read nor checked.
  if (value.length > mostSent(parameter)) return overlong(parameter);
  // A list within a list stays, even if it is blank, so that the schema refuses it.
  return value
    .filter((member) => Array.isArray(member) || !isBlank(member))
    .flatMap((member) => {
      if (Array.isArray(member)) return [member];
      const one = read(member, parameter);
      return Array.isArray(one) ? one : [one];
    });
}

/**
 * Stands in for a list that is too long. It fails the check of the length, and nobody looks at the
 * members that were sent.
 */
function overlong(parameter: Parameter): readonly string[] {
  return new Array(mostSent(parameter) + 1).fill('x');
}

/** The most members of a list as sent. Some of them may be blank, or repeat others. */
function mostSent({ mostMembers = 0 }: Parameter): number {
  return Math.max(MOST_LIST_MEMBERS, mostMembers);
}

/** The number of members that one sent member becomes in the normalised list. */
export function countNormalised({ type, list }: Parameter, member: unknown): number {
  if (Array.isArray(member)) return 1;
  if (isBlank(member)) return 0;
  return type === 'choice' && list ? splitAtCommas(member).length : 1;
}

/** The cost of examining a member's name and value, in steps. It happens more than once. */
export const STEPS_PER_NAME = 50;

/** The cost of reading a value, in steps. */
export function stepsOfNormalising(parameter: Parameter, value: unknown): number {
  const { stepsOfReading } = argumentTypeOf(parameter);
  if (stepsOfReading === undefined) return 0;
  const stepsOf = (one: unknown) => (typeof one === 'string' ? stepsOfReading(one, parameter) : 0);
  if (!Array.isArray(value)) return stepsOf(value);
  if (value.length > mostSent(parameter)) return 0;
  return value.reduce((sum: number, member) => sum + stepsOf(member), 0);
}

/**
 * Blank values count as absent: null, "", white space, text that folds to nothing, and lists of
 * blanks.
 */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankScalar);
  return isBlankScalar(value);
}

function isBlankScalar(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlankText(value));
}

/** The names whose filters may be in a nested object, as JSON allows. */
type NestedName = typeof NOT | typeof HAVING;

/** Tells whether the filters of `_not` or `_having` are in a nested object. */
export function isNested(members: Members, name: NestedName = NOT): boolean {
  return Object.hasOwn(members, name) && isObject(members[name]);
}

/**
 * Flattens an object in `_not` or `_having` and a list in `_or` into separate members:
 * `{"_not": {"f": 5}}` becomes `_not.f`.
 */
export function withoutNesting(members: Members): Members {
  return flattened(withoutList(withoutNot(members), withoutNot), HAVING);
}

function withoutNot(members: Members): Members {
  return flattened(members, NOT);
}

function flattened(members: Members, of: NestedName): Members {
  if (!isNested(members, of)) return members;
  const { [of]: nested, ...flatMembers } = members;
  const flat = Object.assign(Object.create(null), flatMembers);
  for (const [name, value] of Object.entries(nested as object)) {
    const own = `${of}.${name}`;
    // A blank value counts as absent, so it must not replace another one.
    if (!isBlank(value) || !Object.hasOwn(flat, own)) flat[own] = value;
  }
  return flat;
}

/**
 * The names that are both in the object `_not` or `_having` and among the flat members of it.
 * Alternatives in a list are examined too.
 */
export function givenTwice(members: Members): string[] {
  const inList = alternativesListed(members).flatMap((alternative, i) =>
    nestedTwice(alternative, NOT).map((name) => prefixOf(i + 1) + name),
  );
  return [...nestedTwice(members, NOT), ...inList, ...nestedTwice(members, HAVING)];
}

function nestedTwice(members: Members, of: NestedName): string[] {
  if (!isNested(members, of)) return [];
  return Object.entries(members[of] as object)
    .filter(([, value]) => !isBlank(value))
    .map(([name]) => `${of}.${name}`)
    .filter((name) => Object.hasOwn(members, name) && !isBlank(members[name]));
}

/**
 * The alternatives of a list in `_or`, without those that are entirely blank. Undefined if one is
 * not an object, or if there are too many.
 */
function listedIn(members: Members): readonly Members[] | undefined {
  const list = Object.hasOwn(members, OR) ? members[OR] : undefined;
  if (!Array.isArray(list)) return undefined;
  const given = list.filter(isGiven);
  const isValid = (one: unknown) => isObject(one) && hasValue(one);
  return given.length <= MOST_ALTERNATIVES && given.every(isValid) ? given : undefined;
}

/** The alternatives of a list in `_or`; an empty list if there is no valid one. */
function alternativesListed(members: Members): readonly Members[] {
  return listedIn(members) ?? [];
}

/** Whether a value of JSON is an object, not a list. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Tells whether the test holds for some value in an alternative or in its `_not`. Anything deeper
 * is not a filter.
 */
function hasValue(members: Members, test: (value: unknown) => boolean = () => true): boolean {
  return Object.values(members).some((value) =>
    isObject(value) ? Object.values(value).some(test) : test(value),
  );
}

/**
 * Tells whether an alternative has anything but blanks, which count as absent. A list is none, so it
 * stays and is refused.
 */
function isGiven(alternative: unknown): boolean {
  if (Array.isArray(alternative)) return true;
  if (!isObject(alternative)) return !isBlank(alternative);
  return !hasValue(alternative) || hasValue(alternative, (value) => !isBlank(value));
}

/**
 * The index of an alternative in the list in `_or`. Alternatives are numbered without the blank
 * ones.
 */
export function indexInList(list: readonly unknown[], number: number): number {
  const indices = list.flatMap((one, i) => (isGiven(one) ? [i] : []));
  return indices[number - 1] ?? number - 1;
}

/**
 * Flattens a list in `_or` into separate members: `{"_or": [{"f": 5}]}` becomes `_or.1.f`. A list
 * with a fault stays, so that it is refused. `flatten` is applied to each alternative.
 */
function withoutList(members: Members, flatten: (members: Members) => Members): Members {
  const list = listedIn(members);
  if (list === undefined) return members;
  const { [OR]: _, ...rest } = members;
  const flat = Object.assign(Object.create(null), rest);
  for (const [i, alternative] of list.entries()) {
    for (const [name, value] of Object.entries(flatten(alternative))) {
      flat[prefixOf(i + 1) + name] = value;
    }
  }
  return flat;
}

/** Finds what is wrong with the alternatives as a whole. `body` and `query` are as sent. */
export function faultsOfAlternatives(
  { query, body }: { readonly query: Members; readonly body: Members },
  left: unknown,
): Fault[] {
  const isFlatIn = (members: Members) =>
    Object.keys(members).some((name) => name.startsWith(`${OR}.`) && !isBlank(members[name]));
  const isListed = !isBlank(Object.hasOwn(body, OR) ? body[OR] : undefined);
  if (isListed && (isFlatIn(query) || isFlatIn(body))) {
    const detail = `${OR} is given both as a list and by the names of its filters. Leave one out.`;
    return [{ code: 'not-one-value', detail, parameter: OR }];
  }
  if (isBlank(left)) return [];
  const listed = Array.isArray(left) ? left.filter(isGiven) : [];
  if (listed.length > MOST_ALTERNATIVES) {
    const detail = `${OR} has ${numberText(listed.length)} alternatives; expected at most ${MOST_ALTERNATIVES}.`;
    return [{ code: 'list-too-long', detail, parameter: OR }];
  }
  if (Array.isArray(left) && listed.every(isObject)) {
    return listed.flatMap((one, i) => {
      const parameter = `${OR}.${i + 1}`;
      const detail = `${parameter} has no filter, so every row would match it. Give it one, or leave it out.`;
      return hasValue(one) ? [] : [{ code: 'missing-parameter' as const, detail, parameter }];
    });
  }
  const misfit = listed.find((one) => !isObject(one));
  const is = Array.isArray(left)
    ? `has the member ${quotedValue(misfit)}`
    : `is ${quotedValue(left)}`;
  const detail = `${OR} ${is}; expected a list of at most ${MOST_ALTERNATIVES} objects of filters, such as {"${OR}": [{"field": "value"}, {"other": "value"}]}. In a query or a form, write ${OR}.1.field=value&${OR}.2.other=value.`;
  return [{ code: 'not-an-object', detail, parameter: OR }];
}

/** Tells from the arguments, as sent or as read, whether the answer is about two numbers: it has all. */
export function isOfTwoNumbers(given: Members): boolean {
  return !isBlank(ownMember(given, XY));
}

/** Tells whether the question decides which columns the answer has. */
export function hasOwnColumns(given: Members): boolean {
  return isGrouped(given) || isOfTwoNumbers(given);
}

/** Tells from the arguments, as sent or as read, whether the rows of the answer are groups. */
export function isGrouped(given: Members): boolean {
  return GROUP_NAMES.some((name) => !isBlank(ownMember(given, name)));
}
