import type { Block, DatasetBlock } from '../block/block.ts';
import {
  type Grouping,
  groupColumns,
  groupingOf,
  HAVING,
  havingFilters,
  havingIn,
} from '../block/grouping.ts';
import {
  BBOX,
  EMPTY,
  FILLED,
  type Filters,
  FRAME,
  NEAR,
  operatorName,
  type Parameter,
  Q,
  WITHIN,
} from '../block/parameter.ts';
import { schemaOfValue } from '../block/schema.ts';
import { EXCLUDED_BY_XY, MEDIANS, SCALE, XY } from '../block/two-numbers.ts';
import { type FaultCode, MOST_FAULTS } from '../problem/errors.ts';
import { nearName } from '../text/near-name.ts';
import { MOST_WORDS, wordsAsked } from '../text/pattern.ts';
import { shorten } from '../text/wording.ts';
import { choiceOf } from '../values/choice.ts';
import { MOST_TEXT_LENGTH, quotedValue } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import type { Budget } from '../work/budget.ts';
import type { CheckOf, SchemaCheck } from './compile-schema.ts';
import { type ArgumentFault, faultOfKeyword } from './faults.ts';
import { type Arguments, isBlank, type Members, normalise, stepsOfNormalising } from './given.ts';

/** Returns all faults of normalised arguments; an empty list if they are valid. */
export type Validate = (values: Readonly<Record<string, unknown>>) => ArgumentFault[];

/**
 * What is wrong with an argument, as ajv's keyword. `index` is present if it is a member of a list.
 */
type Invalid = { readonly parameter: Parameter; readonly keyword: string; readonly index?: string };

/** Makes the check of arguments against these parameters. */
export function validateBy(checkOfForm: CheckOf, parameters: readonly Parameter[]): Validate {
  const checks = new Map<Parameter, SchemaCheck>();
  const checkOf = (parameter: Parameter) => {
    const check = checks.get(parameter) ?? checkOfForm(schemaOfValue(parameter));
    checks.set(parameter, check);
    return check;
  };
  const required = parameters.filter((parameter) => parameter.required);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return (values) => {
    const invalid: Invalid[] = [];
    for (const parameter of required) {
      if (ownValue(values, parameter.name) === undefined) {
        invalid.push({ parameter, keyword: 'required' });
      }
    }
    const wrong: Parameter[] = [];
    for (const name of Object.keys(values)) {
      const parameter = byName.get(name);
      if (parameter === undefined || values[name] === undefined) continue;
      if (checkOf(parameter)(values[name]).length > 0) wrong.push(parameter);
    }
    if (wrong.length > 1) wrong.sort((a, b) => parameters.indexOf(a) - parameters.indexOf(b));
    for (const parameter of wrong) {
      const errors = onePerLocation(checkOf(parameter)(values[parameter.name]));
      for (const error of errors) invalid.push({ parameter, ...error });
    }
    return invalid.map(({ parameter, keyword, index }, i) =>
      // Only the first faults are listed and the rest are counted, so the rest need no text.
      i < MOST_FAULTS
        ? faultOfKeyword(keyword, parameter, values, index)
        : { code: 'not-text', detail: '', parameter: parameter.name },
    );
  };
}

function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/**
 * Keeps one of ajv's errors for each location: if 300.5 is not a whole number, its other errors do
 * not matter. If a list is too long, the errors of its members do not matter either.
 */
function onePerLocation(errors: ReturnType<SchemaCheck>): Omit<Invalid, 'parameter'>[] {
  const isOverlong = errors.some(({ keyword }) => keyword === 'maxItems');
  const keywords = new Map<string, string>();
  for (const { instancePath, keyword } of errors) {
    if (isOverlong && instancePath !== '') continue;
    if (!keywords.has(instancePath)) keywords.set(instancePath, keyword);
  }
  return [...keywords].map(([path, keyword]) =>
    path === '' ? { keyword } : { keyword, index: path.slice(1) },
  );
}

