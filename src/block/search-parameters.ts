import type { Field } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import { isFilterable, type Parameter } from './parameter.ts';

/** The words that a row's texts must have. */
export const Q = '_q';

/** Whether `_q` looks into a field: a text that filters take. */
export function isSearched(field: Field): boolean {
  return isFilterable(field) && typeOf(field).comparedBy === 'text';
}

/** The parameters that look into several fields of a row at once. */
export function searchParameters(fields: readonly Field[]): Parameter[] {
  return fields.some(isSearched) ? [WORDS] : [];
}

const WORDS: Parameter = {
  type: 'words',
  name: Q,
  title: 'Words to look for',
  description: "Each must begin a word in some of the row's texts, in any order.",
};
