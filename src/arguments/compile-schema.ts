import { Ajv2020, type CodeOptions, type ErrorObject } from 'ajv/dist/2020.js';
import type { ArgumentSchema } from '../block/argument-schema.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { once } from '../work/once.ts';

/** Returns all of ajv's errors for a value; an empty list if it is valid. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[];

/** Finds the check of a value's form, which the schema defines. */
export type CheckOf = (form: JsonSchema) => SchemaCheck;

/**
 * Compiles a block's schema, each definition when it is first needed. Deployed functions contain
 * compiled checks: the build puts another module in place of this one (`src/build/build-block.ts`).
 */
export function checksOf(schemaOf: () => ArgumentSchema): CheckOf {
  const checks = new Map<string, SchemaCheck>();
  const compiler = once(() => {
    const schema = schemaOf();
    const named = Object.entries(schema.$defs).map(([name, form]) => [JSON.stringify(form), name]);
    return {
      ajv: newAjv().addSchema(schema, SCHEMA),
      names: new Map(named as [string, string][]),
    };
  });
  return (form) => {
    const text = JSON.stringify(form);
    const check = checks.get(text) ?? newCheck(compiler(), text);
    checks.set(text, check);
    return check;
  };
}

/** What ajv calls a block's schema. */
export const SCHEMA = 'arguments';

function newCheck(
  { ajv, names }: { readonly ajv: Ajv2020; readonly names: ReadonlyMap<string, string> },
  text: string,
): SchemaCheck {
  const check = ajv.getSchema(`${SCHEMA}#/$defs/${names.get(text)}`);
  if (check === undefined) throw new TypeError(`No definition is ${text}.`);
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
