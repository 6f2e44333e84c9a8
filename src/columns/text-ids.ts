import { startOf, type TextRun } from './chunk.ts';

/** Numbers texts by their bytes, across chunks; holds the bytes of each text once. */
export class TextIds {
  #bytes = Buffer.alloc(2 ** 12);
  #ends = new Uint32Array(2 ** 8);
  #hashes = new Int32Array(2 ** 8);
  #table = new Int32Array(2 ** 10).fill(-1);
  #count = 0;
  #used = 0;

  /** About the bytes that it holds. */
  get byteLength(): number {
    return this.#bytes.length + 2 * this.#ends.byteLength + this.#table.byteLength;
  }

  /** The number of the text at an index of a run. */
  idOf(run: TextRun, index: number): number {
    const [start, end] = [startOf(run, index), run.ends[index] as number];
    const mask = this.#table.length - 1;
    const hash = hashOf(run.bytes, start, end);
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const id = this.#table[place] as number;
      if (id < 0) return this.#added(run.bytes, start, end, hash, place);
      if (this.#hashes[id] !== hash) continue;
      const from = id === 0 ? 0 : (this.#ends[id - 1] as number);
      const isSame =
        (this.#ends[id] as number) - from === end - start &&
        this.#bytes.compare(run.bytes, start, end, from, this.#ends[id]) === 0;
      if (isSame) return id;
    }
  }

  #added(bytes: Buffer, start: number, end: number, hash: number, place: number): number {
    const id = this.#count++;
    const used = this.#used + end - start;
    if (used > this.#bytes.length) {
      const more = Buffer.alloc(Math.max(used, 2 * this.#bytes.length));
      this.#bytes.copy(more, 0, 0, this.#used);
      this.#bytes = more;
    }
    bytes.copy(this.#bytes, this.#used, start, end);
    if (id === this.#ends.length) {
      const ends = new Uint32Array(2 * this.#ends.length);
      ends.set(this.#ends);
      const hashes = new Int32Array(ends.length);
      hashes.set(this.#hashes);
      [this.#ends, this.#hashes] = [ends, hashes];
    }
    this.#hashes[id] = hash;
    this.#ends[id] = used;
    this.#used = used;
    this.#table[place] = id;
    if (2 * this.#count > this.#table.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const table = new Int32Array(2 * this.#table.length).fill(-1);
    const mask = table.length - 1;
    for (let id = 0; id < this.#count; id++) {
      let place = (this.#hashes[id] as number) & mask;
      while ((table[place] as number) >= 0) place = (place + 1) & mask;
      table[place] = id;
    }
    this.#table = table;
  }
}

/** Of this process alone, so that nobody can write texts that all have one hash. */
const SEED = Math.floor(Math.random() * 2 ** 32);
const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/**
 * A hash of some bytes. It is mixed after each: a sum of powers of the factor alone would be the
 * same for many texts, whatever the factor is (Thue-Morse sequences).
 */
export function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = SEED;
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ (bytes[i] as number), FACTOR);
    hash ^= hash >>> 15;
  }
  return hash;
}
