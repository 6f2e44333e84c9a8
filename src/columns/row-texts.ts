import type { RowValues } from '../query/row-store.ts';
import type { Row, Value } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { MOST_ANSWER_BYTES, type RowBytes, rowText } from '../values/row-texts.ts';
import type { Slot } from '../work/budget.ts';
import type { CachedChunk } from './cached-chunk.ts';
import { type Chunk, type ChunkEntry, type ColumnDirectory, numberAt, textOfRow } from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { ROWS_PER_BLOCK, RowBlock } from './row-block.ts';

/**
 * Returns the texts of whole rows, as many as fit in an answer. Their texts stay in memory after
 * the first use.
 */
export function rowTextsAt(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  context: ReadContext,
): RowBytes | Promise<RowBytes> {
  const page = new PageTexts(store, positions);
  return page.take() ?? readAbsent(page, store, fields, context);
}

/** Takes the texts of a page, and reads those that are not in memory. */
async function readAbsent(
  page: PageTexts,
  store: ColumnStore,
  fields: readonly Field[],
  context: ReadContext,
): Promise<RowBytes> {
  for (;;) {
    await addRows(store, fields, page.next(rowsAtOnce(store)), page.blocks, context);
    const taken = page.take();
    if (taken !== undefined) return taken;
  }
}

/** The texts of some rows, as they are taken from memory. */
class PageTexts {
  #blocks: Map<number, RowBlock> | undefined;
  readonly #store: ColumnStore;
  readonly #positions: Uint32Array;
  readonly #taken: string[] = [];
  #bytes = 0;

  constructor(store: ColumnStore, positions: Uint32Array) {
    this.#store = store;
    this.#positions = positions;
  }

  /** The blocks to which the run adds rows: it keeps them even if the cache has no room. */
  get blocks(): Map<number, RowBlock> {
    this.#blocks ??= new Map();
    return this.#blocks;
  }

  /** The positions from the first whose text is not in memory. */
  next(rows: number): Uint32Array {
    const { length } = this.#taken;
    return this.#positions.subarray(length, length + rows);
  }

  /** Takes texts as long as they are in memory. Returns all that fit once the last is taken. */
  take(): RowBytes | undefined {
    const [positions, taken] = [this.#positions, this.#taken];
    let index = -1;
    let block: RowBlock | undefined;
    while (taken.length < positions.length && this.#bytes <= MOST_ANSWER_BYTES) {
      const position = positions[taken.length] as number;
      const wanted = Math.floor(position / ROWS_PER_BLOCK);
      if (block === undefined || wanted !== index) {
        block = this.#blocks?.get(wanted) ?? this.#store.rowBlock(wanted).value;
        index = wanted;
      }
      const row = block?.rowAt(position % ROWS_PER_BLOCK);
      if (row === undefined) return undefined;
      this.#bytes += row.length - 1;
      taken.push(row);
    }
    const length = this.#bytes > MOST_ANSWER_BYTES ? taken.length - 1 : taken.length;
    return { length, bytes: taken };
  }
}

/**
 * Returns a block of row texts. During a run it is always the same one, even if the cache has no
 * room for it.
 */
function blockOf(store: ColumnStore, blocks: Map<number, RowBlock>, index: number): RowBlock {
  let block = blocks.get(index);
  if (block === undefined) {
    block = store.rowBlock(index).value ?? new RowBlock();
    blocks.set(index, block);
  }
  return block;
}

/** Adds the rows that are not in memory to their blocks. */
async function addRows(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  blocks: Map<number, RowBlock>,
  context: ReadContext,
): Promise<void> {
  const of = (position: number) => blockOf(store, blocks, Math.floor(position / ROWS_PER_BLOCK));
  const absent = positions.filter(
    (position) => of(position).rowAt(position % ROWS_PER_BLOCK) === undefined,
  );
  const texts = await new RowReader(store, fields, context, TEXTS).rows(absent);
  const grown = new Set<number>();
  for (const [i, position] of absent.entries()) {
    of(position).add(position % ROWS_PER_BLOCK, texts[i] as string);
    grown.add(Math.floor(position / ROWS_PER_BLOCK));
  }
  for (const index of grown) store.rowBlock(index).set(blocks.get(index) as RowBlock);
}

/** The cost of writing one cell of a row, in steps. */
const STEPS_PER_CELL = 30;

/** How many cells are written without a pause. */
const CELLS_AT_ONCE = 2500;

/** Reading a row's item counts as at least this many bytes, which is half a read unit. */
const LEAST_ITEM_BYTES = 4096;

/** About how many bytes of rows are read at once. A greater number would read more rows in vain. */
const BYTES_AT_ONCE = 2 ** 20;

/**
 * What a download keeps of its rows while its caller takes a piece, about; a download of groups
 * keeps the groups that are listed.
 */
const BATCH_BYTES = 2 ** 16;

/** The form in which rows are read: as JSON texts, or as their values. */
export type RowForm<T> = {
  /** Returns a function that makes a chunk's rows, from the chunks of their fields. */
  ofChunk(fields: readonly Field[], chunks: readonly Chunk[]): (row: number) => T;
  ofItem(row: Row, fields: readonly Field[]): T;
};

export const TEXTS: RowForm<string> = {
  ofChunk: rowWriter,
  ofItem: (row, fields) =>
    rowText(
      row,
      fields.map(({ name }) => name),
    ),
};

/** Dates and times are their keys, as files of columns have them. */
export const VALUES: RowForm<RowValues> = {
  ofChunk: (fields, chunks) => {
    const cells = fields.map((field, i) => valueReader(field, chunks[i] as Chunk));
    return (row) => cells.map((cell) => cell(row));
  },
  ofItem: (row, fields) =>
    fields.map((field) => {
      const value = row[field.name] ?? null;
      const { comparedBy, json, keyOf } = typeOf(field);
      const isTime = comparedBy === 'number' && json === 'string';
      return isTime && value !== null ? keyOf(value, field) : value;
    }),
};

/**
 * Reads some fields of rows, in a form. It reads the columns if they fit in memory, where the
 * next run finds them. Otherwise it reads the columns or the rows' items, whichever have fewer
 * bytes.
 */
export class RowReader<T> {
  readonly #store: ColumnStore;
  readonly #fields: readonly Field[];
  readonly #context: ReadContext;
  readonly #form: RowForm<T>;
  #directories: readonly ColumnDirectory[] | undefined;
  #isKept = false;
  /**
   * The writers of chunks. If the columns do not stay in memory, it is only the latest one, because
   * older ones would hold chunks for which memory has no room.
   */
  readonly #makers = new Map<number, (row: number) => T>();

