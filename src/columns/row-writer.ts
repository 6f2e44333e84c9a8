import { type Field, typeOf } from '../values/field-types.ts';
import { type Chunk, numberAt, textOfRow } from './chunk.ts';

/** Writes rows of a chunk as JSON text, from the chunks of their fields. */
export function rowWriter(
  fields: readonly Field[],
  chunks: readonly Chunk[],
): (row: number) => string {
  const names = fields.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const cells = fields.map((field, i) => cellWriter(field, chunks[i] as Chunk));
  return (row) => {
    let text = '';
    for (let i = 0; i < cells.length; i++) {
      text += (names[i] as string) + (cells[i] as (row: number) => string)(row);
    }
    return `${text}}`;
  };
}

function cellWriter(field: Field, chunk: Chunk): (row: number) => string {
  const type = typeOf(field);
  const { codes, firstKey, dictionary } = chunk;
  if (type.comparedBy === 'text') return (row) => JSON.stringify(textOfRow(chunk, row));
  if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a text.`);
  const isNumber = type.json === 'number' || type.json === 'integer';
  return (row) => {
    const code = codes[row] as number;
    if (code < firstKey) return 'null';
    const number = numberAt(dictionary, code);
    return isNumber ? String(number) : JSON.stringify(type.valueOf(number, field));
  };
}
