import { distance } from 'fastest-levenshtein';
import { isWildcard } from '../text/pattern.ts';
import type { PatternsTest } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import type { AnyCondition, Condition, FieldCondition, Predicate } from './predicate.ts';

/**
 * What one filter contributes to an empty answer. Null means that it was not counted; no number is
 * a guess.
 */
export type FilterHelp = {
  /** The filter's parameters: one, or both ends of a range. */
  readonly parameters: readonly string[];
  /** The number of rows that match this filter alone. */
  readonly alone: number | null;
  /** The number of rows that match all other filters without it. */
  readonly without: number | null;
  /** Whether the filter makes the answer empty, alone or together with the others. */
  readonly empties: boolean | null;
  /**
   * The number of rows that would match all filters if this one had `*` before and after its text.
   */
  readonly containing: number | null;
  /** Values in the dataset that the text may have meant, the nearest first. */
  readonly nearest: readonly string[];
  /**
   * Parameters of other fields that have the text as a value, with their numbers of rows. Absent if
   * there are none.
   */
  readonly elsewhere?: readonly Elsewhere[];
};

export type Elsewhere = { readonly parameter: string; readonly rows: number };

/** Counts rows and lists values for help, without reading from DynamoDB. */
export type RowCounts = {
  /** The number of rows in the dataset. */
  readonly rows: number;
  /** The names of the fields whose whole texts are compared. */
  readonly texts: readonly string[];
  /**
   * Returns the number of matching rows; null if counting them takes more steps than are left for
   * hints.
   */
  count(predicate: Predicate): Promise<number | null>;
  /** For each key, one spelling of it and its number of rows. */
  values(field: string): Promise<Iterable<KnownValue>>;
};

export type KnownValue = { readonly key: string; readonly text: string; readonly rows: number };

/**
 * Makes the help by counting rows, as far as the steps for hints go. The costliest parts come last,
 * and what is left out is null. Call this only if the predicate matches no row.
 */
export async function helpByCounting(
  predicate: Predicate,
  counts: RowCounts,
  budget: Budget,
): Promise<FilterHelp[]> {
  const filters = filtersIn(predicate);
  const conditions = conditionsIn(predicate);
  const afford = (some: number) => budget.affordHint(some * STEPS_OF_CONDITION);
  const alone: (number | null)[] = [];
  for (const { alone: ownConditions } of filters) {
    alone.push(afford(conditionsIn(ownConditions)) ? await counts.count(ownConditions) : null);
  }
  const known = new Map<string, readonly KnownValue[]>();
  const nearest: (readonly string[])[] = [];
  for (const [i, { condition }] of filters.entries()) {
    if (!isPositiveText(condition) || alone[i] !== 0) {
      nearest.push([]);
      continue;
    }
    const values = known.get(condition.field) ?? [...(await counts.values(condition.field))];
    known.set(condition.field, values);
    nearest.push(await nearestValues(condition, values, budget));
  }
  const help: Omit<FilterHelp, 'elsewhere'>[] = [];
  for (const [i, { condition, replacedBy }] of filters.entries()) {
    const rest = filters.length === 1 || afford(conditions) ? replacedBy(undefined) : undefined;
    const isAll = rest?.length === 0;
    const without = rest === undefined ? null : isAll ? counts.rows : await counts.count(rest);
    const starred = alone[i] === 0 ? containing(condition) : undefined;
    help.push({
      parameters: condition.parameters,
      alone: alone[i] as number | null,
      without,
      empties: emptiesOf(alone[i] as number | null, without),
      containing:
        starred !== undefined && afford(conditions)
          ? await counts.count(replacedBy(starred))
          : null,
      nearest: nearest[i] as readonly string[],
    });
  }
  const all: FilterHelp[] = [];
  for (const [i, { condition }] of filters.entries()) {
    const own = help[i] as FilterHelp;
    const isSought = own.alone === 0 && isPositiveText(condition) && !condition.byDigits;
    const elsewhere = isSought ? await elsewhereOf(condition, counts, afford) : [];
    all.push(elsewhere.length === 0 ? own : { ...own, elsewhere });
  }
  return all;
}

/**
 * Fields that are searched for a text that its own field does not have, and those of them that the
 * answer names.
 */
const MOST_FIELDS_ASKED = 50;
const MOST_ELSEWHERE = 3;

/** Finds other fields that have a condition's text as a value, as far as the steps for hints go. */
async function elsewhereOf(
  condition: FieldCondition,
  { texts, count }: RowCounts,
  afford: (conditions: number) => boolean,
): Promise<Elsewhere[]> {
  const { field, parameters } = condition;
  // The parameter may belong to an alternative: `_or.1.category`.
  const prefix = (parameters[0] as string).slice(0, -field.length);
  const found: Elsewhere[] = [];
  for (const candidate of texts.filter((name) => name !== field).slice(0, MOST_FIELDS_ASKED)) {
    const rows = afford(1) ? await count([{ ...condition, field: candidate }]) : null;
    if (rows === null) break;
    if (rows > 0) found.push({ parameter: prefix + candidate, rows });
    if (found.length === MOST_ELSEWHERE) break;
  }
  return found;
}

