import { compile } from 'json-schema-to-typescript';
import type { Block } from '../block/block.ts';
import { MOST_SORTS } from '../block/options.ts';
import { schemaOfArguments, withNotAsObject } from '../block/schema.ts';
import { FAULTS, PROBLEMS } from '../problem/errors.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { DISTANCE } from '../values/places.ts';

/** The part of the client's types that is made from the blocks and the table of errors. */
export async function blockTypes(blocks: readonly Block[]): Promise<string> {
  const described = blocks.map((block) => [block.name, typesOf(block)] as const);
  const ofIds = blocks.filter(({ id, name }) => id !== name);
  const schema = objectOf({
    ...Object.fromEntries(described),
    ...Object.fromEntries(
      ofIds.map(({ id, name }) => [id, { tsType: `Blocks[${JSON.stringify(name)}]` }]),
    ),
  });
  const text = await compile(schema as Parameters<typeof compile>[0], 'Blocks', {
    bannerComment: '// Made by "npm run generate" from the blocks and from the table of errors.',
    style: { singleQuote: true, printWidth: 100, trailingComma: 'all' },
  });
  return `${text}
export type ProblemCode =${unionOf(Object.keys(PROBLEMS))};

export type FaultCode =${unionOf(Object.keys(FAULTS))};
`;
}

function typesOf(block: Block): JsonSchema {
  const { title, description, parameters, options } = block;
  // The client reads only JSON.
  const taken = [...parameters, ...options].filter(({ name }) => name !== '_format');
  return {
    description: `${title}. ${description}`,
    ...objectOf({
      arguments: readable(withNotAsObject(schemaOfArguments(taken))),
      params: readable(wholeAnswer(block)),
    }),
  };
}

/** Makes all members required; a block's schema requires none, since `_fields` may omit any. */
function wholeAnswer({ answers, outputSchema }: Block): Schema {
  const { properties = {} } = outputSchema as Schema;
  const { results } = properties;
  if (answers === 'value' || results?.items === undefined) return allRequired(outputSchema);
  // A caller who asks for groups knows their columns; rows have no other members.
  const { required = [], ...items } = {
    ...allRequired(results.items),
    additionalProperties: false,
  };
  // Only rows near a place have it.
  const always = (required as string[]).filter((name) => name !== DISTANCE.name);
  const rows = { ...results, items: { ...items, required: always } };
  return { ...outputSchema, properties: { ...properties, results: rows } };
}

function allRequired(schema: Schema): Schema {
  return { ...schema, required: Object.keys(schema.properties ?? {}) };
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return allRequired({ type: 'object', properties, additionalProperties: false });
}

type Schema = JsonSchema & {
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
};

/**
 * Simplifies a schema so that its type is readable. A title would become a separate type, and the
 * bounds of a list a union of tuples, so only a fixed length is kept.
 */
function readable(schema: Schema): Schema {
  const { title, description, minItems, maxItems, items, properties, ...all } = schema;
  const rest = withOtherTexts(all);
  const one = items && withOtherTexts(items).tsType;
  // Most orders have one field, which needs no list.
  if (maxItems === MOST_SORTS && one !== undefined) {
    return { description: `${title}. ${description}`, tsType: `${one} | string[]` };
  }
  const text = [title, description].filter((part) => part !== undefined).join('. ');
  return {
    ...rest,
    ...(text === '' ? {} : { description: text }),
    ...(minItems === undefined || minItems !== maxItems ? {} : { minItems, maxItems }),
    ...(items === undefined ? {} : { items: readable(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, readable) }),
  };
}

/** A choice beside which other texts are allowed: TypeScript would forget the choices. */
function withOtherTexts(schema: Schema): Schema {
  const { anyOf: [listed] = [], ...rest } = schema;
  if (listed?.enum === undefined) return schema;
  const choices = listed.enum.map((choice) => JSON.stringify(choice));
  return { ...rest, tsType: `(${[...choices, '(string & {})'].join(' | ')})` };
}

function mapped(
  members: Readonly<Record<string, Schema>>,
  change: (member: Schema) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}

function unionOf(words: readonly string[]): string {
  return words.map((word) => `\n  | '${word}'`).join('');
}
