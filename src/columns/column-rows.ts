import type { Grouping } from '../block/grouping.ts';
import { type Predicate, withSwappedPlace } from '../query/predicate.ts';
import type { Groups, LookUp, Page, Query, ReadCost, RowStore } from '../query/row-store.ts';
import {
  type FilterHelp,
  helpByCounting,
  type KnownValue,
  type RowCounts,
} from '../query/why-empty.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { type RowTexts, textsThatFit } from '../values/row-texts.ts';
import type { Budget } from '../work/budget.ts';
import { type Chunk, type ChunkEntry, keyAt, textOfRow } from './chunk.ts';
import { type ColumnStore, ReadContext } from './column-store.ts';
import { groupRows } from './groups.ts';
import { lookUp } from './look-up.ts';
import { distancesAt } from './nearest-page.ts';
import { beginSearch, matchesOf, type Shortcuts, searchChunk, stepsOfChunk } from './row-search.ts';
import { RowTextReader, rowTextsAt } from './row-texts.ts';
import { ALL_SHORTCUTS, findRows } from './sorted-page.ts';

/** An answer with all rows finds this many of them at once. */
const ROWS_AT_ONCE = 2 ** 15;

/**
 * An answer with all rows in sorted order reads this many bytes at once. That is more than for
 * unsorted rows, because sorted rows may lie in any chunk.
 */
const SORTED_BYTES_AT_ONCE = 2 ** 23;

/** A page of about this many bytes gets a turn of its own. Making it takes some 0.2 ms. */
const LARGE_PAGE_BYTES = 2 ** 17;

