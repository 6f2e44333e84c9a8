/**
 * Hashes of 32 bits, for tables. Both numbers are random for each process, so that nobody can write
 * texts that all have the same hash: a table would try them one by one. Each step is mixed, because
 * without it many texts have the same hash whatever the numbers are: those of a Thue-Morse sequence,
 * or two that differ in the highest bit of two steps.
 */
export const SEED = Math.floor(Math.random() * 2 ** 32);
export const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/** Hashes some bytes, four at a time. */
export function hashOfBytes(bytes: Buffer, start: number, end: number): number {
  let hash = SEED;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const four =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    hash = Math.imul(hash ^ four, FACTOR);
    hash ^= hash >>> 16;
  }
  for (; i < end; i++) {
    hash = Math.imul(hash ^ (bytes[i] as number), FACTOR);
    hash ^= hash >>> 16;
  }
  hash = Math.imul(hash, FACTOR);
  return hash ^ (hash >>> 15);
}

/** Hashes the codes of a text's characters, two at a time. */
export function hashOfCodes(codes: Uint16Array, start: number, end: number): number {
  let hash = SEED;
  let i = start;
  for (; i + 1 < end; i += 2) {
    const two = (codes[i] as number) | ((codes[i + 1] as number) << 16);
    hash = Math.imul(hash ^ two, FACTOR);
    hash ^= hash >>> 16;
  }
  if (i < end) hash = Math.imul(hash ^ (codes[i] as number), FACTOR);
  return hash ^ (hash >>> 15);
}
