import type { Block } from '../block/block.ts';
import { rangeOf } from '../block/describe-block.ts';
import type { FieldStatistics, Manifest } from '../block/manifest.ts';
import { filtersOf, type Parameter } from '../block/parameter.ts';
import { argumentTypeOf } from '../values/argument-types.ts';
import type { ArgumentSource, JsonSchema } from '../values/field-type.ts';
import { schemaOfArgument } from './argument-schema.ts';

/** An argument's schema, with its unit and what is known of its field's data. */
export function describedArgument(
  parameter: Parameter,
  source: ArgumentSource,
  block: Block,
  manifest?: Manifest,
): JsonSchema {
  const { unit } = parameter;
  const description = [...sentencesOf(parameter, block, manifest)].join(' ');
  const { range, values } = knownOf(parameter, block, manifest);
  return {
    ...schemaOfArgument(parameter, source),
    ...(description === '' ? {} : { description }),
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(range === undefined ? {} : { 'x-observed': { minimum: range.min, maximum: range.max } }),
    // Examples of what is not wanted would be sent beside those of what is.
    ...(values === undefined || parameter.op === 'not' ? {} : { examples: values }),
  };
}

/** Sentences that describe an argument to a person. */
export function* sentencesOf(
  parameter: Parameter,
  block: Block,
  manifest?: Manifest,
): Generator<string> {
  const { description, unit } = parameter;
  if (description !== undefined) yield description;
  if (unit !== undefined) yield `Unit: ${unit}.`;
  const { hint } = argumentTypeOf(parameter);
  if (hint !== undefined) yield hint;
  const { nulls, range, values } = knownOf(parameter, block, manifest);
  if (nulls !== undefined && nulls === manifest?.rows) yield 'The data have no value here.';
  if (range !== undefined) yield `The data go from ${range.min} to ${range.max}.`;
  if (values !== undefined && parameter.op !== 'not') {
    yield 'The examples are all that the data have.';
  }
}

/** What is known of the field that a parameter filters. */
function knownOf(
  parameter: Parameter,
  block: Block,
  manifest?: Manifest,
): Partial<FieldStatistics> & { readonly range?: ReturnType<typeof rangeOf> } {
  const filter = filtersOf(block).get(parameter.name);
  if (filter === undefined) return {};
  const known = manifest?.fields[filter.field.name];
  const range = rangeOf(filter.field, known);
  return { ...known, ...(range === undefined ? {} : { range }) };
}
