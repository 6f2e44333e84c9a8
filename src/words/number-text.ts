import { decimalText } from '../text/decimal.ts';

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
