import { isUtf8 } from 'node:buffer';
import { CHUNK_ROWS, type Chunk, keyAt, type Narrow, POWERS, type TextRun } from './chunk.ts';
import { boundOf, type ChunkEntry } from './column-directory.ts';

/**
 * Whether a chunk may have such an entry. Unpacking trusts its counts: it allocates as much as they
 * say.
 */
export function isEntry(entry: ChunkEntry): boolean {
  const { rows, nulls, distinct, size, firstKey, dictionary } = entry;
  const areCounts =
    isCount(rows, CHUNK_ROWS) &&
    isCount(nulls, rows) &&
    isCount(distinct, rows - nulls) &&
    isCount(size, 2 ** 32) &&
    firstKey === (nulls > 0 ? 1 : 0) &&
    distinct > 0 === nulls < rows;
  if (!areCounts) return false;
  if (dictionary.kind === 'frame') {
    const { first, power } = dictionary;
    return (
      Number.isSafeInteger(first) &&
      Number.isSafeInteger(first + size) &&
      Number.isInteger(power) &&
      isCount(Math.abs(power), POWERS.length - 1)
    );
  }
  if (distinct !== size - firstKey) return false;
  if (dictionary.kind === 'numbers') return true;
  const { kind, keyBytes, textBytes = 0, texts = 0 } = dictionary;
  return (
    kind === 'texts' &&
    isCount(keyBytes, MOST_TEXT_BYTES) &&
    isCount(textBytes, MOST_TEXT_BYTES) &&
    isCount(texts, rows) &&
    (dictionary.texts === undefined || dictionary.textBytes !== undefined)
  );
}

/** Positions in texts are held in 32 bits. */
const MOST_TEXT_BYTES = 2 ** 32 - 1;

function isCount(number: number, most: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= most;
}

/** Whether an unpacked chunk is the one that an entry describes, as far as is seen in one pass. */
export function isDescribed(chunk: Chunk, { nulls, size, min, max }: ChunkEntry): boolean {
  const { codes, firstKey, dictionary } = chunk;
  let [found, least, greatest] = [0, size, -1];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey) found++;
    else if (code < least) least = code;
    if (code > greatest) greatest = code;
  }
  if (greatest >= size || found !== nulls) return false;
  if (dictionary.kind === 'numbers' && !isAscending(dictionary.values, firstKey)) return false;
  if (dictionary.kind === 'texts') {
    const { keys, texts, textCodes } = dictionary;
    if (!areTexts(keys) || (texts !== keys && !areTexts(texts))) return false;
    if (textCodes !== undefined && !areBelow(textCodes, texts.ends.length)) return false;
  }
  return boundAt(chunk, least) === min && boundAt(chunk, greatest) === max;
}

function boundAt(chunk: Chunk, code: number): string | number | undefined {
  const key = code < chunk.firstKey || code >= chunk.size ? null : keyAt(chunk, code);
  return key === null ? undefined : boundOf(key);
}

function isAscending(values: Float64Array, from: number): boolean {
  for (let i = from + 1; i < values.length; i++) {
    if (!((values[i - 1] as number) < (values[i] as number))) return false;
  }
  return true;
}

function areBelow(codes: Narrow, size: number): boolean {
  for (let row = 0; row < codes.length; row++) if ((codes[row] as number) >= size) return false;
  return true;
}

/** Whether a run is UTF-8 and no text begins within a character. */
function areTexts({ bytes, ends }: TextRun): boolean {
  for (let i = 0; i < ends.length; i++) {
    if (((bytes[ends[i] as number] ?? 0) & 0b1100_0000) === 0b1000_0000) return false;
  }
  return isUtf8(bytes);
}
