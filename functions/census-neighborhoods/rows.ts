import { SeedError } from '../../src/files/source-table.ts';
import { textCell } from '../../src/import/cells.ts';
import { compileNeighborhoods } from '../../src/import/census.ts';
import type { ToRows } from '../../src/import/seed-files.ts';

/** Compiles neighborhoods from their tracts, each of which carries the name of its own. */
export const toRows: ToRows = (tracts, file) =>
  compileNeighborhoods(tracts, file, (tract) => {
    const name = textCell(tract, 'neighborhood', file);
    if (name !== null) return name;
    throw new SeedError(file, 'blank', { line: tract.line, column: 'neighborhood' });
  });
