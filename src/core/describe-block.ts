import type { Block, ColorRoles, DatasetBlock, Example, ValueBlock } from './block.ts';
import type { DatasetFacts, FieldFacts } from './dataset-facts.ts';
import type { Parameter } from './parameter.ts';
import { type JsonSchema, schemaOfArguments } from './schema.ts';

/** A block as the list shows it. */
export type BlockSummary = {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
};

export function summariseBlock({ id, name, title, description }: Block): BlockSummary {
  return { id, name, title, description, url: `/api_v2/blocks/${name}` };
}

/** A block, and what is known of its dataset: what documents are made from. */
export type Described = { readonly block: Block; readonly facts?: DatasetFacts };

/** What a block's address answers with where nothing is asked; the members that are read here too. */
export type BlockDescription = Omit<BlockSummary, 'url'> & {
  readonly parameters: readonly DescribedParameter[];
  readonly options: readonly DescribedParameter[];
  readonly examples: readonly Example[];
  /** Of a block with rows: what they are called, in the plural. */
  readonly noun?: string;
  /** Of a block with rows: the fields that come first. */
  readonly key_fields?: readonly string[];
  readonly color?: ColorRoles;
  /** Of a block with rows: how many there are. */
  readonly dataset?: { readonly rows: number };
  readonly output_schema: JsonSchema;
};

export type DescribedParameter = {
  readonly name: string;
  readonly title: string;
  /** The field that it filters. */
  readonly field?: string;
  readonly alias?: string;
  readonly main?: true;
  readonly type: 'text' | 'number' | 'integer' | 'choice' | 'boolean';
  /** Whether it may be a list. */
  readonly list?: boolean;
  readonly required: boolean;
  readonly unit?: string;
  readonly range?: { readonly min: number; readonly max: number };
  readonly choices?: readonly string[];
};

/** All that a caller needs to know of a block, as JSON text; `facts` where it has a dataset. */
export function describeBlock(block: Block, facts?: DatasetFacts): string {
  const { id, name, title, description, parameters, options, examples } = block;
  const { sources, color } = block as ValueBlock;
  const { noun, keyFields } = block as DatasetBlock;
  return JSON.stringify({
    id,
    name,
    title,
    description,
    method: 'POST',
    parameters: parameters.map((parameter) => describeParameter(parameter, block, facts)),
    options: options.map((option) => describeParameter(option, block)),
    examples,
    noun,
    key_fields: keyFields,
    color,
    input_schema: schemaOfArguments([...parameters, ...options]),
    output_schema: block.outputSchema,
    ...(sources === undefined ? {} : { sources }),
    ...(facts === undefined
      ? {}
      : { dataset: { ...facts.source, version: facts.version, rows: facts.rows } }),
  });
}

function describeParameter(parameter: Parameter, block: Block, facts?: DatasetFacts) {
  const { name, title, description, field, alias, main } = parameter;
  const known = field === undefined ? undefined : facts?.fields[field];
  const examples = block.examples.flatMap(({ arguments: given }) =>
    Object.hasOwn(given, name) ? [given[name]] : [],
  );
  return {
    name,
    title,
    ...withoutUndefined({ description, field, alias, main }),
    ...typeOf(parameter),
    ...(known === undefined ? {} : dataOf(known)),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function typeOf(parameter: Parameter): Record<string, unknown> {
  switch (parameter.kind) {
    case 'number': {
      const { integer, unit, minimum, maximum, required = false, default: value } = parameter;
      return withoutUndefined({
        type: integer ? 'integer' : 'number',
        unit,
        minimum,
        maximum,
        required,
        default: value,
      });
    }
    case 'text':
      return { type: 'text', list: true, wildcard: '*', required: false };
    case 'choice':
      return withoutUndefined({
        type: 'choice',
        choices: parameter.choices,
        required: false,
        default: parameter.default,
      });
    case 'choices':
      return { type: 'choice', list: true, choices: parameter.choices, required: false };
    case 'flag':
      return { type: 'boolean', required: false };
    case 'token':
      return { type: 'text', required: false };
  }
}

function dataOf({ nulls, distinct, min, max, values }: FieldFacts): Record<string, unknown> {
  return {
    ...(min === undefined ? {} : { range: { min, max } }),
    nulls,
    distinct,
    ...(values === undefined ? {} : { values }),
  };
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
