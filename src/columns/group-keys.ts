import { type Grouping, MOST_GROUPS } from '../block/grouping.ts';
import type { Wholes } from '../measures/measure.ts';
import { NumberTable } from '../measures/text-ids.ts';
import type { Value } from '../values/field-type.ts';
import type { Work } from '../work/work.ts';
import {
  DimensionKeys,
  MOST_OF_THREE,
  MOST_OF_TWO,
  type NumbersOfRows,
  type TextsAt,
  tooManyGroups,
} from './dimension-keys.ts';
import type { MatchedColumn } from './matched-column.ts';

/**
 * If there are more possible combinations than this, a table of all of them would probably be
 * mostly empty.
 */
const MOST_IN_TABLE = 2 ** 18;

/** Numbers the groups that rows belong to. */
export class GroupKeys {
  readonly #dimensions: readonly DimensionKeys[];
  readonly #option: Grouping['option'];
  /** Used with one dimension: whether some row has no value. */
  #hasNone = false;
  /**
   * Used with several dimensions. A combination joins the ids of a group's values; one list finds
   * the group by its combination, the other the combination by its group.
   */
  #byCombination: NumberTable | undefined;
  readonly #combinations: number[] = [];
  /** By what the ids of the first and the second dimension are multiplied in a combination. */
  readonly #factors: readonly [number, number];

  constructor({ dimensions, option }: Grouping) {
    this.#dimensions = dimensions.map((dimension) => new DimensionKeys(dimension, option));
    this.#option = option;
    this.#factors =
      dimensions.length === 3 ? [MOST_OF_THREE ** 2, MOST_OF_THREE] : [MOST_OF_TWO, 1];
  }

  /** How many numbers the groups have so far. */
  get count(): number {
    const [only, second] = this.#dimensions;
    if (only === undefined) return 1;
    return second === undefined ? only.size : this.#combinations.length;
  }

