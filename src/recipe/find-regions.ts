import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readBoundaries } from '../files/geojson/read-boundaries.ts';
import { simplification } from '../files/geojson/simplify-areas.ts';
import { readWhole } from '../files/read-bytes.ts';
import { SeedError } from '../files/source-table.ts';
import { numberText } from '../text/wording.ts';
import type { ReadColumns } from './gather-evidence.ts';
import type { InferredColumn } from './inferred-column.ts';
import type { BlockFile, TableFile } from './recipe.ts';

/** Members of a block whose rows are regions with shapes, and notes on the shapes. */
export type Regions = Required<Pick<BlockFile, 'geometry' | 'boundaries'>> & {
  readonly notes: readonly string[];
};

/** Areas of a new GeoJSON file, all of which a page draws. A file with more becomes points. */
const MOST_REGIONS = 5000;

/** A GeoJSON file of areas, which is read as a whole. A larger file becomes points. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Finds the shapes of a GeoJSON file's rows, if all rows are areas and a text names them. Returns
 * why not if the file has areas, and undefined if it has none.
 */
export async function findRegions(
  folder: string,
  { file, encoding, dialect }: TableFile,
  { rows, geometry }: ReadColumns,
  columns: readonly InferredColumn[],
  { geometry: points, sources }: Pick<BlockFile, 'geometry' | 'sources'>,
): Promise<Regions | { readonly why: string } | undefined> {
  if (geometry?.are !== 'areas' || points === undefined) return undefined;
  // Shapes are read as UTF-8, and matched by name.
  if (dialect?.axisOrder) return { why: 'a file with the latitudes first' };
  if (encoding ?? dialect?.badBytes) return { why: 'a file that is not UTF-8 throughout' };
  if (rows > MOST_REGIONS) return { why: `over ${numberText(MOST_REGIONS)} areas` };
  const { size } = await stat(path.join(folder, file));
  if (size > MOST_BYTES) return { why: `a file of over ${MOST_BYTES / 2 ** 20} MB` };
  const bytes = await readWhole(folder, file);
  const names = columns.filter(({ decision }) => decision.type === 'text' && decision.isUnique);
  let why = 'no text names each area once';
  for (const { name, header } of names) {
    try {
      const shapes = readBoundaries(bytes, file, header);
      // Rows have their names trimmed, so these shapes would match none.
      if (!Object.keys(shapes).every((shape) => shape === shape.trim() && shape !== '')) continue;
      const { longitude, latitude } = points;
      const { notes, ...simplified } = simplification(shapes);
      return {
        notes,
        geometry: { kind: 'regions', region: name, longitude, latitude, ...simplified },
        boundaries: { file, property: header, sources },
      };
    } catch (error) {
      if (!(error instanceof SeedError)) throw error;
      why = error.message;
    }
  }
  return { why };
}
