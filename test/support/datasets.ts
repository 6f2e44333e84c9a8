import type { DatasetBlock } from '../../src/block/block.ts';
import type { DataSource } from '../../src/block/manifest.ts';
import { CHUNK_ROWS } from '../../src/columns/chunk.ts';
import { withCodes } from '../../src/columns/pack-codes.ts';
import { itemsBesideRows } from '../../src/dynamodb/column-items.ts';
import type { Item } from '../../src/dynamodb/item.ts';
import { DYNAMODB } from '../../src/dynamodb/storage.ts';
import * as imports from '../../src/import/import-dataset.ts';
import type { DatasetSource } from '../../src/import/seed-files.ts';
import { inOrders, storedOrders } from '../../src/import/stored-orders.ts';
import type { Row } from '../../src/values/field-type.ts';
import { packColumns } from './pack-columns.ts';

export { datasetItems } from '../../src/dynamodb/column-items.ts';

/** A dataset for DynamoDB, with the items of its table, but for those of its rows. */
export type ImportedDataset = imports.ImportedDataset & { readonly items: readonly Item[] };

export async function importDataset(
  block: DatasetBlock,
  source: DatasetSource,
  seedData: string,
  rowsPerChunk?: number,
): Promise<ImportedDataset> {
  const settings = rowsPerChunk === undefined ? {} : { rowsPerChunk };
  return withItems(await imports.importDataset(block, source, seedData, DYNAMODB, settings));
}

type MadeSettings = Parameters<typeof imports.datasetOf>[4] & {
  readonly bytesOfShard?: number;
  readonly rowsPerChunk?: number;
};

export function makeDataset(
  block: DatasetBlock,
  values: Iterable<Row>,
  source: DataSource,
  { bytesOfShard = DYNAMODB.bytesOfShard, rowsPerChunk = CHUNK_ROWS, ...more }: MadeSettings = {},
): ImportedDataset {
  const storage = { ...DYNAMODB, bytesOfShard };
  const packed = withCodes(packColumns(block.fields, values, rowsPerChunk), block.fields);
  const dataset = imports.datasetOf(block, packed, source, storage, more);
  const ordered = inOrders(packed, storedOrders(block));
  return withItems(imports.withOrders(dataset, ordered, storage, block.name));
}

function withItems(dataset: imports.ImportedDataset): ImportedDataset {
  return { ...dataset, items: itemsBesideRows(dataset) };
}
