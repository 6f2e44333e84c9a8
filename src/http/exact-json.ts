/**
 * JSON text that reads back as the same value. `JSON.stringify` writes an infinity as `null`, which
 * a block reads as "not given", and loses the sign of -0.
 */
export function exactJson(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      return `${JSON.stringify(name)}:${exactJson(member)}`;
    });
    return `{${members.join(',')}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no ${typeof value}.`);
  return text;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) throw new TypeError('JSON has no NaN.');
  if (Object.is(value, -0)) return '-0';
  // JSON.parse reads a number too large for a double as an infinity; the caller's was one too.
  return Number.isFinite(value) ? String(value) : value > 0 ? '1e999' : '-1e999';
}
