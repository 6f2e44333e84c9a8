import { FACTOR, SEED } from '../../text/hash.ts';

/** Slots of 8 bytes in which all columns of a file count distinct cells: 128 MiB together. */
const MOST_SLOTS = 16 * 2 ** 20;
export type Room = { slots: number };

export function roomForColumns(): Room {
  return { slots: MOST_SLOTS };
}

/** Slots of a column at its start, and the most slots with a count for each hash. */
const FIRST_SLOTS = 64;
const MOST_SLOTS_COUNTED = 1024;

/**
 * Distinct cells that are counted in a column of a new file. While none is repeated, all are
 * counted.
 */
export const MOST_COUNTED = 20_000;

/**
 * Counts a column's distinct texts by hashes of 53 bits. A million texts share a hash with a chance
 * of 1 in 18,000. The column then seems less unique than it is.
 */
export class DistinctTexts {
  /** The number of distinct texts. If it is `uncounted`, there are more. */
  size = 0;
  isUncounted = false;
  hasRepeats = false;
  private hashes = new Float64Array(FIRST_SLOTS);
  /** How often each text occurs, as long as they are few. */
  private counts: Uint32Array | undefined = new Uint32Array(FIRST_SLOTS);
  private readonly room: Room;
  private readonly beforeForgetting: (countOf: (text: string) => number | undefined) => void;

  /** Calls `beforeForgetting` with the counts before it drops them. */
  constructor(room: Room, beforeForgetting: DistinctTexts['beforeForgetting']) {
    this.room = room;
    this.beforeForgetting = beforeForgetting;
  }

  /** Whether the count of each text is known. */
  get areCounted(): boolean {
    return this.counts !== undefined;
  }

  /** Adds a text. Returns whether the text is known to be a repetition. */
  add(text: string): boolean {
    return !this.isUncounted && this.addHash(hashOf(text));
  }

  /** Adds a text that is at hand as the codes of its characters. */
  addIn(codes: Uint16Array, start: number, end: number): boolean {
    return !this.isUncounted && this.addHash(hashIn(codes, start, end));
  }

  private addHash(hash: number): boolean {
    const slot = slotOf(this.hashes, hash);
    if (this.counts !== undefined) this.counts[slot] = (this.counts[slot] as number) + 1;
    if (this.hashes[slot] === hash) {
      this.hasRepeats = true;
      if (this.size > MOST_COUNTED) this.stopCounting();
      return true;
    }
    this.hashes[slot] = hash;
    this.size++;
    if (this.size > MOST_COUNTED && this.hasRepeats) this.stopCounting();
    else if (this.size * 2 > this.hashes.length) this.grow();
    return false;
  }

  /** Counts further cells of a text that was added. */
  addAgain(text: string, times: number): void {
    this.hasRepeats = true;
    if (this.counts === undefined) return;
    const slot = slotOf(this.hashes, hashOf(text));
    this.counts[slot] = (this.counts[slot] as number) + times;
  }

  /** How often a text was added. Undefined if there are too many texts. */
  countOf(text: string): number | undefined {
    return this.counts?.[slotOf(this.hashes, hashOf(text))];
  }

  private grow(): void {
    const { hashes, counts, room } = this;
    const slots = hashes.length * 2;
    if (room.slots < slots) {
      this.stopCounting();
      return;
    }
    room.slots -= slots - hashes.length;
    if (counts !== undefined && slots > MOST_SLOTS_COUNTED) this.giveCounts();
    this.hashes = new Float64Array(slots);
    this.counts = slots > MOST_SLOTS_COUNTED ? undefined : new Uint32Array(slots);
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number;
      if (hash === 0) continue;
      const slot = slotOf(this.hashes, hash);
      this.hashes[slot] = hash;
      if (this.counts !== undefined) this.counts[slot] = counts?.[i] as number;
    }
  }

  private giveCounts(): void {
    this.beforeForgetting((text) => this.countOf(text));
  }

  private stopCounting(): void {
    if (this.areCounted) this.giveCounts();
    this.isUncounted = true;
    this.room.slots += this.hashes.length;
    this.hashes = new Float64Array(0);
    this.counts = undefined;
  }
}

/** The slot of a hash, or a free one for it. At most half of the slots are taken. */
function slotOf(hashes: Float64Array, hash: number): number {
  const last = hashes.length - 1;
  // `&` takes the lowest 32 bits, which is much faster than a remainder of 53.
  let slot = hash & last;
  while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & last;
  return slot;
}

/** Joins two hashes of 32 bits, each with one multiplication a character. Never returns 0. */
function hashOf(text: string): number {
  let [high, low] = [HIGH, LOW];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x5f356495);
    low = Math.imul(low ^ code, 0x9e3779b1);
  }
  return joined(high, low);
}

/** The same hash of a text that is at hand as codes. */
function hashIn(codes: Uint16Array, start: number, end: number): number {
  let [high, low] = [HIGH, LOW];
  for (let i = start; i < end; i++) {
    const code = codes[i] as number;
    high = Math.imul(high ^ code, 0x5f356495);
    low = Math.imul(low ^ code, 0x9e3779b1);
  }
  return joined(high, low);
}

const [HIGH, LOW] = [SEED, FACTOR];

function joined(before: number, lowBefore: number): number {
  let [high, low] = [before ^ (before >>> 16), lowBefore ^ (lowBefore >>> 15)];
  high = Math.imul(high, 0x85ebca6b) ^ Math.imul(low, 0xc2b2ae35);
  low = Math.imul(low, 0x85ebca6b) ^ (high >>> 13);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) || 1;
}
