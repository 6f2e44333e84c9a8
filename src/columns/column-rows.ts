import type { Grouping } from '../block/grouping.ts';
import { type Predicate, withSwappedPlace } from '../query/predicate.ts';
import type { Groups, Page, Query, ReadCost, RowStore } from '../query/row-store.ts';
import {
  type FilterHelp,
  helpByCounting,
  type KnownValue,
  type RowCounts,
} from '../query/zero-result-help.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { type RowTexts, textsThatFit } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { type Chunk, type ChunkEntry, keyAt, textOfRow } from './chunk.ts';
import { type ColumnStore, ReadContext } from './column-store.ts';
import { groupRows } from './groups.ts';
import { distancesAt } from './nearest-page.ts';
import { beginSearch, matchesOf, type Shortcuts, searchChunk, stepsOfChunk } from './row-search.ts';
import { RowTextReader, rowTextsAt } from './row-texts.ts';
import { ALL_SHORTCUTS, findRows } from './sorted-page.ts';

/** How many rows are found at once for an answer that has all of them. */
const ROWS_AT_ONCE = 2 ** 15;

/** Sorted rows lie in any chunk, so more of them are read at once than of others. */
const SORTED_BYTES_AT_ONCE = 2 ** 23;

/** A page of about so many bytes is made in a turn of its own: some 0.2 ms. */
const LARGE_PAGE_BYTES = 2 ** 17;

/** Such pages that are read at once: all that wait for the same chunk would go on in one turn. */
const MOST_LARGE_READS = 4;

/** Answers queries from a dataset's columns. */
export class ColumnRows implements RowStore {
  readonly #store: ColumnStore;
  readonly #fields: readonly Field[];
  readonly #byName: ReadonlyMap<string, Field>;
  readonly #shortcuts: Shortcuts;
  #largeReads = 0;

  constructor(store: ColumnStore, fields: readonly Field[], shortcuts = ALL_SHORTCUTS) {
    this.#store = store;
    this.#fields = fields;
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#shortcuts = shortcuts;
  }

