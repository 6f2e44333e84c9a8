import { nearName } from '../values/near-name.ts';

/** The prefix of query names that pick arguments out of a body. */
export const MAP = '_map.';

/** The parameter that a query's name picks for; `isExact` is false if the name is misspelt. */
export type MappedName = { readonly parameter: string; readonly isExact: boolean };

/**
 * Reads a name such as `_map.R`, or one that was meant as such: `_MAP.R`, `_map[R]`, `map.R`.
 * Undefined for any other name.
 */
export function mappedName(name: string): MappedName | undefined {
  if (name.startsWith(MAP)) return { parameter: name.slice(MAP.length), isExact: true };
  const [, word = '', separator = '', rest = ''] =
    /^(_?[a-z]{2,6})([^a-z0-9])(.*)$/is.exec(name) ?? [];
  return isMeant(word, separator)
    ? { parameter: rest.replace(/\]$/, ''), isExact: false }
    : undefined;
}

/** Tools append names such as `map_id`, so `map` without `_` counts only before `.` or `[`. */
function isMeant(word: string, separator: string): boolean {
  const isPath = separator === '.' || separator === '[';
  if (!word.startsWith('_')) return isPath && /^maps?$/i.test(word);
  return /^_maps?$/i.test(word) || (isPath && nearName(word, ['_map']) !== undefined);
}
