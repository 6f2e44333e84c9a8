import { boolean } from './boolean.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import type { FieldFacts, FieldType } from './field-type.ts';
import { integer } from './integer.ts';
import { link } from './link.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import { text } from './text.ts';

/** Every field type. */
export const FIELD_TYPES = { text, phone, link, number, integer, date, datetime, boolean };

export type FieldTypeName = keyof typeof FIELD_TYPES;

/** A column of a dataset. Schemas, items, filters and documents are made from this declaration. */
export type Field = FieldFacts & { readonly type: FieldTypeName };

export function typeOf({ type }: Pick<Field, 'type'>): FieldType {
  return FIELD_TYPES[type];
}

/** Tells whether equality on a field uses an index. The index is on the field's keys. */
export function isIndexed(field: Field): boolean {
  return field.indexed === true && typeOf(field).isIndexable;
}

/** Tells whether a field's values are numbers in JSON. Maps and tables need to know that. */
export function isNumeric(field: Pick<Field, 'type'>): boolean {
  const { json } = typeOf(field);
  return json === 'number' || json === 'integer';
}

/** The number of keys in a day: 1 for dates, more for times. Undefined for other types. */
export function keysOfDay(field: Pick<Field, 'type'>): number | undefined {
  const type = typeOf(field);
  return type.comparedBy === 'number' ? type.keysOfDay : undefined;
}

/** A field whose name ends in this has whole numbers that are labels or years. */
const LABEL = /(?:^|_|\d)(?:id|objectid|fid|no|nr|code|zip|year)$/;

/** Whole numbers that all lie between these are years. */
const YEARS = { from: 1500, to: 2199 } as const;

/** Tells whether a field's numbers are written without separators: years, ids and codes. */
export function isLabel(
  { name, type }: Pick<Field, 'name' | 'type'>,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
): boolean {
  if (type === 'number') return false;
  if (LABEL.test(name)) return true;
  return min !== undefined && max !== undefined && min >= YEARS.from && max <= YEARS.to;
}