/**
 * Finds valid arguments that together exclude every row, which no schema can express. Each conflict
 * is reported as a fault of every argument involved. In the request, their names have a prefix.
 */
export function conflictsOf(values: Members, filters: Filters, prefix = ''): ArgumentFault[] {
  const empty = (values[EMPTY] ?? []) as readonly string[];
  const filled = (values[FILLED] ?? []) as readonly string[];
  const faults: ArgumentFault[] = [];
  for (const name of Object.keys(values)) {
    const filter = filters.get(name);
    if (filter === undefined || filter.parameter.op === 'not') continue;
    const { field, parameter } = filter;
    // No other filter on a field matches a row without a value in it.
    if (empty.includes(field.name)) {
      faults.push(...conflict(prefix + name, EMPTY, `${EMPTY} has ${field.name}`));
    }
    if (parameter.op === 'max') faults.push(...crossedEnds(field, values, prefix));
  }
  for (const name of empty) {
    if (filled.includes(name)) faults.push(...conflict(FILLED, EMPTY, `both have ${name}`));
  }
  return faults;
}

/** What is wrong with the ends of a range. Its upper end must be given. */
export function crossedEnds(field: Field, values: Members, prefix: string): ArgumentFault[] {
  const type = typeOf(field);
  const [low, high] = [operatorName(field.name, 'min'), operatorName(field.name, 'max')];
  if (!type.isOrdered || values[low] === undefined) return [];
  const [from, lowEnd] = type.intervalOf(values[low], field);
  const [highStart, to] = type.intervalOf(values[high], field);
  if (from <= to) return [];
  const [min, max] = [prefix + low, prefix + high];
  // Swapping the ends would not help if no value lies between them.
  if (highStart > lowEnd) return conflict(max, min, 'no value lies between them');
  const why = `${min} is ${quotedValue(values[low])} and ${max} is ${quotedValue(values[high])}: no row can match. Swap them, or leave one out.`;
  return faultsOf('min-above-max', why, [min, max]);
}

function conflict(name: string, otherName: string, why: string): ArgumentFault[] {
  const detail = `${name} and ${otherName} exclude each other: ${why}. Leave one out.`;
  return faultsOf('no-row-can-match', detail, [name, otherName]);
}

function faultsOf(code: FaultCode, detail: string, names: readonly string[]): ArgumentFault[] {
  return names.map((parameter) => ({ code, detail, parameter }));
}

/**
 * Finds what is wrong with valid arguments of a question about two numbers. `names` are all that were
 * sent.
 */
export function twoNumberFaults(values: Members, names: readonly string[]): ArgumentFault[] {
  const given = values[XY] as readonly string[] | undefined;
  if (given === undefined) {
    return [SCALE, MEDIANS]
      .filter((name) => (values[name] ?? false) !== false && !names.includes(XY))
      .flatMap((name) => {
        const detail = `${name} says how ${XY} is answered, which is not asked for. Give ${XY}=x,y with two number fields, or leave ${name} out.`;
        return faultsOf('missing-parameter', detail, [name]);
      });
  }
  const excluded = names.filter((name) =>
    EXCLUDED_BY_XY.some((one) => name === one || name.startsWith(`${one}.`)),
  );
  const isTwo = new Set(given).size === 2 && given.length === 2;
  const wrong = `${XY} is ${quotedValue(given.join())}; expected two different number fields: ${XY}=x,y.`;
  return [
    ...(isTwo ? [] : faultsOf('missing-parameter', wrong, [XY])),
    ...excluded.flatMap((name) => {
      const detail = `${name} and ${XY} ask for different answers: ${XY} answers with all rows that match, as points or as squares. Leave one out.`;
      return faultsOf('option-of-another-question', detail, [name]);
    }),
  ];
}

