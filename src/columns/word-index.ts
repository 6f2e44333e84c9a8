import { isOfWord } from '../text/pattern.ts';
import { startOf, type TextRun } from '../text/text-run.ts';
import type { Budget } from '../work/budget.ts';
import { type UintArray, uintArrayFor } from './chunk.ts';

/** The words that are compared without a pause. */
const WORDS_AT_ONCE = 2 ** 14;

/** The work of putting a word into its bucket, and of comparing it, in steps. */
const STEPS_PER_WORD = 0.5;
const STEPS_PER_COMPARISON = 1;

/** Words have as many buckets as two bytes of seven bits need, or one for so many bytes of text. */
const KEY_BITS = 14;
const BYTES_PER_BUCKET = 16;

/** The words of some texts, in buckets by their first two bytes. Those of a bucket are in order. */
export class WordIndex {
  readonly texts: TextRun;
  /** By word: which text has it, and at which of its bytes. */
  readonly #codes: UintArray;
  readonly #offsets: UintArray;
  /** Where each bucket ends. */
  readonly #ends: Uint32Array;
  readonly #shift: number;

  private constructor(
    texts: TextRun,
    codes: UintArray,
    offsets: UintArray,
    ends: Uint32Array,
    shift: number,
  ) {
    this.texts = texts;
    this.#codes = codes;
    this.#offsets = offsets;
    this.#ends = ends;
    this.#shift = shift;
  }

  /** Finds the words of texts, and sorts them by counting. */
  static async of(texts: TextRun, budget: Budget): Promise<WordIndex> {
    const { bytes, ends } = texts;
    const bits = Math.min(KEY_BITS, Math.floor(Math.log2(bytes.length / BYTES_PER_BUCKET + 1)));
    const shift = KEY_BITS - bits;
    const counts = new Uint32Array(2 ** bits);
    const pieces: Uint32Array[] = [];
    let words = 0;
    for (const { wordStarts, steps } of wordsIn(texts)) {
      countWords(wordStarts, texts, shift, counts);
      pieces.push(wordStarts.slice());
      words += wordStarts.length;
      await budget.checkpoint(steps);
    }
    toStarts(counts);
    const codes = uintArrayFor(ends.length, words);
    const offsets = uintArrayFor(longestOf(texts), words);
    let code = 0;
    for (const piece of pieces) {
      code = putIntoBuckets(piece, texts, code, counts, shift, codes, offsets);
      await budget.checkpoint(piece.length * STEPS_PER_WORD);
    }
    // What was the start of a bucket is its end now.
    return new WordIndex(texts, codes, offsets, counts, shift);
  }

  get byteLength(): number {
    return this.#codes.byteLength + this.#offsets.byteLength + this.#ends.byteLength;
  }

  /**
   * Sets the bit of each beginning, which are in order and none of them begins another one, for each
   * text that has a word with it. Returns whether any is set.
   */
  async mark(beginnings: readonly Buffer[], bits: UintArray, budget: Budget): Promise<boolean> {
    let isFound = false;
    for (let first = 0, next = 0; first < beginnings.length; first = next) {
      const [from, to] = this.#wordsOf(beginnings[first] as Buffer);
      for (next = first + 1; next < beginnings.length; next++) {
        const [start, end] = this.#wordsOf(beginnings[next] as Buffer);
        if (start !== from || end !== to) break;
      }
      const asked = beginnings.slice(first, next);
      const same = this.#bytesOfBucket(beginnings[first] as Buffer);
      const steps = STEPS_PER_COMPARISON * (1 + Math.log2(asked.length));
      for (let at = from; at < to; at += WORDS_AT_ONCE) {
        const words = Math.min(to - at, WORDS_AT_ONCE);
        isFound = this.#markTexts(at, at + words, asked, same, first, bits) || isFound;
        await budget.checkpoint(words * steps);
      }
    }
    return isFound;
  }

