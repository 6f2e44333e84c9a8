import { faultPointer } from '../arguments/faults.ts';
import { type ArgumentPlaces, isBlank, type Members } from '../arguments/given.ts';
import { withoutNesting } from '../arguments/nesting.ts';
import type { Block } from '../block/block.ts';
import { NOT, OR } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';

/** A body's members as arguments, and where in the body they were. */
export type Unwrapped = { readonly body: Members; readonly places: ArgumentPlaces };

const NONE: ReadonlySet<string> = new Set();

/** The members of an event's data at `path`; a pointer cannot point into encoded data. */
export function unwrapEvent(
  block: Block,
  body: Members,
  path: readonly string[],
  isEncoded: boolean,
): Unwrapped {
  const pathOf: ArgumentPlaces['pathOf'] = (name, index) =>
    isEncoded ? path : [...path, name, ...(index === undefined ? [] : [index])];
  return {
    body,
    places: { pathOf, faults: [], faulty: NONE, unlessGiven: () => [nothingGiven(block, path)] },
  };
}

/** The body of an event without an envelope, unchanged; it is a fault if it gives no parameter. */
export function unwrapBare(block: Block, body: Members): Unwrapped {
  const pathOf: ArgumentPlaces['pathOf'] = (name, index) => [
    name,
    ...(index === undefined ? [] : [index]),
  ];
  return {
    body,
    places: { pathOf, faults: [], faulty: NONE, unlessGiven: () => [nothingGiven(block)] },
  };
}

/**
 * A Standard Webhooks body: the members of its `data` and those beside it, except `type` and
 * `timestamp`, which are about the event. A body without such `data` stays as it is.
 */
export function unwrapStandard(block: Block, body: Members): Unwrapped {
  const { parameters, options } = block;
  const isTaken = new Set([...parameters, ...options].map(({ name }) => name));
  if (parameters.some(({ op }) => op === 'not')) isTaken.add(NOT).add(OR);
  if (!Object.hasOwn(body, 'data') || isTaken.has('data')) return unwrapBare(block, body);
  const { data, type: _, timestamp: __, ...others } = body;
  const inside = membersOf(data);
  if (inside === undefined) return unwrapBare(block, body);
  const beside: Members = Object.assign(Object.create(null), others);
  const [flatInside, flatBeside] = [withoutNesting(inside), withoutNesting(beside)];
  const faults = [...new Set([...Object.keys(inside), ...Object.keys(flatInside)])]
    .filter((name) => isTaken.has(name))
    .filter(
      (name) =>
        [inside, flatInside].some((one) => isGiven(one[name])) &&
        [beside, flatBeside].some((one) => isGiven(one[name])),
    )
    .map(givenTwice);
  // A blank inside `data` means "not given" and does not replace a value beside it.
  const isInside = (name: string) => isGiven(inside[name]) || !Object.hasOwn(beside, name);
  const taken = Object.entries(inside).filter(([name]) => isInside(name));
  return {
    body: Object.assign(Object.create(null), beside, Object.fromEntries(taken)),
    places: {
      pathOf: (name, index) => [
        ...(isInside(name) ? ['data'] : []),
        name,
        ...(index === undefined ? [] : [index]),
      ],
      faults,
      faulty: NONE,
      unlessGiven: () => [nothingGiven(block, ['data'])],
    },
  };
}

/** Whether a value is given; blanks and objects without members are not. */
function isGiven(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value).length > 0 : !isBlank(value);
}

/** The members of an object. PHP writes an empty object as an empty list. */
function membersOf(data: unknown): Members | undefined {
  const isEmpty = data === null || (Array.isArray(data) && data.length === 0);
  if (!isEmpty && (typeof data !== 'object' || Array.isArray(data))) return undefined;
  return Object.assign(Object.create(null), isEmpty ? {} : data);
}

function givenTwice(name: string): Fault {
  return {
    code: 'not-one-value',
    detail: `${name} is given in data and beside it; leave one out.`,
    parameter: name,
    pointer: faultPointer([name]),
  };
}

/** The fault of a delivery that gives no parameter; `path` is where they would be. */
export function nothingGiven({ parameters }: Block, path?: readonly string[]): Fault {
  return {
    code: 'missing-parameter',
    detail:
      'The delivery has no parameter of this block, so it is not answered with all rows. The parameters are listed in allowed.',
    ...(path === undefined ? {} : { pointer: faultPointer(path) }),
    allowed: parameters.map(({ name }) => name),
  };
}
