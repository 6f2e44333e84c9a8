import { packedRows } from '../columns/memory-rows.ts';
import { emptyFigures } from '../views/draw-picture.ts';
import type { ImportedDataset } from './import-dataset.ts';

/** The titles of a block's figures that have nothing to show of an import. */
export function emptyFiguresOf(imported: ImportedDataset): Promise<string[]> {
  return emptyFigures(imported, packedRows(imported.block.fields, imported.columns));
}
