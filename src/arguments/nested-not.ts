import { NOT } from '../block/parameter.ts';
import type { Members } from './arguments.ts';
import { isBlank } from './normalise.ts';

/** Whether JSON has the filters of `_not` in an object of their own. */
export function isNested(members: Members): boolean {
  const not = Object.hasOwn(members, NOT) ? members[NOT] : undefined;
  return typeof not === 'object' && not !== null && !Array.isArray(not);
}

/** Members with those of an object `_not` by their own names: `{"_not": {"f": 5}}` is `_not.f`. */
export function withoutNesting(members: Members): Members {
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

/** The names that are given both in `_not` and by themselves. */
export function givenTwice(members: Members): string[] {
  if (!isNested(members)) return [];
  return Object.entries(members[NOT] as object)
    .filter(([, value]) => !isBlank(value))
    .map(([name]) => `${NOT}.${name}`)
    .filter((name) => Object.hasOwn(members, name) && !isBlank(members[name]));
}