  constructor(
    store: ColumnStore,
    fields: readonly Field[],
    context: ReadContext,
    form: RowForm<T>,
  ) {
    this.#store = store;
    this.#fields = fields;
    this.#context = context;
    this.#form = form;
  }

  /** Returns the texts of the rows at some positions, in pieces. Each piece is read at once. */
  async *inPieces(positions: Uint32Array, bytesAtOnce?: number): AsyncGenerator<T[]> {
    const rows = rowsAtOnce(this.#store, bytesAtOnce);
    for (let from = 0; from < positions.length; from += rows) {
      yield await this.rows(positions.subarray(from, from + rows));
    }
  }

  /**
   * Returns the texts of the rows at some positions, a few at a time. Only a run with a slot holds
   * more than those: rows that it read ahead, and a chunk if the columns do not stay in memory.
   * When the slot is due, the run forgets them and reads them again later. So it does with what
   * `forget` forgets.
   */
  async *inBatches(
    positions: Uint32Array,
    slot: Slot,
    bytesAtOnce?: number,
    forget?: () => void,
  ): AsyncGenerator<T[]> {
    const rows = rowsAtOnce(this.#store, BATCH_BYTES);
    let ahead: T[] = [];
    const giveWay = () => {
      ahead = [];
      this.#makers.clear();
      forget?.();
      slot.leave();
    };
    for (let from = 0; from < positions.length; ) {
      await slot.take();
      if (ahead.length === 0) {
        await this.#readDirectories();
        const most = this.#isKept ? rows : rowsAtOnce(this.#store, bytesAtOnce);
        ahead = await this.rows(positions.subarray(from, from + most));
      }
      const batch = ahead.splice(0, rows);
      // The rows that were read ahead need not make a whole number of batches.
      from += batch.length;
      if ((this.#isKept && forget === undefined) || slot.isDue) giveWay();
      const stop = slot.watch(giveWay);
      try {
        yield batch;
      } finally {
        stop();
      }
    }
  }

  /** Returns the rows at some positions. */
  async rows(positions: Uint32Array): Promise<T[]> {
    const { rowsPerChunk } = this.#store;
    const rows = new Array<T>(positions.length);
    const fromItems: number[] = [];
    const atOnce = Math.ceil(CELLS_AT_ONCE / this.#fields.length);
    for (const [chunk, indices] of indicesByChunk(positions, rowsPerChunk)) {
      const make = this.#makers.get(chunk) ?? (await this.#makerOf(chunk, indices.length));
      if (make === undefined) {
        for (const index of indices) fromItems.push(index);
        continue;
      }
      for (const [i, index] of indices.entries()) {
        rows[index] = make((positions[index] as number) - chunk * rowsPerChunk);
        if (i % atOnce === atOnce - 1) await this.#checkpoint(atOnce);
      }
    }
    if (fromItems.length > 0) {
      const asked = Uint32Array.from(fromItems, (index) => positions[index] as number);
      for (const [i, row] of (await this.#store.rowsAt(asked, this.#context)).entries()) {
        rows[fromItems[i] as number] = this.#form.ofItem(row, this.#fields);
        if (i % atOnce === atOnce - 1) await this.#checkpoint(atOnce);
      }
    }
    return rows;
  }

  /**
   * Returns what makes a chunk's rows from its columns; undefined if it is cheaper to read this
   * few rows from their items.
   */
  async #makerOf(chunk: number, rows: number): Promise<((row: number) => T) | undefined> {
    const directories = await this.#readDirectories();
    if (!this.#isKept && this.#store.hasRows) {
      const ofItems = rows * Math.max(LEAST_ITEM_BYTES, this.#store.rowBytes);
      const ofColumns = directories.reduce(
        (sum, { chunks }) => sum + (chunks[chunk] as ChunkEntry).bytes,
        0,
      );
      if (ofItems < ofColumns) return undefined;
    }
    const cached: CachedChunk[] = await Promise.all(
      this.#fields.map(({ name }, i) =>
        this.#store.chunk(
          name,
          chunk,
          directories[i] as ColumnDirectory,
          this.#isKept,
          this.#context,
        ),
      ),
    );
    const make = this.#form.ofChunk(
      this.#fields,
      cached.map((one) => one.chunk),
    );
    if (!this.#isKept) this.#makers.clear();
    this.#makers.set(chunk, make);
    return make;
  }

  async #readDirectories(): Promise<readonly ColumnDirectory[]> {
    if (this.#directories === undefined) {
      this.#directories = await Promise.all(
        this.#fields.map(({ name }) => this.#store.directory(name, this.#context)),
      );
      this.#isKept = this.#store.hasRoomFor(this.#directories, this.#context);
    }
    return this.#directories;
  }

  #checkpoint(rows: number): Promise<void> | undefined {
    return this.#context.budget.checkpoint(rows * this.#fields.length * STEPS_PER_CELL);
  }
}

function rowsAtOnce({ rowBytes }: ColumnStore, bytes = BYTES_AT_ONCE): number {
  return Math.max(1, Math.floor(bytes / rowBytes));
}

/** Groups the indices of the positions by the chunk of each position. */
function indicesByChunk(positions: Uint32Array, rowsPerChunk: number): Map<number, number[]> {
  const indices = new Map<number, number[]>();
  for (const [index, position] of positions.entries()) {
    const chunk = Math.floor(position / rowsPerChunk);
    const ofChunk = indices.get(chunk);
    if (ofChunk === undefined) indices.set(chunk, [index]);
    else ofChunk.push(index);
  }
  return indices;
}

/** Returns a function that writes a chunk's rows as JSON text, from the chunks of their fields. */
export function rowWriter(
  fields: readonly Field[],
  chunks: readonly Chunk[],
): (row: number) => string {
  const names = fields.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const cells = fields.map((field, i) => cellWriter(field, chunks[i] as Chunk));
  return (row) => {
    let text = '';
    for (let i = 0; i < cells.length; i++) {
      text += (names[i] as string) + (cells[i] as (row: number) => string)(row);
    }
    return `${text}}`;
  };
}

type ReadCell = (row: number) => Value;

function valueReader(field: Field, chunk: Chunk): ReadCell {
  const type = typeOf(field);
  const { codes, firstKey, dictionary } = chunk;
  if (type.comparedBy === 'text') return (row) => textOfRow(chunk, row);
  if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a text.`);
  const isBoolean = type.json === 'boolean';
  return (row) => {
    const code = codes[row] as number;
    if (code < firstKey) return null;
    const key = numberAt(dictionary, code);
    // A sum has no -0, as JSON.
    return isBoolean ? type.valueOf(key, field) : key + 0;
  };
}

function cellWriter(field: Field, chunk: Chunk): (row: number) => string {
  const type = typeOf(field);
  const { codes, firstKey, dictionary } = chunk;
  if (type.comparedBy === 'text') return (row) => JSON.stringify(textOfRow(chunk, row));
  if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a text.`);
  const isNumber = type.json === 'number' || type.json === 'integer';
  return (row) => {
    const code = codes[row] as number;
    if (code < firstKey) return 'null';
    const number = numberAt(dictionary, code);
    return isNumber ? String(number) : JSON.stringify(type.valueOf(number, field));
  };
}
