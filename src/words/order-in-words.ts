import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';
import { inSentence } from './in-sentence.ts';

/** An order as `_sort` asks for it: `vacant units, highest first`. */
export function orderInWords(
  fields: readonly Field[],
  sort: string | undefined,
): string | undefined {
  const isDown = sort?.startsWith('-') === true;
  const field = fields.find(({ name }) => name === (isDown ? sort?.slice(1) : sort));
  return field && `${inSentence(field.title)}, ${wordsOf(field)[isDown ? 1 : 0]}`;
}

function wordsOf(field: Field): readonly [up: string, down: string] {
  if (field.type === 'phone') return ['0 to 9', '9 to 0'];
  if (typeOf(field).comparedBy === 'text') return ['A to Z', 'Z to A'];
  if (field.type === 'boolean') return ['false first', 'true first'];
  return field.type === 'date' || field.type === 'datetime'
    ? ['earliest first', 'latest first']
    : ['lowest first', 'highest first'];
}
