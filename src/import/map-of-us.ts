import type { MapDrawing } from '../block/manifest.ts';
import type { Row } from '../values/field-type.ts';
import { type PointFields, placeOfRow } from '../values/places.ts';

/** Places that are looked at to tell where a map is; of more, some in each part of the file. */
const MOST_LOOKED_AT = 2000;

/** The part of these that must be in the United States, and how wide the map must be, in degrees. */
const LEAST_IN_US = 0.95;
const LEAST_WIDE = 30;

/** Tells a map of places that it is of the United States, with Alaska and Hawaii, if it is. */
export async function withUs(
  map: MapDrawing | undefined,
  rows: Iterable<Row>,
  geometry: PointFields,
  count: number,
): Promise<MapDrawing | undefined> {
  if (map?.kind !== 'points' || map.east - map.west < LEAST_WIDE) return map;
  const { isInUs } = await import('../figure/earth/earth.ts');
  const step = Math.max(1, Math.ceil(count / MOST_LOOKED_AT));
  let [at, all, found] = [0, 0, 0];
  for (const row of rows) {
    if (at++ % step !== 0) continue;
    const place = placeOfRow(row, geometry);
    if (place === undefined) continue;
    all++;
    if (isInUs(place)) found++;
  }
  return found > 0 && found >= LEAST_IN_US * all ? { ...map, isOfUs: true } : map;
}
