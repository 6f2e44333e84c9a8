import { compileNeighborhoods } from '../../src/census/compile-neighborhoods.ts';
import { textCell } from '../../src/importer/cells.ts';
import type { ToRows } from '../../src/importer/dataset-source.ts';
import { SeedError } from '../../src/readers/seed-error.ts';

/** Compiles neighborhoods from their tracts, each of which carries the name of its own. */
export const toRows: ToRows = (tracts, file) =>
  compileNeighborhoods(tracts, file, (tract) => {
    const name = textCell(tract, 'neighborhood', file);
    if (name !== null) return name;
    throw new SeedError(file, 'blank', { line: tract.line, column: 'neighborhood' });
  });
