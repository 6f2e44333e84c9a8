import { FACTOR, hashOfBytes, SEED } from '../text/hash.ts';
import { lengthAt, startOf, type TextRun, textsOf } from '../text/text-run.ts';
import type { Work } from '../work/work.ts';

/** How many texts, and about how many bytes of them, are looked up without a pause. */
const TEXTS_AT_ONCE = 2 ** 12;
const BYTES_AT_ONCE = 2 ** 17;

/** The costs of looking up a text and of reading each of its bytes, in steps. */
const STEPS_PER_TEXT = 15;
const STEPS_PER_BYTE = 0.5;

/**
 * Gives each distinct text an id when it is first met, in any chunk. It is a hash table that refers
 * to the chunks' own bytes.
 */
export class TextDictionary {
  readonly #runs: TextRun[] = [];
  /** For each run, the number of texts in all runs before it. */
  readonly #bases: number[] = [];
  /** For each id, the position of its text, counted through all runs. */
  #positions = new Uint32Array(0);
  #count = 0;
  /**
   * Pairs of a hash and an id. A free bucket has -1 as its id. While there is only one run, nothing
   * is hashed.
   */
  #table: Int32Array | undefined;
  #bytesOfRuns = 0;

  /** The number of distinct texts so far. */
  get count(): number {
    return this.#count;
  }

  /** The approximate size of what it keeps, in bytes. */
  get byteLength(): number {
    return this.#bytesOfRuns + this.#positions.byteLength + (this.#table?.byteLength ?? 0);
  }

  /** Returns the ids of the texts at some indices of a run. No index may occur twice. */
  *idsOf(run: TextRun, indices: ArrayLike<number>): Work<Uint32Array> {
    const ids = new Uint32Array(indices.length);
    const before = this.#count;
    if (before > 0 && this.#table === undefined) {
      const positions = this.#positions.slice(0, before);
      this.#table = new Int32Array(2 ** 10).fill(-1);
      this.#count = 0;
      yield* this.#lookUp(this.#runs[0] as TextRun, 0, positions, new Uint32Array(before));
    }
    const last = this.#runs.at(-1);
    const base = last === undefined ? 0 : (this.#bases.at(-1) as number) + last.ends.length;
    this.#runs.push(run);
    this.#bases.push(base);
    if (before > 0) yield* this.#lookUp(run, base, indices, ids);
    else {
      this.#reserve(indices.length);
      for (let i = 0; i < ids.length; i++) {
        this.#positions[i] = indices[i] as number;
        ids[i] = i;
      }
      this.#count = ids.length;
    }
    this.#keepNew(run, base, this.#positions.subarray(before, this.#count));
    return ids;
  }

  /**
   * Keeps the new texts of the last run: the whole run, or copies of the new texts if they are few.
   */
  #keepNew(run: TextRun, base: number, positions: Uint32Array): void {
    if (positions.length === 0) {
      this.#runs.pop();
      this.#bases.pop();
      return;
    }
    let bytes = 0;
    for (let i = 0; i < positions.length; i++)
      bytes += lengthAt(run, (positions[i] as number) - base);
    let kept = run;
    if (2 * bytes < run.bytes.length) {
      kept = textsOf(
        run,
        positions.map((position) => position - base),
      );
      for (let i = 0; i < positions.length; i++) positions[i] = base + i;
    }
    this.#runs[this.#runs.length - 1] = kept;
    this.#bytesOfRuns += kept.bytes.length + kept.ends.byteLength;
  }

  /** Compares the texts of two ids, by their bytes: that is the order of their code points. */
  compare(a: number, b: number): number {
    const [runOfA, indexOfA] = this.#placeOf(a);
    const [runOfB, indexOfB] = this.#placeOf(b);
    return runOfA.bytes.compare(
      runOfB.bytes,
      startOf(runOfB, indexOfB),
      runOfB.ends[indexOfB],
      startOf(runOfA, indexOfA),
      runOfA.ends[indexOfA],
    );
  }

