import { type Dimension, type Grouping, MOST_GROUPS } from '../block/grouping.ts';
import { invalidArguments } from '../problem/errors.ts';
import { type DimensionKey, dimensionKey } from '../query/groups.ts';
import { compareSorted } from '../query/sort-rows.ts';
import type { Key, Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import { numberText } from '../values/wording.ts';
import type { Budget } from '../work/budget.ts';
import {
  type Chunk,
  type Narrow,
  numberAt,
  places,
  type TextList,
  textAt,
  textReader,
} from './chunk.ts';
import type { MatchedColumn } from './matched-column.ts';
import { NumberIds } from './number-ids.ts';
import { TextIds } from './text-ids.ts';

/** A chunk with more codes has its rows' values looked up one by one. */
const MOST_MAPPED_CODES = 2 ** 18;

/** Numbers that are looked up without a pause, and the work of one, in steps. */
const NUMBERS_AT_ONCE = 16;
const STEPS_PER_NUMBER = 1;

/** The steps of texts that are read without a pause, and those of a text and of each of its units. */
const STEPS_AT_ONCE = 50_000;
const STEPS_PER_TEXT = 30;
const STEPS_PER_UNIT = 2;

export type NumbersOfRows = { readonly codes: Narrow; readonly byCode: Uint16Array };

/** Numbers the values of a dimension as they are first met, from 1 on; 0 stands for no value. */
export class DimensionIds {
  readonly values: Value[] = [null];
  /** What each value is ordered by. */
  readonly keys: (Key | null)[] = [null];
  readonly #option: Grouping['option'];
  /** Of numbers alone. */
  readonly #key: DimensionKey | undefined;
  #numbers: NumberIds | undefined;
  readonly #texts = new TextIds();

  constructor(dimension: Dimension, option: Grouping['option']) {
    this.#option = option;
    if (typeOf(dimension.field).comparedBy === 'number') this.#key = dimensionKey(dimension);
  }

  /** The numbers of a chunk's values, by code, if it has few codes; only of those that rows have. */
  async byCode(column: MatchedColumn, budget: Budget): Promise<Uint16Array | undefined> {
    if (column.chunk.size > MOST_MAPPED_CODES) return undefined;
    const used = column.usedCodes;
    const ids =
      this.#key === undefined
        ? await this.#idsOfTexts(column, used, budget)
        : await this.#idsOfNumbers(this.#key, column.chunk, used, budget);
    const byCode = new Uint16Array(column.chunk.size);
    for (let i = 0; i < used.length; i++) byCode[used[i] as number] = ids[i] as number;
    return byCode;
  }

  /** The numbers of matching rows' values: each row's is the one at its code. */
  async ofRows(column: MatchedColumn, budget: Budget): Promise<NumbersOfRows> {
    const { codes, chunk } = column;
    const byCode = await this.byCode(column, budget);
    if (byCode !== undefined) return { codes, byCode };
    const byRow = await this.#idsOfNumbers(this.#key as DimensionKey, chunk, codes, budget);
    return { codes: places(codes.length), byCode: byRow };
  }

  /** By its number, the place of each value in their order; that of none is last. */
  ranks(): Uint16Array {
    const { keys } = this;
    // An array, whose sort is fast where they are in order already; that of a typed array is not.
    const order: number[] = [];
    for (let id = 0; id < keys.length; id++) order.push(id);
    order.sort((a, b) => compareSorted(keys[a] as Key | null, keys[b] as Key | null, false));
    const ranks = new Uint16Array(order.length);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
    return ranks;
  }

  async #idsOfTexts(column: MatchedColumn, used: Narrow, budget: Budget): Promise<Uint16Array> {
    const { keys, texts, textCodes } = column.chunk.dictionary as TextList;
    const found = await this.#texts.idsOf(keys, used, budget);
    const ids = new Uint16Array(used.length);
    const readKey = textReader(keys);
    let firstRows: Uint16Array | undefined;
    let steps = 0;
    for (let i = 0; i < used.length; i++) {
      const code = used[i] as number;
      const id = (found[i] as number) + 1;
      ids[i] = id;
      if (id < this.values.length) continue;
      const key = readKey(code);
      let value = key;
      if (textCodes !== undefined) {
        // The first row that has a key says how its text is written.
        firstRows ??= firstRowsOf(column);
        value = textAt(texts, textCodes[firstRows[code] as number] as number);
      } else if (texts !== keys) value = textAt(texts, code);
      this.#add(value, key);
      steps += STEPS_PER_TEXT + (key.length + value.length) * STEPS_PER_UNIT;
      if (steps < STEPS_AT_ONCE) continue;
      await budget.turn(steps);
      steps = 0;
    }
    return ids;
  }

  async #idsOfNumbers(
    key: DimensionKey,
    { dictionary, firstKey }: Chunk,
    codes: Narrow,
    budget: Budget,
  ): Promise<Uint16Array> {
    if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
    const ids = new Uint16Array(codes.length);
    let slow = key.slowSteps ?? 0;
    // Codes mostly ascend with their numbers, so that those of one part follow one another.
    let from = Number.NaN;
    let end = Number.NaN;
    let id = 0;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      if (code >= firstKey) {
        const number = numberAt(dictionary, code);
        if (!(number >= from && number < end)) {
          id = this.#idOfNumber(key, key.keyOf(number));
          from = number;
          end = key.endOf?.(number) ?? number;
        }
        ids[i] = id;
      }
      if (i % NUMBERS_AT_ONCE !== 0) continue;
      const before = slow;
      slow = key.slowSteps ?? 0;
      const pause = budget.turn(slow - before + NUMBERS_AT_ONCE * STEPS_PER_NUMBER);
      if (pause !== undefined) await pause;
    }
    return ids;
  }

  #idOfNumber(of: DimensionKey, key: number): number {
    this.#numbers ??= new NumberIds();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const id = this.#add(of.valueOf(key), key);
    this.#numbers.set(key, id);
    return id;
  }

  #add(value: Value, key: Key): number {
    if (this.values.length > MOST_GROUPS) throw tooManyGroups(this.#option);
    this.keys.push(key);
    return this.values.push(value) - 1;
  }
}

/** By code, the first matching row that has it. */
function firstRowsOf(column: MatchedColumn): Uint16Array {
  const { codes, chunk } = column;
  const rows = new Uint16Array(chunk.size);
  for (let i = codes.length - 1; i >= 0; i--) rows[codes[i] as number] = column.rowAt(i);
  return rows;
}

export function tooManyGroups(option: '_group' | '_facets' = '_group'): Error {
  const detail =
    option === '_facets'
      ? `A field of _facets has more than ${numberText(MOST_GROUPS)} different values, the most that are counted. Count a part of the values (dates by .year or .month, numbers by a width such as .10), leave the field out, or filter for fewer rows.`
      : `_group makes more than ${numberText(MOST_GROUPS)} groups, the most that an answer has. Group by a part of the values (dates by .year or .month, numbers by a width such as .10), by fewer fields, or filter for fewer rows.`;
  return invalidArguments([{ code: 'too-many-groups', detail, parameter: option }]);
}
