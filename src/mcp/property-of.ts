import { rangeOf } from '../block/describe-block.ts';
import type { FieldStatistics } from '../block/manifest.ts';
import type { Parameter } from '../block/parameter.ts';
import { argumentTypeOf } from '../values/argument-types.ts';
import { hundredthAbove, hundredthBelow } from '../values/decimal.ts';
import type { JsonSchema } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { isUnitInTitle } from '../values/number.ts';

/**
 * A parameter in a tool's input schema. It says only what the name does not, since a model reads
 * all parameters before each call. It does not say that a value may be a list, since some makers
 * of models refuse a schema of two types.
 */
export function propertyOf(
  parameter: Parameter,
  field?: Field,
  manifest?: FieldStatistics,
): JsonSchema {
  const { type, list, default: byDefault, description } = parameter;
  if (type === 'choice' && list) {
    return { type: 'array', items: { type: 'string' }, ...described(description) };
  }
  const schema = argumentTypeOf(parameter).schema(parameter);
  const kept = ['type', 'enum', 'minimum', 'maximum'].filter((name) => name in schema);
  return {
    ...Object.fromEntries(kept.map((name) => [name, schema[name]])),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(field !== undefined && typeOf(field).isOrdered
      ? described(titleBeside(parameter), observed(parameter, field, manifest))
      : described(description ?? titleBeside(parameter))),
  };
}

function described(...parts: readonly (string | undefined)[]): JsonSchema {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? {} : { description: said.join('; ') };
}

/** The title if it has a word that the name does not. */
function titleBeside({ name, title }: Parameter): string | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const said = name.toLowerCase();
  return words.every((word) => said.includes(word)) ? undefined : title;
}

/** The dataset's range, such as `2..779`, with the unit if no title is shown that tells it. */
function observed(
  parameter: Parameter,
  field: Field,
  manifest?: FieldStatistics,
): string | undefined {
  const unit = titleBeside(parameter) === undefined ? parameter.unit : undefined;
  if (manifest === undefined) return unit;
  const found = rangeOf(field, manifest);
  if (found === undefined) return 'no row has a value';
  const { min, max } = found;
  const low = typeof min === 'number' ? hundredthBelow(min) : min;
  const high = typeof max === 'number' ? hundredthAbove(max) : max;
  const range = `${low}..${high}`;
  return unit === undefined || isUnitInTitle(unit, parameter.title) ? range : `${range} ${unit}`;
}
