import type { Block } from '../../block/block.ts';
import { observedBy } from '../../block/describe-block.ts';
import type { Manifest } from '../../block/manifest.ts';
import { operatorName, type Parameter } from '../../block/parameter.ts';
import {
  type ArgumentSource,
  BLANK,
  type JsonSchema,
  MOST_LIST_MEMBERS,
} from '../../values/field-type.ts';
import { argumentTypeOf } from '../../values/field-types.ts';

/**
 * JSON Schema of an argument as sent. The core has the schema of the value as read; this one adds
 * the other ways to write it, so that it refuses exactly what the service refuses.
 */
function schemaOfArgument(parameter: Parameter, source: ArgumentSource): JsonSchema {
  const { title, description, examples, default: byDefault, field, op } = parameter;
  return {
    title,
    description,
    ...(field === undefined
      ? sentSchema(parameter, source)
      : reference(componentName(parameter, source))),
    default: byDefault,
    'x-not-below': op === 'max' ? operatorName(field as string, 'min') : undefined,
    examples,
  };
}

function sentSchema(parameter: Parameter, source: ArgumentSource): JsonSchema {
  const { sent, sentMember = sent } = argumentTypeOf(parameter);
  const { mostMembers = 0 } = parameter;
  const blank = source === 'json' ? 'Blank' : parameter.list ? 'BlankTexts' : 'BlankText';
  const one = sent(parameter, source);
  if (!parameter.list) return anyOf(...one, ...(parameter.required ? [] : [reference(blank)]));
  const types = source === 'json' ? ['null', 'string'] : 'string';
  // Blank members of a list are dropped. A list of only blanks may have any length.
  const items = anyOf(...sentMember(parameter, source), { type: types, pattern: BLANK });
  return anyOf(
    ...one,
    { type: 'array', maxItems: Math.max(MOST_LIST_MEMBERS, mostMembers), items },
    reference(blank),
  );
}

/**
 * The name of the component of a filter's values. A field type has the same component everywhere,
 * except that local times have their own.
 */
export function componentName({ type, list, local }: Parameter, source: ArgumentSource): string {
  return [type, local ? 'local' : '', list ? 'list' : '', source].filter(Boolean).join('.');
}

/** The components of the arguments of these blocks' fields. */
export function argumentSchemas(blocks: readonly Block[]): Record<string, JsonSchema> {
  const named: Record<string, JsonSchema> = {};
  for (const parameter of blocks.flatMap(({ parameters }) => parameters)) {
    if (parameter.field === undefined) continue;
    for (const source of ['json', 'text'] as const) {
      named[componentName(parameter, source)] ??= sentSchema(parameter, source);
    }
  }
  return { ...named, ...BLANKS };
}

function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const BLANKS: Readonly<Record<string, JsonSchema>> = {
  Blank: {
    description: 'Not given: null, white space, or a list of these.',
    type: ['null', 'string', 'array'],
    pattern: BLANK,
    items: { type: ['null', 'string'], pattern: BLANK },
  },
  BlankText: { description: 'Not given.', type: 'string', pattern: BLANK },
  BlankTexts: {
    description: 'Not given.',
    type: ['string', 'array'],
    pattern: BLANK,
    items: { type: 'string', pattern: BLANK },
  },
};

/** An argument's schema, with its unit and what is known of its field's data. */
export function describedArgument(
  parameter: Parameter,
  source: ArgumentSource,
  block: Block,
  manifest?: Manifest,
): JsonSchema {
  const { unit } = parameter;
  const description = [...sentencesOf(parameter, block, manifest)].join(' ');
  const { range, statistics: { values } = {} } = observedBy(parameter, block, manifest);
  return {
    ...schemaOfArgument(parameter, source),
    ...(description === '' ? {} : { description }),
    ...(unit === undefined ? {} : { 'x-unit': unit }),
    ...(range === undefined ? {} : { 'x-observed': { minimum: range.min, maximum: range.max } }),
    // A tool that fills in all examples would ask for a value and rule it out at once.
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
  const { range, statistics: { nulls, values } = {} } = observedBy(parameter, block, manifest);
  if (nulls !== undefined && nulls === manifest?.rows) yield 'The data have no value here.';
  if (range !== undefined) yield `The data go from ${range.min} to ${range.max}.`;
  if (values !== undefined && parameter.op !== 'not') {
    yield 'The examples are all that the data have.';
  }
}
