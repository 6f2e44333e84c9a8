import type { Value } from '../values/field-type.ts';

/** A value's hash of 32 bits: 1 and '1' differ. */
export function hashOf(value: Value): number {
  return finished(mixed(0, value, LOW));
}

// Odd, with bits that look random: those of MurmurHash3 (public domain).
const LOW = 0xcc9e2d51;
const HIGH = 0x1b873593;

/** Two hashes of a key's values that have nothing to do with each other: 64 bits. */
export function hashesOf(key: readonly Value[]): [low: number, high: number] {
  let low = 1;
  let high = 2;
  for (const value of key) {
    low = mixed(low, value, LOW);
    high = mixed(high, value, HIGH);
  }
  return [finished(low), finished(high)];
}

function mixed(hash: number, value: Value, factor: number): number {
  const text = String(value);
  // The length parts a key's values, and the type what is written alike.
  let h = Math.imul(hash ^ (text.length * 4 + kindOf(value)), factor);
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(((h << 15) | (h >>> 17)) ^ text.charCodeAt(i), factor);
  }
  return h;
}

function kindOf(value: Value): number {
  if (typeof value === 'string') return 0;
  return typeof value === 'number' ? 1 : 2;
}

/** Spreads each bit over all, as MurmurHash3 ends. */
function finished(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
