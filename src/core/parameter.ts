import type { Field } from './field.ts';

type ParameterText = {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A shorter name, for where people type: chat and the command line. */
  readonly alias?: string;
  /** What free text in a chat is for; one parameter a block. */
  readonly main?: true;
  /** The field that it filters, where it filters one. */
  readonly field?: string;
};

/** Text with wildcards, or a list of such texts, any of which may match. */
export type TextParameter = ParameterText & { readonly kind: 'text'; readonly compare?: 'digits' };

export type NumberParameter = ParameterText & {
  readonly kind: 'number';
  readonly unit?: string;
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The parameter that this one must not be below: the lower end of the same range. */
  readonly notBelow?: string;
  readonly required?: boolean;
  readonly default?: number;
};

/** One of a few words. */
export type ChoiceParameter = ParameterText & {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
};

/** Some of a few words: a list, or one text with commas. */
export type ChoicesParameter = ParameterText & {
  readonly kind: 'choices';
  readonly choices: readonly string[];
};

/** True or false; 1 and 0 too. */
export type FlagParameter = ParameterText & { readonly kind: 'flag' };

/** A text that we gave and that comes back as it was. */
export type TokenParameter = ParameterText & { readonly kind: 'token' };

/** What a caller may give a block, by name. Options are parameters that begin with `_`. */
export type Parameter =
  | TextParameter
  | NumberParameter
  | ChoiceParameter
  | ChoicesParameter
  | FlagParameter
  | TokenParameter;

export const MOST_LIST_MEMBERS = 100;
export const MOST_TEXT_LENGTH = 256;
export const MOST_TOKEN_LENGTH = 1024;

/** The parameters that a dataset's fields offer, in the fields' order. */
export function parametersOfFields(fields: readonly Field[]): Parameter[] {
  return fields.flatMap(parametersOfField);
}

function parametersOfField(field: Field): Parameter[] {
  const { name, title } = field;
  const description = field.description === undefined ? {} : { description: field.description };
  if (field.kind === 'carried') return [];
  if (field.kind === 'text') {
    const compare = field.compare === undefined ? {} : { compare: field.compare };
    const alias = field.alias === undefined ? {} : { alias: field.alias };
    const main = field.main === undefined ? {} : { main: field.main };
    return [
      { kind: 'text', name, field: name, title, ...description, ...compare, ...alias, ...main },
    ];
  }
  const unit = field.unit === undefined ? {} : { unit: field.unit };
  const low = `${name}_min`;
  const aliased = (end: string) =>
    field.alias === undefined ? {} : { alias: `${field.alias}_${end}` };
  const more = { field: name, ...description, ...unit };
  return [
    { kind: 'number', name: low, title: `${title}, at least`, ...more, ...aliased('min') },
    {
      kind: 'number',
      name: `${name}_max`,
      title: `${title}, at most`,
      ...more,
      ...aliased('max'),
      notBelow: low,
    },
  ];
}
