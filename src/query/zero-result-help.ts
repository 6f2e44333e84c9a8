import { distance } from 'fastest-levenshtein';
import type { Manifest } from '../block/manifest.ts';
import { fold } from '../text/fold.ts';
import type { Budget } from './budget.ts';
import { isWildcard } from './pattern.ts';
import type { Condition, PatternsTest, Predicate } from './predicate.ts';

/** What one filter has to do with an answer of no rows. Null is not known, and never a guess. */
export type FilterHelp = {
  /** The parameters that state it: one, or both ends of a range. */
  readonly parameters: readonly string[];
  /** Rows that it matches by itself. */
  readonly alone: number | null;
  /** Rows that all the others match: what is left when it is dropped. */
  readonly without: number | null;
  /** Whether the set is empty for its sake: by itself, or together with the others. */
  readonly empties: boolean | null;
  /** Rows that all match with its text within theirs, where none is that text alone. */
  readonly containing: number | null;
  /** Values of the dataset that the text may have meant, the nearest first. */
  readonly nearest: readonly string[];
};

/** Counts rows, and lists a text field's values, where that costs no read. */
export type RowCounts = {
  /** Of the dataset. */
  readonly rows: number;
  /** Rows that match; null where counting them is more work than hints may take. */
  count(predicate: Predicate): Promise<number | null>;
  /** By value as it is compared: one spelling of it, and how many rows have it. */
  values(field: string): Iterable<KnownValue>;
};

type KnownValue = { readonly key: string; readonly text: string; readonly rows: number };

/**
 * Help where rows can be counted, as far as the budget's steps for hints go: what is dearest comes
 * last, and what is left out is null. Called where the predicate matches none.
 */
export async function helpByCounting(
  predicate: Predicate,
  counts: RowCounts,
  budget: Budget,
): Promise<FilterHelp[]> {
  const filters = filtersIn(predicate);
  const alone: (number | null)[] = [];
  for (const filter of filters) alone.push(await counts.count(filter));
  const nearest: (readonly string[])[] = [];
  for (const [i, [condition]] of filters.entries()) {
    const isMisspelt = isPositiveText(condition) && alone[i] === 0;
    nearest.push(
      isMisspelt ? await nearestValues(condition, counts.values(condition.field), budget) : [],
    );
  }
  const help: FilterHelp[] = [];
  for (const [i, filter] of filters.entries()) {
    const [condition] = filter;
    const others = filters.filter((other) => other !== filter).flat();
    const without = others.length === 0 ? counts.rows : await counts.count(others);
    help.push({
      parameters: condition.parameters,
      alone: alone[i] as number | null,
      without,
      empties: emptiesOf(alone[i] as number | null, without),
      containing: alone[i] === 0 ? await countContaining(condition, predicate, counts) : null,
      nearest: nearest[i] as readonly string[],
    });
  }
  return help;
}

type FilterConditions = readonly [Condition, ...Condition[]];

/** The conditions by what states them: `_empty` may name several fields, and is dropped as a whole. */
function filtersIn(predicate: Predicate): FilterConditions[] {
  const filters = new Map<string, [Condition, ...Condition[]]>();
  for (const condition of predicate) {
    const name = condition.parameters.join();
    const found = filters.get(name);
    if (found === undefined) filters.set(name, [condition]);
    else found.push(condition);
  }
  return [...filters.values()];
}

/** What may have been misspelt: a text that is asked for. */
function isPositiveText(condition: Condition): condition is Condition & PatternsTest {
  return condition.test === 'patterns' && !condition.not;
}

function emptiesOf(alone: number | null, without: number | null): boolean | null {
  if (alone === 0) return true;
  return alone === null || without === null ? null : without > 0;
}

/** Null for what is no plain text; digits within digits have rules of their own for a leading 1. */
async function countContaining(
  condition: Condition,
  predicate: Predicate,
  counts: RowCounts,
): Promise<number | null> {
  if (!isPositiveText(condition) || condition.byDigits || condition.anyOf.some(isWildcard)) {
    return null;
  }
  const anyOf = condition.anyOf.map((pattern) => ['', ...pattern, '']);
  return counts.count(
    predicate.map((other) => (other === condition ? { ...condition, anyOf } : other)),
  );
}