/** Finds what is wrong with valid arguments of a search, where no schema can express it. */
export function searchFaults(values: Members, wrong: ReadonlySet<string>): ArgumentFault[] {
  return [
    ...faultsOfWords(Q, values[Q]),
    ...[BBOX, FRAME].flatMap((name) => faultsOfBox(name, values[name])),
    ...(wrong.has(NEAR) ? [] : faultsOfWithin(values)),
  ];
}

/** Finds what is wrong with a text of words to look for. */
export function faultsOfWords(name: string, text: unknown): ArgumentFault[] {
  if (typeof text !== 'string') return [];
  const { length } = wordsAsked(text);
  if (length === 0) {
    const detail = `${name} is ${quotedValue(text)}, which has no letter or digit; expected words to look for.`;
    return [{ code: 'no-words', detail, parameter: name }];
  }
  if (length <= MOST_WORDS) return [];
  const detail = `${name} has ${length} words; expected at most ${MOST_WORDS}.`;
  return [{ code: 'list-too-long', detail, parameter: name }];
}

function faultsOfBox(name: string, text: unknown): ArgumentFault[] {
  if (typeof text !== 'string') return [];
  const [west, south = '', east, north = ''] = text.split(',');
  if (Number(south) <= Number(north)) return [];
  const suggestion = [west, north, east, south].join(',');
  const detail = `${name} has its south, ${south}, above its north, ${north}. Did you mean ${suggestion}?`;
  return [{ code: 'min-above-max', detail, parameter: name, suggestion }];
}

function faultsOfWithin(values: Members): ArgumentFault[] {
  if (values[WITHIN] === undefined || values[NEAR] !== undefined) return [];
  const detail = `${WITHIN} needs ${NEAR}, the place that it is a distance from. Give ${NEAR}=longitude,latitude, or leave ${WITHIN} out.`;
  return [{ code: 'missing-parameter', detail, parameter: NEAR }];
}

/**
 * Reads the options that name columns of the answer. `_group` and `_measure` must be valid, because
 * they decide which columns there are. Returns the values, the grouping, and the faults.
 */
export function readColumnOptions(
  block: Block,
  values: Members,
): Pick<Arguments, 'values' | 'grouping'> & { readonly faults: readonly ArgumentFault[] } {
  const asked = block.options.filter(({ name, ofColumns }) => ofColumns && name in values);
  const isGrouped = values._group !== undefined || values._measure !== undefined;
  if (block.answers !== 'rows' || (asked.length === 0 && !isGrouped)) return { values, faults: [] };
  const { fields, geometry } = block;
  const grouping = groupingOf({ fields, geometry }, values);
  const columns = grouping === undefined ? fields : groupColumns(grouping);
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, i) => names.indexOf(name) < i);
  if (grouping !== undefined && twice.length > 0) {
    return { values, grouping, faults: twice.map((name) => sameName(name, values)) };
  }
  const read: Record<string, unknown> = Object.assign(Object.create(null), values);
  const faults: ArgumentFault[] = [];
  for (const option of asked) {
    const value = values[option.name];
    const isSort = option.name === '_sort';
    const choices = isSort ? names.flatMap((name) => [name, `-${name}`]) : names;
    const { ofColumns, ...plain } = option;
    const parameter: Parameter = { ...plain, choices };
    const known = [value].flat().map((one) => choiceOf(one, choices));
    read[option.name] = known;
    for (const [i, one] of known.entries()) {
      if (choices.includes(one as string)) continue;
      const fault = faultOfKeyword('enum', parameter, values, String(i));
      const why = grouping === undefined ? ofDistance(one, isSort, block) : undefined;
      faults.push(why === undefined ? fault : { ...fault, detail: `${option.name} is ${why}` });
    }
  }
  return { values: read, grouping, faults };
}

/**
 * Tells what a caller can do with distances instead, if the value shows that they were taken for a
 * field of the rows.
 */
