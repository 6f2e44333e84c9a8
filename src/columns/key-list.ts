import { sortByCodePoint } from '../text/fold.ts';
import { isWildcard, type Pattern } from '../text/pattern.ts';

/** The texts of a list, ascending by code points, which is the order of their bytes in UTF-8. */
export type KeyList = {
  readonly keys: readonly string[];
  readonly bytes: readonly Buffer[];
  readonly wildcards: readonly Pattern[];
};

/** Sorts the texts of a list. All chunks of a search share the result. */
export function keyListOf(anyOf: readonly Pattern[]): KeyList {
  let list = LISTS.get(anyOf);
  if (list === undefined) {
    const texts = anyOf.filter((one) => !isWildcard(one)).map(([text]) => text as string);
    const keys = sortByCodePoint(texts);
    list = {
      keys,
      bytes: keys.map((key) => Buffer.from(key)),
      wildcards: anyOf.filter(isWildcard),
    };
    LISTS.set(anyOf, list);
  }
  return list;
}

/** A list lives as long as the query that it belongs to. */
const LISTS = new WeakMap<readonly Pattern[], KeyList>();
