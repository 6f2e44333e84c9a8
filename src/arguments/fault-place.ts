import { OR } from '../block/alternative.ts';
import { NOT, type Parameter } from '../block/parameter.ts';
import type { Fault } from '../problem/errors.ts';
import type { Members, RawArguments } from './given.ts';
import { isNested } from './nested-not.ts';
import { placeInList } from './nested-or.ts';
import { countNormalised } from './normalise.ts';

/** The longest name that gets a pointer. */
const MOST_POINTED_LENGTH = 256;

/** Adds a pointer to where the value is, or would be, in the body of a POST. */
export function pointed(
  fault: Fault,
  name: string,
  { body, places }: Pick<RawArguments, 'body' | 'places'>,
  index?: string,
): Fault {
  // A name may be as long as the body, but an answer must stay short.
  if (name.length > MOST_POINTED_LENGTH) return fault;
  const [first, ...within] = pathIn(body, name);
  const inList = index === undefined ? [] : [index];
  const path =
    places === undefined
      ? [first, ...within, ...inList]
      : within.length > 0
        ? places.pathOf(first)?.concat(within, inList)
        : places.pathOf(name, index);
  return path === undefined ? fault : { ...fault, pointer: faultPointer(path) };
}

/** Where a member is in a body whose `_not` may be an object, and `_or` a list of objects. */
function pathIn(body: Members, name: string): [string, ...string[]] {
  if (Object.hasOwn(body, name)) return [name];
  const list = Object.hasOwn(body, OR) ? body[OR] : undefined;
  const [, number, own] = WITHIN_OR.exec(name) ?? [];
  if (number !== undefined && Array.isArray(list)) {
    const index = placeInList(list, Number(number));
    return [OR, String(index), ...(own === undefined ? [] : pathIn(list[index] ?? {}, own))];
  }
  const isWithin = name.startsWith(`${NOT}.`) && isNested(body);
  return isWithin ? [NOT, name.slice(NOT.length + 1)] : [name];
}

/** An alternative, or a filter of it. */
const WITHIN_OR = /^_or\.([1-4])(?:\.(.+))?$/s;

/** The index of a list's member as sent, before blanks were dropped and texts split at commas. */
export function indexAsSent(
  parameterOf: (name: string) => Parameter | undefined,
  sent: Members,
  { parameter: name = '' }: Fault,
  index: string | undefined,
): string | undefined {
  const parameter = parameterOf(name);
  const list = sent[name];
  if (index === undefined || parameter === undefined || !Array.isArray(list)) return undefined;
  let passed = 0;
  const at = list.findIndex((member) => {
    passed += countNormalised(parameter, member);
    return passed > Number(index);
  });
  return at < 0 ? undefined : String(at);
}

/** A place in a body, as a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). */
export function faultPointer(path: readonly string[]): string {
  return `#${path.map((step) => `/${escapeStep(step)}`).join('')}`;
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed().replace(/~/g, '~0').replace(/\//g, '~1'));
}
