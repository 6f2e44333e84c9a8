import type { Language } from '../languages/language.ts';
import { type Field, keysOfDay, typeOf } from '../values/field-types.ts';
import { dayInWords } from './block-head.tsx';
import { type CellContext, cellWriter } from './cells.ts';

/** A key as people read it: `1,234`, `6 Oct 2018`. */
export function keyText(
  field: Field,
  key: number,
  context: CellContext,
  language: Language,
): string {
  const value = typeOf(field).valueOf(key, field);
  if (keysOfDay(field) !== undefined) return dayInWords(String(value), language);
  if (typeof value !== 'number') return String(value);
  return cellWriter(field, [value], language, context)(value).replace(/<[^>]+>/g, '');
}

/** `100 %` is of all rows alone, and `0 %` of none. */
export function shareText(part: number, all: number): string {
  if (all === 0) return '–';
  const share = Math.round((100 * part) / all);
  if (share === 0 && part > 0) return '<1 %';
  return share === 100 && part < all ? '>99 %' : `${share} %`;
}
