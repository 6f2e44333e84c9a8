import { boolean } from './boolean.ts';
import { choice } from './choice.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import {
  type ArgumentType,
  type FieldFacts,
  type FieldType,
  MOST_TOKEN_LENGTH,
  quotedValue,
} from './field-type.ts';
import { integer } from './integer.ts';
import { link } from './link.ts';
import { LABEL, number } from './number.ts';
import { phone } from './phone.ts';
import { box, distance, place } from './places.ts';
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

/** Whole numbers that all lie between these are years. */
const YEARS = { from: 1500, to: 2199 } as const;

/** Tells whether a field's numbers are written without separators: years, ids and codes. */
export function isLabel(
  { name, type, label }: Pick<Field, 'name' | 'type' | 'label'>,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
): boolean {
  if (label) return true;
  if (type === 'number') return false;
  if (LABEL.test(name)) return true;
  return min !== undefined && max !== undefined && min >= YEARS.from && max <= YEARS.to;
}

const YEAR_NAME = /(?:^|_)year$/;

/** Whole numbers that are years: their name says so, or all of them lie where years do. */
export function isYear(
  field: Field,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
): boolean {
  if (field.type !== 'integer' || field.unit !== undefined) return false;
  if (YEAR_NAME.test(field.name)) return true;
  const isName = isLabel(field);
  return !isName && isLabel(field, { ...(min && { min }), ...(max && { max }) });
}

/** An opaque text from an earlier answer. The caller sends it back unchanged. */
const token: ArgumentType = {
  read: (value) => (typeof value === 'string' ? value.trim() : value),
  schema: () => ({ type: 'string', maxLength: MOST_TOKEN_LENGTH }),
  sent: () => [{ type: 'string', maxLength: MOST_TOKEN_LENGTH }],
  expected: () => 'text',
  fault: (value, { name }, expected) => ({
    code: 'not-text',
    detail: `${name} is ${quotedValue(value)}; expected ${expected}.`,
  }),
};

/** Words to look for, in one text. */
const words: ArgumentType = {
  read: text.read,
  schema: text.schema,
  sent: text.sent,
  expected: text.expected,
  fault: text.fault,
  hint: 'Case and accents do not matter.',
};

/** Every argument type: the types of fields, and those that only arguments have. */
const ARGUMENT_TYPES = { ...FIELD_TYPES, choice, token, words, box, place, distance };

export type ArgumentTypeName = keyof typeof ARGUMENT_TYPES;

export function argumentTypeOf({ type }: { readonly type: ArgumentTypeName }): ArgumentType {
  return ARGUMENT_TYPES[type];
}
