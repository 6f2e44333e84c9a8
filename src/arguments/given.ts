import type { Grouping } from '../block/grouping.ts';
import { MOST_ALTERNATIVES, NOT, OR, type Parameter, prefixOf } from '../block/parameter.ts';
import type { Fault, Warning } from '../problem/errors.ts';
import { isBlankText } from '../text/fold.ts';
import { numberText } from '../text/wording.ts';
import { splitAtCommas } from '../values/choice.ts';
import { MOST_LIST_MEMBERS, quotedValue } from '../values/field-type.ts';
import { argumentTypeOf } from '../values/field-types.ts';
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

/** Whether the filters of `_not` are in a nested object, as JSON allows. */
export function isNested(members: Members): boolean {
  const not = Object.hasOwn(members, NOT) ? members[NOT] : undefined;
  return typeof not === 'object' && not !== null && !Array.isArray(not);
}

/**
 * Flattens an object `_not`, and a list in `_or`, into members of their own: `{"_not": {"f": 5}}`
 * becomes `_not.f`.
 */
export function withoutNesting(members: Members): Members {
  return withoutList(withoutNot(members), withoutNot);
}

function withoutNot(members: Members): Members {
  if (!isNested(members)) return members;
  const { [NOT]: not, ...others } = members;
  const flat = Object.assign(Object.create(null), others);
  for (const [name, value] of Object.entries(not as object)) {
    const own = `${NOT}.${name}`;
    // What is blank is not given, and puts out nothing.
    if (!isBlank(value) || !Object.hasOwn(flat, own)) flat[own] = value;
  }
  return flat;
}

/**
 * The names given both in the object `_not` and as flat `_not.` members, also in alternatives of a
 * list.
 */
export function givenTwice(members: Members): string[] {
  const inList = alternativesListed(members).flatMap((alternative, i) =>
    notTwice(alternative).map((name) => prefixOf(i + 1) + name),
  );
  return [...notTwice(members), ...inList];
}

function notTwice(members: Members): string[] {
  if (!isNested(members)) return [];
  return Object.entries(members[NOT] as object)
    .filter(([, value]) => !isBlank(value))
    .map(([name]) => `${NOT}.${name}`)
    .filter((name) => Object.hasOwn(members, name) && !isBlank(members[name]));
}

/**
 * The alternatives of a list in `_or`, without those of which all is blank; undefined if one is no
 * object, or if they are too many.
 */
function listedIn(members: Members): readonly Members[] | undefined {
  const list = Object.hasOwn(members, OR) ? members[OR] : undefined;
  if (!Array.isArray(list)) return undefined;
  const given = list.filter(isGiven);
  const isValid = (one: unknown) => isObject(one) && hasValue(one);
  return given.length <= MOST_ALTERNATIVES && given.every(isValid) ? given : undefined;
}

/** The alternatives of a list, each as an object of its own. */
function alternativesListed(members: Members): readonly Members[] {
  return listedIn(members) ?? [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the test holds of a value of an alternative, or of its `_not`; what is deeper is no filter. */
function hasValue(members: Members, test: (value: unknown) => boolean = () => true): boolean {
  return Object.values(members).some((value) =>
    isObject(value) ? Object.values(value).some(test) : test(value),
  );
}

/** Whether an alternative is more than blanks, which are not given. */
function isGiven(alternative: unknown): boolean {
  if (!isObject(alternative)) return !isBlank(alternative);
  return !hasValue(alternative) || hasValue(alternative, (value) => !isBlank(value));
}

/** Where in a list in `_or` an alternative is, of its number. */
export function placeInList(list: readonly unknown[], number: number): number {
  const places = list.flatMap((one, i) => (isGiven(one) ? [i] : []));
  return places[number - 1] ?? number - 1;
}

/**
 * Flattens a list in `_or` into members of its own: `{"_or": [{"f": 5}]}` becomes `_or.1.f`. A list
 * with a fault stays, so that it is refused; `flatten` flattens each alternative.
 */
function withoutList(members: Members, flatten: (members: Members) => Members): Members {
  const list = listedIn(members);
  if (list === undefined) return members;
  const { [OR]: _, ...others } = members;
  const flat = Object.assign(Object.create(null), others);
  for (const [i, alternative] of list.entries()) {
    for (const [name, value] of Object.entries(flatten(alternative))) {
      flat[prefixOf(i + 1) + name] = value;
    }
  }
  return flat;
}

/** What is wrong with the alternatives as a whole; `body` and `query` are as sent. */
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
  const other = listed.find((one) => !isObject(one));
  const is = Array.isArray(left)
    ? `has the member ${quotedValue(other)}`
    : `is ${quotedValue(left)}`;
  const detail = `${OR} ${is}; expected a list of at most ${MOST_ALTERNATIVES} objects of filters, such as {"${OR}": [{"field": "value"}, {"other": "value"}]}. In a query or a form, write ${OR}.1.field=value&${OR}.2.other=value.`;
  return [{ code: 'not-an-object', detail, parameter: OR }];
}
