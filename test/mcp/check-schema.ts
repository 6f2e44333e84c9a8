import { expect } from '@jest/globals';

/** The words of JSON Schema that the tool formats of all vendors take. */
const WORDS = [
  ...['type', 'properties', 'required', 'items', 'enum', 'description', 'anyOf'],
  ...['minimum', 'maximum'],
];

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Expects that a schema has one type, members if it is an object, and no other words than these. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is of any shape
export function checkSchema(schema: any): void {
  for (const word of Object.keys(schema)) expect(WORDS).toContain(word);
  expect(TYPES).toContain(schema.type);
  const { properties = {}, items, anyOf = [], required = [] } = schema;
  // Some refuse an object without members.
  if (schema.type === 'object') expect(Object.keys(properties)).not.toEqual([]);
  if (schema.type === 'array') expect(items).toBeDefined();
  for (const name of required) expect(Object.keys(properties)).toContain(name);
  for (const inner of [...Object.values(properties), ...(items === undefined ? [] : [items])]) {
    checkSchema(inner);
  }
  for (const inner of anyOf) checkSchema(inner);
}
