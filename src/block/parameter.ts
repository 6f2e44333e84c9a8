import { sortBy } from '../values/comparison.ts';
import { MOST_KEYS, type ParameterFacts } from '../values/field-type.ts';
import { type ArgumentTypeName, type Field, typeOf } from '../values/field-types.ts';
import type { Geometry } from '../values/places.ts';

/** A named input of a block. Options are parameters whose names begin with `_`. */
export type Parameter = ParameterFacts & {
  readonly title: string;
  readonly type: ArgumentTypeName;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A shorter name for use where people type: in chat and on the command line. */
  readonly alias?: string;
  /** Whether free text in a chat goes here; one parameter per block. */
  readonly main?: true;
  /** How the parameter filters its field. */
  readonly op?: Operator;
  readonly required?: boolean;
  /** A former name that still works. */
  readonly formerly?: string;
  readonly default?: number | string;
};

/** How a parameter filters: equality, either end of a range, or the complement of an equality. */
export type Operator = 'is' | 'min' | 'max' | 'not';

/** Filters that apply to every field: as a member of `_not`, or named in `_empty` or `_filled`. */
export const NOT = '_not';
export const EMPTY = '_empty';
export const FILLED = '_filled';

/** A dataset's parameters: first those of each field in order, then those shared by all fields. */
export function parametersOfFields(fields: readonly Field[]): Parameter[] {
  const filterable = fields.filter(isFilterable);
  if (filterable.length === 0) return [];
  const choices = filterable.map(({ name }) => name);
  return [
    ...filterable.flatMap((field) => [
      parameterOf(field, 'is', ''),
      ...(typeOf(field).isOrdered
        ? [parameterOf(field, 'min', ', at least'), parameterOf(field, 'max', ', at most')]
        : []),
    ]),
    ...filterable.map((field) => parameterOf(field, 'not', ', not')),
    {
      type: 'choice',
      name: EMPTY,
      title: 'Fields without a value',
      list: true,
      choices,
      description: 'Finds the rows that have no value in any of these fields.',
    },
    {
      type: 'choice',
      name: FILLED,
      title: 'Fields with a value',
      list: true,
      choices,
      description: 'Finds the rows that have a value in all of these fields.',
    },
  ];
}

export function isFilterable({ filterable }: Field): boolean {
  return filterable !== false;
}

/** Makes a parameter's name from a field's name or alias. */
export function operatorName(name: string, op: Operator): string {
  if (op === 'is') return name;
  return op === 'not' ? `${NOT}.${name}` : `${name}_${op}`;
}

function parameterOf(field: Field, op: Operator, behindTitle: string): Parameter {
  const { type, name, title, description, unit, alias, main, timeZone, local } = field;
  return {
    type,
    name: operatorName(name, op),
    title: `${title}${behindTitle}`,
    field: name,
    op,
    ...(op === 'min' || op === 'max' ? {} : { list: true, mostMembers: MOST_KEYS }),
    description,
    unit,
    alias: alias === undefined ? undefined : operatorName(alias, op),
    main: main && op === 'is' ? main : undefined,
    timeZone,
    local,
  };
}

/** Words that must occur in a row's texts. */
export const Q = '_q';

/** The place from which distances are measured, and how far a row may be from it. */
export const NEAR = '_near';
export const WITHIN = '_within';

/** The box that a row's place must be in. */
export const BBOX = '_bbox';

/** The part of the earth that a map shows. It is of the figure alone, and changes no rows. */
export const FRAME = '_frame';

/** Tells whether `_q` searches a field. It must be a field that filters accept, too. */
export function isSearched(field: Field): boolean {
  return isFilterable(field) && typeOf(field).searchedBy !== undefined;
}

/** The parameters that search several fields of a row at once. */
export function searchParameters(
  fields: readonly Field[],
  geometry: Geometry | undefined,
): Parameter[] {
  return [
    ...(fields.some(isSearched) ? [WORDS] : []),
    ...(geometry === undefined ? [] : [PLACE, DISTANCE, BOX]),
  ];
}

