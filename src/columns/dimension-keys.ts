import { type Dimension, type Grouping, MOST_GROUPS } from '../block/grouping.ts';
import { NumberDictionary, TextDictionary } from '../measures/text-ids.ts';
import { invalidArguments } from '../problem/errors.ts';
import { type DimensionKey, dimensionKey } from '../query/groups.ts';
import { compareSorted } from '../query/sort-rows.ts';
import { textAt } from '../text/text-run.ts';
import { numberText } from '../text/wording.ts';
import { nextWhere } from '../values/comparison.ts';
import type { Key, Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Work } from '../work/work.ts';
import {
  type Chunk,
  type FrameOfReference,
  type NumberList,
  numberAt,
  numbersBelow,
  type TextList,
  textReader,
  type UintArray,
} from './chunk.ts';
import type { MatchedColumn } from './matched-column.ts';

/** Reads the texts of some rows of the dataset, which ascend. */
export type TextsAt = (rows: readonly number[]) => Work<Value[]>;

/** If a chunk has more codes than this, its rows' values are looked up one by one. */
const MOST_MAPPED_CODES = 2 ** 18;

/** The steps are counted after so many looks at a number; and the cost of one number, in steps. */
const LOOKS_AT_ONCE = 16;
const STEPS_PER_NUMBER = 1;

/**
 * How many steps of reading values are done without a pause, and the cost of a text and of each
 * UTF-16 unit in it.
 */
const STEPS_AT_ONCE = 50_000;
const STEPS_PER_TEXT = 30;
const STEPS_PER_UNIT = 2;

export type NumbersOfRows = { readonly codes: UintArray; readonly byCode: Uint32Array };

/**
 * Gives each value of a dimension an id when it is first met, from 1 on. Id 0 stands for no value.
 */
export class DimensionKeys {
  /** The first values, and for each the key that it sorts by. */
  readonly #values: Value[] = [null];
  readonly #keys: (Key | null)[] = [null];
  /** Of each further value, its key if that is a number, or else the first row that has it. */
  readonly #further: number[] = [];
  readonly #option: Grouping['option'];
  /** Present if the dimension is numeric. */
  readonly #key: DimensionKey | undefined;
  #numbers: NumberDictionary | undefined;
  readonly #texts = new TextDictionary();

  constructor(dimension: Dimension, option: Grouping['option']) {
    this.#option = option;
    if (typeOf(dimension.field).comparedBy === 'number') this.#key = dimensionKey(dimension);
  }

  /**
   * Returns the ids of a chunk's values by code, for those codes that occur in rows. Returns
   * undefined if the chunk has too many codes.
   */
  *byCode(column: MatchedColumn, first: number): Work<Uint32Array | undefined> {
    if (column.chunk.size > MOST_MAPPED_CODES) return undefined;
    return this.#key === undefined
      ? yield* this.#idsOfTexts(column, first)
      : yield* this.#idsOfNumbers(this.#key, column.chunk, column.usedCodes, true);
  }

  /** Returns the ids of the matching rows' values. A row's id stands at the row's code. */
  *ofRows(column: MatchedColumn, first: number): Work<NumbersOfRows> {
    const { codes, chunk } = column;
    const byCode = yield* this.byCode(column, first);
    if (byCode !== undefined) return { codes, byCode };
    const byRow = yield* this.#idsOfNumbers(this.#key as DimensionKey, chunk, codes, false);
    return { codes: numbersBelow(codes.length), byCode: byRow };
  }

  /** Returns for each id the rank of its value. No value has the last rank. */
  ranks(): Uint32Array {
    const keys = this.#keys;
    // An ordinary array sorts fast if it is nearly in order; a typed array does not.
    const order: number[] = [];
    for (let id = 0; id < keys.length; id++) order.push(id);
    order.sort((a, b) => compareSorted(keys[a] as Key | null, keys[b] as Key | null, false));
    const ranks = new Uint32Array(order.length);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
    return ranks;
  }

  /** How many ids there are. */
  get size(): number {
    return this.#values.length + this.#further.length;
  }

  get byteLength(): number {
    return this.#texts.byteLength + (this.#numbers?.byteLength ?? 0) + 8 * this.#further.length;
  }

  /** Compares the values of two ids. No value comes last in both directions. */
  compare(a: number, b: number, descending: boolean): number {
    if (a === 0 || b === 0) return a === b ? 0 : a === 0 ? 1 : -1;
    const order =
      this.#key === undefined
        ? this.#texts.compare(a - 1, b - 1)
        : this.#numberOf(a) - this.#numberOf(b);
    return descending ? -order : order;
  }

  #numberOf(id: number): number {
    return (this.#keys[id] ?? this.#further[id - this.#keys.length]) as number;
  }

