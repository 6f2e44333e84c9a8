import type { DatasetBlock } from '../../src/block/block.ts';
import type { Row } from '../../src/values/field-type.ts';
import { censusRows } from './census-rows.ts';
import { directoryRows } from './directory-rows.ts';
import { seededRandom } from './seeded-random.ts';
import { census, directory } from './shipped-blocks.ts';

/** Which generated set: every process makes the same rows of it. */
export type SetName = { readonly kind: 'census' | 'directory'; readonly size: number };

/** Rows to be served, and the block whose fields they have. */
export type GeneratedSet = { readonly block: DatasetBlock; readonly rows: readonly Row[] };

export function generatedSet({ kind, size }: SetName): GeneratedSet {
  const random = seededRandom(size);
  return kind === 'census'
    ? { block: census, rows: censusRows(size, random) }
    : { block: directory, rows: directoryRows(size, random) };
}
