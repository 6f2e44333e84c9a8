/**
 * The bytes of a block of LZ4, without a frame around it, as Parquet's LZ4_RAW has them. Throws an
 * Error if it does not unpack to exactly `length` bytes.
 *
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
export function lz4Unpacked(packed: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length);
  let from = 0;
  let to = 0;
  /** A length of 15 goes on in further bytes, up to the first that is not 255. */
  const lengthOf = (bits: number): number => {
    let size = bits;
    for (let byte = bits === 15 ? 255 : 0; byte === 255; size += byte) {
      byte = packed[from++] ?? damaged();
    }
    return size;
  };
  while (from < packed.length) {
    const token = packed[from++] as number;
    const literals = lengthOf(token >> 4);
    if (from + literals > packed.length || to + literals > length) damaged();
    output.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has no match.
    if (from === packed.length) break;
    const distance = (packed[from] as number) + 256 * (packed[from + 1] ?? damaged());
    from += 2;
    const matched = lengthOf(token & 15) + SHORTEST_MATCH;
    if (distance === 0 || distance > to || to + matched > length) damaged();
    // A match may reach into the bytes that it writes: then they repeat.
    for (const end = to + matched; to < end; ) {
      const size = Math.min(distance, end - to);
      output.copyWithin(to, to - distance, to - distance + size);
      to += size;
    }
  }
  if (to !== length) damaged();
  return output;
}

const SHORTEST_MATCH = 4;

function damaged(): never {
  throw new Error('a page does not unpack to its declared length');
}
