import type { Parameter } from '../block/parameter.ts';
import { schemaOfValue } from '../block/schema.ts';
import { MOST_FAULTS } from '../problem/errors.ts';
import { type Check, compileSchema } from './compile-schema.ts';
import { type ArgumentFault, faultOf } from './fault.ts';

/** All faults of normalised arguments; empty if they are valid. */
export type Validate = (values: Readonly<Record<string, unknown>>) => ArgumentFault[];

/** What is wrong with an argument, as ajv's keyword; `index` if it is a list's member. */
type Invalid = { readonly parameter: Parameter; readonly keyword: string; readonly index?: string };

/** Checks arguments against these parameters; compiles each value's schema at its first use. */
export function compileValidate(parameters: readonly Parameter[]): Validate {
  const checks = new Map<Parameter, Check>();
  const checkOf = (parameter: Parameter) => {
    const check = checks.get(parameter) ?? compileSchema(schemaOfValue(parameter));
    checks.set(parameter, check);
    return check;
  };
  return (values) => {
    const given = parameters.filter(({ name }) => ownValue(values, name) !== undefined);
    const missing = parameters.filter((each) => each.required && !given.includes(each));
    const invalid: Invalid[] = [
      ...missing.map((parameter) => ({ parameter, keyword: 'required' })),
      ...given.flatMap((parameter) =>
        onePerPlace(checkOf(parameter)(values[parameter.name])).map((place) => ({
          parameter,
          ...place,
        })),
      ),
    ];
    return invalid.map(({ parameter, keyword, index }, i) =>
      // Faults beyond the most that are listed are only counted, so their text stays empty.
      i < MOST_FAULTS
        ? faultOf(keyword, parameter, values, index)
        : { code: 'not-text', detail: '', parameter: parameter.name },
    );
  };
}

function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/**
 * One of ajv's errors for each place: 300.5 is not a whole number, and its other errors do not
 * matter. If a list is too long, its members do not matter either.
 */
function onePerPlace(errors: ReturnType<Check>): Omit<Invalid, 'parameter'>[] {
  const isOverlong = errors.some(({ keyword }) => keyword === 'maxItems');
  const keywords = new Map<string, string>();
  for (const { instancePath, keyword } of errors) {
    if (isOverlong && instancePath !== '') continue;
    if (!keywords.has(instancePath)) keywords.set(instancePath, keyword);
  }
  return [...keywords].map(([path, keyword]) =>
    path === '' ? { keyword } : { keyword, index: path.slice(1) },
  );
}
