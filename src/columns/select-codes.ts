import { type FieldCondition, stepsOfMatching } from '../query/predicate.ts';
import { compareCodePoints } from '../text/fold.ts';
import { isWildcard } from '../text/pattern.ts';
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
} from './chunk.ts';
import {
  type CodeRange,
  type CodeRanges,
  codesOfKeys,
  complement,
  mergedRanges,
  type SelectedCodes,
} from './code-ranges.ts';
import { keyListOf } from './key-list.ts';
import { selectByWildcards } from './wildcard-codes.ts';

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

/**
 * Returns the codes of the values that satisfy a condition. Undefined if that may take long: of a
 * long list, and of wildcards.
 */
export function rangesAtOnce(condition: FieldCondition, chunk: Chunk): CodeRanges | undefined {
  return longListIn(condition) === undefined ? rangesOf(condition, chunk) : undefined;
}

/** The same of any condition. Wildcards are tried in pieces. */
export function* selectInPieces(condition: FieldCondition, chunk: Chunk): Work<SelectedCodes> {
  const long = longListIn(condition);
  if (long !== undefined) yield stepsOfList(long);
  const ranges = rangesOf(condition, chunk);
  if (ranges !== undefined) return { ranges, size: chunk.size };
  return yield* selectByWildcards(condition as WildcardCondition, chunk, textsOf(chunk));
}

type WildcardCondition = FieldCondition & PatternsTest;

/** Undefined if the condition has wildcards. */
function rangesOf(condition: FieldCondition, chunk: Chunk): CodeRanges | undefined {
  const ranges = rangesWithout(condition, chunk);
  return condition.not && ranges !== undefined ? complement(ranges, chunk.size) : ranges;
}

/** The codes for which the test holds, whether it is negated or not. */
function rangesWithout(condition: FieldCondition, chunk: Chunk): CodeRanges | undefined {
  if (condition.test === 'empty') return chunk.firstKey === 0 ? [] : [[0, 0]];
  if (condition.test === 'ranges') return codesInRanges(condition, chunk);
  const { keys } = textsOf(chunk);
  return condition.anyOf.some(isWildcard) ? undefined : codesOfKeys(condition.anyOf, keys, chunk);
}

function textsOf({ dictionary }: Chunk): TextList {
  if (dictionary.kind !== 'texts') throw new TypeError('A pattern is for texts.');
  return dictionary;
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

function codesInRanges({ anyOf }: RangesTest, { dictionary, firstKey, size }: Chunk): CodeRanges {
  if (dictionary.kind === 'texts') throw new TypeError('A range is not for texts.');
  if (anyOf.length > LONG_LIST) return codesInAscending(anyOf, dictionary, firstKey, size);
  const found: CodeRange[] = [];
  for (const range of anyOf) {
    const [first, end] = codesBetween(range, dictionary, firstKey, size);
    if (first < end) found.push([first, end - 1]);
  }
  return mergedRanges(found);
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
