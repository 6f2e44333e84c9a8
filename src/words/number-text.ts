import type { Field } from '../fields/field.ts';
import { decimalText } from '../text/decimal.ts';

/** Ends of names of fields whose whole numbers are names of things, or years. */
const LABEL = /(?:^|_|\d)(?:id|objectid|fid|no|nr|code|zip|year)$/;

/** Whole numbers that are all among these are years. */
const YEARS = { from: 1500, to: 2199 } as const;

/** Whether a field's numbers are written without separators: years, ids and codes. */
export function isLabel(
  { name, type }: Pick<Field, 'name' | 'type'>,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
): boolean {
  if (type === 'number') return false;
  if (LABEL.test(name)) return true;
  return min !== undefined && max !== undefined && min >= YEARS.from && max <= YEARS.to;
}

/** A number in English, with a comma before each three digits: `1,234.5`. */
export function numberText(value: number, decimals?: number): string {
  const kept = FORMATS.get(decimals);
  if (kept !== undefined) return kept.format(value);
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 20,
  });
  FORMATS.set(decimals, format);
  return format.format(value);
}

/** One for each count of decimals, of which Intl takes 101: making one takes 30 times as long as using it. */
const FORMATS = new Map<number | undefined, Intl.NumberFormat>();

export function decimalsOf(value: number): number {
  return decimalText(value).split('.')[1]?.length ?? 0;
}
