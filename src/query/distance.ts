import type { Interval } from '../fields/field-type.ts';
import type { Field } from '../fields/field-types.ts';

/** A place in degrees. */
export type Point = readonly [longitude: number, latitude: number];

/** A place from which the distance to each row is told, and the fields that hold the rows' places. */
export type Near = { readonly at: Point; readonly longitude: string; readonly latitude: string };

/** The member of a row with its distance, and how it is described. */
export const DISTANCE: Field = {
  type: 'number',
  name: '_distance',
  title: 'Distance',
  description: 'From the place in _near, rounded to 0.1 m.',
  unit: 'm',
};

/** The earth's mean radius in metres: R1 of the Geodetic Reference System 1980 (IUGG). */
const EARTH_RADIUS = 6_371_008.8;

const RADIANS = Math.PI / 180;

/** The haversine of the angle between two places: from 0 to 1, and ascending with the distance. */
export function haversine([longitude, latitude]: Point, at: Point): number {
  return (
    squaredHalfSine(latitude - at[1]) +
    cosine(at[1]) * cosine(latitude) * squaredHalfSine(degreesApart(longitude, at[0]))
  );
}

/**
 * The shorter way around, told without rounding where it is short: places at -180 and 180 are equally
 * far from others.
 */
function degreesApart(a: number, b: number): number {
  const apart = Math.abs(a - b);
  return apart > 180 ? 180 - Math.abs(a) + (180 - Math.abs(b)) : apart;
}

function squaredHalfSine(degrees: number): number {
  const sine = Math.sin((degrees * RADIANS) / 2);
  return sine * sine;
}

/** Exactly 0 at the poles, where all longitudes are the same place. */
function cosine(degrees: number): number {
  return Math.abs(degrees) === 90 ? 0 : Math.cos(degrees * RADIANS);
}

/** The distance along the surface that a haversine stands for, in metres. */
export function metresOf(haversine: number): number {
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** A row that is more degrees of latitude away has a greater haversine. */
export function latitudeApart(haversine: number): number {
  return (2 * Math.asin(Math.min(1, Math.sqrt(haversine))) + MARGIN) / RADIANS;
}

/** As an answer says it. */
export function roundedMetres(haversine: number): number {
  return Math.round(metresOf(haversine) * 10) / 10;
}

/** In radians: half a metre, far more than any error of rounding. */
const MARGIN = 1e-7;

/** Latitudes and longitudes that hold all places within some metres of one, and some others. */
export function boundsWithin(
  [longitude, latitude]: Point,
  metres: number,
): { readonly latitudes: readonly Interval[]; readonly longitudes: readonly Interval[] } {
  // No place is farther than half around the earth.
  const angle = Math.min(Math.PI, metres / EARTH_RADIUS) + MARGIN;
  const degrees = angle / RADIANS;
  const [south, north] = [latitude - degrees, latitude + degrees];
  const latitudes: Interval[] = [[Math.max(-90, south), Math.min(90, north)]];
  // Around a pole there are places of every longitude.
  if (south <= -90 || north >= 90) return { latitudes, longitudes: [[-180, 180]] };
  const wide = Math.asin(Math.min(1, Math.sin(angle) / cosine(latitude))) / RADIANS + MARGIN;
  const [west, east] = [longitude - wide, longitude + wide];
  if (west > -180 && east < 180) return { latitudes, longitudes: [[west, east]] };
  const longitudes: Interval[] =
    west <= -180
      ? [
          [-180, east],
          [west + 360, 180],
        ]
      : [
          [-180, east - 360],
          [west, 180],
        ];
  return { latitudes, longitudes };
}

const METRES = { m: 1, km: 1000, mi: 1609.344, ft: 0.3048 } as const;

/** The units of a distance; a foot and a mile are the international ones. */
export const UNITS = Object.keys(METRES) as readonly (keyof typeof METRES)[];

/** A distance such as `1.5km`, in metres. */
export function metresIn(text: string): number {
  const number = Number.parseFloat(text);
  return number * METRES[text.replace(/^[\d.]+/, '') as keyof typeof METRES];
}
