import { type Grouping, MOST_GROUPS } from '../block/grouping.ts';
import type { Value } from '../values/field-type.ts';
import type { Budget } from '../work/budget.ts';
import { DimensionIds, type NumbersOfRows, tooManyGroups } from './dimension-ids.ts';
import type { MatchedColumn } from './matched-column.ts';

/** The most groups that a number may stand for: all, and that of no value, which may be empty. */
export const MOST_GROUP_NUMBERS = MOST_GROUPS + 1;

/** With more combinations than this, the chance that a table of all is mostly empty is great. */
const MOST_IN_TABLE = 2 ** 18;

/** Numbers the groups that rows are in. */
export class GroupIds {
  readonly #dimensions: readonly DimensionIds[];
  readonly #option: Grouping['option'];
  /** By one dimension alone: whether some row has no value. */
  #hasNone = false;
  /** By several: the groups by their combinations of the dimensions' numbers, and the other way. */
  readonly #byCombination = new Map<number, number>();
  readonly #combinations: number[] = [];

  constructor({ dimensions, option }: Grouping) {
    this.#dimensions = dimensions.map((dimension) => new DimensionIds(dimension, option));
    this.#option = option;
  }

  /**
   * The groups of a chunk's rows by the code of the only dimension: of the codes that rows have.
   * Undefined if there are several dimensions, or too many codes. Throws a Problem for too many.
   */
  async byCode(column: MatchedColumn, budget: Budget): Promise<Uint16Array | undefined> {
    const [only, other] = this.#dimensions;
    if (only === undefined || other !== undefined) return undefined;
    const ids = await only.byCode(column, budget);
    if (ids !== undefined) this.#countNone(column);
    return ids;
  }

  /** Each matching row's group, by the columns of the dimensions. Throws a Problem for too many. */
  async of(columns: readonly MatchedColumn[], rows: number, budget: Budget): Promise<Uint16Array> {
    const numbers: NumbersOfRows[] = [];
    for (const [i, dimension] of this.#dimensions.entries()) {
      numbers.push(await dimension.ofRows(columns[i] as MatchedColumn, budget));
    }
    const [first, second, third] = numbers;
    const groups = new Uint16Array(rows);
    if (first === undefined) return groups;
    if (second === undefined) {
      const { codes, byCode } = first;
      for (let row = 0; row < rows; row++) groups[row] = byCode[codes[row] as number] as number;
      this.#countNone(columns[0] as MatchedColumn);
    } else {
      const none = { codes: new Uint8Array(rows), byCode: new Uint16Array(1) };
      this.#combine([first, second, third ?? none], groups);
    }
    return groups;
  }

  /** The groups in the order of their values: by the first dimension, then by the next; null is last. */
  inOrder(): Uint16Array {
    const [only, other] = this.#dimensions;
    if (only === undefined) return new Uint16Array(1);
    if (other === undefined) {
      const ranks = only.ranks();
      const order = new Uint16Array(ranks.length);
      for (let id = 0; id < ranks.length; id++) order[ranks[id] as number] = id;
      // None is the last value, whether a row has it or not.
      return this.#hasNone ? order : order.subarray(0, -1);
    }
    const ranks = this.#dimensions.map((dimension) => dimension.ranks());
    const places = this.#combinations.map((combination) =>
      combinationOf(ranks.map((its, i) => its[idIn(combination, i)] as number)),
    );
    const order = Uint16Array.from(places.keys());
    return order.sort((a, b) => (places[a] as number) - (places[b] as number));
  }

  /** The values of some groups in a dimension. */
  valuesOf(groups: Uint16Array, dimension: number): Value[] {
    const { values } = this.#dimensions[dimension] as DimensionIds;
    const isOnly = this.#dimensions.length === 1;
    return Array.from(groups, (group) => {
      const id = isOnly ? group : idIn(this.#combinations[group] as number, dimension);
      return values[id] as Value;
    });
  }

  #countNone({ codes, chunk }: MatchedColumn): void {
    this.#hasNone ||= chunk.firstKey === 1 && codes.includes(0);
    const [only] = this.#dimensions as readonly [DimensionIds];
    if (this.#hasNone && only.values.length > MOST_GROUPS) throw tooManyGroups(this.#option);
  }

  /** Tells each row's group, by its values' numbers in three dimensions. */
  #combine(numbers: readonly [NumbersOfRows, NumbersOfRows, NumbersOfRows], groups: Uint16Array) {
    const [{ codes: codes1, byCode: byCode1 }, { codes: codes2, byCode: byCode2 }, third] = numbers;
    const { codes: codes3, byCode: byCode3 } = third;
    const sizes = this.#dimensions.map(({ values }) => values.length);
    const [size1 = 1, size2 = 1, size3 = 1] = sizes;
    const isTable = size1 * size2 * size3 <= MOST_IN_TABLE;
    const known = isTable ? new Uint16Array(size1 * size2 * size3) : undefined;
    for (let row = 0; row < groups.length; row++) {
      const one = byCode1[codes1[row] as number] as number;
      const two = byCode2[codes2[row] as number] as number;
      const three = byCode3[codes3[row] as number] as number;
      if (known === undefined) {
        groups[row] = this.#groupOf(one, two, three);
        continue;
      }
      const place = (one * size2 + two) * size3 + three;
      let next = known[place] as number;
      if (next === 0) {
        next = this.#groupOf(one, two, three) + 1;
        known[place] = next;
      }
      groups[row] = next - 1;
    }
  }

  #groupOf(first: number, second: number, third: number): number {
    const combination = combinationOf([first, second, third]);
    const known = this.#byCombination.get(combination);
    if (known !== undefined) return known;
    if (this.#combinations.length === MOST_GROUPS) throw tooManyGroups(this.#option);
    this.#byCombination.set(combination, this.#combinations.length);
    return this.#combinations.push(combination) - 1;
  }
}

/** Numbers of values as one number that orders as they do, one after another. */
function combinationOf([first = 0, second = 0, third = 0]: readonly number[]): number {
  return (first * MOST_GROUP_NUMBERS + second) * MOST_GROUP_NUMBERS + third;
}

/** The number of a dimension's value in a combination. */
function idIn(combination: number, dimension: number): number {
  return Math.floor(combination / MOST_GROUP_NUMBERS ** (2 - dimension)) % MOST_GROUP_NUMBERS;
}
