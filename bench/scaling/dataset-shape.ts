import { block as directory } from '../../functions/business-directory/block.ts';
import { block as census } from '../../functions/census-neighborhoods/block.ts';
import type { DatasetBlock } from '../../src/block/block.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { PAGE_BYTES } from '../../src/query/query-plan.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { BOUNDS } from './assumptions.ts';

export type Kind = 'census' | 'directory';

/** A dataset as the model knows it: how large its rows are, wherever they are. */
export type DatasetShape = {
  readonly block: DatasetBlock;
  /** An item as DynamoDB counts it: the mean of the rows that ship. */
  readonly itemBytes: number;
  /** A line of the file that a table is imported from, uncompressed. */
  readonly lineBytes: number;
  /** The commonest key's share of rows and of bytes, by indexed field; one row where absent. */
  readonly commonest: Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>;
  /** In memory, once loaded; and at most, while the rows are there beside their columns. */
  readonly heldBytes: number;
  readonly peakBytes: number;
  /** CPU to load a row, on one core of the machine that RESULTS.md names. */
  readonly loadMicroseconds: number;
  /** CPU for a row that comes from the table: parsed, made a row, checked, serialised. */
  readonly rowMicroseconds: number;
};

export const SHAPES: Readonly<Record<Kind, DatasetShape>> = {
  census: {
    block: census,
    itemBytes: 788.5,
    lineBytes: 1373.1,
    commonest: {},
    heldBytes: 2450,
    peakBytes: 3100,
    loadMicroseconds: 115,
    rowMicroseconds: 90,
  },
  directory: {
    block: directory,
    itemBytes: 531.5,
    lineBytes: 829.2,
    commonest: { type_of_business: { rows: 0.2333, bytes: 0.2361 } },
    heldBytes: 2000,
    peakBytes: 2500,
    loadMicroseconds: 60,
    rowMicroseconds: 40,
  },
};

/** What the importer would say of so many rows of this shape, as far as a plan depends on it. */
export function statisticsOf(
  { block, itemBytes, commonest }: DatasetShape,
  rows: number,
): Manifest {
  const bytes = Math.round(rows * itemBytes);
  const shards = Math.ceil(bytes / (BOUNDS.shardOfPage * PAGE_BYTES));
  return {
    block: block.name,
    version: '',
    rows,
    bytes,
    rowsPerShard: Math.ceil(rows / shards),
    source: GENERATED_SOURCE,
    fields: Object.fromEntries(
      block.fields.map(({ name }) => {
        const mostBytesOfKey = Math.max(itemBytes, bytes * (commonest[name]?.bytes ?? 0));
        return [name, { nulls: 0, distinct: rows, mostBytesOfKey }];
      }),
    ),
  };
}
