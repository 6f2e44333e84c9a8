import type { FieldCondition } from '../query/predicate.ts';
import { allDigits, isWildcard, matchesPattern, type Pattern } from '../text/pattern.ts';
import { startOf, type TextRun, textAt } from '../text/text-run.ts';
import { nextWhere } from '../values/comparison.ts';
import type { PatternsTest } from '../values/field-type.ts';
import type { Work } from '../work/work.ts';
import type { Chunk, TextList, UintArray } from './chunk.ts';
import {
  type CodeRange,
  type CodeRanges,
  codesOfKeys,
  complement,
  type SelectedCodes,
} from './code-ranges.ts';

/**
 * A wildcard on digits is matched against the texts, because two texts with the same key may differ
 * in a leading 1. Other wildcards are matched against the keys.
 */
export function* selectByWildcards(
  { anyOf, byDigits, not }: PatternsTest & FieldCondition,
  chunk: Chunk,
  list: TextList,
): Work<SelectedCodes> {
  const equal = codesOfKeys(anyOf, list.keys, chunk);
  const wildcards = anyOf.filter(isWildcard);
  const { firstKey, size } = chunk;
  const { textCodes } = list;
  const searched = byDigits ? yield* digitsOf(list) : list.keys;
  const isOfTexts = byDigits && textCodes !== undefined;
  const from = isOfTexts ? 1 : firstKey;
  const all = isOfTexts ? searched.ends.length : size;
  // Each of many wildcards may match many texts, so the codes are marked instead of listed.
  const isFound = new Uint8Array(all);
  for (const [first, last] of isOfTexts ? textsOfKeys(equal, chunk, textCodes) : equal) {
    isFound.fill(1, first, last + 1);
  }
  for (const pattern of wildcards) yield* markLike(pattern, searched, from, isFound);
  const ranges = rangesOf(isFound);
  return {
    ranges: not ? complement(ranges, all) : ranges,
    size: all,
    textCodes: isOfTexts ? textCodes : undefined,
  };
}

/** Returns the codes of the texts that have these keys. */
function textsOfKeys(keys: CodeRanges, { codes }: Chunk, textCodes: UintArray): CodeRange[] {
  if (keys.length === 0) return [];
  const found = new Set<number>();
  for (const [row, code] of codes.entries()) {
    if (keys.some(([first, last]) => code >= first && code <= last)) {
      found.add(textCodes[row] as number);
    }
  }
  return Array.from(found, (code) => [code, code]);
}

/** How many texts are tried without a pause. */
const TEXTS_AT_ONCE = 512;

/** The cost of trying a text, in steps, in addition to the cost of its bytes. */
const STEPS_PER_TEXT = 12;

/** Marks the codes, from `from` on, whose texts match a wildcard. */
function* markLike(
  pattern: Pattern,
  texts: TextRun,
  from: number,
  isFound: Uint8Array,
): Work<void> {
  const size = texts.ends.length;
  const needle = Buffer.from(longest(pattern));
  let steps = 0;
  for (let code = from; code < size; code++) {
    const start = startOf(texts, code);
    const hit = needle.length === 0 ? start : texts.bytes.indexOf(needle, start);
    if (hit < 0) break;
    if (needle.length > 0) code = textWith(texts, hit, code);
    steps += STEPS_PER_TEXT + (hit - start) / 32;
    if (isFound[code] === 0 && isMatch(pattern, texts, code, hit, needle.length)) {
      isFound[code] = 1;
    }
    if (steps > TEXTS_AT_ONCE * STEPS_PER_TEXT) {
      yield steps;
      steps = 0;
    }
  }
  yield steps;
}

/** Turns marked codes into ranges. */
function rangesOf(isFound: Uint8Array): CodeRanges {
  const ranges: CodeRange[] = [];
  for (let first = isFound.indexOf(1); first >= 0; ) {
    const end = isFound.indexOf(0, first);
    const last = (end < 0 ? isFound.length : end) - 1;
    ranges.push([first, last]);
    first = end < 0 ? -1 : isFound.indexOf(1, end);
  }
  return ranges;
}

/**
 * Returns the code, at or after `from`, of the text that contains a byte. It is mostly close to
 * `from`.
 */
function textWith({ ends }: TextRun, byte: number, from: number): number {
  return nextWhere((code) => (ends[code] as number) > byte, from, ends.length);
}

/**
 * Tells whether a pattern matches a text in which the pattern's longest piece was found. The piece
 * may end beyond the text.
 */
function isMatch(
  pattern: Pattern,
  texts: TextRun,
  code: number,
  hit: number,
  length: number,
): boolean {
  const [before, , behind] = pattern;
  // For the commonest pattern it is enough that the piece lies within the text.
  if (pattern.length === 3 && before === '' && behind === '' && length > 0) {
    if (hit + length <= (texts.ends[code] as number)) return true;
  }
  return matchesPattern(pattern, textAt(texts, code));
}

function longest(pattern: Pattern): string {
  return pattern.reduce((one, piece) => (piece.length > one.length ? piece : one));
}

/**
 * Returns all digits of each text. They are made at the first search and kept as long as the texts.
 */
function* digitsOf(texts: TextList): Work<TextRun> {
  const known = DIGITS.get(texts);
  if (known !== undefined) return known;
  const { ends } = texts.texts;
  const parts: Buffer[] = [];
  const digitEnds = new Uint32Array(ends.length);
  for (let code = 0, at = 0; code < ends.length; code++) {
    const digits = Buffer.from(allDigits(textAt(texts.texts, code)));
    parts.push(digits);
    at += digits.length;
    digitEnds[code] = at;
    if (code % TEXTS_AT_ONCE === 0) yield TEXTS_AT_ONCE * 50;
  }
  const made = { bytes: Buffer.concat(parts), ends: digitEnds };
  DIGITS.set(texts, made);
  return made;
}

const DIGITS = new WeakMap<TextList, TextRun>();
