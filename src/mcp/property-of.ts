import type { FieldFacts } from '../core/dataset-facts.ts';
import { hundredthAbove, hundredthBelow } from '../core/decimal.ts';
import type { NumberParameter, Parameter } from '../core/parameter.ts';
import type { JsonSchema } from '../core/schema.ts';

/**
 * A parameter as a tool's input schema has it. A model reads all of them before each call: of a
 * parameter there is said what its name does not say, and of a range once for both ends. A text
 * may be a list too; that is not said, since some models' makers refuse a schema of two types.
 */
export function propertyOf(parameter: Parameter, facts?: FieldFacts): JsonSchema {
  switch (parameter.kind) {
    case 'text':
      return {
        type: 'string',
        ...described(parameter.description ?? titleBeside(parameter)),
      };
    case 'number':
      return numberOf(parameter, facts);
    case 'choice':
      return {
        type: 'string',
        enum: parameter.choices,
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
        ...described(parameter.description ?? titleBeside(parameter)),
      };
    case 'choices':
      return { type: 'array', items: { type: 'string' }, ...described(parameter.description) };
    case 'flag':
      return { type: 'boolean', ...described(parameter.description) };
    case 'token':
      return { type: 'string', ...described(parameter.description) };
  }
}

function numberOf(parameter: NumberParameter, facts: FieldFacts | undefined): JsonSchema {
  const { integer, minimum, maximum, default: value, notBelow } = parameter;
  return {
    type: integer ? 'integer' : 'number',
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(value === undefined ? {} : { default: value }),
    ...(notBelow === undefined
      ? described(titleBeside(parameter), observed(parameter, facts))
      : {}),
  };
}

function described(...parts: readonly (string | undefined)[]): JsonSchema {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return said.length === 0 ? {} : { description: said.join('; ') };
}

/** The title where it has a word that the name has not. */
function titleBeside({ name, title }: Parameter): string | undefined {
  const text = titleOf(title);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const said = name.toLowerCase();
  return words.every((word) => said.includes(word)) ? undefined : text;
}

/** Of the lower end of a range, the range's. */
function titleOf(title: string): string {
  return title.replace(/, at least$/, '');
}

/** What the dataset has: `2..779`; the unit where no title says of what it is a number. */
function observed(parameter: NumberParameter, facts: FieldFacts | undefined): string | undefined {
  const unit = titleBeside(parameter) === undefined ? parameter.unit : undefined;
  if (facts === undefined) return unit;
  if (facts.min === undefined || facts.max === undefined) return 'no row has a value';
  const range = `${hundredthBelow(facts.min)}..${hundredthAbove(facts.max)}`;
  return unit === undefined || isSaid(unit, titleOf(parameter.title)) ? range : `${range} ${unit}`;
}

function isSaid(unit: string, title: string): boolean {
  const [inUnit, inTitle] = [unit.toLowerCase(), title.toLowerCase()];
  return inUnit.includes(inTitle) || inTitle.includes(inUnit);
}
