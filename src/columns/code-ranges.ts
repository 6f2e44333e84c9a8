import { isWildcard, type Pattern } from '../text/pattern.ts';
import { startOf, type TextRun } from '../text/text-run.ts';
import { firstWhere, nextWhere } from '../values/comparison.ts';
import { LONG_LIST } from '../values/field-type.ts';
import type { Chunk, UintArray } from './chunk.ts';
import { keyListOf } from './key-list.ts';

/**
 * Ranges of codes in ascending order, both ends inclusive. No range overlaps or touches another.
 */
export type CodeRanges = readonly CodeRange[];
export type CodeRange = readonly [first: number, last: number];

/** The codes that a condition selects: codes of keys, or codes of texts. */
export type SelectedCodes = {
  readonly ranges: CodeRanges;
  readonly size: number;
  /** Present if `ranges` are codes of texts. */
  readonly textCodes?: UintArray;
};

/** Returns the codes that lie in no range. */
export function complement(ranges: CodeRanges, size: number): CodeRanges {
  const found: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) found.push([next, first - 1]);
    next = last + 1;
  }
  if (next < size) found.push([next, size - 1]);
  return found;
}

/** Returns the codes of those patterns that are plain texts. */
export function codesOfKeys(
  patterns: readonly Pattern[],
  keys: TextRun,
  { firstKey, size }: Chunk,
): CodeRanges {
  const found: CodeRange[] = [];
  if (patterns.length > LONG_LIST) {
    let from: number = firstKey;
    for (const wanted of keyListOf(patterns).bytes) {
      const compare = (code: number) => compareTo(wanted, keys, code);
      from = nextWhere((code) => compare(code) >= 0, from, size);
      if (from === size) break;
      if (compare(from) === 0) found.push([from, from]);
    }
    return mergedRanges(found);
  }
  for (const pattern of patterns) {
    const [key] = pattern as readonly [string];
    if (isWildcard(pattern)) continue;
    const wanted = Buffer.from(key);
    const compare = (code: number) => compareTo(wanted, keys, code);
    const code = firstWhere((code) => compare(code) >= 0, firstKey, size);
    if (code < size && compare(code) === 0) found.push([code, code]);
  }
  return mergedRanges(found);
}

/**
 * Compares a text of a run with a text, both in UTF-8: negative if the run's text comes first. Most
 * texts differ in their first bytes, so this takes less time than calling `Buffer.compare`.
 */
export function compareTo(wanted: Buffer, keys: TextRun, code: number): number {
  const { bytes, ends } = keys;
  const start = startOf(keys, code);
  const length = (ends[code] as number) - start;
  const shorter = Math.min(length, wanted.length);
  for (let i = 0; i < shorter; i++) {
    const order = (bytes[start + i] as number) - (wanted[i] as number);
    if (order !== 0) return order;
  }
  return length - wanted.length;
}

/** Sorts ranges, and joins those that overlap or touch. */
export function mergedRanges(ranges: readonly CodeRange[]): CodeRanges {
  if (ranges.length < 2) return ranges;
  const found: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before === undefined || first > before[1] + 1) found.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return found;
}
