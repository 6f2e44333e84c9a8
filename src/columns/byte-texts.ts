import { hashOfBytes } from '../text/hash.ts';
import { startOf, type TextRun } from '../text/text-run.ts';

/** Different texts as bytes, each with an id from 0 when it is first met: a hash table. */
export class ByteTexts {
  #bytes = Buffer.allocUnsafe(2 ** 12);
  #ends = new Uint32Array(2 ** 8);
  #hashes = new Int32Array(2 ** 8);
  /** An id and 1; 0 in a free bucket. */
  #table = new Uint32Array(2 ** 9);
  count = 0;

  /** The texts by their ids. */
  get run(): TextRun {
    const ends = this.#ends.subarray(0, this.count);
    return { bytes: this.#bytes.subarray(0, ends.at(-1) ?? 0), ends };
  }

  /** The id of a text. One that is new gets the next. */
  idOf(bytes: Buffer, start: number, end: number): number {
    const [table, hashes] = [this.#table, this.#hashes];
    const mask = table.length - 1;
    const hash = hashOfBytes(bytes, start, end);
    let bucket = hash & mask;
    for (;;) {
      const id = (table[bucket] as number) - 1;
      if (id < 0) break;
      if (hashes[id] === hash && this.#is(id, bytes, start, end)) return id;
      bucket = (bucket + 1) & mask;
    }
    table[bucket] = this.count + 1;
    this.#add(bytes, start, end, hash);
    return this.count - 1;
  }

  #is(id: number, bytes: Buffer, start: number, end: number): boolean {
    const [own, ends] = [this.#bytes, this.#ends];
    const from = id === 0 ? 0 : (ends[id - 1] as number);
    if ((ends[id] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (bytes[i] !== own[j]) return false;
    return true;
  }

  #add(bytes: Buffer, start: number, end: number, hash: number): void {
    const from = this.count === 0 ? 0 : (this.#ends[this.count - 1] as number);
    const to = from + end - start;
    if (to > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.max(to, 2 * this.#bytes.length));
    }
    for (let i = start, j = from; i < end; i++, j++) this.#bytes[j] = bytes[i] as number;
    if (this.count === this.#ends.length) {
      const [ends, hashes] = [new Uint32Array(2 * this.count), new Int32Array(2 * this.count)];
      ends.set(this.#ends);
      hashes.set(this.#hashes);
      [this.#ends, this.#hashes] = [ends, hashes];
    }
    this.#hashes[this.count] = hash;
    this.#ends[this.count++] = to;
    if (2 * this.count > this.#table.length) this.#grow();
  }

  #grow(): void {
    const table = new Uint32Array(4 * this.#table.length);
    const mask = table.length - 1;
    for (let id = 0; id < this.count; id++) {
      let bucket = (this.#hashes[id] as number) & mask;
      while (table[bucket] !== 0) bucket = (bucket + 1) & mask;
      table[bucket] = id + 1;
    }
    this.#table = table;
  }
}

/** Texts that are ordered at a time: an index has 24 of 64 bits. More are compared one by one. */
const MOST_TEXTS = 2 ** 24;

/** Bytes of a text that are sorted as one number with its index, and fewer texts than pay for it. */
const AT_ONCE = 5;
const FEW = 16;

/** Bytes that are sorted so. Texts that are alike for more are compared one by one. */
const MOST_SORTED = 100;

/** The indices of texts in the order of their bytes; of equal ones, in their own order. */
export function orderOfTexts(texts: TextRun): Uint32Array {
  const order = new Uint32Array(texts.ends.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (order.length > MOST_TEXTS) return order.sort((a, b) => compareTexts(texts, a, b) || a - b);
  new TextSorter(texts, order).sort(0, order.length, 0);
  return order;
}

/** Sorts indices of texts. What is sorted within a part of them takes no memory of its own. */
class TextSorter {
  readonly #texts: TextRun;
  readonly #order: Uint32Array;
  readonly #before: Uint32Array;
  /** Bytes of each text with the place of its index in `#before`, also as halves. */
  readonly #numbers: BigUint64Array;
  readonly #halves: Uint32Array;

  constructor(texts: TextRun, order: Uint32Array) {
    this.#texts = texts;
    this.#order = order;
    this.#before = new Uint32Array(order.length);
    this.#numbers = new BigUint64Array(order.length);
    this.#halves = new Uint32Array(this.#numbers.buffer);
  }

  /** Sorts the indices from one place up to another, whose texts begin with `depth` equal bytes. */
  sort(from: number, to: number, depth: number): void {
    const [order, before, halves] = [this.#order, this.#before, this.#halves];
    const goesOn = this.#fill(from, to, depth) && depth < MOST_SORTED;
    this.#numbers.subarray(from, to).sort();
    for (let i = from; i < to; i++) {
      order[i] = before[(halves[2 * i] as number) & (MOST_TEXTS - 1)] as number;
    }
    for (let first = from, end = from + 1; first < to; first = end++) {
      while (end < to && this.#areAlike(first, end)) end++;
      if (end - first < 2) continue;
      if (goesOn && end - first >= FEW) this.sort(first, end, depth + AT_ONCE);
      else order.subarray(first, end).sort((a, b) => compareTexts(this.#texts, a, b) || a - b);
    }
  }

  /** Writes the numbers that are sorted. Returns whether any text goes on after `depth` bytes. */
  #fill(from: number, to: number, depth: number): boolean {
    const { bytes, ends } = this.#texts;
    const [order, before, halves] = [this.#order, this.#before, this.#halves];
    let isAny = false;
    for (let i = from; i < to; i++) {
      const index = order[i] as number;
      before[i] = index;
      const at = (index === 0 ? 0 : (ends[index - 1] as number)) + depth;
      const end = ends[index] as number;
      if (at < end) isAny = true;
      halves[2 * i] = (byteBefore(end, bytes, at + 4) << 24) | i;
      halves[2 * i + 1] =
        (byteBefore(end, bytes, at) << 24) |
        (byteBefore(end, bytes, at + 1) << 16) |
        (byteBefore(end, bytes, at + 2) << 8) |
        byteBefore(end, bytes, at + 3);
    }
    return isAny;
  }

  #areAlike(a: number, b: number): boolean {
    const halves = this.#halves;
    return (
      halves[2 * a + 1] === halves[2 * b + 1] &&
      (halves[2 * a] as number) >>> 24 === (halves[2 * b] as number) >>> 24
    );
  }
}

/** A byte of a text. One that has ended is as if zeros followed. */
function byteBefore(end: number, bytes: Buffer, at: number): number {
  return at < end ? (bytes[at] as number) : 0;
}

/** Compares two texts by their bytes, which is the order of their code points. */
export function compareTexts(texts: TextRun, a: number, b: number): number {
  const { bytes, ends } = texts;
  let [atA, atB] = [startOf(texts, a), startOf(texts, b)];
  const [endA, endB] = [ends[a] as number, ends[b] as number];
  while (atA < endA && atB < endB) {
    const difference = (bytes[atA++] as number) - (bytes[atB++] as number);
    if (difference !== 0) return difference;
  }
  return endA - atA - (endB - atB);
}
