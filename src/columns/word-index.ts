import type { Budget } from '../work/budget.ts';
import { type Narrow, narrowArray, type TextRun } from './chunk.ts';
import { wordsIn } from './find-words.ts';
import { beginningAt } from './word-beginnings.ts';

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
  readonly #codes: Narrow;
  readonly #offsets: Narrow;
  /** Where each bucket ends. */
  readonly #ends: Uint32Array;
  readonly #shift: number;

  private constructor(
    texts: TextRun,
    codes: Narrow,
    offsets: Narrow,
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
    for (const { places, steps } of wordsIn(texts)) {
      countWords(places, texts, shift, counts);
      pieces.push(places.slice());
      words += places.length;
      await budget.turn(steps);
    }
    toStarts(counts);
    const codes = narrowArray(ends.length, words);
    const offsets = narrowArray(longestOf(texts), words);
    let code = 0;
    for (const piece of pieces) {
      code = putIntoBuckets(piece, texts, code, counts, shift, codes, offsets);
      await budget.turn(piece.length * STEPS_PER_WORD);
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
  async mark(beginnings: readonly Buffer[], bits: Narrow, budget: Budget): Promise<boolean> {
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
        await budget.turn(words * steps);
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
    bits: Narrow,
  ): boolean {
    const { bytes, ends } = this.texts;
    const [codes, offsets] = [this.#codes, this.#offsets];
    let isFound = false;
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      const start = code === 0 ? 0 : (ends[code - 1] as number);
      const place = start + (offsets[i] as number);
      const its = beginningAt(bytes, place, ends[code] as number, beginnings, same);
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
  places: Uint32Array,
  { bytes }: TextRun,
  shift: number,
  counts: Uint32Array,
): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const bucket = bucketOf(bytes[place] as number, bytes[place + 1] as number, shift);
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
  places: Uint32Array,
  { bytes, ends }: TextRun,
  from: number,
  nextOf: Uint32Array,
  shift: number,
  codes: Narrow,
  offsets: Narrow,
): number {
  let code = from;
  let start = from === 0 ? 0 : (ends[from - 1] as number);
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    while ((ends[code] as number) <= place) start = ends[code++] as number;
    const bucket = bucketOf(bytes[place] as number, bytes[place + 1] as number, shift);
    const next = nextOf[bucket] as number;
    nextOf[bucket] = next + 1;
    codes[next] = code;
    offsets[next] = place - start;
  }
  return code;
}