/**
 * The number of large pages that are read at once. All pages that wait for the same chunk would
 * otherwise go on in one turn.
 */
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
    const context = new ReadContext(budget);
    const found = await findRows(this.#store, query, context, this.#shortcuts);
    const { positions, total, hasMore } = found;
    const isLarge = positions.length * this.#store.rowBytes > LARGE_PAGE_BYTES;
    const rows = await (isLarge
      ? this.#readLarge(query, positions, context)
      : this.#readTexts(query, positions, context));
    const isLast = rows.length === positions.length && !hasMore;
    return {
      rows,
      positions: positions.subarray(0, rows.length),
      total,
      ...(isLast ? {} : { last: positions[rows.length - 1] as number }),
      ...(total === 0 && query.predicate.length > 0
        ? {
            help: await this.help(query.predicate, budget),
            ...(await this.#swapped(query, context)),
          }
        : {}),
      path: 'columns',
      usage: context.reads,
    };
  }

  async *rest(query: Query, budget: Budget, reads: ReadCost): AsyncGenerator<readonly string[]> {
    const context = new ReadContext(budget, reads);
    const reader = this.#reader(query, context);
    const isSorted = query.sort !== undefined || query.near !== undefined;
    const bytes = isSorted ? SORTED_BYTES_AT_ONCE : undefined;
    const slot = budget.slot('readWhole');
    let { after } = query;
    try {
      do {
        const page = { ...query, limit: ROWS_AT_ONCE, ...(after === undefined ? {} : { after }) };
        await slot.take();
        const found = await findRows(this.#store, page, context, this.#shortcuts, false);
        const batches = reader.inBatches(found.positions, slot, bytes);
        yield* query.near === undefined
          ? batches
          : withDistances(
              batches,
              await distancesAt(this.#store, query.near, found.positions, context),
            );
        after = found.hasMore ? found.positions.at(-1) : undefined;
      } while (after !== undefined);
    } finally {
      slot.leave();
    }
  }

  lookUp(asked: LookUp, budget: Budget, reads: ReadCost): Promise<Uint8Array> {
    return lookUp(this.#store, asked, new ReadContext(budget, reads));
  }

  async group<T>(
    predicate: Predicate,
    groupings: readonly Grouping[],
    budget: Budget,
    reads: ReadCost,
    use: (groups: Groups) => Promise<T>,
  ): Promise<T> {
    const context = new ReadContext(budget, reads);
    const matchIn = await matchesOf(this.#store, predicate, context, this.#shortcuts);
    return groupRows(this.#store, groupings, matchIn, context, async (groups) => {
      if (groups.matching > 0 || predicate.length === 0) return use(groups);
      return use({ ...groups, help: await this.help(predicate, budget) });
    });
  }

  /** Tells for each filter how it contributes to an answer without rows. */
  help(predicate: Predicate, budget: Budget): Promise<FilterHelp[]> {
    const context = new ReadContext(budget);
    return helpByCounting(
      predicate,
      rowCounts(this.#store, this.#fields, context, this.#shortcuts),
      budget,
    );
  }

  async #readLarge(query: Query, positions: Uint32Array, context: ReadContext): Promise<RowTexts> {
    await context.budget.pauseBeforeMuch(() => this.#largeReads < MOST_LARGE_READS);
    this.#largeReads++;
    try {
      return await this.#readTexts(query, positions, context);
    } finally {
      this.#largeReads--;
    }
  }

  async #readTexts(query: Query, positions: Uint32Array, context: ReadContext): Promise<RowTexts> {
    const { near, fields } = query;
    if (near === undefined && fields === undefined) {
      return rowTextsAt(this.#store, this.#fields, positions, context);
    }
    const pieces = this.#reader(query, context).inPieces(positions);
    if (near === undefined) return textsThatFit(pieces);
    const metres = await distancesAt(this.#store, near, positions, context);
    return textsThatFit(withDistances(pieces, metres));
  }

  /**
   * Tells whether the query would find rows if the longitude and latitude of `_near` were swapped.
   */
  async #swapped({ predicate }: Query, context: ReadContext): Promise<Pick<Page, 'swapped'>> {
    const swappedPredicate = withSwappedPlace(predicate);
    if (swappedPredicate === undefined) return {};
    const swapped = await rowCounts(this.#store, this.#fields, context, this.#shortcuts).count(
      swappedPredicate,
    );
    return swapped === null || swapped === 0 ? {} : { swapped };
  }

  #reader({ fields }: Query, context: ReadContext): RowTextReader {
    const asked = fields?.map((name) => this.#byName.get(name) as Field) ?? this.#fields;
    return new RowTextReader(this.#store, asked, context);
  }
}

/** Adds each row's distance as its last member. The texts come in the order of the distances. */
async function* withDistances(
  pieces: AsyncIterable<readonly string[]>,
  metres: Float64Array,
): AsyncGenerator<string[]> {
  let next = 0;
  for await (const texts of pieces) {
    yield texts.map((text) => `${text.slice(0, -1)},"${DISTANCE.name}":${metres[next++]}}`);
  }
}

/**
 * If a field has more distinct values than this, or more bytes of them, the steps for hints would
 * not suffice to look for similar ones.
 */
const MOST_VALUES = 20_000;
const MOST_BYTES = 2 ** 20;

/**
 * Counts rows and lists values, to explain an empty answer. It spends the steps that are set aside
 * for hints.
 */
function rowCounts(
  store: ColumnStore,
  fields: readonly Field[],
  context: ReadContext,
  shortcuts: Shortcuts,
): RowCounts {
  const { rows, chunks } = store;
  const { budget } = context;
  return {
    rows,
    texts: fields.filter(isText).map(({ name }) => name),
    count: async (predicate) => {
      const search = await beginSearch(store, predicate, context, shortcuts);
      const steps = Array.from({ length: chunks }, (_, chunk) => stepsOfChunk(search, chunk));
      if (!budget.affordHint(steps.reduce((sum, ofChunk) => sum + ofChunk, 0))) return null;
      let count = 0;
      for (const [chunk, ofChunk] of steps.entries()) {
        count += (await searchChunk(search, chunk, ofChunk)).count;
      }
      return count;
    },
    values: async (field) => {
      const found = store.directory(field, context);
      const directory = found instanceof Promise ? await found : found;
      const values = directory.chunks.reduce((sum, { distinct }) => sum + distinct, 0);
      const bytes = directory.chunks.reduce(
        (sum, { dictionary: ofChunk }) => sum + (ofChunk.kind === 'texts' ? ofChunk.keyBytes : 0),
        0,
      );
      if (values > MOST_VALUES || bytes > MOST_BYTES) return [];
      const isKept = store.hasRoomFor([directory], context);
      const known = new Map<string, KnownValue>();
      for (const chunk of directory.chunks.keys()) {
        const cached = await store.chunk(field, chunk, directory, isKept, context);
        for (const value of valuesIn(cached.chunk, directory.chunks[chunk] as ChunkEntry)) {
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

/** Lists the keys of a chunk, each with its first spelling and its number of rows. */
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
