import type { FieldType, NumberType, TextType, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { codeNumbers } from './code-numbers.ts';
import { codeTexts } from './code-texts.ts';
import type { Coded } from './coded.ts';

/** A field's values, row by row, until there are enough for a chunk. */
export type GatheredValues = {
  add(value: Value): void;
  coded(): Coded;
};

export function gatherValues(field: Field): GatheredValues {
  const type: FieldType = typeOf(field);
  return type.comparedBy === 'number'
    ? new GatheredNumbers(type, field)
    : new GatheredTexts(type, field);
}

/** The rows' keys; NaN for those that have none. */
class GatheredNumbers implements GatheredValues {
  readonly #type: NumberType;
  readonly #field: Field;
  readonly #numbers: number[] = [];
  #nulls = 0;

  constructor(type: NumberType, field: Field) {
    this.#type = type;
    this.#field = field;
  }

  add(value: Value): void {
    if (value === null) {
      this.#nulls++;
      this.#numbers.push(Number.NaN);
      return;
    }
    const key = this.#type.keyOf(value, this.#field) as number;
    if (!Number.isFinite(key)) throw new TypeError(`${key} is no finite number.`);
    // -0 equals 0, so both have one code.
    this.#numbers.push(key + 0);
  }

  coded(): Coded {
    return codeNumbers(Float64Array.from(this.#numbers), this.#nulls);
  }
}

/** Texts and keys by their places, in the order of their first rows. Place 0 stands for none. */
export type DistinctTexts = {
  readonly texts: ReadonlyMap<string, number>;
  readonly keys: ReadonlyMap<string, number>;
  /** The place of each text's key. */
  readonly keyOf: readonly number[];
  /** The place of each row's text. */
  readonly places: readonly number[];
};

class GatheredTexts implements GatheredValues, DistinctTexts {
  readonly #type: TextType;
  readonly #field: Field;
  readonly texts = new Map<string, number>();
  readonly keys = new Map([['', 0]]);
  readonly keyOf = [0];
  readonly places: number[] = [];

  constructor(type: TextType, field: Field) {
    this.#type = type;
    this.#field = field;
  }

  add(value: Value): void {
    this.places.push(value === null ? 0 : this.#placeOf(value as string));
  }

  coded(): Coded {
    return codeTexts(this);
  }

  /** A text's place. Its key is made once, since a column often repeats its texts. */
  #placeOf(text: string): number {
    let place = this.texts.get(text);
    if (place === undefined) {
      const key = this.#type.keyOf(text, this.#field) as string;
      const placeOfKey = this.keys.get(key) ?? this.keys.size;
      if (placeOfKey === this.keys.size) this.keys.set(key, placeOfKey);
      place = this.keyOf.push(placeOfKey) - 1;
      this.texts.set(text, place);
    }
    return place;
  }
}
