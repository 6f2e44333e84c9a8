import type { DatasetBlock } from '../block/block.ts';
import { rowSegment } from '../block/row-key.ts';
import type { Row } from '../fields/field.ts';
import type { RowsOutput } from '../query/output.ts';
import { rowAddress } from './routes.ts';
import type { ServedBlock } from './served-block.ts';

/**
 * The addresses of an answer's rows, given with their primary keys, below the service's root. Rows
 * that are not of the dataset have none.
 */
export function rowAddresses(
  { block, manifest }: Pick<ServedBlock, 'block' | 'manifest'>,
  rows: readonly Row[],
  { positions }: Pick<RowsOutput, 'positions'>,
): string[] {
  if (manifest === undefined || positions === undefined) return [];
  return rows.map((row, i) => {
    const segment = rowSegment(block as DatasetBlock, manifest, row, positions[i] as number);
    return rowAddress(block.name, segment as string);
  });
}
