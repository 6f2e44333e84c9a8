import type { Field } from '../fields/field-types.ts';
import type { Parameter } from './parameter.ts';

/** A parameter that filters by a field; `place` is its index in the block's parameters. */
export type Filter = {
  readonly parameter: Parameter;
  readonly field: Field;
  readonly place: number;
};

type Filtered = {
  readonly parameters: readonly Parameter[];
  readonly fields?: readonly Field[];
};

/** A block's filters by parameter name; made once per block. */
export function filtersOf(block: Filtered): ReadonlyMap<string, Filter> {
  const made = FILTERS.get(block);
  if (made !== undefined) return made;
  const fields = new Map(block.fields?.map((field) => [field.name, field]));
  const filters = new Map(
    block.parameters.flatMap((parameter, place): [string, Filter][] => {
      const field = parameter.field === undefined ? undefined : fields.get(parameter.field);
      return field === undefined ? [] : [[parameter.name, { parameter, field, place }]];
    }),
  );
  FILTERS.set(block, filters);
  return filters;
}

/** The filters that these arguments give a value to, in the order of the parameters. */
export function givenFilters(block: Filtered, values: Readonly<Record<string, unknown>>): Filter[] {
  const filters = filtersOf(block);
  return Object.keys(values)
    .flatMap((name) => (values[name] === undefined ? [] : (filters.get(name) ?? [])))
    .sort((a, b) => a.place - b.place);
}

const FILTERS = new WeakMap<Filtered, ReadonlyMap<string, Filter>>();