function ofDistance(
  value: unknown,
  isSort: boolean,
  { geometry }: DatasetBlock,
): string | undefined {
  const names = [DISTANCE.name, `-${DISTANCE.name}`];
  const isMeant = names.includes(choiceOf(value, names) as string);
  if (!isMeant || geometry === undefined) return undefined;
  return isSort
    ? `${quotedValue(value)}, but rows cannot be sorted by it: ${NEAR} without _sort has the nearest first, and the farthest first cannot be asked.`
    : `${quotedValue(value)}, which is no field: with ${NEAR} each row has it, whatever _fields says.`;
}

/** Arguments without filters on groups. */
export const NO_HAVING = { values: {}, faults: [] };

/** The filters on groups that were sent, as read, and what is wrong with them. */
export function readHaving(
  sent: Members,
  grouping: Grouping | undefined,
  checkOf: CheckOf,
  budget: Budget,
): { readonly values: Members; readonly faults: readonly ArgumentFault[] } {
  const having = havingIn(sent);
  if (having === undefined) return NO_HAVING;
  const values: Record<string, unknown> = Object.create(null);
  const given = Object.entries(having);
  if (grouping === undefined) {
    const faults = given.map(([own]) => {
      const parameter = `${HAVING}.${shorten(own)}`;
      const detail = `${parameter} is a filter on groups, and no groups are asked for. Give _group or _measure, or leave it out.`;
      return { code: 'missing-parameter' as const, detail, parameter };
    });
    return { values, faults };
  }
  const filters = havingFilters(grouping);
  const parameters: Parameter[] = [];
  const faults: ArgumentFault[] = [];
  for (const [own, value] of given) {
    const filter = filters.get(own);
    const name = `${HAVING}.${own}`;
    if (filter === undefined) {
      faults.push(unknownHaving(own, [...filters.keys()]));
      continue;
    }
    if (isAmbiguous(own, grouping)) faults.push(ambiguousHaving(name));
    const parameter = { ...filter.parameter, name };
    parameters.push(parameter);
    budget.spend(stepsOfNormalising(parameter, value), name);
    const read = normalise(parameter, value);
    if (!isBlank(read)) values[name] = read;
  }
  const invalid = validateBy(checkOf, parameters)(values);
  const isWrong = new Set(invalid.map(({ parameter }) => parameter));
  const valid = Object.fromEntries(Object.entries(values).filter(([name]) => !isWrong.has(name)));
  return {
    values,
    faults: [...faults, ...invalid, ...conflictsOf(havingIn(valid) ?? {}, filters, `${HAVING}.`)],
  };
}

function unknownHaving(own: string, names: readonly string[]): ArgumentFault {
  const parameter = `${HAVING}.${shorten(own)}`;
  const near = own.length > MOST_TEXT_LENGTH ? undefined : nearName(own, names);
  const code = 'unknown-parameter';
  const detail = `${parameter} is no filter on a column of these groups.`;
  const allowed = names.map((name) => `${HAVING}.${name}`);
  if (near === undefined) {
    return { code, detail: `${detail} Its parameters are listed in allowed.`, parameter, allowed };
  }
  const suggestion = `${HAVING}.${near}`;
  return { code, detail: `${detail} Did you mean ${suggestion}?`, parameter, suggestion };
}

/** Whether a name is both a column and an end of another: groups by `count_min` have a `count`. */
function isAmbiguous(own: string, grouping: Grouping): boolean {
  const names = groupColumns(grouping).map(({ name }) => name);
  return (
    names.includes(own) && names.includes(own.replace(/_(?:min|max)$/, '')) && /_m..$/.test(own)
  );
}

function ambiguousHaving(parameter: string): ArgumentFault {
  const detail = `${parameter} may mean two columns of the groups. Leave one of these out of _group or _measure.`;
  return { code: 'same-name', detail, parameter };
}

function sameName(name: string, { _measure: measure }: Members): ArgumentFault {
  const detail = `Two columns of the answer would be called ${name}. Leave one out, or ask in two requests.`;
  const parameter = measure === undefined ? '_group' : '_measure';
  return { code: 'same-name', detail, parameter };
}
