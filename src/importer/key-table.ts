import type { Value } from '../values/field-type.ts';
import { hashesOf } from './value-hash.ts';

/**
 * Rows by their keys, of which it holds hashes of 64 bits: some 30 bytes a row. Rows with the same
 * key are taken in their order.
 */
export class KeyTable {
  /** Each slot's first row, plus 1. At most half of the slots are taken, so each search ends. */
  #slots = new Uint32Array(1024);
  #low = new Uint32Array(512);
  #high = new Uint32Array(512);
  /** Of a key's first row: the row to take next, plus 1, and the last. */
  #turn = new Uint32Array(512);
  #last = new Uint32Array(512);
  /** The next row with the same key, plus 1. */
  #next = new Uint32Array(512);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: readonly Value[]): void {
    if (this.#size === this.#low.length) this.#grow();
    const row = this.#size++;
    const [low, high] = hashesOf(key);
    this.#low[row] = low;
    this.#high[row] = high;
    const slot = this.#slotOf(low, high);
    const first = this.#slots[slot] as number;
    if (first === 0) {
      this.#slots[slot] = row + 1;
      this.#turn[row] = row + 1;
      this.#last[row] = row;
      return;
    }
    this.#next[this.#last[first - 1] as number] = row + 1;
    this.#last[first - 1] = row;
    if (this.#turn[first - 1] === 0) this.#turn[first - 1] = row + 1;
  }

  /** The first row with this key that was not taken yet; undefined if there is none. */
  take(key: readonly Value[]): number | undefined {
    const first = this.#slots[this.#slotOf(...hashesOf(key))] as number;
    if (first === 0) return undefined;
    const row = this.#turn[first - 1] as number;
    if (row === 0) return undefined;
    this.#turn[first - 1] = this.#next[row - 1] as number;
    return row - 1;
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const first = this.#slots[slot] as number;
      if (first === 0 || (this.#low[first - 1] === low && this.#high[first - 1] === high)) {
        return slot;
      }
    }
  }

  #grow(): void {
    this.#low = doubled(this.#low);
    this.#high = doubled(this.#high);
    this.#turn = doubled(this.#turn);
    this.#last = doubled(this.#last);
    this.#next = doubled(this.#next);
    const firsts = this.#slots;
    this.#slots = new Uint32Array(2 * firsts.length);
    for (const first of firsts) {
      if (first === 0) continue;
      const [low, high] = [this.#low[first - 1] as number, this.#high[first - 1] as number];
      this.#slots[this.#slotOf(low, high)] = first;
    }
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * array.length);
  longer.set(array);
  return longer;
}
