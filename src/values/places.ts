import { decimalText, parseDecimal } from '../text/decimal.ts';
import {
  type ArgumentSource,
  type ArgumentType,
  type FieldFacts,
  type Interval,
  type JsonSchema,
  MOST_TEXT_LENGTH,
  quotedValue,
  type Row,
  SPACE,
  type ValueFault,
} from './field-type.ts';

/** A place in degrees. */
export type Point = readonly [longitude: number, latitude: number];

/**
 * A place, from which the distance of each row is measured, and the fields with the rows' own
 * places.
 */
export type Near = { readonly at: Point; readonly longitude: string; readonly latitude: string };

/** The member of a row that has its distance, and how it is described. */
export const DISTANCE: FieldFacts & { readonly type: 'number' } = {
  type: 'number',
  name: '_distance',
  title: 'Distance',
  description: 'From the place in _near, rounded to 0.1 m.',
  unit: 'm',
};

/** The earth's mean radius in metres: R1 of the Geodetic Reference System 1980 (IUGG). */
export const EARTH_RADIUS = 6_371_008.8;

export const RADIANS = Math.PI / 180;

/** A row's place in degrees; undefined if it has none. */
export function placeOfRow(row: Row, { longitude, latitude }: PointFields): Point | undefined {
  const [x, y] = [row[longitude], row[latitude]];
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  return Math.abs(x) <= 180 && Math.abs(y) <= 90 ? [x, y] : undefined;
}

/** The eight points of the compass, from north on clockwise. */
export const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** Which point of the compass a place lies at, as one sets out on the shortest way to it. */
export function directionTo([fromX, fromY]: Point, [toX, toY]: Point): (typeof COMPASS)[number] {
  const [from, to, turn] = [fromY, toY, toX - fromX].map((degrees) => degrees * RADIANS) as [
    number,
    number,
    number,
  ];
  const east = Math.sin(turn) * Math.cos(to);
  const north = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn);
  const eighths = Math.round((Math.atan2(east, north) / (2 * Math.PI)) * COMPASS.length);
  return COMPASS[(eighths + COMPASS.length) % COMPASS.length] as (typeof COMPASS)[number];
}

/** The haversine of the angle between two places: from 0 to 1, and ascending with the distance. */
export function haversine([longitude, latitude]: Point, at: Point): number {
  return (
    squaredHalfSine(latitude - at[1]) +
    cosine(at[1]) * cosine(latitude) * squaredHalfSine(degreesApart(longitude, at[0]))
  );
}

/**
 * The shorter way around the earth. It is not rounded where it is short, so that places at -180 and
 * 180 are equally far from any other.
 */
