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

export type ArgumentTypeName = keyof typeof ARGUMENT_TYPES;

export function argumentTypeOf({ type }: { readonly type: ArgumentTypeName }): ArgumentType {
  return ARGUMENT_TYPES[type];
}