const WORDS: Parameter = {
  type: 'words',
  name: Q,
  title: 'Words to look for',
  description: "Each must begin a word in some of the row's texts, in any order.",
};

const PLACE: Parameter = {
  type: 'place',
  name: NEAR,
  title: 'Near a place',
  description: 'longitude,latitude in degrees. Nearest first, with _distance in metres.',
};

const DISTANCE: Parameter = {
  type: 'distance',
  name: WITHIN,
  title: 'Distance from the place',
  description: 'At most this from _near: 500m, 1.5km, 2mi or 300ft.',
};

const BOX: Parameter = {
  type: 'box',
  name: BBOX,
  title: 'Box on the map',
  description: 'west,south,east,north in degrees.',
};

/**
 * Alternatives: a row must match at least one of them. They are written as `_or.1.f`, or as a list
 * of objects.
 */
export const OR = '_or';
/** Alternatives of a question. */
export const MOST_ALTERNATIVES = 4;

/**
 * The parts of a name such as `_or.2.f` or `_or.2._not.f`: the alternative's number and prefix, and
 * the filter's own name.
 */
type AlternativeName = {
  readonly number: number;
  readonly prefix: string;
  readonly name: string;
};

const NAMED = /^_or\.([1-4])\.(.+)$/s;

export function alternativeName(name: string): AlternativeName | undefined {
  if (!name.startsWith(OR)) return undefined;
  const [, number, own] = NAMED.exec(name) ?? [];
  if (number === undefined || own === undefined) return undefined;
  return { number: Number(number), prefix: prefixOf(Number(number)), name: own };
}

/** The beginning of the names of an alternative's filters. Alternatives are counted from 1. */
export function prefixOf(number: number): string {
  return `${OR}.${number}.`;
}

/** An alternative's filters, by their own names. */
type Alternative = {
  readonly prefix: string;
  readonly values: Readonly<Record<string, unknown>>;
};

/** The alternatives in some arguments, in the order of their numbers. */
export function alternativesIn(values: Readonly<Record<string, unknown>>): Alternative[] {
  let found: Map<number, Alternative & { values: Record<string, unknown> }> | undefined;
  for (const given of Object.keys(values)) {
    const parts = alternativeName(given);
    if (parts === undefined) continue;
    found ??= new Map();
    const { number, prefix, name } = parts;
    const alternative = found.get(number) ?? { prefix, values: Object.create(null) };
    alternative.values[name] = values[given];
    found.set(number, alternative);
  }
  return [...(found ?? [])].sort(([a], [b]) => a - b).map(([, alternative]) => alternative);
}

/**
 * Makes the parameter for a filter in an alternative. It is made only when it is needed, because
 * there are many.
 */
export function alternativeParameter(
  name: string,
  parameterOf: (name: string) => Parameter | undefined,
): Parameter | undefined {
  const parts = alternativeName(name);
  const parameter = parts && parameterOf(parts.name);
  return parameter?.field === undefined ? undefined : { ...parameter, name };
}

/** A parameter that filters a field. `index` is its index among the block's parameters. */
export type Filter = {
  readonly parameter: Parameter;
  readonly field: Field;
  readonly index: number;
};

/** A block's filters by the names of their parameters. */
export type Filters = ReadonlyMap<string, Filter>;

export function filtersOf(parameters: readonly Parameter[], fields: readonly Field[]): Filters {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return new Map(
    parameters.flatMap((parameter, index): [string, Filter][] => {
      const field = parameter.field === undefined ? undefined : byName.get(parameter.field);
      return field === undefined ? [] : [[parameter.name, { parameter, field, index }]];
    }),
  );
}

/** The filters that have a value in these arguments, in the order of the parameters. */
export function givenFilters(
  { filters }: { readonly filters: Filters },
  values: Readonly<Record<string, unknown>>,
): Filter[] {
  const given: Filter[] = [];
  for (const name of Object.keys(values)) {
    const filter = values[name] === undefined ? undefined : filters.get(name);
    if (filter !== undefined) given.push(filter);
  }
  return sortBy(given, ({ index }) => index);
}
