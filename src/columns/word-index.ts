import { isOfWord } from '../text/pattern.ts';
import { startOf, type TextRun } from '../text/text-run.ts';
import type { Work } from '../work/work.ts';
import { type UintArray, uintArrayFor } from './chunk.ts';

/** How many words are compared without a pause. */
const WORDS_AT_ONCE = 2 ** 14;

/** The costs of putting a word into its bucket and of comparing it, in steps. */
const STEPS_PER_WORD = 0.5;
const STEPS_PER_COMPARISON = 1;

/**
 * Words have at most as many buckets as two bytes of seven bits can tell apart, and about one
 * bucket for this many bytes of text.
 */
const KEY_BITS = 14;
const BYTES_PER_BUCKET = 16;

/**
 * An index of the words of some texts. Words are in buckets by their first two bytes; within a
 * bucket they are in the order of the texts.
 */
export class WordIndex {
  readonly texts: TextRun;
  /** For each word, the text that has it, and its offset in that text. */
  readonly #codes: UintArray;
  readonly #offsets: UintArray;
  /** The end of each bucket. */
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

  /** Finds the words of the texts, and distributes them by a counting sort. */
  static *of(texts: TextRun): Work<WordIndex> {
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
      yield steps;
    }
    toStarts(counts);
    const codes = uintArrayFor(ends.length, words);
    const offsets = uintArrayFor(longestOf(texts), words);
    let code = 0;
    for (const piece of pieces) {
      code = putIntoBuckets(piece, texts, code, counts, shift, codes, offsets);
      yield piece.length * STEPS_PER_WORD;
    }
    // The counts were the starts of the buckets. Filling the buckets has moved each to its bucket's
    // end.
    return new WordIndex(texts, codes, offsets, counts, shift);
  }

  get byteLength(): number {
    return this.#codes.byteLength + this.#offsets.byteLength + this.#ends.byteLength;
  }

  /**
   * Sets the bit of each beginning for every text that has a word that starts with it. The
   * beginnings are sorted, and none is the start of another. Returns whether any bit was set.
   */
  *mark(beginnings: readonly Buffer[], bits: UintArray): Work<boolean> {
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
        yield words * steps;
      }
    }
    return isFound;
  }

  /** The range of words whose buckets a beginning may be in. */
  #wordsOf([first, second]: Buffer): [from: number, to: number] {
    const bucket = bucketOf(first as number, second ?? 0, this.#shift);
    const last = bucketOf(first as number, second ?? 0x7f, this.#shift);
    return [bucket === 0 ? 0 : (this.#ends[bucket - 1] as number), this.#ends[last] as number];
  }

  /**
   * The number of bytes that all words in a beginning's bucket share with it, if they are that
   * long.
   */
  #bytesOfBucket([first, second]: Buffer): number {
    if (this.#shift > 7 || (first as number) >= 0x80) return 0;
    return this.#shift > 0 || second === undefined || second >= 0x80 ? 1 : 2;
  }

  /** Sets bits for the texts of some words. The first beginning has bit `firstBit`. */
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
      const found = beginningAt(bytes, wordStart, ends[code] as number, beginnings, same);
      if (found < 0) continue;
      bits[code] = (bits[code] as number) | (1 << (firstBit + found));
      isFound = true;
    }
    return isFound;
  }
}

/**
 * The bucket of words with these two first bytes. Buckets with the same first byte lie together.
 */
function bucketOf(first: number, second: number, shift: number): number {
  return ((sevenBits(first) << 7) | sevenBits(second)) >> shift;
}

/** Maps bytes above ASCII to codes of control characters, which no word contains. */
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

/**
 * Counts the words in each bucket. For a word of one byte, the byte after it counts as its second.
 */
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

/** Replaces each count by the sum of the counts before it. */
function toStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    counts[i] = sum;
    sum += count;
  }
}

/**
 * Puts words into their buckets, and returns the text of the last word. The first word is in text
 * `from` or a later one.
 */
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

/**
 * How many texts, and about how many bytes of them, are examined without a pause, and what each
 * costs.
 */
const TEXTS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 2 ** 15;
const STEPS_PER_TEXT = 1;
const STEPS_PER_BYTE = 0.25;

/** The words of a few consecutive texts. */
type FoundWords = {
  /** The first of the texts. */
  readonly from: number;
  /** The offset of each word's first byte. The array is overwritten after a pause. */
  readonly wordStarts: Uint32Array;
  /** The cost of finding them, in steps. */
  readonly steps: number;
};

/** Finds the words of texts, a few texts at a time. */
export function* wordsIn(texts: TextRun): Generator<FoundWords> {
  const { ends } = texts;
  // All pieces use this array, because it is not known beforehand how many words a piece has.
  let room = new Uint32Array(0);
  for (let from = 0, to = 0; from < ends.length; from = to) {
    to = endOfPiece(texts, from);
    const bytes = (ends[to - 1] as number) - startOf(texts, from);
    const steps = (to - from) * STEPS_PER_TEXT + bytes * STEPS_PER_BYTE;
    // After each word comes a byte that belongs to no word, except after the last word of a text.
    const most = (bytes + to - from) >>> 1;
    if (room.length < most) room = new Uint32Array(most);
    yield { from, wordStarts: room.subarray(0, findWords(texts, from, to, room)), steps };
  }
}

/** Returns where to pause in the texts, after at least one of them. */
function endOfPiece(texts: TextRun, from: number): number {
  const { ends } = texts;
  const most = Math.min(ends.length, from + TEXTS_AT_ONCE);
  const end = startOf(texts, from) + BYTES_AT_ONCE;
  let to = from + 1;
  while (to < most && (ends[to - 1] as number) < end) to++;
  return to;
}

/**
 * Writes the offsets of the words of some texts, and returns the number of words. This loop is hot.
 */
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

/** Where a word that begins at an offset ends. */
export function endOfWord(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      if (OF_WORD[byte] !== 1) return at;
      at++;
    } else {
      if (!isWordAt(bytes, at)) return at;
      at += lengthOf(byte);
    }
  }
  return at;
}

/** Which ASCII characters are part of words. */
const OF_WORD = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(/[a-z\d]/i.test(String.fromCharCode(code))),
);

/** The number of bytes of a character above ASCII in UTF-8, by its first byte. */
function lengthOf(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/**
 * Tells whether the character above ASCII at an offset is part of a word. Each character is looked
 * up only once.
 */
function isWordAt(bytes: Buffer, at: number): boolean {
  const length = lengthOf(bytes[at] as number);
  let code = (bytes[at] as number) & (0x7f >> length);
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
  KNOWN ??= new Uint8Array(0x110000);
  if (KNOWN[code] === 0) KNOWN[code] = isOfWord(String.fromCodePoint(code)) ? 1 : 2;
  return KNOWN[code] === 1;
}

/**
 * For each code point: 1 if it is part of words, 2 if it is not, 0 if it has not been looked up
 * yet.
 */
let KNOWN: Uint8Array | undefined;

/**
 * Returns the words to look for, sorted by their bytes, without those that are the start of another
 * one: a text that has the longer one has the shorter one too.
 */
export function beginningsOf(words: readonly string[]): Buffer[] {
  const ordered = words.map((word) => Buffer.from(word)).sort(Buffer.compare);
  return ordered.filter((one, i) => ordered[i + 1]?.subarray(0, one.length).equals(one) !== true);
}

/**
 * Binary search: returns the index of the beginning that the bytes start with, among sorted
 * beginnings; -1 if there is none. The first `same` bytes are known to be equal, as far as there
 * are that many.
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