  /** Whether there are more groups than are put in order. */
  get areMany(): boolean {
    const [, second] = this.#dimensions;
    return this.count - (second === undefined && !this.#hasNone ? 1 : 0) > MOST_GROUPS;
  }

  /** The memory that the numbers take, if there are many. */
  get byteLength(): number {
    if (!this.areMany) return 0;
    const ofCombinations = (this.#byCombination?.byteLength ?? 0) + 8 * this.#combinations.length;
    return this.#dimensions.reduce((sum, { byteLength }) => sum + byteLength, ofCombinations);
  }

  /**
   * With one dimension, returns the group of each code that occurs in the matching rows. Returns
   * undefined if there are several dimensions, or too many codes. Throws a Problem if there are too
   * many groups.
   */
  *byCode(column: MatchedColumn, first: number): Work<Uint32Array | undefined> {
    const [only, second] = this.#dimensions;
    if (only === undefined || second !== undefined) return undefined;
    const ids = yield* only.byCode(column, first);
    if (ids !== undefined) this.#countNone(column);
    return ids;
  }

  /**
   * Returns each matching row's group, from the columns of the dimensions. `first` is the position
   * of the chunk's first row. Throws a Problem if there are too many groups.
   */
  *of(columns: readonly MatchedColumn[], first: number, rows: number): Work<Uint32Array> {
    const numbers: NumbersOfRows[] = [];
    for (const [i, dimension] of this.#dimensions.entries()) {
      numbers.push(yield* dimension.ofRows(columns[i] as MatchedColumn, first));
    }
    const [one, second, third] = numbers;
    const groups = new Uint32Array(rows);
    if (one === undefined) return groups;
    if (second === undefined) {
      readIds(one, groups);
      this.#countNone(columns[0] as MatchedColumn);
    } else {
      const most = third === undefined ? MOST_OF_TWO : MOST_OF_THREE;
      if (this.#dimensions.some(({ size }) => size > most)) throw tooManyGroups(this.#option);
      const none = { codes: new Uint8Array(rows), byCode: new Uint32Array(1) };
      this.#combine([one, second, third ?? none], groups);
    }
    return groups;
  }

  /** Returns all groups, in the order in which rows have them. */
  all(): Uint32Array {
    const [, second] = this.#dimensions;
    const from = second === undefined && !this.#hasNone ? 1 : 0;
    return Uint32Array.from({ length: this.count - from }, (_, i) => from + i);
  }

  /**
   * Returns the groups in the order of their values: by the first dimension, then by the next. Null
   * comes last. There must not be many.
   */
  inOrder(): Uint32Array {
    const [only, second] = this.#dimensions;
    if (only === undefined) return new Uint32Array(1);
    if (second === undefined) {
      const ranks = only.ranks();
      const order = new Uint32Array(ranks.length);
      for (let id = 0; id < ranks.length; id++) order[ranks[id] as number] = id;
      // No value sorts last, whether any row has none or not.
      return this.#hasNone ? order : order.subarray(0, -1);
    }
    const [ranks1, ranks2, ranks3] = this.#dimensions.map((dimension) => dimension.ranks());
    const groupRanks = new Float64Array(this.#combinations.length);
    const order = new Uint32Array(groupRanks.length);
    for (let group = 0; group < order.length; group++) {
      order[group] = group;
      groupRanks[group] = this.#combinationOf(
        ranks1?.[this.#idIn(group, 0)] as number,
        ranks2?.[this.#idIn(group, 1)] as number,
        ranks3 === undefined ? 0 : (ranks3[this.#idIn(group, 2)] as number),
      );
    }
    return order.sort((a, b) => (groupRanks[a] as number) - (groupRanks[b] as number));
  }

  /** Compares the values that two groups have in a dimension. Null comes last. */
  compare(dimension: number, a: number, b: number, descending: boolean): number {
    const [idOfA, idOfB] = [this.#idIn(a, dimension), this.#idIn(b, dimension)];
    return (this.#dimensions[dimension] as DimensionKeys).compare(idOfA, idOfB, descending);
  }

  /**
   * Returns the value that each of these groups has in a dimension. `textsAt` reads the texts of
   * some rows.
   */
  valuesOf(groups: Uint32Array, dimension: number, textsAt: TextsAt): Work<Value[]> {
    const isOnly = this.#dimensions.length === 1;
    const ids = isOnly ? groups : groups.map((group) => this.#idIn(group, dimension));
    return (this.#dimensions[dimension] as DimensionKeys).valuesOf(ids, textsAt);
  }

  /** With several dimensions, the groups with the same value in the first are parts of a whole. */
  wholes(areAsked: boolean): Wholes {
    const { count: groups } = this;
    if (!areAsked) return { groups, count: 1 };
    const [first, second] = this.#dimensions;
    if (first === undefined || second === undefined) return { groups, count: 1 };
    const of = Uint32Array.from({ length: groups }, (_, group) => this.#idIn(group, 0));
    return { groups, of, count: first.size };
  }

  /** Returns the id of the value that a group has in a dimension. */
  #idIn(group: number, dimension: number): number {
    if (this.#dimensions.length === 1) return group;
    const combination = this.#combinations[group] as number;
    const [factor1, factor2] = this.#factors;
    const first = Math.floor(combination / factor1);
    if (dimension === 0) return first;
    const rest = combination - first * factor1;
    const second = Math.floor(rest / factor2);
    return dimension === 1 ? second : rest - second * factor2;
  }

  /**
   * Joins the ids of a group's values into one number. These numbers sort as the ids do, by the
   * first, then by the next.
   */
  #combinationOf(first: number, second: number, third: number): number {
    return first * this.#factors[0] + second * this.#factors[1] + third;
  }

  #countNone({ codes, chunk }: MatchedColumn): void {
    this.#hasNone ||= chunk.firstKey === 1 && codes.includes(0);
    if (this.areMany && this.#option === '_facets') throw tooManyGroups(this.#option);
  }

  /** Sets each row's group from the ids of its values in three dimensions. */
  #combine(
    numbers: readonly [NumbersOfRows, NumbersOfRows, NumbersOfRows],
    groups: Uint32Array,
  ): void {
    const [{ codes: codes1, byCode: byCode1 }, { codes: codes2, byCode: byCode2 }, third] = numbers;
    const { codes: codes3, byCode: byCode3 } = third;
    const sizes = this.#dimensions.map(({ size }) => size);
    const [size1 = 1, size2 = 1, size3 = 1] = sizes;
    const combinations = size1 * size2 * size3;
    const Numbers = combinations < 2 ** 16 ? Uint16Array : Uint32Array;
    const known = combinations <= MOST_IN_TABLE ? new Numbers(combinations) : undefined;
    for (let row = 0; row < groups.length; row++) {
      const one = byCode1[codes1[row] as number] as number;
      const two = byCode2[codes2[row] as number] as number;
      const three = byCode3[codes3[row] as number] as number;
      if (known === undefined) {
        groups[row] = this.#groupOf(one, two, three);
        continue;
      }
      const index = (one * size2 + two) * size3 + three;
      let next = known[index] as number;
      if (next === 0) {
        next = this.#groupOf(one, two, three) + 1;
        known[index] = next;
      }
      groups[row] = next - 1;
    }
  }

  #groupOf(first: number, second: number, third: number): number {
    const combination = this.#combinationOf(first, second, third);
    this.#byCombination ??= new NumberTable();
    const known = this.#byCombination.get(combination);
    if (known !== undefined) return known;
    this.#byCombination.add(combination, this.#combinations.length);
    return this.#combinations.push(combination) - 1;
  }
}

/** Writes the id of each row. It is apart because the compiler takes long for loops in large functions. */
function readIds({ codes, byCode }: NumbersOfRows, ids: Uint32Array): void {
  for (let row = 0; row < ids.length; row++) ids[row] = byCode[codes[row] as number] as number;
}
