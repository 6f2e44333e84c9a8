/** Numbers from 0 to 1 (without 1) that are the same on every run. */
export type Random = () => number;

/** Mulberry32 by Tommy Ettinger (public domain): 32 bits of state are plenty for test data. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`, both included. */
export function wholeNumber(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

export function oneOf<T>(random: Random, among: readonly T[]): T {
  return among[Math.floor(random() * among.length)] as T;
}
