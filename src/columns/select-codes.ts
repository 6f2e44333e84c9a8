import { type FieldCondition, stepsOfMatching } from '../query/predicate.ts';
import { compareCodePoints } from '../text/fold.ts';
import { allDigits, isWildcard, matchesPattern, type Pattern } from '../text/pattern.ts';
import { startOf, type TextRun, textAt } from '../text/text-run.ts';
import { firstWhere, nextWhere } from '../values/comparison.ts';
import {
  type Interval,
  type Key,
  LONG_LIST,
  type PatternsTest,
  type RangesTest,
} from '../values/field-type.ts';
import type { Work } from '../work/work.ts';
import {
  type Chunk,
  type ChunkEntry,
  type FrameOfReference,
  type NumberList,
  numberAt,
  type TextList,
  type UintArray,
} from './chunk.ts';
import { keyListOf } from './key-list.ts';

/**
 * Ranges of codes in ascending order, both ends inclusive. No range overlaps or touches another.
 */
export type CodeRanges = readonly CodeRange[];

type CodeRange = readonly [first: number, last: number];

/** Tells from a chunk's entry alone whether some of its rows may satisfy a condition. */
export function mayMatch(condition: FieldCondition, entry: ChunkEntry): boolean {
  if (condition.not) return condition.test === 'empty' ? entry.nulls < entry.rows : true;
  if (condition.test === 'empty') return entry.nulls > 0;
  const { min, max } = entry;
  if (min === undefined || max === undefined) return false;
  const long = longListIn(condition);
  if (long !== undefined) return mayHaveOne(long, min, max);
  if (condition.test === 'ranges') {
    return condition.anyOf.some(([low, high]) => low <= (max as number) && high >= (min as number));
  }
  return condition.anyOf.some((pattern) =>
    isWildcard(pattern) ? true : isWithin(pattern[0] as string, min as string, max as string),
  );
}

/** Tells whether a text lies between two bounds, which may be cut. */
export function isWithin(text: string, min: string, max: string): boolean {
  return (
    compareCodePoints(text, min) >= 0 && compareCodePoints(text.slice(0, max.length), max) <= 0
  );
}

/**
 * The cost of `selectCodes` on a chunk, in steps. It depends on the entry alone, so that no cache
 * changes it.
 */
export function stepsOfSelecting(
  condition: FieldCondition,
  { dictionary, size }: ChunkEntry,
): number {
  const long = longListIn(condition);
  if (long !== undefined) return stepsOfLongList(long, size, dictionary);
  if (condition.test !== 'patterns' || dictionary.kind !== 'texts') return 20;
  return condition.anyOf.some(isWildcard)
    ? stepsOfMatching(condition, size, dictionary.keyBytes)
    : 20 * condition.anyOf.length;
}

/** The codes that a condition selects: codes of keys, or codes of texts. */
export type SelectedCodes = {
  readonly ranges: CodeRanges;
  readonly size: number;
  /** Present if `ranges` are codes of texts. */
  readonly textCodes?: UintArray;
};

/** Returns the codes of the values that satisfy a condition. Wildcards are tried in pieces. */
export function* selectCodes(condition: FieldCondition, chunk: Chunk): Work<SelectedCodes> {
  const { firstKey, size } = chunk;
  const select = (ranges: CodeRanges): SelectedCodes => ({
    ranges: condition.not ? complement(ranges, size) : ranges,
    size,
  });
  if (condition.test === 'empty') return select(firstKey === 0 ? [] : [[0, 0]]);
  const long = longListIn(condition);
  if (long !== undefined) yield stepsOfList(long);
  if (condition.test === 'ranges') return select(codesInRanges(condition, chunk));
  const { dictionary } = chunk;
  if (dictionary.kind !== 'texts') throw new TypeError('A pattern is for texts.');
  if (!condition.anyOf.some(isWildcard)) {
    return select(codesOfKeys(condition.anyOf, dictionary.keys, chunk));
  }
  return yield* selectByWildcards(condition, chunk, dictionary);
}

/** A condition with a long list. All chunks together sort the list once, and go through it once each. */
type LongList = FieldCondition & (RangesTest | PatternsTest);

function longListIn(condition: FieldCondition): LongList | undefined {
  return 'anyOf' in condition && condition.anyOf.length > LONG_LIST ? condition : undefined;
}