  /** From where to where the buckets of a beginning go. */
  #wordsOf([first, second]: Buffer): [from: number, to: number] {
    const bucket = bucketOf(first as number, second ?? 0, this.#shift);
    const last = bucketOf(first as number, second ?? 0x7f, this.#shift);
    return [bucket === 0 ? 0 : (this.#ends[bucket - 1] as number), this.#ends[last] as number];
  }

  /** How many bytes all words of a beginning's bucket share with it, if they have as many. */
  #bytesOfBucket([first, second]: Buffer): number {
    if (this.#shift > 7 || (first as number) >= 0x80) return 0;
    return this.#shift > 0 || second === undefined || second >= 0x80 ? 1 : 2;
  }

  /** Sets bits, the first of which is that of the first beginning, for the texts of some words. */
  #markTexts(
    from: number,
    to: number,
    beginnings: readonly Buffer[],
    same: number,
    firstBit: number,
    bits: UintArray,
  ): boolean {
    const { bytes, ends } = this.texts;
    const [codes, offsets] = [this.#codes, this.#offsets];
    let isFound = false;
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      const start = code === 0 ? 0 : (ends[code - 1] as number);
      const wordStart = start + (offsets[i] as number);
      const its = beginningAt(bytes, wordStart, ends[code] as number, beginnings, same);
      if (its < 0) continue;
      bits[code] = (bits[code] as number) | (1 << (firstBit + its));
      isFound = true;
    }
    return isFound;
  }
}

/** The bucket of words with these first two bytes. Buckets of the same first byte lie together. */
function bucketOf(first: number, second: number, shift: number): number {
  return ((sevenBits(first) << 7) | sevenBits(second)) >> shift;
}

/** Above ASCII, what ASCII has for control characters, which are in no word. */
function sevenBits(byte: number): number {
  return byte < 0x80 ? byte : byte & 0x1f;
}

function longestOf({ ends }: TextRun): number {
  let longest = 0;
  let start = 0;
  for (let code = 0; code < ends.length; code++) {
    const end = ends[code] as number;
    longest = Math.max(longest, end - start);
    start = end;
  }
  return longest;
}

/** Counts words in their buckets. Of a word of one byte, what follows it counts as its second. */
function countWords(
  wordStarts: Uint32Array,
  { bytes }: TextRun,
  shift: number,
  counts: Uint32Array,
): void {
  for (let i = 0; i < wordStarts.length; i++) {
    const wordStart = wordStarts[i] as number;
    const bucket = bucketOf(bytes[wordStart] as number, bytes[wordStart + 1] as number, shift);
    counts[bucket] = (counts[bucket] as number) + 1;
  }
}

/** Turns counts into the sums of those before. */
function toStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    counts[i] = sum;
    sum += count;
  }
}

/** Puts words, the first of which is in text `from` or later, into buckets; returns the last's text. */
function putIntoBuckets(
  wordStarts: Uint32Array,
  { bytes, ends }: TextRun,
  from: number,
  nextOf: Uint32Array,
  shift: number,
  codes: UintArray,
  offsets: UintArray,
): number {
  let code = from;
  let start = from === 0 ? 0 : (ends[from - 1] as number);
  for (let i = 0; i < wordStarts.length; i++) {
    const wordStart = wordStarts[i] as number;
    while ((ends[code] as number) <= wordStart) start = ends[code++] as number;
    const bucket = bucketOf(bytes[wordStart] as number, bytes[wordStart + 1] as number, shift);
    const next = nextOf[bucket] as number;
    nextOf[bucket] = next + 1;
    codes[next] = code;
    offsets[next] = wordStart - start;
  }
  return code;
}

/** The texts that are gone through without a pause, and about their bytes; the work of each. */
const TEXTS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 2 ** 15;
const STEPS_PER_TEXT = 1;
const STEPS_PER_BYTE = 0.25;

/** The words of some texts that follow each other. */
type FoundWords = {
  /** The first of the texts. */
  readonly from: number;
  /** The place of each word's first byte. They are overwritten after a pause. */
  readonly wordStarts: Uint32Array;
  /** The work of finding them. */
  readonly steps: number;
};

