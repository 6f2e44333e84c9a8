import type { Parameter } from '../block/parameter.ts';
import type { ArgumentType } from '../fields/field-type.ts';
import { FIELD_TYPES } from '../fields/field-types.ts';
import { choice } from './choice.ts';
import { token } from './token.ts';

/** Every argument type: those of fields, and two that only options have. */
const ARGUMENT_TYPES = { ...FIELD_TYPES, choice, token };

export function argumentTypeOf({ type }: Pick<Parameter, 'type'>): ArgumentType {
  return ARGUMENT_TYPES[type];
}
