import type { Manifest } from '../block/manifest.ts';
import type { ChunkEntry } from '../columns/chunk.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import type { ReadCost } from '../query/row-store.ts';
import type { Field } from '../values/field-types.ts';
import {
  checkItemVersion,
  dataIn,
  directoryIn,
  directoryKey,
  isBeside,
  PART_BYTES,
  partKey,
  partsOf,
} from './column-items.ts';
import { ID, type Item, itemBytes, readItem, rowKey, SHARD } from './item.ts';
import { type AskedItem, ItemReader } from './item-reader.ts';
import { USD_OF_MILLION_READ_UNITS } from './limits.ts';
import type { TableReads } from './read-client.ts';

/**
 * A directory's item is expected to be no larger than this, with the only chunk of a small column.
 */
const DIRECTORY_BYTES = 16 * 1024;

/** An eventually consistent read unit reads two items of up to 4 KB. */
const UNIT_BYTES = 4096;

type ReadTable = {
  readonly client: TableReads;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly manifest: Pick<Manifest, 'bytes' | 'rows' | 'rowsPerShard' | 'version'>;
};

/** Reads a dataset's columns and rows from the items of its table. */
export function tableColumns({ client, name, fields, manifest }: ReadTable): ColumnSource {
  const reader = new ItemReader(client, name);
  const rowBytes = manifest.bytes / manifest.rows;
  const read = async (asked: AskedItem, reads: ReadCost): Promise<Item> => {
    const item = await reader.read(asked);
    const { [SHARD]: shard, [ID]: id } = asked.key;
    if (item === undefined) throw new Error(`The table has no item ${shard?.S} ${id?.S}.`);
    reads.itemsRead++;
    const units = Math.ceil(itemBytes(item) / UNIT_BYTES) / 2;
    reads.capacityUnits += units;
    reads.usd += (units * USD_OF_MILLION_READ_UNITS) / 1e6;
    return item;
  };
  return {
    directory: async (field, reads) => {
      const asked = { key: directoryKey(field), bytes: DIRECTORY_BYTES };
      const item = await read(asked, reads);
      checkItemVersion(item, manifest);
      const beside = dataIn(item);
      if (beside !== undefined) reads.chunksRead++;
      return { directory: directoryIn(item), beside };
    },
    chunk: async (field, chunk, directory, reads) => {
      const { bytes } = directory.chunks[chunk] as ChunkEntry;
      const keys = isBeside(directory)
        ? [directoryKey(field)]
        : Array.from({ length: partsOf(bytes) }, (_, part) => partKey(field, chunk, part));
      const items = await Promise.all(
        keys.map((key) => read({ key, bytes: Math.min(bytes, PART_BYTES) }, reads)),
      );
      reads.chunksRead++;
      return Buffer.concat(items.map((item) => dataIn(item) ?? new Uint8Array()));
    },
    rows: async (positions, reads) => {
      const items = await Promise.all(
        Array.from(positions, (position) =>
          read({ key: rowKey(position, manifest.rowsPerShard), bytes: rowBytes }, reads),
        ),
      );
      return items.map((item) => readItem(fields, item).values);
    },
  };
}
