import { prefixOf } from '../block/alternative.ts';
import { NOT } from '../block/parameter.ts';
import type { Members } from './given.ts';
import { alternativesListed, withoutList } from './nested-or.ts';
import { isBlank } from './normalise.ts';

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
