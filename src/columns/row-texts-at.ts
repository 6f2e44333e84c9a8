import { MOST_ANSWER_BYTES, type RowSlices } from '../query/row-texts.ts';
import type { Field } from '../values/field-types.ts';
import type { ColumnStore, Run } from './column-store.ts';
import { ROWS_PER_BLOCK, RowBlock } from './row-block.ts';
import { RowTextReader, rowsAtOnce } from './row-text-reader.ts';

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
      const next = positions.subarray(length, length + rowsAtOnce(store));
      await addRows(store, fields, next, blocks, run);
    }
    sources[length] = block.sourceOf(row) as Buffer;
    const start = block.startOf(row);
    const end = block.endOf(row);
    starts[length] = start;
    ends[length] = end;
    bytes += end - start - 1;
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
  const texts = await new RowTextReader(store, fields, run).texts(absent);
  const grown = new Set<number>();
  for (const [i, position] of absent.entries()) {
    of(position).add(position % ROWS_PER_BLOCK, texts[i] as string);
    grown.add(Math.floor(position / ROWS_PER_BLOCK));
  }
  for (const index of grown) store.rowBlock(index).hold(blocks.get(index) as RowBlock);
}
