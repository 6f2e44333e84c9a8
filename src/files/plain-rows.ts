import { hashOfCodes } from '../text/hash.ts';
import type { SourceRecord } from './source-table.ts';
import { plainTraitsIn, traitsOf } from './totals.ts';

/**
 * Rows of a text, one a line. None needs mending or may be a total. They are cut, but a text is made
 * of a cell only if it is needed: most cells are numbers, or texts that came before. What they have is
 * overwritten when the next rows are cut.
 */
export class PlainRows implements Iterable<SourceRecord> {
  readonly text: string;
  /** The text's codes. To read them takes a fifth of the time that `charCodeAt` takes. */
  readonly codes: Uint16Array;
  /** Where the text goes on after them. */
  readonly to: number;
  readonly firstLine: number;
  readonly length: number;
  readonly columns: number;
  /** Where each cell begins and ends in the text, row by row. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The number of each cell among the known texts of its column. -1 if it has none. */
  readonly ids: Int32Array;
  /** The known texts of each column. */
  readonly known: readonly KnownTexts[];

  constructor(
    {
      text,
      codes,
      to,
      firstLine,
      length,
      known,
    }: Pick<PlainRows, 'text' | 'codes' | 'to' | 'firstLine' | 'length' | 'known'>,
    { starts, ends, ids }: Pick<PlainRows, 'starts' | 'ends' | 'ids'>,
  ) {
    this.text = text;
    this.codes = codes;
    this.to = to;
    this.firstLine = firstLine;
    this.length = length;
    this.columns = known.length;
    this.known = known;
    this.starts = starts;
    this.ends = ends;
    this.ids = ids;
  }

  cell(row: number, column: number): string {
    const at = row * this.columns + column;
    return this.text.slice(this.starts[at], this.ends[at]);
  }

  record(row: number): SourceRecord {
    const cells = Array.from({ length: this.columns }, (_, column) => this.cell(row, column));
    return { cells, line: this.firstLine + row };
  }

  *[Symbol.iterator](): Generator<SourceRecord> {
    for (let row = 0; row < this.length; row++) yield this.record(row);
  }
}

/** Texts of all columns of a file that are known. A column that would have more has none. */
const MOST_IN_FILE = 2 ** 17;

/** Texts of a column that are known, and the characters of each. Further ones have no number. */
const MOST_OF_COLUMN = 2 ** 13;
const MOST_LENGTH = 64;

/** A column whose first texts hardly ever come again, when there are this many, has no known ones. */
const FEW = 2 ** 10;

/** A column with as many known texts as there is room for goes on if each came this often. */
const LEAST_REPEATS = 4;

/** The texts that the columns of a file may still add. */
export type RoomForTexts = { texts: number };

export function roomForTexts(): RoomForTexts {
  return { texts: MOST_IN_FILE };
}

/**
 * The texts of a column's cells, each with a number, from 0, in the order of their first rows. So
 * what was found out about a text need not be found out again.
 */
export class KnownTexts {
  readonly #room: RoomForTexts;
  readonly #texts: string[] = [];
  /** A number and 1; 0 in a free slot. */
  #slots = new Int32Array(2 ** 6);
  #hashes = new Int32Array(2 ** 5);
  #traits = new Uint8Array(2 ** 5);
  #characters = new Uint16Array(2 ** 8);
  #ends = new Uint32Array(2 ** 5);
  #cells = 0;
  #isFull = false;
  /** Set once the column has too many texts to be worth it. */
  isOver = false;

  constructor(room: RoomForTexts) {
    this.#room = room;
  }

  get size(): number {
    return this.#texts.length;
  }

  textOf(id: number): string {
    return this.#texts[id] as string;
  }

  /** What the text tells about a row that has it. */
  traitsOf(id: number): number {
    return this.#traits[id] as number;
  }

  /** The number of a cell; -1 if it has none. */
  idOf(codes: Uint16Array, start: number, end: number): number {
    if (end - start > MOST_LENGTH) return -1;
    this.#cells++;
    const hash = hashOfCodes(codes, start, end);
    const last = this.#slots.length - 1;
    let slot = hash & last;
    for (;;) {
      const id = (this.#slots[slot] as number) - 1;
      if (id < 0) break;
      if (this.#hashes[id] === hash && this.#is(id, codes, start, end)) return id;
      slot = (slot + 1) & last;
    }
    return this.#isFull ? -1 : this.#add(codes, start, end, hash, slot);
  }

  #is(id: number, codes: Uint16Array, start: number, end: number): boolean {
    let from = id === 0 ? 0 : (this.#ends[id - 1] as number);
    if ((this.#ends[id] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.#characters[from++] !== codes[at]) return false;
    }
    return true;
  }

  #add(codes: Uint16Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#texts.length;
    if (id === FEW && this.#cells < FEW + FEW / 16) {
      this.#end();
      return -1;
    }
    if (id === MOST_OF_COLUMN || this.#room.texts === 0) {
      this.#isFull = true;
      if (this.#cells < LEAST_REPEATS * id) this.#end();
      return -1;
    }
    this.#room.texts--;
    const from = id === 0 ? 0 : (this.#ends[id - 1] as number);
    const to = from + end - start;
    if (to > this.#characters.length) this.#characters = grown(this.#characters, to);
    if (id === this.#hashes.length) this.#grow();
    const own = codes.subarray(start, end);
    this.#characters.set(own, from);
    // A part of the file's text would keep all of it in memory.
    const text = textOf(own);
    this.#texts.push(text);
    this.#ends[id] = to;
    this.#hashes[id] = hash;
    this.#traits[id] = plainTraitsIn(codes, start, end) || traitsOf(text);
    if (2 * id < this.#slots.length) this.#slots[slot] = id + 1;
    else this.#fillSlots();
    return id;
  }

  #grow(): void {
    const length = 2 * this.#hashes.length;
    this.#hashes = grown(this.#hashes, length);
    this.#traits = grown(this.#traits, length);
    this.#ends = grown(this.#ends, length);
  }

  #fillSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const last = this.#slots.length - 1;
    for (let id = 0; id < this.#texts.length; id++) {
      let slot = (this.#hashes[id] as number) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = id + 1;
    }
  }

  /** Gives the room to other columns. The texts stay, for those who have counted them. */
  #end(): void {
    this.isOver = true;
    this.#room.texts += this.size;
    this.#slots = new Int32Array(0);
    this.#characters = new Uint16Array(0);
  }
}

function textOf(codes: Uint16Array): string {
  return Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');
}

function grown<T extends Int32Array | Uint32Array | Uint16Array | Uint8Array>(
  numbers: T,
  least: number,
): T {
  const more = new (numbers.constructor as new (length: number) => T)(
    Math.max(least, 2 * numbers.length),
  );
  more.set(numbers);
  return more;
}
