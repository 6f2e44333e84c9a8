import {
  type ColumnSource,
  columnSources,
  type Dimension,
  type Grouping,
  type Measure,
  MOST_GROUPS,
} from '../block/grouping.ts';
import { type Aggregate, checkMemory, type Wholes } from '../measures/measure.ts';
import { MEASURES } from '../measures/measures.ts';
import { NumberDictionary, NumberTable, TextDictionary } from '../measures/text-ids.ts';
import { invalidArguments } from '../problem/errors.ts';
import { type DimensionKey, dimensionKey } from '../query/groups.ts';
import type { Predicate } from '../query/predicate.ts';
import type { Groups, GroupTable } from '../query/row-store.ts';
import { compareSorted } from '../query/sort-rows.ts';
import { textAt } from '../text/text-run.ts';
import { numberText } from '../text/wording.ts';
import type { Key, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { MapCells } from '../values/map-cells.ts';
import type { Slot } from '../work/budget.ts';
import type { Work } from '../work/work.ts';
import { cellColumn, STEPS_PER_CELL } from './cell-column.ts';
import {
  type Chunk,
  numberAt,
  numbersBelow,
  type TextList,
  textOfRow,
  textReader,
  type UintArray,
} from './chunk.ts';
import type { CachedChunk, ColumnStore, ReadContext } from './column-store.ts';
import { MatchedColumn } from './matched-column.ts';
import { type Part, Scan } from './scan.ts';

/**
 * Groups the matching rows chunk by chunk, once for each grouping. Throws a Problem if a facet has
 * too many values, or if the groups take too much memory. `use` reads from the groups.
 */
export async function groupRows<T>(
  store: ColumnStore,
  predicate: Predicate,
  groupings: readonly Grouping[],
  context: ReadContext,
  use: (groups: Groups) => Promise<T>,
): Promise<T> {
  const slot = context.budget.slot('readWhole');
  const fields = [...new Set(groupings.flatMap(fieldsOf))];
  const scan = await Scan.begin(store, { predicate, fields }, context);
  const tables = groupings.map((grouping) => new HashAggregation(scan, grouping, context, slot));
  try {
    let matching = 0;
    for await (const part of scan.parts()) {
      matching += part.count;
      const rows = part.match?.rows(0, part.count);
      const columns = new Map(
        fields.map((field, i) => [field, new MatchedColumn(part.columns[i] as CachedChunk, rows)]),
      );
      for (const table of tables) await scan.run(table.add(part, columns));
      for (const [field, { cached }] of columns) store.recount(field, part.chunk, cached);
    }
    for (const table of tables) table.finish();
    return await use({ groups: tables, matching });
  } finally {
    slot.leave();
  }
}

/** The fields whose columns a grouping needs. */
function fieldsOf({ dimensions, measures }: Grouping): string[] {
  return [
    ...dimensions.flatMap(({ field, longitude }) => [field, longitude]),
    ...measures.map(({ field }) => field),
  ].flatMap((field) => field?.name ?? []);
}

/** The cost of a row for each dimension, in steps. */
const STEPS_PER_DIMENSION = 1;

/** The cost of a value of the answer, in steps, and how many are read without a pause. */
const STEPS_PER_VALUE = 100;
const VALUES_AT_ONCE = 2 ** 8;

/**
 * A question whose groups and measures take more bytes than this waits until few others take as much at the
 * same time.
 */
const LARGE_BYTES = 2 ** 21;

/** How many groups aggregates have room for at first. Most questions make fewer. */
const FIRST_ROOM = 2 ** 8;

/** The groups of one question. They grow from chunk to chunk. */
class HashAggregation implements GroupTable {
  readonly #scan: Scan;
  readonly #grouping: Grouping;
  readonly #sources: readonly ColumnSource[];
  readonly #context: ReadContext;
  readonly #slot: Slot;
  readonly #ids: GroupKeys;
  /** The aggregate of each measure. Some measures share one. */
  readonly #aggregates: readonly Aggregate[];
  /** Each aggregate once, and the field that it aggregates. */
  readonly #fields: ReadonlyMap<Aggregate, Field | undefined>;
  /** How many groups the aggregates have room for. */
  #room: number;
  #groups: Uint32Array = new Uint32Array();
  #wholes: Wholes | undefined;

  constructor(scan: Scan, grouping: Grouping, context: ReadContext, slot: Slot) {
    this.#scan = scan;
    this.#grouping = grouping;
    this.#sources = columnSources(grouping);
    this.#context = context;
    this.#slot = slot;
    this.#ids = new GroupKeys(grouping);
    this.#room = FIRST_ROOM;
    this.#aggregates = aggregatesOf(grouping.measures, this.#room);
    this.#fields = new Map(
      this.#aggregates.map((aggregate, i) => [aggregate, grouping.measures[i]?.field]),
    );
  }

  /** Adds the matching rows of a chunk, from its columns. */
  *add({ first, count }: Part, columns: ReadonlyMap<string, MatchedColumn>): Work<void> {
    const { budget } = this.#context;
    const { dimensions, option = '_group' } = this.#grouping;
    const aggregates = this.#fields;
    const steps = count * STEPS_PER_DIMENSION * dimensions.length;
    budget.spend(steps, option);
    for (const aggregate of aggregates.keys()) budget.spend(count * aggregate.steps, '_measure');
    const ofField = (name: string) => columns.get(name) as MatchedColumn;
    const ofDimensions: MatchedColumn[] = [];
    for (const { field, cells, longitude } of dimensions) {
      const column = ofField(field.name);
      if (cells !== undefined) budget.spend(count * STEPS_PER_CELL, option);
      ofDimensions.push(
        cells === undefined || longitude === undefined
          ? column
          : yield* cellColumn(cells, ofField(longitude.name), column),
      );
    }
    if (yield* this.#addCodes(ofDimensions[0], first)) return;
    const groups = yield* this.#ids.of(ofDimensions, first, count);
    yield steps;
    if (this.#ids.count > this.#room) yield* this.#reserve();
    for (const [aggregate, field] of aggregates) {
      const adding = aggregate.add(groups, field && ofField(field.name));
      if (adding !== undefined) yield* adding;
      if (this.#checkMemory() > LARGE_BYTES) yield this.#slot.take();
      yield count * aggregate.steps;
    }
  }

  /**
   * A shortcut if rows are counted by one dimension and nothing else is wanted: counts them by the
   * codes of that dimension.
   */
  *#addCodes(column: MatchedColumn | undefined, first: number): Work<boolean> {
    const [aggregate] = this.#aggregates;
    const isOfField = this.#grouping.measures[0]?.field !== undefined;
    if (aggregate?.addCodes === undefined || isOfField) return false;
    if (this.#fields.size > 1 || column === undefined) return false;
    const groups = yield* this.#ids.byCode(column, first);
    if (groups === undefined) return false;
    if (this.#ids.count > this.#room) yield* this.#reserve();
    aggregate.addCodes(groups, column.rowsOfCodes);
    yield groups.length;
    return true;
  }

  /** Makes room for the groups so far in all aggregates. */
  *#reserve(): Work<void> {
    const room = Math.max(this.#ids.count, 2 * this.#room);
    // What they will take is counted before they take it.
    if (this.#checkMemory(room / this.#room) > LARGE_BYTES) yield this.#slot.take();
    for (const aggregate of this.#fields.keys()) aggregate.reserve(room);
    this.#room = room;
    yield room;
  }

  /**
   * Returns the memory that grows with the rows and the groups, once the groups take `growth` times
   * as much. Throws a Problem if it is more than a question may take.
   */
  #checkMemory(growth = 1): number {
    let bytes = 0;
    for (const { byteLength = 0, bytesOfGroups } of this.#fields.keys()) {
      bytes += byteLength + (this.#ids.areMany ? bytesOfGroups * growth : 0);
    }
    bytes += this.#ids.byteLength;
    checkMemory(bytes);
    return bytes;
  }

  /** Numbers the groups, once all rows have been added. */
  finish(): void {
    this.#groups = this.#ids.areMany ? this.#ids.all() : this.#ids.inOrder();
  }

  get groups(): Uint32Array {
    return this.#groups;
  }

  get isInOrder(): boolean {
    return !this.#ids.areMany;
  }

  compare(dimension: number, a: number, b: number, descending: boolean): number {
    return this.#ids.compare(dimension, a, b, descending);
  }

  checkRoomFor(bytes: number): void {
    checkMemory(this.#checkMemory() + bytes);
  }

  async valuesOf(column: number, groups: Uint32Array): Promise<Value[]> {
    return this.#scan.run(this.#valuesOf(column, groups));
  }

  *#valuesOf(column: number, groups: Uint32Array): Work<Value[]> {
    const { dimensions, measures } = this.#grouping;
    const { kind, index } = this.#sources[column] as ColumnSource;
    let values: Value[];
    if (kind === 'measure') {
      const { of, field } = measures[index] as Measure;
      const aggregate = this.#aggregates[index] as Aggregate;
      this.#wholes ??= this.#ids.wholes(measures.some(({ of }) => of.startsWith('share:')));
      // Only the count of rows and its share have no field, and they do not use one.
      const results = MEASURES[of].results(aggregate, groups, field as Field, this.#wholes);
      values = Array.isArray(results) ? results : yield* results;
    } else {
      const { field, cells } = dimensions[index] as Dimension;
      values = yield* this.#ids.valuesOf(groups, index, (rows) => this.#textsAt(field.name, rows));
      if (kind === 'box') {
        values = values.map((centre) => centre && (cells as MapCells).boxAround(String(centre)));
      }
    }
    yield groups.length * STEPS_PER_VALUE;
    return values;
  }

  /** Reads the texts of some rows of the dataset, which ascend. */
  *#textsAt(name: string, rows: readonly number[]): Work<Value[]> {
    const { rowsPerChunk } = this.#scan.store;
    const values: Value[] = [];
    let [index, chunk]: [number, Chunk | undefined] = [-1, undefined];
    for (const row of rows) {
      const its = Math.floor(row / rowsPerChunk);
      if (chunk === undefined || its !== index) {
        index = its;
        chunk = (yield* this.#scan.column(name, its)).chunk;
      }
      values.push(textOfRow(chunk as Chunk, row - its * rowsPerChunk));
      if (values.length % VALUES_AT_ONCE === 0) yield VALUES_AT_ONCE * STEPS_PER_VALUE;
    }
    return values;
  }
}

/**
 * Returns an aggregate for each measure. Measures of the same field that go through the rows in the
 * same way share one.
 */
function aggregatesOf(measures: readonly Measure[], mostGroups: number): Aggregate[] {
  const made: { readonly measure: Measure; readonly aggregate: Aggregate }[] = [];
  return measures.map((measure) => {
    const { of, field } = measure;
    const alike = made.find(
      ({ measure: earlier }) =>
        earlier.field?.name === field?.name &&
        MEASURES[earlier.of].aggregate === MEASURES[of].aggregate,
    );
    const aggregate = alike?.aggregate ?? MEASURES[of].aggregate(mostGroups);
    made.push({ measure, aggregate });
    return aggregate;
  });
}

/**
 * If there are more possible combinations than this, a table of all of them would probably be
 * mostly empty.
 */
const MOST_IN_TABLE = 2 ** 18;

/** Numbers the groups that rows belong to. */
class GroupKeys {
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
      const { codes, byCode } = one;
      for (let row = 0; row < rows; row++) groups[row] = byCode[codes[row] as number] as number;
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
    this.#byCombination.set(combination, this.#combinations.length);
    return this.#combinations.push(combination) - 1;
  }
}

/**
 * Values that one of two dimensions may have, and one of three.
 *
 * A number can join as many exactly.
 */
const MOST_OF_TWO = 2 ** 26;
const MOST_OF_THREE = 2 ** 17;

/** Reads the texts of some rows of the dataset, which ascend. */
type TextsAt = (rows: readonly number[]) => Work<Value[]>;

/** If a chunk has more codes than this, its rows' values are looked up one by one. */
const MOST_MAPPED_CODES = 2 ** 18;

/** The steps are counted after this many numbers; and the cost of one, in steps. */
const NUMBERS_AT_ONCE = 16;
const STEPS_PER_NUMBER = 1;

/**
 * How many steps of reading values are done without a pause, and the cost of a text and of each
 * UTF-16 unit in it.
 */
const STEPS_AT_ONCE = 50_000;
const STEPS_PER_TEXT = 30;
const STEPS_PER_UNIT = 2;

type NumbersOfRows = { readonly codes: UintArray; readonly byCode: Uint32Array };

/**
 * Gives each value of a dimension an id when it is first met, from 1 on. Id 0 stands for no value.
 */
class DimensionKeys {
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
    const used = column.usedCodes;
    const ids =
      this.#key === undefined
        ? yield* this.#idsOfTexts(column, first, used)
        : yield* this.#idsOfNumbers(this.#key, column.chunk, used);
    const byCode = new Uint32Array(column.chunk.size);
    for (let i = 0; i < used.length; i++) byCode[used[i] as number] = ids[i] as number;
    return byCode;
  }

  /** Returns the ids of the matching rows' values. A row's id stands at the row's code. */
  *ofRows(column: MatchedColumn, first: number): Work<NumbersOfRows> {
    const { codes, chunk } = column;
    const byCode = yield* this.byCode(column, first);
    if (byCode !== undefined) return { codes, byCode };
    const byRow = yield* this.#idsOfNumbers(this.#key as DimensionKey, chunk, codes);
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
      return Array.from(ids, (id) =>
        id < kept ? (this.#values[id] as Value) : key.valueOf(this.#numberOf(id)),
      );
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

  *#idsOfTexts(column: MatchedColumn, first: number, used: UintArray): Work<Uint32Array> {
    const { keys, texts, textCodes } = column.chunk.dictionary as TextList;
    const found = yield* this.#texts.idsOf(keys, used);
    const ids = new Uint32Array(used.length);
    const readKey = textReader(keys);
    let firstRows: Uint16Array | undefined;
    let steps = 0;
    for (let i = 0; i < used.length; i++) {
      const code = used[i] as number;
      const id = (found[i] as number) + 1;
      ids[i] = id;
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
    return ids;
  }

  *#idsOfNumbers(
    key: DimensionKey,
    { dictionary, firstKey }: Chunk,
    codes: UintArray,
  ): Work<Uint32Array> {
    if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
    const ids = new Uint32Array(codes.length);
    let slow = key.slowSteps ?? 0;
    let counted = 0;
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
          id = this.#idOfNumber(key, key.keyOf(number));
          from = number;
          end = key.endOf?.(number) ?? number;
        }
        ids[i] = id;
      }
      if (i % NUMBERS_AT_ONCE !== 0) continue;
      const steps = (key.slowSteps ?? 0) - slow + (i - counted) * STEPS_PER_NUMBER;
      if (steps < STEPS_AT_ONCE) continue;
      yield steps;
      slow = key.slowSteps ?? 0;
      counted = i;
    }
    yield (key.slowSteps ?? 0) - slow + (codes.length - counted) * STEPS_PER_NUMBER;
    return ids;
  }

  #idOfNumber(of: DimensionKey, key: number): number {
    this.#numbers ??= new NumberDictionary();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const id = this.size > MOST_GROUPS ? this.#addFurther(key) : this.#add(of.valueOf(key), key);
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

/** Returns for each code the first matching row that has it. */
function firstRowsOf(column: MatchedColumn): Uint16Array {
  const { codes, chunk } = column;
  const rows = new Uint16Array(chunk.size);
  for (let i = codes.length - 1; i >= 0; i--) rows[codes[i] as number] = column.rowAt(i);
  return rows;
}

function tooManyGroups(option: '_group' | '_facets' = '_group'): Error {
  const detail =
    option === '_facets'
      ? `A field of _facets has more than ${numberText(MOST_GROUPS)} different values, the most that are counted. Count a part of the values (dates by .year or .month, numbers by a width such as .10), leave the field out, or filter for fewer rows.`
      : `A field of _group has more than ${numberText(MOST_OF_THREE)} different values, the most that one of three may have. Group by a part of the values (dates by .year or .month, numbers by a width such as .10), by fewer fields, or filter for fewer rows.`;
  return invalidArguments([{ code: 'too-many-groups', detail, parameter: option }]);
}
