import { areaFieldOf } from '../values/places.ts';
import { BLOCKS_PATH } from './addresses.ts';
import type { DatasetBlock } from './block.ts';
import type { AreaKind, Manifest } from './manifest.ts';

/** The areas that the values of a block's field name. */
export type FoundAreas = {
  readonly field: string;
  /** Whose areas these are: known ones, or those of the block's own file. */
  readonly areas: AreaKind | 'own';
  /** Different values that name an area. */
  readonly found: number;
  /** Those that name none, and their rows; absent if each names one. */
  readonly not_found?: { readonly values: number; readonly rows: number };
  /** The address of the areas with the number of rows of each. */
  readonly geojson: string;
};

/** Which field of a block names areas, whose these are, and how many were found. */
export function foundAreas(block: DatasetBlock, manifest: Manifest): FoundAreas | undefined {
  const field = areaFieldOf(block);
  if (field === undefined) return undefined;
  const { kind = 'own', found, unfound } = manifest.areas ?? {};
  return {
    field,
    areas: kind,
    found: found ?? manifest.fields[field]?.distinct ?? 0,
    not_found: unfound,
    geojson: `${BLOCKS_PATH}/${block.name}?_group=${field}&_format=geojson`,
  };
}