/** The words of texts, some at once. */
export function* wordsIn(texts: TextRun): Generator<FoundWords> {
  const { ends } = texts;
  // For the places of all pieces, since none tells beforehand how many words it has.
  let room = new Uint32Array(0);
  for (let from = 0, to = 0; from < ends.length; from = to) {
    to = endOfPiece(texts, from);
    const bytes = (ends[to - 1] as number) - startOf(texts, from);
    const steps = (to - from) * STEPS_PER_TEXT + bytes * STEPS_PER_BYTE;
    // Behind each word, but the last of a text, is a byte that is of none.
    const most = (bytes + to - from) >>> 1;
    if (room.length < most) room = new Uint32Array(most);
    yield { from, wordStarts: room.subarray(0, findWords(texts, from, to, room)), steps };
  }
}

/** Where to pause in texts, after one of them at least. */
function endOfPiece(texts: TextRun, from: number): number {
  const { ends } = texts;
  const most = Math.min(ends.length, from + TEXTS_AT_ONCE);
  const end = startOf(texts, from) + BYTES_AT_ONCE;
  let to = from + 1;
  while (to < most && (ends[to - 1] as number) < end) to++;
  return to;
}

/** Writes the places of the words of some texts; returns how many words they have. This loop is hot. */
function findWords(texts: TextRun, from: number, to: number, wordStarts: Uint32Array): number {
  const { bytes, ends } = texts;
  let at = startOf(texts, from);
  let words = 0;
  for (let code = from; code < to; code++) {
    const end = ends[code] as number;
    let isInWord = false;
    while (at < end) {
      const wordStart = at;
      const byte = bytes[at] as number;
      let isWord: boolean;
      if (byte < 0x80) {
        isWord = OF_WORD[byte] === 1;
        at++;
      } else {
        isWord = isWordAt(bytes, at);
        at += lengthOf(byte);
      }
      if (isWord && !isInWord) wordStarts[words++] = wordStart;
      isInWord = isWord;
    }
  }
  return words;
}

/** Which ASCII characters are part of words. */
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code))),
);

/** How many bytes a character has in UTF-8, by its first; one above ASCII. */
function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether the character above ASCII at a byte is part of a word. Each is looked up once. */
function isWordAt(bytes: Buffer, at: number): boolean {
  const length = lengthOf(bytes[at] as number);
  let code = (bytes[at] as number) & (0x7f >> length);
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
  KNOWN ??= new Uint8Array(0x110000);
  if (KNOWN[code] === 0) KNOWN[code] = isOfWord(String.fromCodePoint(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

/** For each code point: 1 if it is part of words, 2 if not, 0 if that was not asked yet. */
let KNOWN: Uint8Array | undefined;

/**
 * What words begin with, if a text has all of these beginnings: in order of their bytes, without
 * those that begin another one.
 */
export function beginningsOf(words: readonly string[]): Buffer[] {
  const ordered = words.map((word) => Buffer.from(word)).sort(Buffer.compare);
  return ordered.filter((one, i) => ordered[i + 1]?.subarray(0, one.length).equals(one) !== true);
}

/**
 * Which beginning the bytes have, of some in order; -1 if none. Their first `same` bytes need no
 * look, as far as there are so many.
 */
export function beginningAt(
  bytes: Buffer,
  wordStart: number,
  end: number,
  beginnings: readonly Buffer[],
  same: number,
): number {
  let low = 0;
  let high = beginnings.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const beginning = beginnings[middle] as Buffer;
    const most = Math.min(beginning.length, end - wordStart);
    let at = same;
    while (at < most && bytes[wordStart + at] === beginning[at]) at++;
    if (at < most && (bytes[wordStart + at] as number) > (beginning[at] as number))
      low = middle + 1;
    else if (at < most || most < beginning.length) high = middle - 1;
    else return middle;
  }
  return -1;
}
