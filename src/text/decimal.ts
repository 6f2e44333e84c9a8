const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A decimal text (`5`, ` -76.61 `, `+1e3`, `.5`) as a finite number, else undefined. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) && !isRounded(trimmed, value)
    ? withoutNegativeZero(value)
    : undefined;
}

/** A decimal text whose value no number has: a large whole one with other digits, or nearly zero. */
export function isInexact(text: string): boolean {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) && isRounded(trimmed, Number(trimmed));
}

/** Fractions are rounded as everywhere; another whole number, or zero, is another value. */
function isRounded(text: string, value: number): boolean {
  if (value === 0) return /[1-9]/.test(text.replace(/e.*$/i, ''));
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  // Written out, a large number ends in zeros: other digits there were another number's.
  const [, sign = '', digits] = /^([+-]?)0*(\d+)$/.exec(text) ?? [];
  return digits !== undefined && sign.replace('+', '') + digits !== decimalText(value);
}

/** A finite number written out in digits, never with an exponent: 1e21 is a 1 and 21 zeros. */
export function decimalText(value: number): string {
  const text = String(withoutNegativeZero(value));
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** The nearest hundredth that is not above a number: a lower end that leaves no value out. */
export function hundredthBelow(value: number): number {
  const near = Number(value.toFixed(2));
  return near <= value ? near : Number((near - 0.01).toFixed(2));
}

/** The nearest hundredth that is not below a number. */
export function hundredthAbove(value: number): number {
  return withoutNegativeZero(-hundredthBelow(-value));
}

/** How a number that was written another way could be written, where that is plain. */
export function suggestDecimal(text: string): string | undefined {
  // What is longer was not meant as a number, and the patterns below are not linear.
  if (text.length > 40) return undefined;
  const bare = text
    .trim()
    // The sign of mathematics, and dashes.
    .replace(/^[\u2010-\u2015\u2212]/, '-')
    .replace(/^[$€£]\s*/, '')
    .replace(/\s*%$/, '')
    .replace(/\.$/, '');
  const candidate = /^[+-]?\d{1,3}(?:[,_\s']\d{3})+(?:\.\d+)?$/.test(bare)
    ? bare.replace(/[,_\s']/g, '')
    : /^[+-]?\d+,\d+$/.test(bare)
      ? bare.replace(',', '.')
      : bare;
  return candidate !== text.trim() && parseDecimal(candidate) !== undefined ? candidate : undefined;
}

// -0 equals 0 but is written another way, in a hash too.
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
