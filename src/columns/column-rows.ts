import type { Grouping } from '../block/grouping.ts';
import { type Predicate, withSwappedPlace } from '../query/predicate.ts';
import {
  type Before,
  beforeIn,
  beforeIndex,
  type GroupingsWithout,
  type Groups,
  type GroupTable,
  type LookUp,
  type Page,
  type Query,
  type ReadCost,
  type RowPlace,
  type RowStore,
  type RowValues,
} from '../query/row-store.ts';
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
import { whenThere } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { type Chunk, keyAt, textOfRow } from './chunk.ts';
import { groupRows, groupWithoutEach } from './column-groups.ts';
import { ALL_SHORTCUTS, type ColumnStore, ReadContext, type Shortcuts } from './column-store.ts';
import { lookUp } from './look-up.ts';
import { distancesAt } from './nearest-page.ts';
import { placeOf } from './row-place.ts';
import { type RowForm, RowReader, rowTextsAt, TEXTS, VALUES } from './row-texts.ts';
import { Scan } from './scan.ts';
import type { FoundPage } from './selection.ts';
import { findRows } from './sorted-page.ts';
import { allRows } from './whole-results.ts';

/**
 * Rows of a download whose order may stay in memory while it has no slot. The order takes 2 bytes a
 * row.
 */
const MOST_ORDERED = 2 ** 16;

/**
 * What a download keeps of its rows from one piece to the next, if its columns do not stay in
 * memory, besides a chunk of them. After 1 s it gives these up if others wait.
 *
 * That is more than for unsorted rows, because sorted rows may lie in any chunk.
 */
const SORTED_BYTES_AT_ONCE = 2 ** 23;

/** A large page. It gets a turn of its own, since making it takes some 0.2 ms. */
const LARGE_PAGE_BYTES = 2 ** 17;

/**
 * Large pages of a dataset that are made at once. One of them begins in a turn, as long as half of
 * the bytes that may wait is free. The other pages wait for the time of a run at most, then 503.
 *
 * All pages that wait for the same chunk would otherwise go on in one turn.
 */
const MOST_LARGE_READS = 4;

/** Rows before a page that are looked for at first. */
const FIRST_BEFORE = 1000;

/**
 * Rows before a page that are looked for, if they are filtered or in an order. Behind more, a page
 * does not say which of the rows it has, and leads back to the first page alone.
 */