  async read(query: Query, budget: Budget): Promise<Page> {
    const run = new ReadContext(budget);
    const found = await findRows(this.#store, query, run, this.#shortcuts);
    const { positions, total, hasMore } = found;
    const isLarge = positions.length * this.#store.rowBytes > LARGE_PAGE_BYTES;
    const rows = await (isLarge
      ? this.#readLarge(query, positions, run)
      : this.#readTexts(query, positions, run));
    const isLast = rows.length === positions.length && !hasMore;
    return {
      rows,
      positions: positions.subarray(0, rows.length),
      total,
      ...(isLast ? {} : { last: positions[rows.length - 1] as number }),
      ...(total === 0 && query.predicate.length > 0
        ? { help: await this.help(query.predicate, budget), ...(await this.#swapped(query, run)) }
        : {}),
      path: 'columns',
      usage: run.reads,
    };
  }

  async *rest(query: Query, budget: Budget, reads: ReadCost): AsyncGenerator<readonly string[]> {
    const run = new ReadContext(budget, reads);
    const reader = this.#reader(query, run);
    const isSorted = query.sort !== undefined || query.near !== undefined;
    const bytes = isSorted ? SORTED_BYTES_AT_ONCE : undefined;
    const slot = budget.slot('readWhole');
    let { after } = query;
    try {
      do {
        const page = { ...query, limit: ROWS_AT_ONCE, ...(after === undefined ? {} : { after }) };
        await slot.take();
        const found = await findRows(this.#store, page, run, this.#shortcuts, false);
        const batches = reader.inBatches(found.positions, slot, bytes);
        yield* query.near === undefined
          ? batches
          : withDistances(
              batches,
              await distancesAt(this.#store, query.near, found.positions, run),
            );
        after = found.hasMore ? found.positions.at(-1) : undefined;
      } while (after !== undefined);
    } finally {
      slot.leave();
    }
  }

  async group(
    predicate: Predicate,
    groupings: readonly Grouping[],
    budget: Budget,
    reads: ReadCost,
  ): Promise<Groups> {
    const run = new ReadContext(budget, reads);
    const matchIn = await matchesOf(this.#store, predicate, run, this.#shortcuts);
    const groups = await groupRows(this.#store, groupings, matchIn, run);
    if (groups.matching > 0 || predicate.length === 0) return groups;
    return { ...groups, help: await this.help(predicate, budget) };
  }

  /** How each filter of a predicate that selects no row contributes to that. */
  help(predicate: Predicate, budget: Budget): Promise<FilterHelp[]> {
    const run = new ReadContext(budget);
    return helpByCounting(
      predicate,
      rowCounts(this.#store, this.#fields, run, this.#shortcuts),
      budget,
    );
  }

  async #readLarge(query: Query, positions: Uint32Array, run: ReadContext): Promise<RowTexts> {
    await run.budget.pauseBeforeMuch(() => this.#largeReads < MOST_LARGE_READS);
    this.#largeReads++;
    try {
      return await this.#readTexts(query, positions, run);
    } finally {
      this.#largeReads--;
    }
  }

  async #readTexts(query: Query, positions: Uint32Array, run: ReadContext): Promise<RowTexts> {
    const { near, fields } = query;
    if (near === undefined && fields === undefined) {
      return rowTextsAt(this.#store, this.#fields, positions, run);
    }
    const pieces = this.#reader(query, run).inPieces(positions);
    if (near === undefined) return textsThatFit(pieces);
    const metres = await distancesAt(this.#store, near, positions, run);
    return textsThatFit(withDistances(pieces, metres));
  }

  /** Whether rows would be found if the longitude and latitude of `_near` were swapped. */
  async #swapped({ predicate }: Query, run: ReadContext): Promise<Pick<Page, 'swapped'>> {
    const other = withSwappedPlace(predicate);
    if (other === undefined) return {};
    const swapped = await rowCounts(this.#store, this.#fields, run, this.#shortcuts).count(other);
    return swapped === null || swapped === 0 ? {} : { swapped };
  }

  #reader({ fields }: Query, run: ReadContext): RowTextReader {
    const asked = fields?.map((name) => this.#byName.get(name) as Field) ?? this.#fields;
    return new RowTextReader(this.#store, asked, run);
  }
}

/** Adds each row's distance as its last member, to texts in the order of the distances. */
async function* withDistances(
  pieces: AsyncIterable<readonly string[]>,
  metres: Float64Array,
): AsyncGenerator<string[]> {
  let next = 0;
  for await (const texts of pieces) {
    yield texts.map((text) => `${text.slice(0, -1)},"${DISTANCE.name}":${metres[next++]}}`);
  }
}

/** With more values than this, or longer ones, there are not enough steps to look for near ones. */
const MOST_VALUES = 20_000;
const MOST_BYTES = 2 ** 20;

/** Counts rows and lists values for help with an empty answer; spends the steps for hints. */
function rowCounts(
  store: ColumnStore,
  fields: readonly Field[],
  run: ReadContext,
  shortcuts: Shortcuts,
): RowCounts {
  const { rows, chunks } = store;
  const { budget } = run;
  return {
    rows,
    texts: fields.filter(isText).map(({ name }) => name),
    count: async (predicate) => {
      const search = await beginSearch(store, predicate, run, shortcuts);
      const steps = Array.from({ length: chunks }, (_, chunk) => stepsOfChunk(search, chunk));
      if (!budget.affordHint(steps.reduce((sum, its) => sum + its, 0))) return null;
      let count = 0;
      for (const [chunk, its] of steps.entries()) {
        count += (await searchChunk(search, chunk, its)).count;
      }
      return count;
    },
    values: async (field) => {
      const found = store.directory(field, run);
      const directory = found instanceof Promise ? await found : found;
      const values = directory.chunks.reduce((sum, { distinct }) => sum + distinct, 0);
      const bytes = directory.chunks.reduce(
        (sum, { dictionary: its }) => sum + (its.kind === 'texts' ? its.keyBytes : 0),
        0,
      );
      if (values > MOST_VALUES || bytes > MOST_BYTES) return [];
      const isKept = store.hasRoomFor([directory], run);
      const known = new Map<string, KnownValue>();
      for (const chunk of directory.chunks.keys()) {
        const held = await store.chunk(field, chunk, directory, isKept, run);
        for (const value of valuesIn(held.chunk, directory.chunks[chunk] as ChunkEntry)) {
          const before = known.get(value.key);
          known.set(
            value.key,
            before === undefined ? value : { ...before, rows: before.rows + value.rows },
          );
        }
      }
      return known.values();
    },
  };
}

function isText(field: Field): boolean {
  return typeOf(field).searchedBy === 'text';
}

/** The keys of a chunk: the first spelling of each, and its number of rows. */
function* valuesIn(chunk: Chunk, { size, firstKey }: ChunkEntry): Generator<KnownValue> {
  const counts = new Uint32Array(size);
  const firstRows = new Uint32Array(size);
  const { codes, dictionary } = chunk;
  for (let row = codes.length - 1; row >= 0; row--) {
    const code = codes[row] as number;
    counts[code] = (counts[code] as number) + 1;
    firstRows[code] = row;
  }
  if (dictionary.kind !== 'texts') return;
  for (let code: number = firstKey; code < size; code++) {
    yield {
      key: keyAt(chunk, code) as string,
      text: textOfRow(chunk, firstRows[code] as number) as string,
      rows: counts[code] as number,
    };
  }
}
