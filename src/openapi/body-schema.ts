import type { Block } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { NOT, OR } from '../block/parameter.ts';
import { schemaOfArguments, withNotAsObject } from '../block/schema.ts';
import type { ArgumentSource, JsonSchema } from '../values/field-type.ts';
import { describedArgument } from './described-argument.ts';
import { Later } from './later.ts';

/** The name of the component for a block's body. */
export function bodyName({ name }: Block, channel: ArgumentSource): string {
  return `${name}.${channel === 'json' ? 'arguments' : 'form'}`;
}

/** The schemas of a block's body, as JSON and as a form. */
export function bodySchemas(block: Block, manifest?: Manifest): Record<string, Later> {
  return {
    [bodyName(block, 'json')]: new Later(() => bodySchema(block, 'json', manifest)),
    [bodyName(block, 'text')]: new Later(() => bodySchema(block, 'text', manifest)),
  };
}

function bodySchema(block: Block, channel: ArgumentSource, manifest?: Manifest): JsonSchema {
  const all = [...block.parameters, ...block.options];
  const { $schema: _, type, ...read } = schemaOfArguments(all.filter(({ required }) => required));
  // An empty list means no arguments: some languages write an empty object as one.
  const mayBeList = channel === 'json' && read.required === undefined;
  const schema = {
    title: `${block.title}: ${channel === 'json' ? 'arguments' : 'form'}`,
    ...(mayBeList ? { type: [type, 'array'], maxItems: 0 } : { type }),
    ...read,
    properties: Object.fromEntries(
      all.map((parameter) => [
        parameter.name,
        new Later(() => describedArgument(parameter, channel, block, manifest)),
      ]),
    ),
  };
  // In JSON a negated filter may also be an object in `_not`; a form has no objects.
  const { [NOT]: not, [OR]: or } = withNotAsObject(schema).properties as Record<string, JsonSchema>;
  if (channel !== 'json' || not === undefined) return schema;
  const blank = { $ref: '#/components/schemas/Blank' };
  return {
    ...schema,
    properties: {
      ...schema.properties,
      [NOT]: { anyOf: [not, blank] },
      [OR]: { anyOf: [or, blank] },
    },
  };
}