/** Help from what the importer learned, where counting would be reading. */
export async function helpByManifest(
  predicate: Predicate,
  manifest: Manifest,
  budget: Budget,
): Promise<FilterHelp[]> {
  const help: FilterHelp[] = [];
  const filters = filtersIn(predicate);
  for (const filter of filters) {
    const [condition] = filter;
    // The only one matched none: that is what was asked.
    const isOnly = filters.length === 1;
    const isNone = isOnly || filter.some((one) => matchesNone(one, manifest));
    const values = manifest.fields[condition.field]?.values ?? [];
    const known = values.map((text) => ({ key: fold(text), text, rows: 1 }));
    help.push({
      parameters: condition.parameters,
      alone: isNone ? 0 : null,
      without: isOnly ? manifest.rows : null,
      empties: isNone ? true : null,
      containing: null,
      nearest:
        isNone && isPositiveText(condition) ? await nearestValues(condition, known, budget) : [],
    });
  }
  return help;
}

/** Whether the manifest alone says that no row satisfies a condition. */
function matchesNone(condition: Condition, { fields, rows }: Manifest): boolean {
  const manifest = fields[condition.field];
  if (manifest === undefined || condition.not || condition.test === 'empty') return false;
  if (manifest.nulls === rows) return true;
  if (condition.test === 'ranges') {
    return condition.anyOf.every(
      ([min, max]) => min > (manifest.max ?? max) || max < (manifest.min ?? min),
    );
  }
  const { values } = manifest;
  if (values === undefined || condition.byDigits || condition.anyOf.some(isWildcard)) return false;
  const keys = new Set(values.map(fold));
  return condition.anyOf.every(([key]) => !keys.has(key as string));
}

const MOST_NEAREST = 3;

/** Texts of a list that a suggestion is looked for; who sends many of them made no slip of the hand. */
const MOST_ASKED = 3;

/** Edits, as a share of the longer text, that still count as near. */
const NEAR = 0.4;

/** One wrong digit of ten, or a pair of them changed about. */
const NEAR_DIGITS = 0.2;

/** What it takes to look at the lengths of a value and its words, and to compare two texts. */
const STEPS_OF_LENGTHS = 20;
const stepsOfDistance = (a: string, b: string) => 4 + (a.length * b.length) / 16;

type NearValue = KnownValue & { readonly far: number };

/** The values that a text may have meant; none where hints have had their steps before the last is seen. */
async function nearestValues(
  { anyOf, byDigits }: PatternsTest,
  values: Iterable<KnownValue>,
  budget: Budget,
): Promise<readonly string[]> {
  const asked = anyOf.slice(0, MOST_ASKED).map((pattern) => {
    const text = pattern.filter((part) => part !== '').join(' ');
    return { text, words: text.split(' ').length };
  });
  const most = byDigits ? NEAR_DIGITS : NEAR;
  const found: NearValue[] = [];
  for (const value of values) {
    let far = Number.POSITIVE_INFINITY;
    for (const one of asked) {
      const distant = textDistance(one, value.key, most, budget);
      if (distant === undefined) return [];
      far = Math.min(far, distant);
    }
    if (far <= most) found.push({ ...value, far });
    await budget.turn(asked.length * STEPS_OF_LENGTHS);
  }
  return found
    .sort((a, b) => a.far - b.far || b.rows - a.rows || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_NEAREST)
    .map(({ text }) => text);
}

/**
 * From 0, the same, to 1: the whole text against the whole, or against as many of its words.
 * Undefined where hints have had their steps.
 */
function textDistance(
  { text: asked, words }: { readonly text: string; readonly words: number },
  key: string,
  near: number,
  budget: Budget,
): number | undefined {
  if (!budget.affordHint(STEPS_OF_LENGTHS + key.length / 8)) return undefined;
  if (asked === '') return 1;
  if (key.includes(asked)) return asked.length < 3 ? 1 : 0.1;
  let least = 1;
  for (const [start, end] of partsOf(key, words)) {
    const longer = Math.max(asked.length, end - start);
    // The lengths alone say that it is not near: most values are out by this.
    if (Math.abs(asked.length - (end - start)) > longer * near) continue;
    const part = key.slice(start, end);
    if (!budget.affordHint(stepsOfDistance(asked, part))) return undefined;
    least = Math.min(least, distance(asked, part) / longer);
  }
  return least;
}

/** The whole of a text, and every run of so many of its words: where they begin and end. */
function* partsOf(key: string, words: number): Generator<readonly [start: number, end: number]> {
  yield [0, key.length];
  const starts = [0];
  for (let at = key.indexOf(' '); at >= 0; at = key.indexOf(' ', at + 1)) starts.push(at + 1);
  if (starts.length <= words) return;
  for (let i = 0; i + words <= starts.length; i++) {
    const next = starts[i + words];
    yield [starts[i] as number, next === undefined ? key.length : next - 1];
  }
}
