import { AWS_PRICES } from '../../src/dynamodb/aws-prices.ts';
import { indexedFields } from '../../src/dynamodb/table-shape.ts';
import type { DatasetShape } from './dataset-shape.ts';

/** What a table costs that nobody asks: to keep, by the month, and once to import. */
export function storageCost(shape: DatasetShape, rows: number) {
  const copies = 1 + indexedFields(shape.block.fields).length;
  const storedGb = (rows * copies * (shape.itemBytes + OVERHEAD_BYTES)) / 2 ** 30;
  const importedGb = (rows * shape.lineBytes) / 2 ** 30;
  return {
    storedGb,
    usdPerMonth: storedGb * AWS_PRICES.tableGbMonth,
    importedGb,
    usdOfImport: importedGb * AWS_PRICES.importedGb,
  };
}

/** That DynamoDB bills for each item, in a table and in an index (AWS: "DynamoDB Item sizes"). */
const OVERHEAD_BYTES = 100;
