import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Parameter } from '../block/parameter.ts';
import { schemaOfArguments } from '../block/schema.ts';

/** Every error of a value, by ajv; none where it is valid. */
export type Check = (value: unknown) => readonly ErrorObject[];

/**
 * Compiles the schema of these parameters. A deployed function has it compiled already: its build
 * replaces this module (`src/build/compiled-schema.ts`).
 */
export function compileSchema(parameters: readonly Parameter[]): Check {
  const check = newAjv().compile(schemaOfArguments(parameters));
  return (value) => (check(value) ? [] : (check.errors ?? []));
}

/** ajv as every schema of ours is compiled with it. */
export function newAjv(code: { source?: boolean; esm?: boolean } = {}): Ajv2020 {
  return new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code });
}
