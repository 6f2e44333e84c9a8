import { crc32, deflateRawSync } from 'node:zlib';
import type { Narrow } from './chunk.ts';
import type { Coded } from './coded.ts';
import type { ChunkEntry } from './column-directory.ts';

/** A packed chunk, its entry in the column's directory, and what was compressed. */
export type PackedChunk = {
  readonly bytes: Buffer;
  readonly entry: ChunkEntry;
  readonly parts: Buffer;
};

/** Packs a chunk, as docs/columns.md describes. */
export function packChunk(coded: Coded): PackedChunk {
  const { codes, nulls, distinct, firstKey, size, dictionary, bounds } = coded;
  const deltas = isAscending(codes);
  const parts = Buffer.concat([deltas ? differences(codes) : codes, ...coded.parts].map(inPlanes));
  const bytes = deflateRawSync(parts, { level: 1 });
  return {
    bytes,
    parts,
    entry: {
      rows: codes.length,
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
