/**
 * Compares two texts by code point, as DynamoDB orders strings (their UTF-8 bytes).
 * JavaScript's own `<` compares UTF-16 units and puts U+1F600 before U+FF21.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// Surrogates encode code points above all other units.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
