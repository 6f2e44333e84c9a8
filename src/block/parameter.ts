import type { Field } from '../fields/field.ts';
import { type FieldTypeName, typeOf } from '../fields/field-types.ts';

/** A named input of a block. Options are parameters whose names begin with `_`. */
export type Parameter = {
  readonly name: string;
  readonly title: string;
  readonly type: FieldTypeName | 'choice' | 'token' | 'words' | 'box' | 'place' | 'distance';
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A shorter name for places where people type: chat and the command line. */
  readonly alias?: string;
  /** Whether free text in a chat goes here; one parameter per block. */
  readonly main?: true;
  /** The field that it filters, and the operator. */
  readonly field?: string;
  readonly op?: Operator;
  /** Whether it may be a list; a row matches if any member matches. */
  readonly list?: true;
  readonly required?: boolean;
  /** A former name that still works. */
  readonly formerly?: string;
  readonly default?: number | string;
  /** For a choice. */
  readonly choices?: readonly string[];
  /** What a schema has in place of the choices, if these are many or not all: a regular expression. */
  readonly pattern?: string;
  /** Whether other columns of an answer can be chosen too: groups have other ones than rows. */
  readonly ofColumns?: true;
  /** The most members of a list; 100 if absent. */
  readonly mostMembers?: number;
  /** For a number. */
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
} & Pick<Field, 'timeZone' | 'local'>;

/** How a parameter filters: equality, either end of a range, or the complement of an equality. */
export type Operator = 'is' | 'min' | 'max' | 'not';

export const MOST_LIST_MEMBERS = 100;
export const MOST_TEXT_LENGTH = 256;
export const MOST_TOKEN_LENGTH = 1024;

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