const MOST_BEFORE = 10_000;

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

  read(query: Query, budget: Budget): Page | Promise<Page> {
    const context = this.#context(budget);
    return whenThere(findRows(this.#store, query, context), (found) => {
      const { positions, metres } = found;
      const isLarge = positions.length * this.#store.rowBytes > LARGE_PAGE_BYTES;
      const rows = isLarge
        ? this.#readLarge(query, positions, context, metres)
        : this.#readTexts(query, positions, context, metres);
      return whenThere(rows, (texts) => this.#page(query, found, texts, context));
    });
  }

  #page(
    { predicate }: Query,
    { positions, total, hasMore }: FoundPage,
    rows: RowTexts,
    context: ReadContext,
  ): Page | Promise<Page> {
    const isLast = rows.length === positions.length && !hasMore;
    const page = {
      rows,
      positions: isLast ? positions : positions.subarray(0, rows.length),
      total,
      last: isLast ? undefined : (positions[rows.length - 1] as number),
      path: 'columns',
      usage: context.reads,
    };
    return total === 0 && predicate.length > 0 ? this.#withHelp(page, predicate, context) : page;
  }

  async #withHelp(page: Page, predicate: Predicate, context: ReadContext): Promise<Page> {
    const help = await this.help(predicate, context.budget);
    return { ...page, help, ...(await this.#swapped(predicate, context)) };
  }

  async before(query: Query, budget: Budget): Promise<Before | undefined> {
    const { predicate, sort, near, after = -1 } = query;
    const context = this.#context(budget);
    if (sort === undefined && near === undefined && predicate.length === 0) {
      const { rows } = beforeIndex(query);
      const least = Math.max(0, rows - query.limit);
      const page = Uint32Array.from({ length: rows - least }, (_, i) => least + i);
      return beforeIndex({ after, limit: await this.#fitting(query, page, context) });
    }
    const { after: _, ...first } = query;
    for (let limit = FIRST_BEFORE; limit <= MOST_BEFORE; limit *= 10) {
      const { positions, hasMore } = await findRows(this.#store, { ...first, limit }, context);
      const end = positions.indexOf(after) + 1;
      if (end > 0) {
        const page = positions.subarray(Math.max(0, end - query.limit), end);
        return beforeIn(positions, { after, limit: await this.#fitting(query, page, context) });
      }
      if (!hasMore) return undefined;
    }
    return undefined;
  }

  /**
   * How many rows before another an answer can have: no more than those that end it and fit. A page
   * that began earlier would end earlier too, and leave out those between.
   */
  async #fitting(query: Query, page: Uint32Array, context: ReadContext): Promise<number> {
    const { length } = await this.#readTexts(query, page.toReversed(), context);
    return length < page.length ? Math.max(1, length) : query.limit;
  }

  async *rest(query: Query, budget: Budget, reads: ReadCost): AsyncGenerator<readonly string[]> {
    const context = this.#context(budget, reads);
    const { near } = query;
    for await (const { batches, positions } of this.#rest(query, TEXTS, context)) {
      yield* near === undefined
        ? batches
        : withDistances(batches, await distancesAt(this.#store, near, positions, context));
    }
  }

  async *restOfValues(
    query: Query,
    budget: Budget,
    reads: ReadCost,
  ): AsyncGenerator<readonly RowValues[]> {
    const context = this.#context(budget, reads);
    for await (const { batches } of this.#rest(query, VALUES, context)) yield* batches;
  }

  /** Finds all rows after the cursor, some positions at a time, and reads these in batches. */
  async *#rest<T>(
    query: Query,
    form: RowForm<T>,
    context: ReadContext,
  ): AsyncGenerator<{ readonly batches: AsyncGenerator<T[]>; readonly positions: Uint32Array }> {
    const reader = this.#reader(query, form, context);
    const isSorted = query.sort !== undefined || query.near !== undefined;
    const bytes = isSorted ? SORTED_BYTES_AT_ONCE : undefined;
    const slot = context.budget.slot('readWhole');
    let found: AsyncGenerator<Uint32Array> | undefined;
    // The order of many rows is found anew after the slot was given up.
    const isMuch = isSorted && this.#store.rows > MOST_ORDERED;
    const forget = () => {
      found = undefined;
    };
    try {
      for (let rest = query; ; ) {
        await slot.take();
        found ??= allRows(this.#store, rest, context);
        const { value: positions, done } = await found.next();
        if (done === true) return;
        const batches = reader.inBatches(positions, slot, bytes, isMuch ? forget : undefined);
        yield { batches, positions };
        rest = { ...query, after: positions.at(-1) as number };
      }
    } finally {
      slot.leave();
    }
  }

  lookUp(asked: LookUp, budget: Budget, reads: ReadCost): Promise<Uint8Array> {
    return lookUp(this.#store, asked, this.#context(budget, reads));
  }

  placeOf(query: Query, position: number, budget: Budget, reads: ReadCost): Promise<RowPlace> {
    return placeOf(this.#store, query, position, this.#context(budget, reads));
  }

  async group<T>(
    predicate: Predicate,
    groupings: readonly Grouping[],
    budget: Budget,
    reads: ReadCost,
    use: (groups: Groups) => Promise<T>,
  ): Promise<T> {
    const context = this.#context(budget, reads);
    return groupRows(this.#store, predicate, groupings, context, async (groups) => {
      if (groups.matching > 0 || predicate.length === 0) return use(groups);
      return use({ ...groups, help: await this.help(predicate, budget) });
    });
  }

  groupWithoutEach<T>(
    predicate: Predicate,
    counted: readonly GroupingsWithout[],
    budget: Budget,
    reads: ReadCost,
    use: (groups: readonly GroupTable[]) => Promise<T>,
  ): Promise<T> | undefined {
    return groupWithoutEach(this.#store, predicate, counted, this.#context(budget, reads), use);
  }

  /** Tells for each filter how it contributes to an answer without rows. */
  help(predicate: Predicate, budget: Budget): Promise<FilterHelp[]> {
    const context = this.#context(budget);
    return helpByCounting(predicate, rowCounts(this.#store, this.#fields, context), budget);
  }

  async #readLarge(
    query: Query,
    positions: Uint32Array,
    context: ReadContext,
    metres?: Float64Array,
  ): Promise<RowTexts> {
    await context.budget.pauseBeforeMuch(() => this.#largeReads < MOST_LARGE_READS);
    this.#largeReads++;
    try {
      return await this.#readTexts(query, positions, context, metres);
    } finally {
      this.#largeReads--;
    }
  }

  /** Reads a page's rows. `metres` are their distances, if these are known already. */
  #readTexts(
    query: Query,
    positions: Uint32Array,
    context: ReadContext,
    metres?: Float64Array,
  ): RowTexts | Promise<RowTexts> {
    const { near, fields } = query;
    return near === undefined && fields === undefined
      ? rowTextsAt(this.#store, this.#fields, positions, context)
      : this.#makeTexts(query, positions, context, metres);
  }

  async #makeTexts(
    query: Query,
    positions: Uint32Array,
    context: ReadContext,
    metres?: Float64Array,
  ): Promise<readonly string[]> {
    const { near } = query;
    const pieces = this.#reader(query, TEXTS, context).inPieces(positions);
    if (near === undefined) return textsThatFit(pieces);
    const distances = metres ?? (await distancesAt(this.#store, near, positions, context));
    return textsThatFit(withDistances(pieces, distances));
  }

  /**
   * Tells whether the query would find rows if the longitude and latitude of `_near` were swapped.
   */
  async #swapped(predicate: Predicate, context: ReadContext): Promise<Pick<Page, 'swapped'>> {
    const swappedPredicate = withSwappedPlace(predicate);
    if (swappedPredicate === undefined) return {};
    const swapped = await rowCounts(this.#store, this.#fields, context).count(swappedPredicate);
    return swapped === null || swapped === 0 ? {} : { swapped };
  }

  #context(budget: Budget, reads?: ReadCost): ReadContext {
    return new ReadContext(budget, reads, this.#shortcuts);
  }

  #reader<T>({ fields }: Query, form: RowForm<T>, context: ReadContext): RowReader<T> {
    const asked = fields?.map((name) => this.#byName.get(name) as Field) ?? this.#fields;
    return new RowReader(this.#store, asked, context, form);
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
function rowCounts(store: ColumnStore, fields: readonly Field[], context: ReadContext): RowCounts {
  const { budget } = context;
  return {
    rows: store.rows,
    texts: fields.filter(isText).map(({ name }) => name),
    count: async (predicate) => {
      const scan = await Scan.begin(store, { predicate, isHint: true }, context);
      if (!budget.affordHint(scan.steps)) return null;
      let rows = 0;
      for await (const { count } of scan.parts()) rows += count;
      return rows;
    },
    values: async (field) => {
      const asked = { predicate: [], fields: [field], isHint: true };
      const scan = await Scan.begin(store, asked, context);
      const entries = scan.entriesOf(field);
      const values = entries.reduce((sum, { distinct }) => sum + distinct, 0);
      const bytes = entries.reduce(
        (sum, { dictionary: ofChunk }) => sum + (ofChunk.kind === 'texts' ? ofChunk.keyBytes : 0),
        0,
      );
      if (values > MOST_VALUES || bytes > MOST_BYTES) return [];
      const known = new Map<string, KnownValue>();
      for await (const { columns } of scan.parts()) {
        for (const value of valuesIn((columns[0] as CachedChunk).chunk)) {
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
function* valuesIn(chunk: Chunk): Generator<KnownValue> {
  const { codes, dictionary, size, firstKey } = chunk;
  const counts = new Uint32Array(size);
  const firstRows = new Uint32Array(size);
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
