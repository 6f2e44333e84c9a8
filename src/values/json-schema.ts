import type { JsonSchema } from './field-type.ts';

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** An object that has these properties alone: all of them, or at least the required ones. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A number of something. */
export function count(description: string): JsonSchema {
  return { ...COUNT, description };
}
