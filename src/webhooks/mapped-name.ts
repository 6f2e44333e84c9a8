import { nearName } from '../arguments/near-name.ts';

/** What the names begin with that pick arguments out of a body. */
export const MAP = '_map.';

/** What a query's name picks for; `isExact` is false where it is only nearly written as it should be. */
export type MappedName = { readonly parameter: string; readonly isExact: boolean };

/**
 * A name such as `_map.R`, or one that was meant as such: `_MAP.R`, `_map[R]`, `map.R`. Of another
 * name, undefined.
 */
export function mappedName(name: string): MappedName | undefined {
  if (name.startsWith(MAP)) return { parameter: name.slice(MAP.length), isExact: true };
  const [, word = '', separator = '', rest = ''] =
    /^(_?[a-z]{2,6})([^a-z0-9])(.*)$/is.exec(name) ?? [];
  return isMeant(word, separator)
    ? { parameter: rest.replace(/\]$/, ''), isExact: false }
    : undefined;
}

/** Tools append names such as `map_id`: without its underscore, the word needs what follows. */
function isMeant(word: string, separator: string): boolean {
  const isPath = separator === '.' || separator === '[';
  if (!word.startsWith('_')) return isPath && /^maps?$/i.test(word);
  return /^_maps?$/i.test(word) || (isPath && nearName(word, ['_map']) !== undefined);
}
