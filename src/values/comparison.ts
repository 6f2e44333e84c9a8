import type { Language } from '../languages/language.ts';
import { stepsOfFolding } from '../text/fold.ts';
import { type Pattern, splitAtWildcards } from '../text/pattern.ts';
import {
  type ComparedByNumber,
  type ComparedByText,
  type Comparison,
  type FieldFacts,
  type Interval,
  type Key,
  MOST_TEXT_LENGTH,
} from './field-type.ts';

/** Compares numeric keys. An argument stands for a range of them. */
export function byRanges(
  intervalOf: ComparedByNumber['intervalOf'],
  stepsOfInterval: (field: FieldFacts) => number = () => 10,
): Comparison & Pick<ComparedByNumber, 'comparedBy' | 'intervalOf'> {
  return {
    comparedBy: 'number',
    intervalOf,
    isIndexable: false,
    isName: false,
    stepsOfTest: (values, field) => values.length * stepsOfInterval(field),
    testOf: (values, field, end) => {
      const intervals = values.map((value) => intervalOf(value, field));
      const [first] = intervals as [Interval];
      if (end === 'min') return rangesTest([[first[0], Number.POSITIVE_INFINITY]]);
      if (end === 'max') return rangesTest([[Number.NEGATIVE_INFINITY, first[1]]]);
      return rangesTest(apart(intervals));
    },
    testsOf: (values, field) =>
      values.map((value) => rangesTest(apart([intervalOf(value, field)]))),
    equalTo: (key) => rangesTest([[key as number, key as number]]),
    argumentOf: String,
  };
}

function rangesTest(anyOf: readonly Interval[]) {
  return { test: 'ranges' as const, anyOf };
}

/** Merges intervals into ascending ones that do not overlap and contain the same numbers. */
function apart(intervals: readonly Interval[]): Interval[] {
  const found: [number, number][] = [];
  for (const [min, max] of intervals.filter(([min, max]) => min <= max).sort(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last === undefined || min > last[1]) found.push([min, max]);
    else last[1] = Math.max(last[1], max);
  }
  return found;
}

/** Compares keys that are texts. In an argument, * stands for any text. */
export function byPatterns(
  patternOf: (argument: string) => Pattern,
  byDigits: boolean,
): Comparison & ComparedByText {
  const patternsTest = (anyOf: readonly Pattern[]) => ({
    test: 'patterns' as const,
    anyOf,
    byDigits,
  });
  // Folding is dear, so the patterns of a list are made once, and kept as long as the list.
  const made = new WeakMap<readonly unknown[], readonly Pattern[]>();
  const patternsOf = (values: readonly unknown[]) => {
    if (values.length === 1) return [patternOf(values[0] as string)];
    const patterns = made.get(values) ?? values.map((one) => patternOf(one as string));
    made.set(values, patterns);
    return patterns;
  };
  return {
    comparedBy: 'text',
    isOrdered: false,
    isIndexable: true,
    isName: true,
    searchedBy: byDigits ? 'digits' : 'text',
    wildcard: '*',
    stepsOfTest: (values) =>
      values.reduce((sum: number, one) => sum + stepsOfFolding(one as string), 0),
    testOf: (values) => patternsTest(withoutRepeats(patternsOf(values))),
    testsOf: (values) => patternsOf(values).map((pattern) => patternsTest([pattern])),
    equalTo: (key: Key) => patternsTest([[key as string]]),
    argumentOf: (value) => {
      const escaped = String(value).replaceAll('*', '\\*');
      return [...escaped].length > MOST_TEXT_LENGTH ? undefined : escaped;
    },
    saying: (title, values, isNot, language) => {
      const comparisons = values.map((one) => comparisonIn(language, one as string, isNot));
      const comparison = comparisons.join(` ${language.say(isNot ? 'and' : 'or')} `);
      return language.say('{field} {comparison}', { field: title, comparison });
    },
  };
}

function withoutRepeats(patterns: readonly Pattern[]): readonly Pattern[] {
  if (patterns.length === 1) return patterns;
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

/** Says what an argument asks for. If `isNot`, says what it rules out. */
function comparisonIn({ say }: Language, text: string, isNot: boolean): string {
  const parts = splitAtWildcards(text);
  const [first = '', second = '', third] = parts;
  if (parts.length > 1 && parts.every((part) => part === '')) {
    return isNot ? say('has no value') : say('has a value');
  }
  if (parts.length === 1) {
    return isNot
      ? say('is not “{value}”', { value: first })
      : say('is “{value}”', { value: first });
  }
  if (parts.length === 2 && second === '') {
    return isNot
      ? say('does not begin with “{value}”', { value: first })
      : say('begins with “{value}”', { value: first });
  }
  if (parts.length === 2 && first === '') {
    return isNot
      ? say('does not end with “{value}”', { value: second })
      : say('ends with “{value}”', { value: second });
  }
  if (parts.length === 3 && first === '' && third === '') {
    return isNot
      ? say('does not contain “{value}”', { value: second })
      : say('contains “{value}”', { value: second });
  }
  return isNot
    ? say('does not match “{value}”', { value: text })
    : say('matches “{value}”', { value: text });
}

/** Lists with at most this many members are sorted by inserting, which takes less time than `sort`. */
const FEW = 8;

/** Sorts a list in place by a number of each member, ascending. Ties stay in order. */
export function sortBy<T>(list: T[], numberOf: (member: T) => number): T[] {
  if (list.length > FEW) return list.sort((a, b) => numberOf(a) - numberOf(b));
  for (let i = 1; i < list.length; i++) {
    const member = list[i] as T;
    const number = numberOf(member);
    let at = i;
    for (; at > 0 && numberOf(list[at - 1] as T) > number; at--) list[at] = list[at - 1] as T;
    list[at] = member;
  }
  return list;
}

/**
 * Binary search: returns the first index from `from` on that passes the test, else `to`. All
 * indices after one that passes must pass too.
 */
export function firstWhere(test: (index: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The same for an index that is probably near `from`: it doubles its steps first. */
export function nextWhere(test: (index: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, from];
  for (let step = 1; high < to && !test(high); step *= 2) {
    low = high + 1;
    high += step;
  }
  return firstWhere(test, low, Math.min(high, to));
}