export function degreesApart(a: number, b: number): number {
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

/** The distance along the earth's surface for a haversine, in metres. */
export function metresOf(haversine: number): number {
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/**
 * The difference in degrees of latitude beyond which a row surely has a greater haversine than
 * this.
 */
export function latitudeApart(haversine: number): number {
  return (2 * Math.asin(Math.min(1, Math.sqrt(haversine))) + MARGIN) / RADIANS;
}

/**
 * The difference in degrees of longitude beyond which a row surely has a greater haversine than
 * this, unless its latitude alone shows that.
 */
export function longitudeApart(haversine: number, latitude: number): number {
  const apart = latitudeApart(haversine);
  const least = leastCosine(latitude - apart, latitude + apart);
  const squared = haversine / (cosine(latitude) * least);
  return squared < 1 ? (2 * Math.asin(Math.sqrt(squared)) + MARGIN) / RADIANS : 180;
}

/** The least cosine of the latitudes of a box: 0 if it contains a pole. */
export function leastCosine(south: number, north: number): number {
  return south <= -90 || north >= 90 ? 0 : Math.min(cosine(south), cosine(north));
}

/**
 * A number that is at most the haversine between a place and any place in a box, but hardly less.
 * `least` is the least cosine of its latitudes.
 */
export function leastHaversine(
  [longitude, latitude]: Point,
  west: number,
  east: number,
  south: number,
  north: number,
  least: number,
): number {
  const apart = Math.max(south - latitude, latitude - north);
  const isBetween = west <= longitude && longitude <= east;
  const beside = isBetween
    ? 0
    : Math.min(degreesApart(west, longitude), degreesApart(east, longitude));
  const bound = squaredLess(apart) + cosine(latitude) * least * squaredLess(beside);
  return bound * (1 - MARGIN);
}

function squaredLess(degrees: number): number {
  return squaredHalfSine(Math.max(0, degrees - MARGIN / RADIANS));
}

/** Rounds metres as answers show them. */
export function roundedMetres(haversine: number): number {
  return Math.round(metresOf(haversine) * 10) / 10;
}

/** A margin in radians. It is half a metre, far more than any rounding error. */
const MARGIN = 1e-7;

/**
 * Returns ranges of latitudes and longitudes that contain all places within a distance of a place.
 * They contain some other places too.
 */
export function boundsWithin(
  [longitude, latitude]: Point,
  metres: number,
): { readonly latitudes: readonly Interval[]; readonly longitudes: readonly Interval[] } {
  // No place is farther away than half the earth's circumference.
  const angle = Math.min(Math.PI, metres / EARTH_RADIUS) + MARGIN;
  const degrees = angle / RADIANS;
  const [south, north] = [latitude - degrees, latitude + degrees];
  const latitudes: Interval[] = [[Math.max(-90, south), Math.min(90, north)]];
  // The area contains a pole, and around a pole there are places of every longitude.
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

/** The units of a distance. Foot and mile are the international ones. */
const UNITS = Object.keys(METRES) as readonly (keyof typeof METRES)[];

/** Turns a distance such as `1.5km` into metres. */
export function metresIn(text: string): number {
  const number = Number.parseFloat(text);
  return number * METRES[text.replace(/^[\d.]+/, '') as keyof typeof METRES];
}

type Axis = { readonly name: string; readonly most: number; readonly pattern: string };

const FRACTION = '(?:\\.[0-9]+)?';
/** The form in which programs write numbers near 0: `1.5e-7`. */
const TINY = `[0-9]${FRACTION}[eE]-[0-9]{1,3}`;
const LONGITUDE: Axis = {
  name: 'longitude',
  most: 180,
  pattern: `[+-]?(?:180(?:\\.0+)?|(?:1[0-7][0-9]|0?[0-9]{1,2})${FRACTION}|${TINY})`,
};
const LATITUDE: Axis = {
  name: 'latitude',
  most: 90,
  pattern: `[+-]?(?:0?90(?:\\.0+)?|0?[0-8]?[0-9]${FRACTION}|${TINY})`,
};

/** The axis of each coordinate, in order. */
type Axes = readonly Axis[];

/**
 * The axes of some points. Each point has a longitude and a latitude in degrees, as in RFC 7946.
 */
function axesOf(points: number): Axes {
  return Array.from({ length: 2 * points }, (_, i) => (i % 2 === 0 ? LONGITUDE : LATITUDE));
}

/** How coordinates are read and checked. After reading they are one text with commas. */
function coordinatesType(axes: Axes, expected: string): ArgumentType {
  const read = (value: unknown) => {
    const numbers = numbersIn(value);
    return numbers?.length === axes.length ? numbers.map(degreesText).join(',') : value;
  };
  const schema = coordinatesText(axes, '');
  return {
    read,
    readList: read,
    schema: () => schema,
    sent: (_, source: ArgumentSource) => [
      coordinatesText(axes, SPACE),
      ...(source === 'json' ? [listOf(axes)] : []),
    ],
    expected: () => expected,
    fault: (value, { name }) => faultOfCoordinates(value, name, axes, expected),
  };
}

/**
 * A number closer to 0 than this counts as 0, because 0 has a short text. On the map it is less
 * than the width of an atom.
 */
export const TINIEST = 1e-15;

function degreesText(degrees: number): string {
  return decimalText(Math.abs(degrees) < TINIEST ? 0 : degrees);
}

function coordinatesText(axes: Axes, space: string): JsonSchema {
  const parts = axes.map(({ pattern }) => `${space}${pattern}${space}`);
  return { type: 'string', maxLength: MOST_TEXT_LENGTH, pattern: `^${parts.join(',')}$` };
}

function listOf(axes: Axes): JsonSchema {
  const { length } = axes;
  const prefixItems = axes.map(({ most }) => ({ type: 'number', minimum: -most, maximum: most }));
  return { type: 'array', prefixItems, minItems: length, maxItems: length };
}

/**
 * Returns the numbers in a text with commas or in a list. Undefined if any of them is not a number.
 */
function numbersIn(value: unknown): number[] | undefined {
  const parts = typeof value === 'string' ? value.split(',', MOST_PARTS) : value;
  if (!Array.isArray(parts) || parts.length > MOST_PARTS) return undefined;
  const numbers = parts.map((part) =>
    typeof part === 'string' && DECIMAL.test(part.trim()) ? Number(part) : part,
  );
  return numbers.every(Number.isFinite) ? (numbers as number[]) : undefined;
}

/** No argument has this many coordinates. */
const MOST_PARTS = 5;

const DECIMAL = /^[+-]?(?:\d{1,3}(?:\.\d{1,250})?|\d(?:\.\d{1,250})?e-\d{1,3})$/i;

/**
 * Says which coordinate is out of range, and whether each point has its two coordinates swapped.
 */
function faultOfCoordinates(
  value: unknown,
  name: string,
  axes: Axes,
  expected: string,
): ValueFault {
  const numbers = numbersIn(value);
  if (numbers?.length !== axes.length) {
    const is = Array.isArray(value) ? `a list of ${value.length}` : quotedValue(value);
    const numbersExpected = Array.isArray(value) ? `${axes.length} numbers, ` : '';
    const detail = `${name} is ${is}; expected ${numbersExpected}${expected}.`;
    return { code: 'not-a-place', detail };
  }
  const outside = numbers.findIndex((number, i) => !isWithin(number, axes[i]));
  const { name: axis, most } = axes[outside] as Axis;
  const is = `${name} has the ${axis} ${decimalText(numbers[outside] as number)}; expected one from -${most} to ${most}.`;
  const swapped = numbers.map((_, i) => numbers[i % 2 === 0 ? i + 1 : i - 1] as number);
  if (!swapped.every((number, i) => isWithin(number, axes[i]))) {
    return { code: 'out-of-range', detail: is };
  }
  const suggestion = swapped.map(decimalText).join(',');
  const detail = `${is} The longitude comes first: did you mean ${suggestion}?`;
  return { code: 'out-of-range', detail, suggestion };
}

function isWithin(number: number, axis: Axis | undefined): boolean {
  return axis !== undefined && Math.abs(number) <= axis.most;
}

/** A place on the map: its longitude, then its latitude. */
export const place = coordinatesType(
  axesOf(1),
  'longitude,latitude in degrees, such as -73.99,40.68: a longitude from -180 to 180, then a latitude from -90 to 90',
);

/** A box on the map: west, south, east and north, in the order of RFC 7946. */
export const box = coordinatesType(
  axesOf(2),
  'west,south,east,north in degrees, such as -74,40.67,-73.99,40.69: longitudes from -180 to 180, latitudes from -90 to 90',
);

const NUMBER = '[0-9]{1,9}(?:\\.[0-9]{1,20})?';
const ANY_CASE = UNITS.map((unit) => unit.replace(/./g, (one) => `[${one}${one.toUpperCase()}]`));
const READ = new RegExp(`^(${NUMBER})\\s*(${ANY_CASE.join('|')})$`);

/** A distance: a number and a unit. */
export const distance: ArgumentType = {
  read: (value) => {
    const [, number, unit = ''] = (typeof value === 'string' && READ.exec(value.trim())) || [];
    return number === undefined ? value : decimalText(Number(number)) + unit.toLowerCase();
  },
  schema: () => distanceText(`${NUMBER}(?:${UNITS.join('|')})`),
  sent: () => [distanceText(`${SPACE}${NUMBER}${SPACE}(?:${ANY_CASE.join('|')})${SPACE}`)],
  expected: () => `a number and one of ${UNITS.join(', ')}, such as 500m or 1.5km`,
  fault: (value, { name }, expected) => {
    const number = typeof value === 'string' ? parseDecimal(value) : value;
    const isBare = typeof number === 'number' && number >= 0 && number < 1e9;
    const is = `${name} is ${quotedValue(value)}; expected ${expected}.`;
    if (!isBare) return { code: 'not-a-distance', detail: is };
    const suggestion = `${decimalText(number)}m`;
    const detail = `${is} In metres, that is ${suggestion}.`;
    return { code: 'not-a-distance', detail, suggestion };
  },
};

function distanceText(pattern: string) {
  return { type: 'string', maxLength: MOST_TEXT_LENGTH, pattern: `^${pattern}$` };
}

/** The names of the fields that hold a position in degrees (WGS 84). */
export type PointFields = { readonly longitude: string; readonly latitude: string };

/**
 * Where a dataset's rows are on a map: at points, or in regions, which have a point at their centre
 * too.
 */
export type Geometry =
  | ({ readonly kind: 'points' } & PointFields)
  | ({
      readonly kind: 'regions';
      /** The text field that holds the region's name. */
      readonly region: string;
      /** To about so many positions in all the shapes are simplified; they are exact if absent. */
      readonly simplifiedTo?: number;
    } & PointFields);

/** What the rows of a block have on a map: places, regions, or areas that the values of a field name. */
export type OnMap = {
  readonly geometry?: Geometry | undefined;
  readonly areaField?: string | undefined;
};

/** The field whose values have shapes. Undefined if there is none. */
export function areaFieldOf({ geometry, areaField }: OnMap): string | undefined {
  return geometry?.kind === 'regions' ? geometry.region : areaField;
}

/** Each region's shape by its name: GeoJSON geometries (RFC 7946) as JSON text. */
export type Boundaries = Readonly<Record<string, string>>;
