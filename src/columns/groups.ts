import { type Dimension, type Grouping, type Measure, MOST_GROUPS } from '../block/grouping.ts';
import type { Aggregate } from '../measures/measure.ts';
import { MEASURE_NAMES, MEASURES } from '../measures/measures.ts';
import { NumberDictionary, TextDictionary } from '../measures/text-ids.ts';
import { invalidArguments, Problem } from '../problem/errors.ts';
import { type DimensionKey, dimensionKey } from '../query/groups.ts';
import type { GroupColumns, Groups } from '../query/row-store.ts';
import { compareSorted } from '../query/sort-rows.ts';
import { textAt } from '../text/text-run.ts';
import { listInWords, numberText } from '../text/wording.ts';
import type { Key, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { Budget, Slot } from '../work/budget.ts';
import { cellColumn, STEPS_PER_CELL } from './cell-column.ts';
import {
  type Chunk,
  type ColumnDirectory,
  numberAt,
  numbersBelow,
  type TextList,
  textReader,
  type UintArray,
} from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { MatchedColumn } from './matched-column.ts';
import type { ChunkFilter } from './row-search.ts';

/**
 * Groups the matching rows chunk by chunk, once for each grouping. Throws a Problem if a grouping
 * makes too many groups.
 */
export async function groupRows(
  store: ColumnStore,
  groupings: readonly Grouping[],
  matchIn: ChunkFilter,
  context: ReadContext,
): Promise<Groups> {
  const slot = context.budget.slot('readWhole');
  const tables = groupings.map((grouping) => new HashAggregation(store, grouping, context, slot));
  try {
    for (const table of tables) await table.begin();
    let matching = 0;
    for (let chunk = 0; chunk < store.chunks; chunk++) {
      const match = await matchIn(chunk);
      const rows = match?.rows(0, match.count);
      const count =
        match?.count ?? Math.min(store.rowsPerChunk, store.rows - chunk * store.rowsPerChunk);
      if (count === 0) continue;
      matching += count;
      for (const table of tables) await table.add(chunk, rows, count);
    }
    const groups: GroupColumns[] = [];
    for (const table of tables) groups.push(await table.columns());
    return { groups, matching };
  } finally {
    slot.leave();
  }
}

/**
 * The most memory, in bytes, that a question's measures may take. Distinct values and medians need
 * memory.
 */
const MOST_BYTES = 2 ** 26;

/** The cost of a row for each dimension, in steps. */
const STEPS_PER_DIMENSION = 1;

/** The cost of a group for each column of the answer, in steps. It includes sorting. */
const STEPS_PER_VALUE = 100;

/**
 * A question whose measures take more bytes than this waits until few others take as much at the
 * same time.
 */
const LARGE_BYTES = 2 ** 21;

/** The groups of one question. They grow from chunk to chunk. */
class HashAggregation {
  readonly #store: ColumnStore;
  readonly #grouping: Grouping;
  readonly #context: ReadContext;
  readonly #slot: Slot;
  readonly #ids: GroupKeys;
  /** The aggregate of each measure. Some measures share one. */
  readonly #aggregates: readonly Aggregate[];
  readonly #directories = new Map<string, ColumnDirectory>();
  #isKept = false;

  constructor(store: ColumnStore, grouping: Grouping, context: ReadContext, slot: Slot) {
    this.#store = store;
    this.#grouping = grouping;
    this.#context = context;
    this.#slot = slot;
    this.#ids = new GroupKeys(grouping);
    const mostNumbers = Math.min(MOST_GROUP_NUMBERS, store.rows + 1);
    this.#aggregates = aggregatesOf(grouping.measures, mostNumbers);
  }

  /** Reads the directories of the columns that the question needs. Call this first. */
  async begin(): Promise<void> {
    const { dimensions, measures } = this.#grouping;
    const fields = [
      ...dimensions.flatMap(({ field, longitude }) => [field, longitude]),
      ...measures.map(({ field }) => field),
    ];
    const names = [...new Set(fields.flatMap((field) => field?.name ?? []))];
    const directories = await Promise.all(
      names.map((name) => this.#store.directory(name, this.#context)),
    );
    for (const [i, name] of names.entries()) {
      this.#directories.set(name, directories[i] as ColumnDirectory);
    }
    this.#isKept = this.#store.hasRoomFor(directories, this.#context);
  }

  /** Adds the matching rows of a chunk. If `rows` is absent, all rows match. */
  async add(chunk: number, rows: Uint16Array | undefined, count: number): Promise<void> {
    const { budget } = this.#context;
    const { dimensions, measures, option = '_group' } = this.#grouping;
    const steps = count * STEPS_PER_DIMENSION * dimensions.length;
    budget.spend(steps, option);
    const aggregates = new Map(
      this.#aggregates.map((aggregate, i) => [aggregate, measures[i]?.field]),
    );
    for (const aggregate of aggregates.keys()) budget.spend(count * aggregate.steps, '_measure');
    const columns = await this.#columnsOf(chunk, rows);
    const ofField = (name: string) => columns.get(name) as MatchedColumn;
    const ofDimensions: MatchedColumn[] = [];
    for (const { field, cells, longitude } of dimensions) {
      const column = ofField(field.name);
      if (cells !== undefined) budget.spend(count * STEPS_PER_CELL, option);
      ofDimensions.push(
        cells === undefined || longitude === undefined
          ? column
          : await cellColumn(cells, ofField(longitude.name), column, budget),
      );
    }
    if (!(await this.#addCodes(ofDimensions[0]))) {
      const groups = await this.#ids.of(ofDimensions, count, budget);
      await budget.checkpoint(steps);
      for (const [aggregate, field] of aggregates) {
        await aggregate.add(groups, field && ofField(field.name), budget);
        if (memoryOf(aggregates.keys()) > LARGE_BYTES) await this.#slot.take();
        await budget.checkpoint(count * aggregate.steps);
      }
    }
    for (const [name, { cached }] of columns) this.#store.recount(name, chunk, cached);
  }

  /**
   * A shortcut if rows are counted by one dimension and nothing else is wanted: counts them by the
   * codes of that dimension.
   */
  async #addCodes(column: MatchedColumn | undefined): Promise<boolean> {
    const [aggregate, second] = this.#aggregates;
    const isOfField = this.#grouping.measures[0]?.field !== undefined;
    if (aggregate?.addCodes === undefined || isOfField) return false;
    if (second !== undefined || column === undefined) return false;
    const groups = await this.#ids.byCode(column, this.#context.budget);
    if (groups === undefined) return false;
    aggregate.addCodes(groups, column.rowsOfCodes);
    await this.#context.budget.checkpoint(groups.length);
    return true;
  }

  async #columnsOf(
    chunk: number,
    rows: Uint16Array | undefined,
  ): Promise<Map<string, MatchedColumn>> {
    const columns = new Map<string, MatchedColumn>();
    for (const [name, directory] of this.#directories) {
      const asked = [name, chunk, directory, this.#isKept, this.#context] as const;
      if (rows === undefined) this.#store.readAhead(...asked);
      columns.set(name, new MatchedColumn(await this.#store.chunk(...asked), rows));
    }
    return columns;
  }

  /** The groups so far. */
  async columns(): Promise<GroupColumns> {
    const { budget } = this.#context;
    const { dimensions, measures } = this.#grouping;
    const groups = this.#ids.inOrder();
    const columns = dimensions.flatMap(({ cells }, i): Value[][] => {
      const values = this.#ids.valuesOf(groups, i);
      if (cells === undefined) return [values];
      const boxAt = (centre: Value) => (centre === null ? null : cells.boxAround(String(centre)));
      return [values, values.map(boxAt)];
    });
    await budget.checkpoint(groups.length * dimensions.length * STEPS_PER_VALUE);
    for (const [i, aggregate] of this.#aggregates.entries()) {
      const { of, field } = measures[i] as Measure;
      // Only the count of rows has no field, and it does not use one.
      columns.push(await MEASURES[of].results(aggregate, groups, field as Field, budget));
      await budget.checkpoint(groups.length * STEPS_PER_VALUE);
    }
    return { count: groups.length, columns };
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

/** Returns the memory of all measures. Throws a Problem if it is too much. */
function memoryOf(aggregates: Iterable<Aggregate>): number {
  let bytes = 0;
  for (const { byteLength = 0 } of aggregates) bytes += byteLength;
  if (bytes <= MOST_BYTES) return bytes;
  const keep = MEASURE_NAMES.filter((name) => MEASURES[name].aggregate(1).byteLength !== undefined);
  const detail = `The measures must keep more than ${MOST_BYTES / 2 ** 20} MB of values at once, the most that a question may. Ask for fewer of ${listInWords(keep, 'and')}, or filter for fewer rows.`;
  throw new Problem('too-much-work', detail, {
    faults: [{ code: 'too-much-work', detail, parameter: '_measure' }],
  });
}

/**
 * The most values that a dimension may have: one for each group, and one for no value, which may
 * have no rows.
 */
const MOST_GROUP_NUMBERS = MOST_GROUPS + 1;

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
  readonly #byCombination = new Map<number, number>();
  readonly #combinations: number[] = [];

  constructor({ dimensions, option }: Grouping) {
    this.#dimensions = dimensions.map((dimension) => new DimensionKeys(dimension, option));
    this.#option = option;
  }

  /**
   * With one dimension, returns the group of each code that occurs in the matching rows. Returns
   * undefined if there are several dimensions, or too many codes. Throws a Problem if there are too
   * many groups.
   */
  async byCode(column: MatchedColumn, budget: Budget): Promise<Uint16Array | undefined> {
    const [only, second] = this.#dimensions;
    if (only === undefined || second !== undefined) return undefined;
    const ids = await only.byCode(column, budget);
    if (ids !== undefined) this.#countNone(column);
    return ids;
  }

  /**
   * Returns each matching row's group, from the columns of the dimensions. Throws a Problem if
   * there are too many groups.
   */
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

  /**
   * Returns the groups in the order of their values: by the first dimension, then by the next. Null
   * comes last.
   */
  inOrder(): Uint16Array {
    const [only, second] = this.#dimensions;
    if (only === undefined) return new Uint16Array(1);
    if (second === undefined) {
      const ranks = only.ranks();
      const order = new Uint16Array(ranks.length);
      for (let id = 0; id < ranks.length; id++) order[ranks[id] as number] = id;
      // No value sorts last, whether any row has none or not.
      return this.#hasNone ? order : order.subarray(0, -1);
    }
    const ranks = this.#dimensions.map((dimension) => dimension.ranks());
    const groupRanks = this.#combinations.map((combination) =>
      combinationOf(ranks.map((ofDimension, i) => ofDimension[idIn(combination, i)] as number)),
    );
    const order = Uint16Array.from(groupRanks.keys());
    return order.sort((a, b) => (groupRanks[a] as number) - (groupRanks[b] as number));
  }

  /** Returns the value that each of these groups has in a dimension. */
  valuesOf(groups: Uint16Array, dimension: number): Value[] {
    const { values } = this.#dimensions[dimension] as DimensionKeys;
    const isOnly = this.#dimensions.length === 1;
    return Array.from(groups, (group) => {
      const id = isOnly ? group : idIn(this.#combinations[group] as number, dimension);
      return values[id] as Value;
    });
  }

  #countNone({ codes, chunk }: MatchedColumn): void {
    this.#hasNone ||= chunk.firstKey === 1 && codes.includes(0);
    const [only] = this.#dimensions as readonly [DimensionKeys];
    if (this.#hasNone && only.values.length > MOST_GROUPS) throw tooManyGroups(this.#option);
  }

  /** Sets each row's group from the ids of its values in three dimensions. */
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
    const combination = combinationOf([first, second, third]);
    const known = this.#byCombination.get(combination);
    if (known !== undefined) return known;
    if (this.#combinations.length === MOST_GROUPS) throw tooManyGroups(this.#option);
    this.#byCombination.set(combination, this.#combinations.length);
    return this.#combinations.push(combination) - 1;
  }
}

/**
 * Joins the ids of a group's values into one number. These numbers sort as the ids do, by the
 * first, then by the next.
 */
function combinationOf([first = 0, second = 0, third = 0]: readonly number[]): number {
  return (first * MOST_GROUP_NUMBERS + second) * MOST_GROUP_NUMBERS + third;
}

/** Returns the id of a dimension's value in a combination. */
function idIn(combination: number, dimension: number): number {
  return Math.floor(combination / MOST_GROUP_NUMBERS ** (2 - dimension)) % MOST_GROUP_NUMBERS;
}

/** If a chunk has more codes than this, its rows' values are looked up one by one. */
const MOST_MAPPED_CODES = 2 ** 18;

/** How many numbers are looked up without a pause, and the cost of one, in steps. */
const NUMBERS_AT_ONCE = 16;
const STEPS_PER_NUMBER = 1;

/**
 * How many steps of reading texts are done without a pause, and the cost of a text and of each
 * UTF-16 unit in it.
 */
const STEPS_AT_ONCE = 50_000;
const STEPS_PER_TEXT = 30;
const STEPS_PER_UNIT = 2;

type NumbersOfRows = { readonly codes: UintArray; readonly byCode: Uint16Array };

/**
 * Gives each value of a dimension an id when it is first met, from 1 on. Id 0 stands for no value.
 */
class DimensionKeys {
  readonly values: Value[] = [null];
  /** For each value, the key that it sorts by. */
  readonly keys: (Key | null)[] = [null];
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

  /** Returns the ids of the matching rows' values. A row's id stands at the row's code. */
  async ofRows(column: MatchedColumn, budget: Budget): Promise<NumbersOfRows> {
    const { codes, chunk } = column;
    const byCode = await this.byCode(column, budget);
    if (byCode !== undefined) return { codes, byCode };
    const byRow = await this.#idsOfNumbers(this.#key as DimensionKey, chunk, codes, budget);
    return { codes: numbersBelow(codes.length), byCode: byRow };
  }

  /** Returns for each id the rank of its value. No value has the last rank. */
  ranks(): Uint16Array {
    const { keys } = this;
    // An ordinary array sorts fast if it is nearly in order; a typed array does not.
    const order: number[] = [];
    for (let id = 0; id < keys.length; id++) order.push(id);
    order.sort((a, b) => compareSorted(keys[a] as Key | null, keys[b] as Key | null, false));
    const ranks = new Uint16Array(order.length);
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank] as number] = rank;
    return ranks;
  }

  async #idsOfTexts(column: MatchedColumn, used: UintArray, budget: Budget): Promise<Uint16Array> {
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
        // If a key has several spellings, the first row with that key decides which one is shown.
        firstRows ??= firstRowsOf(column);
        value = textAt(texts, textCodes[firstRows[code] as number] as number);
      } else if (texts !== keys) value = textAt(texts, code);
      this.#add(value, key);
      steps += STEPS_PER_TEXT + (key.length + value.length) * STEPS_PER_UNIT;
      if (steps < STEPS_AT_ONCE) continue;
      await budget.checkpoint(steps);
      steps = 0;
    }
    return ids;
  }

  async #idsOfNumbers(
    key: DimensionKey,
    { dictionary, firstKey }: Chunk,
    codes: UintArray,
    budget: Budget,
  ): Promise<Uint16Array> {
    if (dictionary.kind === 'texts') throw new TypeError('A text is no number.');
    const ids = new Uint16Array(codes.length);
    let slow = key.slowSteps ?? 0;
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
      const before = slow;
      slow = key.slowSteps ?? 0;
      const pause = budget.checkpoint(slow - before + NUMBERS_AT_ONCE * STEPS_PER_NUMBER);
      if (pause !== undefined) await pause;
    }
    return ids;
  }

  #idOfNumber(of: DimensionKey, key: number): number {
    this.#numbers ??= new NumberDictionary();
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
      : `_group makes more than ${numberText(MOST_GROUPS)} groups, the most that an answer has. Group by a part of the values (dates by .year or .month, numbers by a width such as .10), by fewer fields, or filter for fewer rows.`;
  return invalidArguments([{ code: 'too-many-groups', detail, parameter: option }]);
}
