import { RecordError } from '../source-table.ts';
import type { NumberedSlice } from './json-columns.ts';

/** Makes an object of a record that is a list, or that has its name outside. */
export type AsObject = (
  record: NumberedSlice & { readonly key?: string },
) => NumberedSlice['slice'];

/** Makes objects of lists, whose names stand elsewhere. Throws a RecordError at another length. */
export function listsNamed(names: readonly string[], file: string): AsObject {
  const keys = names.map((name) => JSON.stringify(name));
  return ({ slice }) => {
    const values = partsOf(slice.text);
    const { line, column } = slice;
    if (values?.length !== keys.length) {
      const reason = `expected a list of ${keys.length} values, as there are names`;
      throw new RecordError(file, reason, { line, column: String(column) });
    }
    return { ...slice, text: `{${keys.map((key, i) => `${key}:${values[i]}`).join(',')}}` };
  };
}

/** Adds its key to an object, as its first member. */
export function withKey(name: string): AsObject {
  return ({ slice, key }) => {
    const rest = slice.text.trimStart().slice(1);
    const comma = rest.trimStart().startsWith('}') ? '' : ',';
    return { ...slice, text: `{${JSON.stringify(name)}:${JSON.stringify(key)}${comma}${rest}` };
  };
}

/** The texts of a list's values. Undefined if the text is no list. A damaged value stays so. */
export function partsOf(list: string): string[] | undefined {
  if (!list.startsWith('[')) return undefined;
  const parts: string[] = [];
  let [start, depth] = [1, 0];
  for (const { 0: mark, index } of list.slice(0, -1).matchAll(MARKS)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    else if (mark === ',' && depth === 1) {
      parts.push(list.slice(start, index));
      start = index + 1;
    }
  }
  const last = list.slice(start, -1);
  return parts.length === 0 && last.trim() === '' ? [] : [...parts, last];
}

/** A string, even one that does not end; a bracket, or a comma. */
const MARKS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{},]/gs;

/** The names that a list of texts gives, each once. Undefined if it is none. */
export function namesIn(list: string): readonly string[] | undefined {
  const parts = partsOf(list);
  if (parts === undefined || parts.length === 0 || !parts.every((part) => /^\s*"/.test(part))) {
    return undefined;
  }
  try {
    const names: string[] = JSON.parse(list);
    return new Set(names).size === names.length ? names : undefined;
  } catch {
    return undefined;
  }
}
