import type { PackedColumns } from '../columns/encode-chunk.ts';
import type { KeyedRow } from '../query/predicate.ts';
import type { Field } from '../values/field-types.ts';
import { columnItems } from './column-items.ts';
import {
  bytesOfNumber,
  itemBytes,
  keyAttribute,
  makeItem,
  rowKey,
  SHARD,
  tableShape,
} from './item.ts';
import { isHoldable, itemFault, LIMITS, tableFaults } from './limits.ts';

/** What the importer must know of DynamoDB, the store that it makes datasets for. */
export const DYNAMODB = {
  tableShape,
  tableFaults,
  rowFault: (fields: readonly Field[], row: KeyedRow, position: number) =>
    itemFault(makeItem(fields, row, position, 1), fields),
  columnsFault: (columns: PackedColumns, version: string) => {
    const tooLarge = columnItems(columns, { version }).find(
      (item) => itemBytes(item) > LIMITS.itemBytes,
    );
    if (tooLarge === undefined) return undefined;
    return `too many rows: ${tooLarge[SHARD]?.S} is over what an item holds`;
  },
  holdsNumber: isHoldable,
  mostBytesOfRow: LIMITS.itemBytes,
  mostBytesOfKey: LIMITS.partitionKeyBytes,
  /** A little less than a page, so that one page holds a whole shard. */
  bytesOfShard: 0.9 * 2 ** 20,
  bytesOfRow: itemBytes(rowKey(0, 1)),
  bytesOfNumber,
  bytesBeside: (name: string) => ({
    value: Buffer.byteLength(name),
    key: Buffer.byteLength(keyAttribute(name)),
  }),
} as const;