  *#lookUp(run: TextRun, base: number, indices: ArrayLike<number>, ids: Uint32Array): Work<void> {
    const hashes = new Int32Array(Math.min(TEXTS_AT_ONCE, indices.length));
    for (let from = 0, to = 0; from < indices.length; from = to) {
      let bytes = 0;
      const most = Math.min(indices.length, from + TEXTS_AT_ONCE);
      // Computes all hashes first, so that the processor fetches several buckets of the table at
      // the same time.
      for (; to < most && bytes < BYTES_AT_ONCE; to++) {
        const [start, end] = [startOf(run, indices[to] as number), run.ends[indices[to] as number]];
        hashes[to - from] = hashOfBytes(run.bytes, start, end as number);
        bytes += (end as number) - start;
      }
      this.#reserve(to - from);
      for (let i = from; i < to; i++) {
        ids[i] = this.#idOf(run, base, indices[i] as number, hashes[i - from] as number);
      }
      yield (to - from) * STEPS_PER_TEXT + bytes * STEPS_PER_BYTE;
    }
  }

  #idOf(run: TextRun, base: number, index: number, hash: number): number {
    const table = this.#table as Int32Array;
    const mask = table.length / 2 - 1;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const id = table[2 * bucket + 1] as number;
      if (id >= 0) {
        if (table[2 * bucket] === hash && this.#isText(id, run, index)) return id;
        continue;
      }
      table[2 * bucket] = hash;
      table[2 * bucket + 1] = this.#count;
      this.#positions[this.#count] = base + index;
      return this.#count++;
    }
  }

  #isText(id: number, run: TextRun, index: number): boolean {
    const position = this.#positions[id] as number;
    // Most texts are in the first runs.
    let of = 0;
    while ((this.#bases[of + 1] as number) <= position) of++;
    const known = this.#runs[of] as TextRun;
    const indexInRun = position - (this.#bases[of] as number);
    const [from, end] = [startOf(known, indexInRun), known.ends[indexInRun] as number];
    const start = startOf(run, index);
    if (end - from !== lengthAt(run, index)) return false;
    for (let i = from, j = start; i < end; i++, j++) {
      if (known.bytes[i] !== run.bytes[j]) return false;
    }
    return true;
  }

  /** The run that has the text of an id, and its index there. */
  #placeOf(id: number): readonly [TextRun, number] {
    const position = this.#positions[id] as number;
    let [of, end] = [0, this.#bases.length];
    while (end - of > 1) {
      const middle = (of + end) >>> 1;
      if ((this.#bases[middle] as number) <= position) of = middle;
      else end = middle;
    }
    return [this.#runs[of] as TextRun, position - (this.#bases[of] as number)];
  }

  /** Makes room for this many more texts. */
  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed > this.#positions.length) {
      const positions = new Uint32Array(Math.max(needed, 2 * this.#positions.length));
      positions.set(this.#positions);
      this.#positions = positions;
    }
    if (this.#table === undefined || 4 * needed <= this.#table.length) return;
    let length = this.#table.length;
    while (length < 4 * needed) length *= 2;
    const table = new Int32Array(length).fill(-1);
    const mask = length / 2 - 1;
    for (let from = 0; from < this.#table.length; from += 2) {
      const id = this.#table[from + 1] as number;
      if (id < 0) continue;
      const hash = this.#table[from] as number;
      let bucket = hash & mask;
      while ((table[2 * bucket + 1] as number) >= 0) bucket = (bucket + 1) & mask;
      table[2 * bucket] = hash;
      table[2 * bucket + 1] = id;
    }
    this.#table = table;
  }
}

/**
 * This many numbers below the first number, and this many from it on, are looked up without a map.
 */
const NEAR = 2 ** 13;

/** Ids by number. For whole numbers that lie close together, it is far faster than a map. */
export class NumberDictionary {
  readonly #near = new Int32Array(2 * NEAR).fill(-1);
  readonly #far = new NumberTable();
  /** The number at index 0; NaN while there is none. */
  #first = Number.NaN;

  get byteLength(): number {
    return this.#near.byteLength + this.#far.byteLength;
  }

  /** The id of a number; undefined if it has none. */
  get(number: number): number | undefined {
    const index = this.#indexOf(number);
    if (index === undefined) return this.#far.get(number);
    const id = this.#near[index] as number;
    return id < 0 ? undefined : id;
  }

  set(number: number, id: number): void {
    if (Number.isNaN(this.#first)) this.#first = Math.floor(number) - NEAR;
    const index = this.#indexOf(number);
    if (index === undefined) this.#far.add(number, id);
    else this.#near[index] = id;
  }

  /**
   * Returns the index of a whole number that is near the first one. The number itself must be
   * checked, not its difference from the first: 1e-100 - -1 is 1, too.
   */
  #indexOf(number: number): number | undefined {
    const index = number - this.#first;
    const isNear = index >= 0 && index < 2 * NEAR && number === Math.trunc(number);
    return isNear ? index : undefined;
  }
}

/**
 * Ids by number, for any numbers: a hash table in typed arrays, a third as large as a Map. If it is
 * of pairs, a number may have several ids.
 */
export class NumberTable {
  #numbers = new Float64Array(2 ** 6);
  /** An id and 1; 0 in a free bucket. */
  #ids = new Uint32Array(2 ** 6);
  #count = 0;
  readonly #isOfPairs: boolean;

  constructor(isOfPairs = false) {
    this.#isOfPairs = isOfPairs;
  }

  get byteLength(): number {
    return this.#numbers.byteLength + this.#ids.byteLength;
  }

  /** The id of a number; undefined if it has none. */
  get(number: number): number | undefined {
    const id = this.#ids[this.#bucketOf(number, 0)] as number;
    return id === 0 ? undefined : id - 1;
  }

  /** Gives a number an id, unless it has one; of pairs, this one. Tells whether that is new. */
  add(number: number, id: number): boolean {
    const bucket = this.#bucketOf(number, id + 1);
    if (this.#ids[bucket] !== 0) return false;
    this.#numbers[bucket] = number;
    this.#ids[bucket] = id + 1;
    if (2 * ++this.#count > this.#ids.length) this.#grow();
    return true;
  }

  #grow(): void {
    const [numbers, ids] = [this.#numbers, this.#ids];
    this.#numbers = new Float64Array(2 * numbers.length);
    this.#ids = new Uint32Array(2 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number;
      if (id === 0) continue;
      const bucket = this.#bucketOf(numbers[i] as number, id);
      this.#numbers[bucket] = numbers[i] as number;
      this.#ids[bucket] = id;
    }
  }

  /** The bucket of a number, or of a pair; or the free one where it belongs. */
  #bucketOf(number: number, id: number): number {
    const [ids, numbers, isOfPairs] = [this.#ids, this.#numbers, this.#isOfPairs];
    const mask = ids.length - 1;
    // Adding 0 turns -0 into 0, which it equals.
    NUMBER[0] = number + 0;
    const seed = isOfPairs ? SEED ^ Math.imul(id, 0x9e3779b1) : SEED;
    let hash = Math.imul((HALVES[0] as number) ^ seed, FACTOR);
    hash = Math.imul((hash ^ (hash >>> 15)) + (HALVES[1] as number), FACTOR);
    let bucket = (hash ^ (hash >>> 13)) & mask;
    while (ids[bucket] !== 0 && (numbers[bucket] !== number || (isOfPairs && ids[bucket] !== id))) {
      bucket = (bucket + 1) & mask;
    }
    return bucket;
  }
}

const EIGHT_BYTES = /* @__PURE__ */ new ArrayBuffer(8);
const NUMBER = /* @__PURE__ */ new Float64Array(EIGHT_BYTES);
const HALVES = /* @__PURE__ */ new Uint32Array(EIGHT_BYTES);
