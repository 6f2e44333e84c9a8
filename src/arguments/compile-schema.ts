import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Parameter } from '../block/parameter.ts';
import { schemaOfArguments } from '../block/schema.ts';

/** All of ajv's errors for a value; empty if it is valid. */
export type Check = (value: unknown) => readonly ErrorObject[];

/**
 * Compiles the schema of these parameters. Deployed functions contain it precompiled: the build
 * replaces this module (`src/build/compiled-schema.ts`).
 */
export function compileSchema(parameters: readonly Parameter[]): Check {
  const check = newAjv().compile(schemaOfArguments(parameters));
  return (value) => (check(value) ? [] : (check.errors ?? []));
}

/** An ajv with the settings that every schema here is compiled with. */
export function newAjv(code: { source?: boolean; esm?: boolean } = {}): Ajv2020 {
  return new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code });
}