/** The cost of preparing to count a condition's rows, in steps, however many rows there are. */
const STEPS_OF_CONDITION = 100;

function conditionsIn(predicate: Predicate): number {
  return predicate.reduce(
    (sum, condition) =>
      sum + (condition.test === 'any' ? conditionsIn(condition.alternatives.flat()) : 1),
    0,
  );
}

/** A filter, either of the whole predicate or inside an alternative. */
type AskedFilter = {
  /** The filter's condition; if it has several, the first. */
  readonly condition: Condition;
  readonly alone: Predicate;
  /** Makes the predicate with another condition in place of the filter, or without the filter. */
  readonly replacedBy: (replacement: Condition | undefined) => Predicate;
};

/** Joins conditions with the same parameters into one filter: `_empty` may name several fields. */
function filtersIn(predicate: Predicate): AskedFilter[] {
  const filters = new Map<string, [Condition, ...Condition[]]>();
  for (const condition of predicate) {
    const name = condition.parameters.join();
    const found = filters.get(name);
    if (found === undefined) filters.set(name, [condition]);
    else found.push(condition);
  }
  return [...filters.values()].flatMap((alone) => {
    const [condition] = alone;
    const replacedBy = (replacement: Condition | undefined) =>
      predicate.flatMap((one) =>
        !alone.includes(one)
          ? [one]
          : one === condition && replacement !== undefined
            ? [replacement]
            : [],
      );
    const whole = { condition, alone, replacedBy };
    if (condition.test !== 'any') return [whole];
    const within = filtersOfAny(condition, replacedBy);
    return within.length === 1 ? within : [whole, ...within];
  });
}

/**
 * Lists each filter of each alternative. An alternative whose only filter is left out is left out
 * too.
 */
function filtersOfAny(any: AnyCondition, replacedBy: AskedFilter['replacedBy']): AskedFilter[] {
  return any.alternatives.flatMap((alternative, i) =>
    alternative.map((condition) => ({
      condition,
      alone: [condition],
      replacedBy: (replacement: Condition | undefined) => {
        const left = alternative.flatMap((one) =>
          one !== condition ? [one] : replacement === undefined ? [] : [replacement],
        );
        const alternatives = any.alternatives.with(i, left).filter((one) => one.length > 0);
        return replacedBy(alternatives.length === 0 ? undefined : { ...any, alternatives });
      },
    })),
  );
}

/** Tells whether a condition looks for a text, which may be misspelt. */
function isPositiveText(condition: Condition): condition is FieldCondition & PatternsTest {
  return condition.test === 'patterns' && !condition.not;
}

function emptiesOf(alone: number | null, without: number | null): boolean | null {
  if (alone === 0) return true;
  return alone === null || without === null ? null : without > 0;
}

/**
 * The same condition with a star before and after its texts. Undefined if some text has a star
 * already, and for phone numbers, which have their own rule for a leading 1.
 */
function containing(condition: Condition): Condition | undefined {
  if (!isPositiveText(condition) || condition.byDigits || condition.anyOf.some(isWildcard)) {
    return undefined;
  }
  return { ...condition, anyOf: condition.anyOf.map((pattern) => ['', ...pattern, '']) };
}

/** Near texts that are suggested. */
const MOST_NEAREST = 3;

/** Texts of a list for which a suggestion is sought. Nobody types a longer list by hand. */
const MOST_ASKED = 3;

/** A value is near if the number of edits is at most this share of the longer text. */
const NEAR = 0.4;

/** For digits: enough for one wrong digit of ten, or two swapped digits. */
const NEAR_DIGITS = 0.2;

/**
 * The costs of checking the lengths of a value and its words, and of comparing two texts, in steps.
 */
const STEPS_OF_LENGTHS = 20;
const stepsOfDistance = (a: string, b: string) => 4 + (a.length * b.length) / 16;

type NearValue = KnownValue & { readonly far: number };

/**
 * Finds the values that a text may have meant. Returns none if the steps for hints run out before
 * the end.
 */
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
      const distant = valueDistance(one, value.key, most, budget);
      if (distant === undefined) return [];
      far = Math.min(far, distant);
    }
    if (far <= most) found.push({ ...value, far });
    await budget.checkpoint(asked.length * STEPS_OF_LENGTHS);
  }
  return found
    .sort((a, b) => a.far - b.far || b.rows - a.rows || (a.text < b.text ? -1 : 1))
    .slice(0, MOST_NEAREST)
    .map(({ text }) => text);
}

/**
 * How far a text is from a value: the number of edits divided by the longer length, from 0 (equal)
 * to 1. The text is compared with the whole value and with every run of as many words in it; the
 * least distance counts. Undefined if the steps for hints run out.
 */
function valueDistance(
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
    // The lengths alone rule out most values.
    if (Math.abs(asked.length - (end - start)) > longer * near) continue;
    const part = key.slice(start, end);
    if (!budget.affordHint(stepsOfDistance(asked, part))) return undefined;
    least = Math.min(least, distance(asked, part) / longer);
  }
  return least;
}

/** Lists the start and end of the whole text, and of every run of this many words in it. */
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
