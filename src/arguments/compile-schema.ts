import { Ajv2020, type CodeOptions, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../values/field-type.ts';

/** Returns all of ajv's errors for a value; an empty list if it is valid. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

const CHECKS = new Map<string, SchemaCheck>();

/**
 * Compiles a schema; equal schemas are compiled once. Deployed functions contain the compiled
 * checks: the build puts another module in place of this one (`src/build/build-block.ts`).
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

/** Makes an ajv with the settings for every schema here. */
export function newAjv(code: CodeOptions = {}): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    code,
    // A test holds that our schemas are ones: what says so takes a fourth of a start to compile.
    meta: false,
    validateSchema: false,
  });
}
