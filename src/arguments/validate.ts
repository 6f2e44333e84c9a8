import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Parameter } from '../block/parameter.ts';
import { MOST_FAULTS } from '../problem/errors.ts';
import { compileSchema } from './compile-schema.ts';
import { type ArgumentFault, faultOf } from './fault.ts';

/** All faults of normalised arguments; empty if they are valid. */
export type Validate = (values: Readonly<Record<string, unknown>>) => ArgumentFault[];

/** Compiles the schema of these parameters; called once per block. */
export function compileValidate(parameters: readonly Parameter[]): Validate {
  const check = compileSchema(parameters);
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return (values) => {
    const errors = check(values);
    return errors.length === 0 ? [] : toFaults(errors, values, byName);
  };
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
  return errors.flatMap((error): ArgumentFault[] => {
    const [, name = '', index] = error.instancePath.split('/');
    if (index !== undefined && overlong.has(`/${name}`)) return [];
    // Reports one fault per place: 300.5 is not a whole number, and its other errors do not matter.
    const place = error.keyword === 'required' ? error.params.missingProperty : error.instancePath;
    if (seen.has(place)) return [];
    seen.add(place);
    const parameter = parameters.get(error.keyword === 'required' ? place : name);
    if (parameter === undefined) return [];
    // Faults beyond the most that are listed are only counted, so their text stays empty.
    if (seen.size > MOST_FAULTS)
      return [{ code: 'not-text', detail: '', parameter: parameter.name }];
    return [faultOf(error, parameter, values, index)];
  });
}
