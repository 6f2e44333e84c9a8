import { _, Ajv2020, type ErrorObject, type KeywordCxt } from 'ajv/dist/2020.js';
import { type ArgumentFault, faultOf } from './fault.ts';
import type { Parameter } from './parameter.ts';
import { schemaOfArguments } from './schema.ts';

/** Every fault of normalised arguments; none where they are valid. */
export type Validate = (values: Readonly<Record<string, unknown>>) => ArgumentFault[];

/** Compiles the schema of these parameters, once for a block. */
export function compileValidate(parameters: readonly Parameter[]): Validate {
  const check = newAjv().compile(schemaOfArguments(parameters));
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return (values) => (check(values) ? [] : toFaults(check.errors ?? [], values, byName));
}

/** ajv as every schema of ours is compiled with it. */
export function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  // A `code` keyword, because those are the only ones that ajv can compile ahead of time.
  return ajv.addKeyword({
    keyword: 'x-not-below',
    type: 'number',
    schemaType: 'string',
    code(cxt: KeywordCxt) {
      const low = _`${cxt.it.parentData}[${cxt.schema}]`;
      cxt.fail(_`typeof ${low} == "number" && ${cxt.data} < ${low}`);
    },
    error: { message: 'must not be below the lower end', params: (cxt) => _`{low: ${cxt.schema}}` },
  });
}

function toFaults(
  errors: readonly ErrorObject[],
  values: Readonly<Record<string, unknown>>,
  parameters: ReadonlyMap<string, Parameter>,
): ArgumentFault[] {
  const overlong = new Set(
    errors.filter(({ keyword }) => keyword === 'maxItems').map(({ instancePath }) => instancePath),
  );
  const seen = new Set<string>();
  return errors.flatMap((error) => {
    const [, name = '', index] = error.instancePath.split('/');
    if (index !== undefined && overlong.has(`/${name}`)) return [];
    // One fault for each place: 300.5 is not a whole number, whatever else it is.
    const place = error.keyword === 'required' ? error.params.missingProperty : error.instancePath;
    if (seen.has(place)) return [];
    seen.add(place);
    const parameter = parameters.get(error.keyword === 'required' ? place : name);
    return parameter === undefined ? [] : faultOf(error, parameter, values, index);
  });
}
