import type { Parameter } from '../block/parameter.ts';
import type { ArgumentType } from '../fields/field-type.ts';
import { FIELD_TYPES } from '../fields/field-types.ts';
import { box } from './box.ts';
import { choice } from './choice.ts';
import { distance } from './distance.ts';
import { place } from './place.ts';
import { token } from './token.ts';
import { words } from './words.ts';

/** Every argument type: those of fields, and those that no field has. */
const ARGUMENT_TYPES = { ...FIELD_TYPES, choice, token, words, box, place, distance };

export function argumentTypeOf({ type }: Pick<Parameter, 'type'>): ArgumentType {
  return ARGUMENT_TYPES[type];
}
