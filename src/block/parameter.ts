import type { Field } from '../fields/field.ts';
import { type FieldTypeName, typeOf } from '../fields/field-types.ts';

/** What a caller may give a block, by name. Options are parameters that begin with `_`. */
export type Parameter = {
  readonly name: string;
  readonly title: string;
  readonly type: FieldTypeName | 'choice' | 'token';
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A shorter name, for where people type: chat and the command line. */
  readonly alias?: string;
  /** What free text in a chat is for; one parameter a block. */
  readonly main?: true;
  /** The field that it filters, and how. */
  readonly field?: string;
  readonly op?: Operator;
  /** Whether it may be a list, any of whose members may match. */
  readonly list?: true;
  readonly required?: boolean;
  /** A name that it had once, and that still means it. */
  readonly formerly?: string;
  readonly default?: number | string;
  /** Of a choice. */
  readonly choices?: readonly string[];
  /** Of a number. */
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
} & Pick<Field, 'timeZone' | 'local'>;

/** How a parameter filters: by equality, by an end of a range, by what an equality leaves out. */
export type Operator = 'is' | 'min' | 'max' | 'not';

export const MOST_LIST_MEMBERS = 100;
export const MOST_TEXT_LENGTH = 256;
export const MOST_TOKEN_LENGTH = 1024;

/** Filters that every field has: as a member of `_not`, and named in `_empty` and `_filled`. */
export const NOT = '_not';
export const EMPTY = '_empty';
export const FILLED = '_filled';

/** The parameters that a dataset's fields offer: each field's in their order, then those of all. */
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
      ...{ type: 'choice', name: EMPTY, title: 'Without a value', list: true, choices },
      description: 'Fields that have no value in a row.',
    },
    {
      ...{ type: 'choice', name: FILLED, title: 'With a value', list: true, choices },
      description: 'Fields that have a value in a row.',
    },
  ];
}

export function isFilterable({ filterable }: Field): boolean {
  return filterable !== false;
}

/** What a field's name, or its alias, becomes in a parameter's. */
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
