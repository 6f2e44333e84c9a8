import type { Members } from '../arguments/given.ts';
import type { DatasetBlock } from '../block/block.ts';
import { type Grouping, HAVING, havingFilters, havingIn } from '../block/grouping.ts';
import {
  alternativeName,
  alternativesIn,
  BBOX,
  EMPTY,
  FILLED,
  type Filter,
  givenFilters,
  isSearched,
  NEAR,
  operatorName,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { stepsOfFolding } from '../text/fold.ts';
import {
  allDigits,
  isWildcard,
  matchesPattern,
  phoneWords,
  wordsAsked,
  wordsInText,
} from '../text/pattern.ts';
import type {
  Interval,
  Key,
  KeyTest,
  PatternsTest,
  RangesTest,
  Row,
} from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { boundsWithin, haversine, metresIn, metresOf, type Near } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';

/** One thing that a row must satisfy, and the parameters that asked for it. */
export type Condition = FieldCondition | WordsCondition | AnyCondition | WithinCondition;

/** A test of a field's key. The key must match one of the alternatives. */
export type FieldCondition = {
  readonly field: string;
  readonly parameters: readonly string[];
  /** Negates the test: selects the rows that fail it, among them those without a value. */
  readonly not?: true;
} & Test;

/** A row without a value passes only `empty`. */
type Test = KeyTest | { readonly test: 'empty' };

/** Each word must be the beginning of a word in one of the fields. */
export type WordsCondition = {
  readonly test: 'words';
  readonly parameters: readonly string[];
  readonly fields: readonly SearchedField[];
  readonly words: readonly string[];
};

/** At least one of the alternatives must hold. */
export type AnyCondition = {
  readonly test: 'any';
  readonly parameters: readonly string[];
  readonly alternatives: readonly Predicate[];
};

/**
 * The row's place must be at most this far from another. Other conditions in the same predicate
 * make sure that the row has a place.
 */
export type WithinCondition = Near & {
  readonly test: 'within';
  readonly parameters: readonly string[];
  readonly metres: number;
};

/**
 * A field that is searched for words. A phone number is searched by its digits too, joined into one
 * word.
 */
export type SearchedField = { readonly name: string; readonly byDigits: boolean };

/**
 * The conditions that a row must satisfy, all of them, as plain data. An empty list matches every
 * row.
 */
export type Predicate = readonly Condition[];

/** A row and its keys by field. A field without a value has no key. */
export type KeyedRow = { readonly values: Row; readonly keys: Readonly<Record<string, Key>> };

/** Makes the predicate of valid arguments. The order of the arguments makes no difference. */
export function predicateOf(
  block: Pick<DatasetBlock, 'fields' | 'filters' | 'geometry'>,
  values: Members,
  budget: Budget,
): Predicate {
  const ofFields = fieldConditions(block, values, budget);
  // What most questions are: filters of fields alone.
  if (!Object.keys(values).some(isOfSeveralFields)) return ofFields;
  return [
    ...ofFields,
    ...emptyConditions(EMPTY, values),
    ...emptyConditions(FILLED, values),
    ...anyConditions(block, values, budget),
    ...wordsConditions(block, values, budget),
    ...boxConditions(block, values),
    ...nearConditions(nearOf(block, values), withinOf(values)),
  ];
}

/** Whether an argument is a filter of more than one field. */
function isOfSeveralFields(name: string): boolean {
  return SEVERAL_FIELDS.has(name) || alternativeName(name) !== undefined;
}

const SEVERAL_FIELDS: ReadonlySet<string> = new Set([EMPTY, FILLED, Q, BBOX, NEAR, WITHIN]);

/** The conditions of filters on one field each. In the request their names have a prefix. */
function fieldConditions(
  block: Pick<DatasetBlock, 'filters'>,
  values: Members,
  budget: Budget,
  prefix = '',
): FieldCondition[] {
  const conditions: FieldCondition[] = [];
  for (const filter of givenFilters(block, values)) {
    const { name, op } = filter.parameter;
    const test = testOf(filter, values[name], budget, prefix + name);
    const field = filter.field.name;
    const last = conditions.at(-1);
    // Joins both ends of a range into one condition. The lower end always comes just before the
    // upper one.
    if (op === 'max' && last?.parameters[0] === prefix + operatorName(field, 'min')) {
      const [[min]] = (last as RangesTest).anyOf as [Interval];
      const [[, max]] = (test as RangesTest).anyOf as [Interval];
      conditions.pop();
      conditions.push({
        field,
        parameters: [...last.parameters, prefix + name],
        test: 'ranges',
        anyOf: [[min, max]],
      });
    } else {
      conditions.push({
        field,
        parameters: [prefix + name],
        not: op === 'not' ? true : undefined,
        ...test,
      });
    }
  }
  return conditions;
}

/** The conditions that the filters of `_having` are, on the columns of groups. */
export function havingOf(grouping: Grouping, values: Members, budget: Budget): Predicate {
  const given = havingIn(values);
  if (given === undefined) return [];
  const filters = havingFilters(grouping);
  return fieldConditions({ filters }, given, budget, `${HAVING}.`);
}

function anyConditions(
  block: Pick<DatasetBlock, 'filters'>,
  values: Members,
  budget: Budget,
): AnyCondition[] {
  const given = alternativesIn(values);
  if (given.length === 0) return [];
  const alternatives = given.map(({ prefix, values }) =>
    fieldConditions(block, values, budget, prefix),
  );
  const parameters = alternatives.flat().flatMap((condition) => condition.parameters);
  return [{ test: 'any', parameters, alternatives }];
}

function emptyConditions(name: typeof EMPTY | typeof FILLED, values: Members): FieldCondition[] {
  if (values[name] === undefined) return [];
  const fields = [...new Set(values[name] as readonly string[])].sort();
  const not = name === FILLED ? { not: true as const } : {};
  return fields.map((field) => ({ field, parameters: [name], ...not, test: 'empty' }));
}

function wordsConditions(
  { fields }: Pick<DatasetBlock, 'fields'>,
  { [Q]: text }: Members,
  budget: Budget,
): WordsCondition[] {
  if (typeof text !== 'string') return [];
  budget.spend(stepsOfFolding(text), Q);
  const words = wordsAsked(text);
  return [{ test: 'words', parameters: [Q], fields: searchedFields(fields), words }];
}

/** The fields that are searched for words. */
export function searchedFields(fields: DatasetBlock['fields']): SearchedField[] {
  return fields
    .filter(isSearched)
    .map((field) => ({ name: field.name, byDigits: typeOf(field).searchedBy === 'digits' }));
}

/** The place from which the request wants distances. */
export function nearOf(
  { geometry }: Pick<DatasetBlock, 'geometry'>,
  { [NEAR]: text }: Members,
): Near | undefined {
  if (typeof text !== 'string' || geometry === undefined) return undefined;
  const [longitude, latitude] = text.split(',').map(Number) as [number, number];
  return {
    at: [longitude, latitude],
    longitude: geometry.longitude,
    latitude: geometry.latitude,
  };
}

function withinOf({ [WITHIN]: text }: Members): number | undefined {
  return typeof text === 'string' ? metresIn(text) : undefined;
}

/**
 * Swaps the longitude and latitude of `_near`, or else of `_bbox`. Returns undefined if the result
 * would not be a place.
 */
export function withSwappedPlace(predicate: Predicate): Predicate | undefined {
  const within = predicate.find((condition) => condition.test === 'within');
  if (within === undefined) return withSwappedBox(predicate);
  if (Math.abs(within.at[0]) > 90) return undefined;
  const { at, longitude, latitude, metres } = within;
  const swapped = nearConditions({ at: [at[1], at[0]], longitude, latitude }, metres);
  return [...predicate.filter(({ parameters }) => !parameters.includes(WITHIN)), ...swapped];
}

function withSwappedBox(predicate: Predicate): Predicate | undefined {
  const isOfBox = ({ parameters }: Condition) => parameters.includes(BBOX);
  const sides = predicate.filter((condition) => isOfBox(condition)) as Extract<
    FieldCondition,
    { test: 'ranges' }
  >[];
  const [latitude, longitude] = sides;
  if (latitude === undefined || longitude === undefined) return undefined;
  const isLatitude = longitude.anyOf.every(([min, max]) => min >= -90 && max <= 90);
  if (!isLatitude || longitude.anyOf.length > 1) return undefined;
  return [
    ...predicate.filter((condition) => !isOfBox(condition)),
    { ...latitude, field: longitude.field },
    { ...longitude, field: latitude.field },
  ];
}

/** The conditions that a row has a place, and that it is at most this far away. */
export function nearConditions(near: Near | undefined, metres?: number): Condition[] {
  if (near === undefined) return [];
  const parameters = metres === undefined ? [NEAR] : [NEAR, WITHIN];
  const { latitudes, longitudes } = boundsWithin(near.at, metres ?? Number.POSITIVE_INFINITY);
  const between = (field: string, anyOf: readonly Interval[]) =>
    ({ field, parameters, test: 'ranges', anyOf }) as const;
  return [
    between(near.latitude, latitudes),
    between(near.longitude, longitudes),
    ...(metres === undefined ? [] : [{ ...near, parameters, test: 'within' as const, metres }]),
  ];
}

/** Both ends are inclusive. A box whose west is above its east crosses the 180th meridian. */
function boxConditions(
  { geometry }: Pick<DatasetBlock, 'geometry'>,
  { [BBOX]: text }: Members,
): FieldCondition[] {
  if (typeof text !== 'string' || geometry === undefined) return [];
  const [west, south, east, north] = text.split(',').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const between = (field: string, anyOf: readonly Interval[]) =>
    ({ field, parameters: [BBOX], test: 'ranges', anyOf }) as const;
  return [
    between(geometry.latitude, [[south, north]]),
    between(geometry.longitude, longitudesOf(west, east)),
  ];
}

/** The longitudes from west to east. -180 and 180 are the same meridian. */
function longitudesOf(west: number, east: number): Interval[] {
  if (west > east) {
    return [
      [-180, east],
      [west, 180],
    ];
  }
  return [
    ...(east === 180 && west > -180 ? ([[-180, -180]] as const) : []),
    [west, east] as const,
    ...(west === -180 && east < 180 ? ([[180, 180]] as const) : []),
  ];
}

function testOf({ field, parameter }: Filter, value: unknown, budget: Budget, name: string): Test {
  const type = typeOf(field);
  const { op } = parameter;
  const members = Array.isArray(value) ? value : [value];
  budget.spend(type.stepsOfTest(members, field), name);
  return type.testOf(members, field, op === 'min' || op === 'max' ? op : undefined);
}

/**
 * The cost, in steps, of testing this many values with this many characters in total. Each pattern
 * is tried on each text, from the text's beginning to where the pattern's last piece is found.
 */
export function stepsOfMatching(condition: Condition, values: number, characters = 0): number {
  if (condition.test === 'within') return values * 20;
  if (condition.test === 'any') {
    return condition.alternatives
      .flat()
      .reduce((sum, one) => sum + stepsOfMatching(one, values, characters), 0);
  }
  if (condition.test === 'words') {
    const { fields, words } = condition;
    return values * fields.length * (20 + words.length) + characters * 10;
  }
  if (condition.test === 'empty') return values / 8;
  if (condition.test === 'ranges') return (values * Math.max(1, condition.anyOf.length)) / 8;
  const pieces = condition.anyOf.reduce((sum, pattern) => sum + pattern.length, 0);
  return values * (condition.anyOf.length + pieces) + (characters * condition.anyOf.length) / 8;
}

/** Tells whether a row satisfies the predicate. A missing value fails every test except `empty`. */
export function matches(predicate: Predicate, row: KeyedRow): boolean {
  return predicate.every((condition) => {
    if (condition.test === 'words') return hasWords(condition, row);
    if (condition.test === 'any') return condition.alternatives.some((one) => matches(one, row));
    if (condition.test === 'within') return isNear(condition, row);
    return passes(condition, row) !== (condition.not === true);
  });
}

/** The fields that a predicate needs, each once. */
export function fieldsInPredicate(predicate: Predicate): string[] {
  const [only] = predicate;
  if (predicate.length === 1 && only !== undefined && 'field' in only) return [only.field];
  const names = new Set<string>();
  for (const condition of predicate) {
    if (condition.test === 'any') {
      for (const one of condition.alternatives)
        for (const name of fieldsInPredicate(one)) names.add(name);
    } else if (condition.test === 'words') for (const { name } of condition.fields) names.add(name);
    else if (condition.test === 'within') names.add(condition.longitude).add(condition.latitude);
    else names.add(condition.field);
  }
  return [...names];
}

function isNear({ at, metres, ...fields }: WithinCondition, { keys }: KeyedRow): boolean {
  const [longitude, latitude] = [keys[fields.longitude], keys[fields.latitude]];
  return (
    typeof longitude === 'number' &&
    typeof latitude === 'number' &&
    metresOf(haversine([longitude, latitude], at)) <= metres
  );
}

function hasWords({ fields, words }: WordsCondition, { keys, values }: KeyedRow): boolean {
  const all = fields.flatMap(({ name, byDigits }) => {
    const text = byDigits ? values[name] : keys[name];
    return typeof text === 'string' ? wordsInText(byDigits ? phoneWords(text) : text) : [];
  });
  return words.every((prefix) => all.some((word) => word.startsWith(prefix)));
}

function passes(condition: FieldCondition, { keys, values }: KeyedRow): boolean {
  const { field } = condition;
  const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
  if (condition.test === 'empty' || key === undefined) {
    return condition.test === 'empty' && key === undefined;
  }
  if (condition.test === 'ranges') {
    const number = key as number;
    return condition.anyOf.some(([min, max]) => min <= number && number <= max);
  }
  return matchesText(condition, key as string, values[field] as string);
}

/** Tells whether a text matches. `key` is its compared form, `raw` its stored form. */
function matchesText({ anyOf, byDigits }: PatternsTest, key: string, raw: string): boolean {
  return anyOf.some((pattern) =>
    matchesPattern(pattern, byDigits && isWildcard(pattern) ? allDigits(raw) : key),
  );
}
