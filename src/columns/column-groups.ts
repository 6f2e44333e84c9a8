import {
  type ColumnSource,
  columnSources,
  type Dimension,
  type Grouping,
  type Measure,
} from '../block/grouping.ts';
import { type Aggregate, checkMemory, type Wholes } from '../measures/measure.ts';
import { MEASURES } from '../measures/measures.ts';
import { fieldsInPredicate, type Predicate } from '../query/predicate.ts';
import type { GroupingsWithout, Groups, GroupTable } from '../query/row-store.ts';
import type { Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { MapCells } from '../values/map-cells.ts';
import type { Slot } from '../work/budget.ts';
import { finish, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { cellColumn, STEPS_PER_CELL } from './cell-column.ts';
import { type Chunk, codesOf, textOfRow } from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { GroupKeys } from './group-keys.ts';
import { MatchedColumn } from './matched-column.ts';
import { MOST_LEFT_OUT } from './row-search.ts';
import { type MatchedChunk, Scan } from './scan.ts';

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
  return withTables(store, predicate, groupings, context, async (scan, tables, add) => {
    let matching = 0;
    for await (const part of scan.parts()) {
      matching += part.count;
      await add(part, tables);
    }
    for (const table of tables) table.finish();
    return use({ groups: tables, matching });
  });
}

/**
 * Does the same for rows that match without some conditions each, if all columns are in memory: it
 * needs those of all chunks. Otherwise a search each does not read chunks in which no row matches.
 */
export function groupWithoutEach<T>(
  store: ColumnStore,
  predicate: Predicate,
  counted: readonly GroupingsWithout[],
  context: ReadContext,
  use: (groups: readonly GroupTable[]) => Promise<T>,
): Promise<T> | undefined {
  const groupings = counted.flatMap((one) => one.groupings);
  const lists = counted.map(({ without }) => without);
  if (new Set(lists.flat()).size > MOST_LEFT_OUT) return undefined;
  const fields = groupings.flatMap((grouping) => columnsOf(grouping, new Map()));
  if (!store.holds([...new Set([...fieldsInPredicate(predicate), ...fields])])) return undefined;
  return withTables(store, predicate, groupings, context, async (scan, tables, add) => {
    for (let chunk = 0; chunk < store.chunks; chunk++) {
      const parts = await scan.run(scan.partWithoutEach(chunk, lists));
      let from = 0;
      for (const [i, part] of parts.entries()) {
        const to = from + (counted[i]?.groupings.length ?? 0);
        await add(part, tables.slice(from, to));
        from = to;
      }
    }
    for (const table of tables) table.finish();
    return use(tables);
  });
}

/** Makes a table for each grouping, and gives `use` what adds the matching rows of a chunk to some. */
async function withTables<T>(
  store: ColumnStore,
  predicate: Predicate,
  groupings: readonly Grouping[],
  context: ReadContext,
  use: (
    scan: Scan,
    tables: readonly HashAggregation[],
    add: (part: MatchedChunk, tables: readonly HashAggregation[]) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const slot = context.budget.slot('readWhole');
  const coded = await codedFields(store, groupings, context);
  const fields = [...new Set(groupings.flatMap((grouping) => columnsOf(grouping, coded)))];
  const codes = new Set(coded.values());
  const scan = await Scan.begin(store, { predicate, fields }, context);
  const tables = groupings.map(
    (grouping) => new HashAggregation(scan, grouping, coded, context, slot),
  );
  const add = async (part: MatchedChunk, some: readonly HashAggregation[]) => {
    const rows = part.match?.rows(0, part.count);
    const columns = new Map<string, MatchedColumn>();
    const columnOf = (field: string) => {
      let column = columns.get(field);
      if (column === undefined) {
        const cached = part.columns[fields.indexOf(field)] as CachedChunk;
        column = new MatchedColumn(cached, rows, codes.has(field));
        columns.set(field, column);
      }
      return column;
    };
    for (const table of some) await scan.run(table.add(part, columnOf));
    for (const [field, { cached }] of columns) store.recount(field, part.chunk, cached);
  };
  try {
    return await use(scan, tables, add);
  } finally {
    slot.leave();
  }
}

/** The column of each field whose values have codes, if a measure needs no more of them. */
type CodedFields = ReadonlyMap<string, string>;

async function codedFields(
  store: ColumnStore,
  groupings: readonly Grouping[],
  context: ReadContext,
): Promise<CodedFields> {
  const coded = new Map<string, string>();
  if (!context.shortcuts.orders) return coded;
  for (const { of, field } of groupings.flatMap(({ measures }) => measures)) {
    if (field === undefined || MEASURES[of].isOfCodes === undefined) continue;
    if (typeOf(field).comparedBy !== 'text') continue;
    const directory = store.directory(field.name, context);
    const { codes } = directory instanceof Promise ? await directory : directory;
    if (codes !== undefined) coded.set(field.name, codesOf(field.name));
  }
  return coded;
}

/** The columns that a grouping needs. */
function columnsOf({ dimensions, measures }: Grouping, coded: CodedFields): string[] {
  return [
    ...dimensions.flatMap(({ field, longitude }) => [field.name, longitude?.name]),
    ...measures.map((measure) => columnOf(measure, coded)),
  ].flatMap((name) => name ?? []);
}

function columnOf({ of, field }: Measure, coded: CodedFields): string | undefined {
  if (field === undefined) return undefined;
  return (MEASURES[of].isOfCodes && coded.get(field.name)) ?? field.name;
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
  /** Each aggregate once, and the column that it aggregates. */
  readonly #columns: ReadonlyMap<Aggregate, string | undefined>;
  /** How many groups the aggregates have room for. */
  #room: number;
  #groups: Uint32Array = new Uint32Array();
  #wholes: Wholes | undefined;

  constructor(
    scan: Scan,
    grouping: Grouping,
    coded: CodedFields,
    context: ReadContext,
    slot: Slot,
  ) {
    this.#scan = scan;
    this.#grouping = grouping;
    this.#sources = columnSources(grouping);
    this.#context = context;
    this.#slot = slot;
    this.#ids = new GroupKeys(grouping);
    this.#room = FIRST_ROOM;
    this.#aggregates = aggregatesOf(grouping.measures, this.#room);
    this.#columns = new Map(
      this.#aggregates.map((aggregate, i) => [
        aggregate,
        columnOf(grouping.measures[i] as Measure, coded),
      ]),
    );
  }

  /** Adds the matching rows of a chunk, from its columns. */
  *add({ first, count }: MatchedChunk, ofField: (name: string) => MatchedColumn): Work<void> {
    const { budget } = this.#context;
    const { dimensions, option = '_group' } = this.#grouping;
    const aggregates = this.#columns;
    const steps = count * STEPS_PER_DIMENSION * dimensions.length;
    budget.spend(steps, option);
    for (const aggregate of aggregates.keys()) {
      budget.spend(count * aggregate.steps, option === '_xy' ? option : '_measure');
    }
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
    for (const [aggregate, column] of aggregates) {
      const adding = aggregate.add(groups, column === undefined ? undefined : ofField(column));
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
    if (this.#columns.size > 1 || column === undefined) return false;
    const groups = yield* this.#ids.byCode(column, first);
    if (groups === undefined) return false;
    if (this.#ids.count > this.#room) yield* this.#reserve();
    aggregate.addCodes(groups, column.codes, column.countedCodes);
    yield groups.length;
    return true;
  }

  /** Makes room for the groups so far in all aggregates. */
  *#reserve(): Work<void> {
    const room = Math.max(this.#ids.count, 2 * this.#room);
    // What they will take is counted before they take it.
    if (this.#checkMemory(room / this.#room) > LARGE_BYTES) yield this.#slot.take();
    for (const aggregate of this.#columns.keys()) aggregate.reserve(room);
    this.#room = room;
    yield room;
  }

  /**
   * Returns the memory that grows with the rows and the groups, once the groups take `growth` times
   * as much. Throws a Problem if it is more than a question may take.
   */
  #checkMemory(growth = 1): number {
    let bytes = 0;
    for (const { byteLength = 0, bytesOfGroups } of this.#columns.keys()) {
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

  async valuesOf(
    column: number,
    groups: Uint32Array,
    budget = this.#context.budget,
  ): Promise<Value[]> {
    return finish(this.#valuesOf(column, groups), budget);
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
      const own = Math.floor(row / rowsPerChunk);
      if (chunk === undefined || own !== index) {
        index = own;
        chunk = (yield* this.#scan.column(name, own)).chunk;
      }
      values.push(textOfRow(chunk as Chunk, row - own * rowsPerChunk));
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
