import type { Field, Value } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import type { Block, ColorRoles, DatasetBlock, Example, ValueBlock } from './block.ts';
import { filtersOf } from './filters.ts';
import type { FieldStatistics, Manifest } from './manifest.ts';
import { NOT, type Operator, type Parameter } from './parameter.ts';
import { type JsonSchema, schemaOfArguments, withNotAsObject } from './schema.ts';

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
export type Described = { readonly block: Block; readonly manifest?: Manifest };

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
  readonly description?: string;
  readonly alias?: string;
  readonly main?: true;
  /** The field that it filters, and how. */
  readonly field?: string;
  readonly op?: Operator;
  readonly type: Parameter['type'] | 'object';
  /** What stands for any text in it. */
  readonly wildcard?: '*';
  /** Whether it may be a list. */
  readonly list?: boolean;
  readonly required: boolean;
  readonly unit?: string;
  /** Of the dataset, where its values have an order. */
  readonly range?: { readonly min: Value; readonly max: Value };
  readonly choices?: readonly string[];
};

/** All that a caller needs to know of a block, as JSON text; `manifest` where it has a dataset. */
export function describeBlock(block: Block, manifest?: Manifest): string {
  const { id, name, title, description, parameters, options, examples } = block;
  const { sources, color } = block as ValueBlock;
  const { noun, keyFields } = block as DatasetBlock;
  return JSON.stringify({
    id,
    name,
    title,
    description,
    method: 'POST',
    parameters: [
      ...parameters
        .filter(({ op }) => op !== 'not')
        .map((parameter) => describeParameter(parameter, block, manifest)),
      ...(parameters.some(({ op }) => op === 'not') ? [NOT_PARAMETER] : []),
    ],
    options: options.map((option) => describeParameter(option, block)),
    examples,
    noun,
    key_fields: keyFields,
    color,
    input_schema: withNotAsObject(schemaOfArguments([...parameters, ...options])),
    output_schema: block.outputSchema,
    ...(sources === undefined ? {} : { sources }),
    ...(manifest === undefined
      ? {}
      : { dataset: { ...manifest.source, version: manifest.version, rows: manifest.rows } }),
  });
}

/** Stands for all that begin with its name. */
const NOT_PARAMETER: DescribedParameter = {
  name: NOT,
  title: 'Without those that match',
  description: 'A field as a filter on it is written: the rows that it would leave out.',
  type: 'object',
  required: false,
};

function describeParameter(parameter: Parameter, block: Block, manifest?: Manifest) {
  const { name, title, description, alias, main, field, op, type, list } = parameter;
  const { unit, minimum, maximum, required = false, default: byDefault, choices } = parameter;
  const examples = block.examples.flatMap(({ arguments: given }) =>
    Object.hasOwn(given, name) ? [given[name]] : [],
  );
  const filter = filtersOf(block).get(name);
  const wildcard =
    filter !== undefined && typeOf(filter.field).comparedBy === 'text' ? '*' : undefined;
  return {
    ...withoutUndefined({ name, title, description, alias, main, field, op, type, list, wildcard }),
    ...withoutUndefined({ unit, minimum, maximum, required, default: byDefault, choices }),
    ...(filter === undefined ? {} : dataOf(filter.field, manifest?.fields[filter.field.name])),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function dataOf(field: Field, manifest: FieldStatistics | undefined): Record<string, unknown> {
  if (manifest === undefined) return {};
  const { nulls, distinct, values } = manifest;
  return withoutUndefined({ range: rangeOf(field, manifest), nulls, distinct, values });
}

/** The least and the most of a field's values, as callers read them. */
export function rangeOf(
  field: Field,
  manifest?: Partial<FieldStatistics>,
): { min: Value; max: Value } | undefined {
  const type = typeOf(field);
  const { min, max } = manifest ?? {};
  if (type.comparedBy !== 'number' || min === undefined || max === undefined) return undefined;
  return { min: type.valueOf(min, field), max: type.valueOf(max, field) };
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
