import { Ajv2020, type CodeOptions, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../values/field-type.ts';

/** All of ajv's errors for a value; empty if it is valid. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

const CHECKS = new Map<string, SchemaCheck>();

/**
 * Compiles a schema, the same one once. Deployed functions contain their checks precompiled: the
 * build puts another module in its place (`src/build/build-block.ts`).
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  const text = JSON.stringify(schema);
  const check = CHECKS.get(text) ?? newCheck(schema);
  CHECKS.set(text, check);
  return check;
}

function newCheck(schema: JsonSchema): SchemaCheck {
  const check = newAjv().compile(schema);
  return (value) => (check(value) ? [] : (check.errors ?? []));
}

/** An ajv with the settings that every schema here is compiled with. */
export function newAjv(code: CodeOptions = {}): Ajv2020 {
  return new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code });
}
