import type { Manifest } from '../block/manifest.ts';
import { COLUMN_FORMAT } from '../columns/chunk.ts';
import type { ColumnDirectory } from '../columns/column-directory.ts';
import type { PackedColumns } from '../columns/pack-columns.ts';
import type { Field } from '../values/field-types.ts';
import type { Item } from './item.ts';
import { ID, SHARD } from './table-shape.ts';

/** The bytes of a chunk that one item holds; DynamoDB takes 400 KB with names and keys. */
export const PART_BYTES = 380 * 1024;

/** The attribute of the head's item, and its key. */
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

/** The key of a part of a chunk. Each has a partition of its own, since one is slow to read. */
export function partKey(field: string, chunk: number, part: number): Item {
  return { [SHARD]: { S: `column/${field}/${chunk}/${part}` }, [ID]: { S: DATA } };
}

/** How many items a chunk of so many bytes has. */
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
    ...{ rows, rowsPerChunk, rowsPerShard },
    fields: fields.map(({ name, type }) => ({ name, type })),
  };
  return { ...HEAD_KEY, [VERSION]: { S: version }, [HEAD]: { S: JSON.stringify(head) } };
}

/** The items of a dataset's columns. A column's only chunk lies beside its directory if it fits. */
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

/** Whether a column's only chunk lies beside its directory. */
export function isBeside({ chunks }: ColumnDirectory): boolean {
  const [only, ...others] = chunks;
  return only !== undefined && others.length === 0 && only.bytes <= PART_BYTES;
}

/** The directory in an item. */
export function directoryIn(item: Item): ColumnDirectory {
  return JSON.parse(item[DIRECTORY]?.S ?? '');
}

/** Throws if an item is of another version of the dataset. */
export function checkItemVersion(item: Item, { version }: Pick<Manifest, 'version'>): void {
  const its = item[VERSION]?.S;
  if (its === version) return;
  const { [SHARD]: shard, [ID]: id } = item;
  throw new Error(`The item ${shard?.S} ${id?.S} is of version ${its}; expected ${version}.`);
}

/** The bytes in an item; undefined if it has none. */
export function dataIn(item: Item): Uint8Array | undefined {
  return item[DATA]?.B;
}
