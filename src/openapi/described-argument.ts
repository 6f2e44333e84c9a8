import type { DatasetFacts, FieldFacts } from '../core/dataset-facts.ts';
import type { Parameter } from '../core/parameter.ts';
import type { JsonSchema } from '../core/schema.ts';
import { type Channel, schemaOfArgument } from './argument-schema.ts';

/** An argument's schema, with its unit and with what the dataset has in its field. */
export function describedArgument(
  parameter: Parameter,
  channel: Channel,
  facts?: DatasetFacts,
): JsonSchema {
  const schema = schemaOfArgument(parameter, channel);
  const description = [...sentencesOf(parameter, facts)].join(' ');
  const unit = unitOf(parameter);
  const { min, max, values } = knownOf(parameter, facts);
  return {
    ...schema,
    ...(description === '' ? {} : { description }),
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(min === undefined ? {} : { 'x-observed': { minimum: min, maximum: max } }),
    ...(values === undefined ? {} : { examples: values }),
  };
}

/** What a person is told of an argument. */
export function* sentencesOf(parameter: Parameter, facts?: DatasetFacts): Generator<string> {
  const { kind, description } = parameter;
  if (description !== undefined) yield description;
  const unit = unitOf(parameter);
  if (unit !== undefined) yield `Unit: ${unit}.`;
  if (kind === 'text' && parameter.compare === undefined) yield 'Case and accents do not matter.';
  if (kind === 'text') yield '* stands for any text; a list means any of its members.';
  const { nulls, min, max, values } = knownOf(parameter, facts);
  if (nulls !== undefined && nulls === facts?.rows) yield 'The data have no value here.';
  if (min !== undefined) yield `The data go from ${min} to ${max}.`;
  if (values !== undefined) yield 'The examples are all that the data have.';
}

function unitOf(parameter: Parameter): string | undefined {
  return parameter.kind === 'number' ? parameter.unit : undefined;
}

/** What is known of the field that a parameter filters. */
function knownOf({ field }: Parameter, facts?: DatasetFacts): Partial<FieldFacts> {
  return (field === undefined ? undefined : facts?.fields[field]) ?? {};
}
