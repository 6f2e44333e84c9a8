import type { KeyedRow } from '../query/predicate.ts';
import type { Key, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { type Chunk, keyAt, textOfRow } from './chunk.ts';

/** Reads rows of a chunk, with their keys, from the chunks of their fields. */
export function rowReader(
  fields: readonly Field[],
  chunks: readonly Chunk[],
): (row: number) => KeyedRow {
  const values = fields.map((field, i) => valueReader(field, chunks[i] as Chunk));
  return (row) => {
    const read: { values: Record<string, Value>; keys: Record<string, Key> } = {
      values: Object.create(null),
      keys: Object.create(null),
    };
    for (const [i, { name }] of fields.entries()) {
      const chunk = chunks[i] as Chunk;
      const key = keyAt(chunk, chunk.codes[row] as number);
      if (key !== null) read.keys[name] = key;
      read.values[name] = (values[i] as ValueReader)(row, key);
    }
    return read;
  };
}

type ValueReader = (row: number, key: Key | null) => Value;

function valueReader(field: Field, chunk: Chunk): ValueReader {
  const type = typeOf(field);
  return type.comparedBy === 'text'
    ? (row) => textOfRow(chunk, row)
    : (_, key) => (key === null ? null : type.valueOf(key as number, field));
}
