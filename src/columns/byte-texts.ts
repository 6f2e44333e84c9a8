import { hashOfBytes } from '../text/hash.ts';
import type { TextRun } from '../text/text-run.ts';

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

/** Texts in some buffers: the buffer of each, and where it begins and ends there. */
export type PlacedTexts = {
  readonly buffers: readonly Buffer[];
  readonly bufferOf: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

export function placesOf({ bytes, ends }: TextRun): PlacedTexts {
  const starts = new Uint32Array(ends.length);
  for (let i = 1; i < starts.length; i++) starts[i] = ends[i - 1] as number;
  return { buffers: [bytes], bufferOf: new Uint16Array(ends.length), starts, ends };
}

/** Texts that are ordered at a time: an index has 24 of 64 bits. More are compared one by one. */
const MOST_TEXTS = 2 ** 24;

/** Bytes of a text that are sorted as one number with its index, and fewer texts than pay for it. */
const AT_ONCE = 5;
const FEW = 16;

/** Bytes that are sorted so. Texts that are alike for more are compared one by one. */
const MOST_SORTED = 100;

/** The indices of texts in the order of their bytes; of equal ones, in their own order. */
export function orderOfTexts(texts: PlacedTexts): Uint32Array {
  const order = Uint32Array.from(texts.ends.keys());
  if (order.length > MOST_TEXTS) return order.sort((a, b) => compareTexts(texts, a, b) || a - b);
  sortFrom(texts, order, 0);
  return order;
}

/** Sorts indices of texts whose first bytes are equal, `depth` of them. */
function sortFrom(texts: PlacedTexts, order: Uint32Array, depth: number): void {
  const { buffers, bufferOf, starts, ends } = texts;
  const numbers = new BigUint64Array(order.length);
  const halves = new Uint32Array(numbers.buffer);
  const before = order.slice();
  let isAny = false;
  for (let i = 0; i < before.length; i++) {
    const index = before[i] as number;
    const bytes = buffers[bufferOf[index] as number] as Buffer;
    const [at, end] = [(starts[index] as number) + depth, ends[index] as number];
    // A text that has ended is as if zeros followed.
    const byte = (place: number) => (at + place < end ? (bytes[at + place] as number) : 0);
    isAny ||= at < end;
    halves[2 * i] = (byte(4) << 24) | i;
    halves[2 * i + 1] = (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
  }
  numbers.sort();
  for (let i = 0; i < order.length; i++) {
    order[i] = before[(halves[2 * i] as number) & (MOST_TEXTS - 1)] as number;
  }
  const isAlike = (a: number, b: number) =>
    halves[2 * a + 1] === halves[2 * b + 1] &&
    (halves[2 * a] as number) >>> 24 === (halves[2 * b] as number) >>> 24;
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && isAlike(from, to)) to++;
    if (to - from < 2) continue;
    const alike = order.subarray(from, to);
    const goesOn = isAny && alike.length >= FEW && depth < MOST_SORTED;
    if (goesOn) sortFrom(texts, alike, depth + AT_ONCE);
    else alike.sort((a, b) => compareTexts(texts, a, b) || a - b);
  }
}

/** Compares two texts by their bytes, which is the order of their code points. */
export function compareTexts(
  { buffers, bufferOf, starts, ends }: PlacedTexts,
  a: number,
  b: number,
): number {
  const [bytesOfA, bytesOfB] = [buffers[bufferOf[a] as number], buffers[bufferOf[b] as number]] as [
    Buffer,
    Buffer,
  ];
  let [atA, atB] = [starts[a] as number, starts[b] as number];
  const [endA, endB] = [ends[a] as number, ends[b] as number];
  while (atA < endA && atB < endB) {
    const difference = (bytesOfA[atA++] as number) - (bytesOfB[atB++] as number);
    if (difference !== 0) return difference;
  }
  return endA - atA - (endB - atB);
}