  /** Returns the values of some ids. */
  *valuesOf(ids: Uint32Array, textsAt: TextsAt): Work<Value[]> {
    const kept = this.#values.length;
    const key = this.#key;
    if (key !== undefined) {
      return Array.from(ids, (id) => (id === 0 ? null : key.valueOf(this.#numberOf(id))));
    }
    const values = Array.from(ids, (id) => this.#values[id] as Value);
    if (this.#further.length === 0) return values;
    const rowOf = (index: number) => this.#further[(ids[index] as number) - kept] as number;
    const unread = [...ids.keys()].filter((index) => (ids[index] as number) >= kept);
    unread.sort((a, b) => rowOf(a) - rowOf(b));
    const texts = unread.length === 0 ? [] : yield* textsAt(unread.map(rowOf));
    for (const [i, index] of unread.entries()) values[index] = texts[i] as Value;
    return values;
  }

  *#idsOfTexts(column: MatchedColumn, first: number): Work<Uint32Array> {
    const { usedCodes: used, size } = column;
    const { keys, texts, textCodes } = column.chunk.dictionary as TextList;
    const found = yield* this.#texts.idsOf(keys, used);
    const byCode = new Uint32Array(size);
    const readKey = textReader(keys);
    let firstRows: Uint16Array | undefined;
    let steps = 0;
    for (let i = 0; i < used.length; i++) {
      const code = used[i] as number;
      const id = (found[i] as number) + 1;
      byCode[code] = id;
      if (id < this.size) continue;
      if (this.size > MOST_GROUPS) {
        firstRows ??= firstRowsOf(column);
        this.#addFurther(first + (firstRows[code] as number));
        continue;
      }
      const key = readKey(code);
      let value = key;
      if (textCodes !== undefined) {
        // If a key has several spellings, the first row with that key decides which one is shown.
        firstRows ??= firstRowsOf(column);
        value = textAt(texts, textCodes[firstRows[code] as number] as number);
      } else if (texts !== keys) value = textAt(texts, code);
      this.#add(value, key);
      steps += STEPS_PER_TEXT + (key.length + value.length) * STEPS_PER_UNIT;
      if (steps < STEPS_AT_ONCE) continue;
      yield steps;
      steps = 0;
    }
    return byCode;
  }

  /**
   * The ids of codes: in their order, or `byCode` if they ascend. Then those up to where the key changes
   * are found together.
   */
  *#idsOfNumbers(
    key: DimensionKey,
    { dictionary, firstKey, size }: Chunk,
    codes: UintArray,
    byCode: boolean,
  ): Work<Uint32Array> {
    if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
    const ids = new Uint32Array(byCode ? size : codes.length);
    let slow = key.slowSteps ?? 0;
    let counted = 0;
    let looks = 0;
    // Codes mostly ascend with their numbers, so numbers that belong to the same part mostly follow
    // one another.
    let from = Number.NaN;
    let end = Number.NaN;
    let id = 0;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (code >= firstKey) {
        const number = numberAt(dictionary, code);
        if (!(number >= from && number < end)) {
          id = this.#idOfNumber(key.keyOf(number));
          from = number;
          end = key.endOf?.(number) ?? number;
        }
        if (!byCode) ids[i] = id;
        else {
          if (end > number) i = firstFrom(dictionary, end, codes, i + 1) - 1;
          // Codes between them occur in no row.
          ids.fill(id, code, (codes[i] as number) + 1);
        }
      }
      if (++looks % LOOKS_AT_ONCE !== 0) continue;
      const steps = (key.slowSteps ?? 0) - slow + (i - counted) * STEPS_PER_NUMBER;
      if (steps < STEPS_AT_ONCE) continue;
      yield steps;
      slow = key.slowSteps ?? 0;
      counted = i;
    }
    yield (key.slowSteps ?? 0) - slow + (codes.length - counted) * STEPS_PER_NUMBER;
    return ids;
  }

  #idOfNumber(key: number): number {
    this.#numbers ??= new NumberDictionary();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    // Its value follows from its key, and is made of those that are listed.
    const id = this.size > MOST_GROUPS ? this.#addFurther(key) : this.#add(null, key);
    this.#numbers.set(key, id);
    return id;
  }

  #add(value: Value, key: Key): number {
    this.#keys.push(key);
    return this.#values.push(value) - 1;
  }

  /** Adds a value of which only a number is kept. */
  #addFurther(number: number): number {
    if (this.#option === '_facets') throw tooManyGroups(this.#option);
    return this.#values.length + this.#further.push(number) - 1;
  }
}

/** The first index from `from` on whose code stands for this number or a greater one. */
function firstFrom(
  dictionary: FrameOfReference | NumberList,
  number: number,
  codes: UintArray,
  from: number,
): number {
  return nextWhere((i) => numberAt(dictionary, codes[i] as number) >= number, from, codes.length);
}

/** Returns for each code the first matching row that has it. */
function firstRowsOf(column: MatchedColumn): Uint16Array {
  const { codes, chunk } = column;
  const rows = new Uint16Array(chunk.size);
  for (let i = codes.length - 1; i >= 0; i--) rows[codes[i] as number] = column.rowAt(i);
  return rows;
}

export function tooManyGroups(option: Grouping['option'] | '_group' = '_group'): Error {
  const detail =
    option === '_facets'
      ? `A field of _facets has more than ${numberText(MOST_GROUPS)} different values, the most that are counted. Count a part of the values (dates by .year or .month, numbers by a width such as .10), leave the field out, or filter for fewer rows.`
      : `A field of _group has more than ${numberText(MOST_OF_THREE)} different values, the most that one of three may have. Group by a part of the values (dates by .year or .month, numbers by a width such as .10), by fewer fields, or filter for fewer rows.`;
  return invalidArguments([{ code: 'too-many-groups', detail, parameter: option }]);
}

/**
 * Values that one of two dimensions may have, and one of three.
 *
 * A number can join as many exactly.
 */
export const MOST_OF_TWO = 2 ** 26;
export const MOST_OF_THREE = 2 ** 17;
