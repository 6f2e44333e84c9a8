import { boolean } from './boolean.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import type { Field } from './field.ts';
import type { FieldType } from './field-type.ts';
import { integer } from './integer.ts';
import { link } from './link.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import { text } from './text.ts';

/** Every field type. */
export const FIELD_TYPES = { text, phone, link, number, integer, date, datetime, boolean };

export type FieldTypeName = keyof typeof FIELD_TYPES;

export function typeOf({ type }: Pick<Field, 'type'>): FieldType {
  return FIELD_TYPES[type];
}

/** Whether equality on a field uses an index; only text fields have one, on their keys. */
export function isIndexed(field: Field): boolean {
  return field.indexed === true && typeOf(field).comparedBy === 'text';
}

/** Whether a field's values are numbers in JSON; maps and tables need to know. */
export function isNumeric(field: Pick<Field, 'type'>): boolean {
  const { json } = typeOf(field);
  return json === 'number' || json === 'integer';
}
