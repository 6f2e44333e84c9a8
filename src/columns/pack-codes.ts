import { TextDictionary } from '../measures/text-ids.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { resultOf } from '../work/work.ts';
import { type Chunk, type ChunkEntry, codesOf, type TextList } from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeUnits } from './encode-numbers.ts';
import { chunksOf } from './memory-rows.ts';

/**
 * Keys that a chunk must have on average for codes to be stored: one in so many rows. Fewer are told
 * apart as fast by their texts.
 */
const ROWS_PER_KEY = 2 ** 4;

/** Bytes of the keys of all chunks, for codes to be stored. The import holds them. */
const MOST_BYTES = 2 ** 26;

/**
 * Adds the codes of texts of which a dataset has many: numbers that are equal in all chunks where the
 * keys are. The directory of the field says that they are there.
 */
export function withCodes(packed: PackedColumns, fields: readonly Field[]): PackedColumns {
  const columns = new Map(packed.columns);
  for (const field of fields) {
    if (typeOf(field).comparedBy !== 'text') continue;
    const { name } = field;
    const column = packed.columns.get(name) as PackedColumn;
    const { chunks } = column.directory;
    let [keys, bytes] = [0, 0];
    for (const { distinct, dictionary } of chunks) {
      keys += distinct;
      bytes += dictionary.kind === 'texts' ? dictionary.keyBytes : MOST_BYTES;
    }
    if (chunks.length < 2 || keys < packed.rows / ROWS_PER_KEY || bytes > MOST_BYTES) continue;
    columns.set(name, { ...column, directory: { ...column.directory, codes: true } });
    columns.set(codesOf(name), packCodes(chunksOf(packed, name)));
  }
  return { ...packed, columns };
}

function packCodes(chunks: Iterable<Chunk>): PackedColumn {
  const known = new TextDictionary();
  const [entries, packed]: [ChunkEntry[], Buffer[]] = [[], []];
  for (const chunk of chunks) {
    const { bytes, entry } = packChunk(encodeUnits(codesIn(chunk, known), 0));
    entries.push(entry);
    packed.push(bytes);
  }
  return { directory: { chunks: entries }, chunks: packed };
}

/** The code of each row, NaN if it has no key. */
function codesIn(
  { codes, firstKey, size, dictionary }: Chunk,
  known: TextDictionary,
): Float64Array {
  // Texts get codes in the order of their first rows: so codes ascend where texts are new.
  const order = new Uint32Array(size - firstKey);
  const placeOf = new Int32Array(size).fill(-1);
  let found = 0;
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code >= firstKey && placeOf[code] === -1) {
      placeOf[code] = found;
      order[found++] = code;
    }
  }
  const ids = resultOf(known.idsOf((dictionary as TextList).keys, order.subarray(0, found)));
  const numbers = new Float64Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    numbers[row] = code < firstKey ? Number.NaN : (ids[placeOf[code] as number] as number);
  }
  return numbers;
}