/** Tells whether some member of a long list is between two bounds, of which texts may be cut. */
function mayHaveOne(condition: LongList, min: Key, max: Key): boolean {
  if (condition.test === 'ranges') {
    const { anyOf } = condition;
    const at = firstWhere((i) => (anyOf[i] as Interval)[1] >= Number(min), 0, anyOf.length);
    return at < anyOf.length && (anyOf[at] as Interval)[0] <= Number(max);
  }
  const { keys, wildcards } = keyListOf(condition.anyOf);
  if (wildcards.length > 0) return true;
  const [low, high] = [String(min), String(max)];
  const at = firstWhere((i) => compareCodePoints(keys[i] as string, low) >= 0, 0, keys.length);
  return at < keys.length && isWithin(keys[at] as string, low, high);
}

function stepsOfLongList(
  condition: LongList,
  size: number,
  dictionary: ChunkEntry['dictionary'],
): number {
  const steps = stepsOfList(condition);
  if (condition.test === 'ranges' || dictionary.kind !== 'texts') return steps;
  const { wildcards } = keyListOf(condition.anyOf);
  if (wildcards.length === 0) return steps;
  return steps + stepsOfMatching({ ...condition, anyOf: wildcards }, size, dictionary.keyBytes);
}

function stepsOfList(condition: LongList): number {
  return condition.test === 'ranges'
    ? condition.anyOf.length * STEPS_PER_NUMBER
    : keyListOf(condition.anyOf).keys.length * STEPS_PER_KEY;
}

/** The costs of looking up a member of a long list, behind the one before it, in steps. */
const STEPS_PER_KEY = 20;
const STEPS_PER_NUMBER = 5;

/** Returns the codes that lie in no range. */
function complement(ranges: CodeRanges, size: number): CodeRanges {
  const found: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) found.push([next, first - 1]);
    next = last + 1;
  }
  if (next < size) found.push([next, size - 1]);
  return found;
}

function codesInRanges({ anyOf }: RangesTest, { dictionary, firstKey, size }: Chunk): CodeRanges {
  if (dictionary.kind === 'texts') throw new TypeError('A range is not for texts.');
  if (anyOf.length > LONG_LIST) return codesInAscending(anyOf, dictionary, firstKey, size);
  return mergedRanges(
    anyOf.flatMap((range): CodeRange[] => {
      const [first, end] = codesBetween(range, dictionary, firstKey, size);
      return first < end ? [[first, end - 1]] : [];
    }),
  );
}

/** Each range is looked up behind the one before it. */
function codesInAscending(
  anyOf: readonly Interval[],
  dictionary: FrameOfReference | NumberList,
  firstKey: number,
  size: number,
): CodeRanges {
  const found: CodeRange[] = [];
  let from: number = firstKey;
  for (const [min, max] of anyOf) {
    const first = nextWhere((code) => numberAt(dictionary, code) >= min, from, size);
    from = nextWhere((code) => numberAt(dictionary, code) > max, first, size);
    if (first < from) found.push([first, from - 1]);
    if (from === size) break;
  }
  return mergedRanges(found);
}

function codesBetween(
  [min, max]: Interval,
  dictionary: FrameOfReference | NumberList,
  firstKey: number,
  size: number,
): readonly [first: number, end: number] {
  return [
    firstWhere((code) => numberAt(dictionary, code) >= min, firstKey, size),
    firstWhere((code) => numberAt(dictionary, code) > max, firstKey, size),
  ];
}

/** Returns the codes of those patterns that are plain texts. */
function codesOfKeys(
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

/** Compares a text of a run with a text, both in UTF-8: negative if the run's text comes first. */
export function compareTo(wanted: Buffer, keys: TextRun, code: number): number {
  return keys.bytes.compare(wanted, 0, wanted.length, startOf(keys, code), keys.ends[code]);
}

/**
 * A wildcard on digits is matched against the texts, because two texts with the same key may differ
 * in a leading 1. Other wildcards are matched against the keys.
 */
function* selectByWildcards(
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

/** Sorts ranges, and joins those that overlap or touch. */
function mergedRanges(ranges: readonly CodeRange[]): CodeRanges {
  if (ranges.length < 2) return ranges;
  const found: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before === undefined || first > before[1] + 1) found.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return found;
}
