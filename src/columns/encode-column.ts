import type { FieldType, NumberType, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { ByteTexts } from './byte-texts.ts';
import type { EncodedColumn } from './chunk.ts';
import { encodeNumbers } from './encode-numbers.ts';
import { encodeTexts, type TextsOfRows } from './encode-texts.ts';

/** The values of some rows as they are encoded: numeric keys, NaN where there is none, or texts. */
export type CollectedColumn = { readonly numbers: Float64Array } | TextsOfRows;

/** Collects a field's values row by row, until they are encoded as a chunk. */
export type ColumnBuilder = {
  /** Adds a row's value. Returns what `repeat` takes to add the same once more. */
  add(value: Value): number;
  /**
   * Adds a text that is at hand as the codes of its characters. Returns whether it did. Absent if the
   * values are no texts.
   */
  addPlain?(codes: Uint16Array, start: number, end: number): boolean;
  /** Adds the value of this key, or of this number that `add` gave; NaN if a number has none. */
  repeat(code: number): void;
  /** What was added. Nothing can be added after that. */
  collected(): CollectedColumn;
};

export function columnBuilder(field: Field): ColumnBuilder {
  const type: FieldType = typeOf(field);
  return type.comparedBy === 'number'
    ? new NumberColumnBuilder(type, field)
    : new TextColumnBuilder();
}

export function encodeColumn(field: Field, collected: CollectedColumn): EncodedColumn {
  if ('numbers' in collected) return encodeNumbers(collected.numbers);
  const type: FieldType = typeOf(field);
  if (type.comparedBy === 'number') throw new TypeError(`${field.name} is no text.`);
  return encodeTexts(collected, type, field);
}

/** Collects the rows' numeric keys. NaN is a row without a key. */
class NumberColumnBuilder implements ColumnBuilder {
  readonly #type: NumberType;
  readonly #field: Field;
  #numbers = new Float64Array(FIRST_ROWS);
  #rows = 0;

  constructor(type: NumberType, field: Field) {
    this.#type = type;
    this.#field = field;
  }

  add(value: Value): number {
    const key = value === null ? Number.NaN : (this.#type.keyOf(value, this.#field) as number);
    if (value !== null && !Number.isFinite(key)) throw new TypeError(`${key} is no finite number.`);
    this.repeat(key);
    return key;
  }

  repeat(key: number): void {
    if (this.#rows === this.#numbers.length) this.#grow();
    // -0 equals 0, so both must have the same code.
    this.#numbers[this.#rows++] = key + 0;
  }

  #grow(): void {
    const before = this.#numbers;
    this.#numbers = new Float64Array(2 * before.length);
    this.#numbers.set(before);
  }

  collected(): CollectedColumn {
    return { numbers: this.#numbers.subarray(0, this.#rows) };
  }
}

/** Rows for which there is room at first. */
const FIRST_ROWS = 64;

class TextColumnBuilder implements ColumnBuilder {
  /** The texts as bytes. The index of a text is its id and 1. */
  readonly #texts = new ByteTexts();
  readonly #plain = Buffer.allocUnsafe(MOST_PLAIN);
  #indices = new Uint32Array(FIRST_ROWS);
  #rows = 0;

  add(value: Value): number {
    const index = value === null ? 0 : this.#indexOf(value as string);
    this.repeat(index);
    return index;
  }

  addPlain(codes: Uint16Array, start: number, end: number): boolean {
    const length = end - start;
    if (length > MOST_PLAIN || codes[start] === SPACE || codes[end - 1] === SPACE) return false;
    for (let i = 0; i < length; i++) {
      const code = codes[start + i] as number;
      if (code < SPACE || code >= DELETE) return false;
      this.#plain[i] = code;
    }
    this.repeat(this.#texts.idOf(this.#plain, 0, length) + 1);
    return true;
  }

  repeat(index: number): void {
    if (this.#rows === this.#indices.length) {
      const before = this.#indices;
      this.#indices = new Uint32Array(2 * before.length);
      this.#indices.set(before);
    }
    this.#indices[this.#rows++] = index;
  }

  collected(): CollectedColumn {
    return { texts: this.#texts.run, indices: this.#indices.subarray(0, this.#rows) };
  }

  #indexOf(text: string): number {
    if (!text.isWellFormed()) {
      throw new TypeError(`${JSON.stringify(text)} has half a surrogate pair.`);
    }
    const bytes = Buffer.from(text);
    return this.#texts.idOf(bytes, 0, bytes.length) + 1;
  }
}

/** Bytes of a text that is added without a text being made of it. */
const MOST_PLAIN = 256;

const [SPACE, DELETE] = [0x20, 0x7f];
