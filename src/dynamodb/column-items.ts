import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { COLUMN_FORMAT, type ColumnDirectory } from '../columns/chunk.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Field } from '../values/field-types.ts';
import { ID, type Item, makeItem, SHARD } from './item.ts';

/** The most bytes of a chunk in one item. DynamoDB takes 400 KB with names and keys. */
export const PART_BYTES = 380 * 1024;

/** The attribute of the head's item, which is also the item's key. */
const HEAD = 'head';
export const HEAD_KEY: Item = { [SHARD]: { S: HEAD }, [ID]: { S: HEAD } };

/** The attribute of the head and of each directory: the dataset's version. */
const VERSION = 'version';

/** The attributes of a column's items. */
const DIRECTORY = 'directory';
const DATA = 'data';

/** The key of the item with a column's directory. */
export function directoryKey(field: string): Item {
  return { [SHARD]: { S: `column/${field}` }, [ID]: { S: DIRECTORY } };
}

/**
 * The key of a part of a chunk. Each part has its own partition, because reading several from one
 * partition is slow.
 */
export function partKey(field: string, chunk: number, part: number): Item {
  return { [SHARD]: { S: `column/${field}/${chunk}/${part}` }, [ID]: { S: DATA } };
}

/** The number of items for a chunk of this many bytes. */
export function partsOf(bytes: number): number {
  return Math.ceil(bytes / PART_BYTES);
}

/** The item that tells another program what the table holds. */
export function headItem(
  fields: readonly Field[],
  { version, rows, rowsPerChunk, rowsPerShard }: Manifest,
): Item {
  const head = {
    format: COLUMN_FORMAT,
    rows,
    rowsPerChunk,
    rowsPerShard,
    fields: fields.map(({ name, type }) => ({ name, type })),
  };
  return { ...HEAD_KEY, [VERSION]: { S: version }, [HEAD]: { S: JSON.stringify(head) } };
}

/**
 * The items of a dataset's columns. If a column has only one chunk and the chunk fits, it is in the
 * same item as the directory.
 */
export function columnItems(
  { columns }: Pick<PackedColumns, 'columns'>,
  { version }: Pick<Manifest, 'version'>,
): Item[] {
  return [...columns].flatMap(([field, { directory, chunks }]) => {
    const [only] = chunks;
    const item: Item = {
      ...directoryKey(field),
      [VERSION]: { S: version },
      [DIRECTORY]: { S: JSON.stringify(directory) },
    };
    if (only !== undefined && isBeside(directory)) return [{ ...item, [DATA]: { B: only } }];
    return [
      item,
      ...chunks.flatMap((bytes, chunk) =>
        Array.from({ length: partsOf(bytes.length) }, (_, part) => ({
          ...partKey(field, chunk, part),
          [DATA]: { B: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) },
        })),
      ),
    ];
  });
}

/** Everything that a dataset's table holds. */
export type HeldDataset = {
  readonly block: Pick<DatasetBlock, 'fields'>;
  readonly manifest: Manifest;
  readonly columns: PackedColumns;
  readonly rows: Iterable<KeyedRow>;
};

/** The items of a dataset's head and columns, without the items of its rows. */
export function itemsBesideRows({
  block,
  manifest,
  columns,
}: Omit<HeldDataset, 'rows' | 'columns'> & {
  readonly columns: Pick<PackedColumns, 'columns'>;
}): Item[] {
  return [headItem(block.fields, manifest), ...columnItems(columns, manifest)];
}

/** All items of a dataset's table. Each is made when the caller gets to it. */
export function* datasetItems(dataset: HeldDataset): Generator<Item> {
  const { block, manifest, rows } = dataset;
  let position = 0;
  for (const row of rows) yield makeItem(block.fields, row, position++, manifest.rowsPerShard);
  yield* itemsBesideRows(dataset);
}

/** Tells whether a column's only chunk is in the same item as its directory. */
export function isBeside({ chunks }: ColumnDirectory): boolean {
  const [only, ...second] = chunks;
  return only !== undefined && second.length === 0 && only.bytes <= PART_BYTES;
}

/** Reads the directory in an item. */
export function directoryIn(item: Item): ColumnDirectory {
  return JSON.parse(item[DIRECTORY]?.S ?? '');
}

/** Throws if an item is of another version of the dataset. */
export function checkItemVersion(item: Item, { version }: Pick<Manifest, 'version'>): void {
  const versionOfItem = item[VERSION]?.S;
  if (versionOfItem === version) return;
  const { [SHARD]: shard, [ID]: id } = item;
  throw new Error(
    `The item ${shard?.S} ${id?.S} is of version ${versionOfItem}; expected ${version}.`,
  );
}

/** The bytes in an item. Undefined if it has none. */
export function dataIn(item: Item): Uint8Array | undefined {
  return item[DATA]?.B;
}
