import type { Field } from '../fields/field.ts';
import { MOST_ANSWER_BYTES, rowText } from '../query/row-text.ts';
import type { RowSlices } from '../query/row-texts.ts';
import type { ColumnDirectory } from './column-directory.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { ROWS_PER_BLOCK, RowBlock } from './row-block.ts';
import { rowWriter } from './row-writer.ts';

/** The work of writing one cell of a row, in steps. */
const STEPS_PER_CELL = 12;

/** Rows that are written without a pause. */
const ROWS_AT_ONCE = 64;

/** The texts of whole rows, in memory once they have been asked for; as many as an answer holds. */
export async function rowTextsAt(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  run: Run,
): Promise<RowSlices> {
  const sources = new Array<Buffer>(positions.length);
  const starts = new Uint32Array(positions.length);
  const ends = new Uint32Array(positions.length);
  const blocks = new Map<number, RowBlock>();
  let [length, bytes, index] = [0, 0, -1];
  let block: RowBlock | undefined;
  for (; length < positions.length; length++) {
    const position = positions[length] as number;
    const its = Math.floor(position / ROWS_PER_BLOCK);
    if (block === undefined || its !== index) {
      block = blockOf(store, blocks, its);
      index = its;
    }
    const row = position % ROWS_PER_BLOCK;
    if (block.sourceOf(row) === undefined) {
      const next = positions.subarray(length, length + ROWS_AT_ONCE);
      await addRows(store, fields, next, blocks, run);
    }
    sources[length] = block.sourceOf(row) as Buffer;
    starts[length] = block.startOf(row);
    ends[length] = block.endOf(row);
    bytes += block.endOf(row) - block.startOf(row) - 1;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  return { length, sources, starts, ends };
}

/** A block of rows' texts, the same one during a run even if memory has no room for it. */
function blockOf(store: ColumnStore, blocks: Map<number, RowBlock>, index: number): RowBlock {
  let block = blocks.get(index);
  if (block === undefined) {
    block = store.rowBlock(index).held ?? new RowBlock();
    blocks.set(index, block);
  }
  return block;
}

/** The texts of some fields of rows; as many as an answer holds. */
export async function partTextsAt(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  run: Run,
): Promise<readonly string[]> {
  const texts: string[] = [];
  let bytes = 0;
  for (let from = 0; from < positions.length; from += ROWS_AT_ONCE) {
    const some = positions.subarray(from, from + ROWS_AT_ONCE);
    for (const text of await writtenRows(store, fields, some, run)) {
      bytes += Buffer.byteLength(text);
      if (bytes > MOST_ANSWER_BYTES) return texts;
      texts.push(text);
    }
  }
  return texts;
}

/** Adds the rows that are not in memory to their blocks. */
async function addRows(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  blocks: Map<number, RowBlock>,
  run: Run,
): Promise<void> {
  const of = (position: number) => blockOf(store, blocks, Math.floor(position / ROWS_PER_BLOCK));
  const absent = positions.filter(
    (position) => of(position).sourceOf(position % ROWS_PER_BLOCK) === undefined,
  );
  const texts = await writtenRows(store, fields, absent, run);
  const grown = new Set<number>();
  for (const [i, position] of absent.entries()) {
    of(position).add(position % ROWS_PER_BLOCK, texts[i] as string);
    grown.add(Math.floor(position / ROWS_PER_BLOCK));
  }
  for (const index of grown) store.rowBlock(index).hold(blocks.get(index) as RowBlock);
}

/**
 * The texts of some fields of rows: from their columns if these fit in memory, where the next run
 * finds them; else from the rows themselves, if these are there.
 */
async function writtenRows(
  store: ColumnStore,
  fields: readonly Field[],
  positions: Uint32Array,
  run: Run,
): Promise<string[]> {
  const directories = await Promise.all(fields.map(({ name }) => store.directory(name, run)));
  const texts: string[] = [];
  const isKept = store.hasRoomFor(directories);
  if (isKept || !store.hasRows) {
    const writers = new Map<number, (row: number) => string>();
    for (const position of positions) {
      const chunk = Math.floor(position / store.rowsPerChunk);
      let write = writers.get(chunk);
      if (write === undefined) {
        const held = await Promise.all(
          fields.map(({ name }, i) =>
            store.chunk(name, chunk, directories[i] as ColumnDirectory, isKept, run),
          ),
        );
        write = rowWriter(
          fields,
          held.map((one) => one.chunk),
        );
        writers.set(chunk, write);
      }
      texts.push(write(position % store.rowsPerChunk));
    }
  } else {
    const names = fields.map(({ name }) => name);
    for (const row of await store.rowsAt(positions, run)) texts.push(rowText(row, names));
  }
  await run.budget.turn(positions.length * fields.length * STEPS_PER_CELL);
  return texts;
}
