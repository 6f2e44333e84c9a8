import type { MapFrame } from '../block/manifest.ts';
import { turned } from '../figure/frame.ts';
import type { Language } from '../languages/language.ts';
import type { Row } from '../values/field-type.ts';
import type { PointFields } from '../values/places.ts';

type PlaceOnMap = { readonly x: number; readonly y: number; readonly isInside: boolean };

/** Where degrees are on a map, in the map's units. */
function onMap(
  { west, east, south, north, width, height }: MapFrame,
  longitude: number,
  latitude: number,
): PlaceOnMap {
  const x = ((turned(longitude, [west, south, east, north]) - west) / (east - west)) * width;
  const y = ((north - latitude) / (north - south)) * height;
  return { x, y, isInside: x >= 0 && x <= width && y >= 0 && y <= height };
}

/** Where a row is on a map; undefined if it has no coordinates. */
export function rowOnMap(map: MapFrame, geometry: PointFields, row: Row): PlaceOnMap | undefined {
  const [longitude, latitude] = [row[geometry.longitude], row[geometry.latitude]];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined;
  return onMap(map, longitude, latitude);
}

/** Metres in a degree of latitude on the mean sphere (IUGG, radius 6371.0088 km). */
const METRES_PER_DEGREE = 111_195;

/** The width of a map on the ground. */
export function scaleText({ west, east, south, north }: MapFrame, { number }: Language): string {
  const middle = (((south + north) / 2) * Math.PI) / 180;
  const km = ((east - west) * METRES_PER_DEGREE * Math.cos(middle)) / 1000;
  return `${km < 10 ? number(km, 1) : number(Math.round(km))} km`;
}
