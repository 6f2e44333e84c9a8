const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a decimal text (`5`, ` -76.61 `, `+1e3`, `.5`) as a finite number; undefined otherwise. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) && !isRounded(trimmed, value)
    ? withoutNegativeZero(value)
    : undefined;
}

/** Whether a decimal text is a large whole number or a tiny one that no number can hold. */
export function isInexact(text: string): boolean {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) && isRounded(trimmed, Number(trimmed));
}

/** Rounding a fraction is fine; rounding to another whole number or to zero changes the value. */
function isRounded(text: string, value: number): boolean {
  if (value === 0) return /[1-9]/.test(text.replace(/e.*$/i, ''));
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  // A large whole number was rounded if its digits differ from those of the result.
  const [, sign = '', digits] = /^([+-]?)0*(\d+)$/.exec(text) ?? [];
  return digits !== undefined && sign.replace('+', '') + digits !== decimalText(value);
}

/** Writes a finite number without an exponent: 1e21 is a 1 and 21 zeros. */
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

/** Rounds down to a hundredth, so that a lower end excludes no value. */
export function hundredthBelow(value: number): number {
  const near = Number(value.toFixed(2));
  return near <= value ? near : Number((near - 0.01).toFixed(2));
}

/** Rounds up to a hundredth. */
export function hundredthAbove(value: number): number {
  return withoutNegativeZero(-hundredthBelow(-value));
}

/** The accepted spelling of a number in another notation, if it is obvious. */
export function suggestDecimal(text: string): string | undefined {
  // A longer text is hardly a number, and the patterns below take more than linear time.
  if (text.length > 40) return undefined;
  const bare = text
    .trim()
    // The mathematical minus sign, and dashes.
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

// -0 equals 0 but is written differently, also in a hash.
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
