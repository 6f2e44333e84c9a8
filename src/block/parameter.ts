import type { ArgumentTypeName } from '../arguments/argument-types.ts';
import type { ParameterFacts } from '../fields/field-type.ts';
import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';

/** A named input of a block. Options are parameters whose names begin with `_`. */
export type Parameter = ParameterFacts & {
  readonly title: string;
  readonly type: ArgumentTypeName;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A shorter name for places where people type: chat and the command line. */
  readonly alias?: string;
  /** Whether free text in a chat goes here; one parameter per block. */
  readonly main?: true;
  /** The operator that it filters its field by. */
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
      ...{ type: 'choice', name: EMPTY, title: 'Fields without a value', list: true, choices },
      description: 'Finds the rows that have no value in any of these fields.',
    },
    {
      ...{ type: 'choice', name: FILLED, title: 'Fields with a value', list: true, choices },
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
    ...(op === 'min' || op === 'max' ? {} : { list: true }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { unit }),
    ...(alias === undefined ? {} : { alias: operatorName(alias, op) }),
    ...(main && op === 'is' ? { main } : {}),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(local === undefined ? {} : { local }),
  };
}
