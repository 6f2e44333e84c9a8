import { phoneWords } from '../text/pattern.ts';
import { type TextRun, textAt } from '../text/text-run.ts';
import { inSlot, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { type ChunkEntry, type TextList, type UintArray, uintArrayFor } from './chunk.ts';
import { beginningAt, WordIndex, wordsIn } from './word-index.ts';

/**
 * The cost of `markWords` on a chunk, in steps. It depends on the entry alone, so that no cache
 * changes it.
 */
export function stepsOfWords(words: number, entry: ChunkEntry): number {
  const { dictionary, size, rows } = entry;
  if (dictionary.kind !== 'texts') return rows / 8;
  return rows / 4 + size + (dictionary.keyBytes / 4) * (1 + words / 16);
}

/**
 * Makes the index of a chunk's words, unless another run has made it meanwhile. The index stays
 * with the chunk.
 */
export function* indexWords(cached: CachedChunk, byDigits: boolean): Work<void> {
  if (cached.words === undefined) yield* inSlot('indexWords', makeIndex(cached, byDigits));
}

function* makeIndex(cached: CachedChunk, byDigits: boolean): Work<void> {
  const { dictionary } = cached.chunk;
  if (dictionary.kind !== 'texts') throw new TypeError('Words are looked for in texts.');
  // Another run may have made the index while this one waited for its slot.
  if (cached.words !== undefined) return;
  const texts = byDigits ? yield* phonesOf(dictionary) : dictionary.keys;
  cached.words = yield* WordIndex.of(texts);
}

/** How many phone numbers are turned into words without a pause, and the cost of one, in steps. */
const PHONES_AT_ONCE = 512;
const STEPS_PER_PHONE = 80;

/** Returns the searchable words of each phone number. */
function* phonesOf({ texts }: TextList): Work<TextRun> {
  const parts: Buffer[] = [];
  const ends = new Uint32Array(texts.ends.length);
  for (let code = 0, at = 0; code < ends.length; code++) {
    const part = Buffer.from(phoneWords(textAt(texts, code)));
    parts.push(part);
    at += part.length;
    ends[code] = at;
    if (code % PHONES_AT_ONCE === 0) yield PHONES_AT_ONCE * STEPS_PER_PHONE;
  }
  return { bytes: Buffer.concat(parts), ends };
}

/** The cost of setting the bits of a row, in steps. */
const STEPS_PER_ROW = 1 / 8;

/**
 * Sets bit `i` in `found` for each row whose text has a word that starts with `beginnings[i]`.
 * Phone numbers need an index.
 */
export function* markWords(
  cached: CachedChunk,
  beginnings: readonly Buffer[],
  byDigits: boolean,
  found: UintArray,
): Work<void> {
  const { keys, textCodes } = cached.chunk.dictionary as TextList;
  const index = cached.words;
  const bits = uintArrayFor(2 ** beginnings.length, (index?.texts ?? keys).ends.length);
  const isFound = yield* index === undefined
    ? markByScanning(keys, beginnings, bits)
    : index.mark(beginnings, bits);
  if (!isFound) return;
  const codes = (byDigits && textCodes) || cached.chunk.codes;
  markRows(codes, bits, found);
  yield codes.length * STEPS_PER_ROW;
}

function markRows(codes: UintArray, bits: UintArray, found: UintArray): void {
  for (let row = 0; row < codes.length; row++) {
    found[row] = (found[row] as number) | (bits[codes[row] as number] as number);
  }
}

/** The cost of comparing a word, in steps. */
const STEPS_PER_WORD = 1;

/** Looks at all words of the texts, if there is no index. */
function* markByScanning(
  texts: TextRun,
  beginnings: readonly Buffer[],
  bits: UintArray,
): Work<boolean> {
  const isFirst = new Uint8Array(256);
  for (const beginning of beginnings) isFirst[beginning[0] as number] = 1;
  let isFound = false;
  for (const { from, wordStarts, steps } of wordsIn(texts)) {
    isFound = markTexts(texts, from, wordStarts, beginnings, isFirst, bits) || isFound;
    yield steps + wordStarts.length * STEPS_PER_WORD;
  }
  return isFound;
}

function markTexts(
  { bytes, ends }: TextRun,
  from: number,
  wordStarts: Uint32Array,
  beginnings: readonly Buffer[],
  isFirst: Uint8Array,
  bits: UintArray,
): boolean {
  let isFound = false;
  let code = from;
  for (let i = 0; i < wordStarts.length; i++) {
    const wordStart = wordStarts[i] as number;
    if (isFirst[bytes[wordStart] as number] === 0) continue;
    while ((ends[code] as number) <= wordStart) code++;
    const found = beginningAt(bytes, wordStart, ends[code] as number, beginnings, 0);
    if (found < 0) continue;
    bits[code] = (bits[code] as number) | (1 << found);
    isFound = true;
  }
  return isFound;
}
