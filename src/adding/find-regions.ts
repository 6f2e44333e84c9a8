import type { BlockFile } from '../block/block-file.ts';
import { readBoundaries } from '../importer/read-boundaries.ts';
import { readWhole } from '../importer/seed-files.ts';
import type { InferredColumn } from '../inference/propose-roles.ts';
import { SeedError } from '../readers/seed-error.ts';
import type { OpenedFile } from './open-file.ts';
import type { ReadColumns } from './read-columns.ts';

/** What makes a block's rows regions, with their shapes. */
export type Regions = Required<Pick<BlockFile, 'geometry' | 'boundaries'>>;

/** A page draws every region, so there are not many, nor in great detail. */
const MOST_REGIONS = 500;
const MOST_BYTES = 2 ** 20;

/**
 * The shapes of a GeoJSON file's rows, if all are areas that a text names. Otherwise why not, for a
 * file of areas; nothing for another.
 */
export async function findRegions(
  { folder, table: { file } }: OpenedFile,
  { rows, areAreas }: ReadColumns,
  columns: readonly InferredColumn[],
  { geometry: points, sources }: Pick<BlockFile, 'geometry' | 'sources'>,
): Promise<Regions | { readonly why: string } | undefined> {
  if (!areAreas || points === undefined) return undefined;
  if (rows > MOST_REGIONS) return { why: `over ${MOST_REGIONS} areas` };
  const bytes = await readWhole(folder, file);
  if (bytes.length > MOST_BYTES) return { why: 'areas of over 1 MB' };
  const names = columns.filter(({ decision }) => decision.type === 'text' && decision.isUnique);
  let why = 'no text names each area once';
  for (const { name, header } of names) {
    try {
      const shapes = Object.keys(readBoundaries(bytes, file, header));
      // As the rows have them.
      if (!shapes.every((shape) => shape === shape.trim() && shape !== '')) continue;
      const { longitude, latitude } = points;
      return {
        geometry: { kind: 'regions', region: name, longitude, latitude },
        boundaries: { file, property: header, sources },
      };
    } catch (error) {
      if (!(error instanceof SeedError)) throw error;
      why = error.message;
    }
  }
  return { why };
}
