import { POWERS } from '../text/decimal.ts';

/**
 * Reads a number that is at hand as the codes of its characters: only digits, and perhaps a minus and
 * decimals after a point. NaN for others, for those with a needless zero in front, and for more
 * characters than surely make the exact number.
 */
export function plainNumberIn(codes: Uint16Array, start: number, end: number): number {
  const from = codes[start] === MINUS ? start + 1 : start;
  if (from >= end || end - start > MOST_LENGTH) return Number.NaN;
  let [units, decimals, point] = [0, 0, -1];
  for (let at = from; at < end; at++) {
    const code = codes[at] as number;
    if (code >= ZERO && code <= NINE) {
      units = units * 10 + code - ZERO;
      if (point >= 0) decimals++;
    } else {
      if (code !== POINT || point >= 0 || at === from) return Number.NaN;
      point = at;
    }
  }
  if (point === end - 1) return Number.NaN;
  if (codes[from] === ZERO && end - from > 1 && point !== from + 1) return Number.NaN;
  // A binary64 number holds all of its digits, and dividing by a power of ten rounds once, as
  // reading the text does.
  const value = units / (POWERS[decimals] as number);
  return from === start ? value : -value;
}

/** Characters of a plain number. */
const MOST_LENGTH = 15;

/** The place of the point in a plain number, -1 if there is none. */
export function pointIn(codes: Uint16Array, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if (codes[at] === POINT) return at;
  return -1;
}

const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];
