import { crc32, deflateRawSync } from 'node:zlib';
import type { Field } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Narrow } from './chunk.ts';
import { codeNumbers } from './code-numbers.ts';
import { codeTexts } from './code-texts.ts';
import type { ChunkEntry } from './column-directory.ts';

/** A packed chunk, and its entry in the column's directory. */
export type PackedChunk = { readonly bytes: Buffer; readonly entry: ChunkEntry };

/** Packs some rows' values of a field, as docs/columns.md describes. */
export function packChunk(field: Field, rows: readonly KeyedRow[]): PackedChunk {
  const coded =
    typeOf(field).comparedBy === 'number'
      ? codeNumbers(rows, field.name)
      : codeTexts(rows, field.name);
  const { codes, nulls, distinct, firstKey, size, dictionary, parts, bounds } = coded;
  const deltas = isAscending(codes);
  const bytes = deflateRawSync(
    Buffer.concat([deltas ? differences(codes) : codes, ...parts].map(inPlanes)),
    { level: 1 },
  );
  return {
    bytes,
    entry: {
      rows: rows.length,
      nulls,
      distinct,
      size,
      firstKey,
      ...(bounds === undefined ? {} : { min: bounds[0], max: bounds[1] }),
      deltas,
      dictionary,
      bytes: bytes.length,
      crc32: crc32(bytes),
    },
  };
}

function isAscending(codes: Narrow): boolean {
  for (let row = 1; row < codes.length; row++) {
    if ((codes[row] as number) < (codes[row - 1] as number)) return false;
  }
  return true;
}

function differences(codes: Narrow): Narrow {
  let before = 0;
  return codes.map((code) => {
    const difference = code - before;
    before = code;
    return difference;
  });
}

/**
 * The first bytes of all numbers, then the second ones, and so on, least significant first: alike
 * bytes lie together, so that they deflate well.
 */
function inPlanes(numbers: Narrow | Float64Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const width = numbers.BYTES_PER_ELEMENT;
  if (width === 1) return bytes;
  const planes = new Uint8Array(bytes.length);
  for (let plane = 0, at = 0; plane < width; plane++) {
    for (let i = plane; i < bytes.length; i += width) planes[at++] = bytes[i] as number;
  }
  return planes;
}
