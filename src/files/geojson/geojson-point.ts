import { decimalText } from '../../text/decimal.ts';
import { listed } from '../source-table.ts';

/** A longitude and a latitude, with the digits of the file. */
export type WrittenPoint = readonly [longitude: string, latitude: string];

export type Position = readonly [number, number];
type Ring = readonly Position[];

/** Reads the coordinates of a Point with their digits. */
export function writtenPoint(coordinates: string): WrittenPoint | undefined {
  const [, longitude, latitude] =
    /^\[([^,[\]]+),([^,[\]]+)(?:,[^,[\]]+)*\]$/.exec(coordinates) ?? [];
  return longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
}

/**
 * A point that stands for a geometry. For polygons: in the largest one, at its middle latitude,
 * halfway along the widest stretch inside. For anything else: the middle one of its positions.
 */
export function pointWithin(type: string, positions: readonly Position[], coordinates: unknown) {
  const polygons =
    type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? (coordinates as unknown[]) : [];
  const point =
    polygons.length > 0 ? withinLargest((polygons as Ring[][]).map(inOnePiece)) : undefined;
  return (point ?? (positions[Math.floor(positions.length / 2)] as Position)).map(sixDecimals);
}

/** How deeply positions are nested (RFC 7946, section 3.1). */
const LEVELS: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null), {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
});

/** The fix for a file that names a coordinate system other than WGS 84. */
export const REPROJECT = 'make WGS 84 of it: ogr2ogr -t_srs EPSG:4326 new.geojson <this file>';

/** The fix for projected coordinates without a named system. `open` says where the columns are. */
export function projectedText(open: readonly string[] = []): string {
  const options = open.map((option) => `-oo ${option} `).join('');
  return `coordinates of a projection, in metres or feet, become degrees by the number of its system (of most web maps 3857): ogr2ogr -s_srs EPSG:<number> -t_srs EPSG:4326 ${options}new.geojson <this file>`;
}

/** Whether coordinates are too far from 0 to be degrees, even if longitudes count to 360. */
export function isProjected(x: number, y: number): boolean {
  return Math.abs(x) > 360 || Math.abs(y) > 360;
}

/** The fix for longitudes that count to 360. */
export const TO_180 = 'longitudes go from -180 to 180: subtract 360 from those beyond';

/** Names of WGS 84 in a file that declares it (GeoJSON of 2008, section 3). */
export const WGS84 = /(?:CRS:?84|(?:EPSG|SRID):(?:[\d.]*:)?4326)$/i;

/** All positions of a geometry. Throws an Error if its coordinates are of another type. */
export function positionsOf(type: string, coordinates: unknown): Position[] {
  const isKnown = type === 'GeometryCollection' || LEVELS[type] !== undefined;
  const positions = isKnown ? positionsIn(coordinates, LEVELS[type]) : undefined;
  if (positions === undefined) throw new Error(`these are no coordinates of a ${listed([type])}`);
  return positions;
}

/** Throws an Error unless all positions are in degrees. `ifSwapped` is said of those exchanged. */
export function checkDegrees(positions: readonly Position[], ifSwapped = ''): void {
  const outside = positions.find((position) => !isOnMap(position));
  if (outside === undefined) return;
  throw new Error(`the position ${outside.join(', ')} ${whyNoDegrees(outside, ifSwapped)}`);
}

/** Whether a position is a longitude and a latitude in degrees. */
export function isOnMap([longitude, latitude]: Position): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

/** Coordinates with the first two numbers of each position exchanged. */
export function exchanged(part: unknown): unknown {
  if (!Array.isArray(part)) return part;
  const [x, y, ...more] = part;
  return typeof x === 'number' ? [y, x, ...more] : part.map(exchanged);
}

/** A clause about a file that is read so. */
export const LATITUDE_FIRST = 'each position is read as latitude, longitude';

function whyNoDegrees([x, y]: Position, ifSwapped: string): string {
  if (isProjected(x, y)) return `is not in degrees; ${projectedText()}`;
  if (Math.abs(y) <= 90) return `is beyond 180 degrees; ${TO_180}`;
  const isSwapped = Math.abs(x) <= 90 && Math.abs(y) <= 180;
  return `is on no map${isSwapped ? `; a latitude stands before its longitude${ifSwapped}` : ': latitudes go from -90 to 90'}`;
}

/** All positions at `levels` deep, or at any depth. Undefined if a part is not a position. */
function positionsIn(coordinates: unknown, levels?: number): Position[] | undefined {
  const positions: Position[] = [];
  const open: (readonly [part: unknown, level: number])[] = [[coordinates, 0]];
  // A stack: parts come out in order if the last one is pushed first.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [part, level] = next;
    if (!Array.isArray(part)) return undefined;
    if (typeof part[0] === 'number') {
      if (part.length < 2 || !part.every((number) => typeof number === 'number')) return undefined;
      if (levels !== undefined && level !== levels) return undefined;
      positions.push(part as unknown as Position);
    } else {
      for (let i = part.length - 1; i >= 0; i--) open.push([part[i], level + 1]);
    }
  }
  return positions;
}

function withinLargest(polygons: readonly (readonly Ring[])[]): Position | undefined {
  let [largest, area] = [polygons[0], -1];
  for (const polygon of polygons) {
    const size = polygon[0] === undefined ? 0 : Math.abs(areaOf(polygon[0]));
    if (size > area) [largest, area] = [polygon, size];
  }
  const latitudes = (largest?.[0] ?? []).map(([, latitude]) => latitude);
  if (largest === undefined || latitudes.length === 0) return undefined;
  let [south, north] = [90, -90];
  for (const latitude of latitudes) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  const latitude = (south + north) / 2;
  // The line is inside between an odd crossing and the next one.
  const crossings = largest.flatMap((ring) => crossingsOf(ring, latitude)).sort((a, b) => a - b);
  let [west, width] = [Number.NaN, 0];
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from, to] = [crossings[i] as number, crossings[i + 1] as number];
    if (to - from > width) [west, width] = [from, to - from];
  }
  if (width === 0) return undefined;
  const longitude = west + width / 2;
  return [longitude > 180 ? longitude - 360 : longitude, latitude];
}

/**
 * Moves the western part of a polygon at the antimeridian beyond 180. RFC 7946 wants such polygons
 * cut there (section 3.1.9), but not every file does that. A polygon crosses if all of it is nearer
 * to that line than to Greenwich.
 */
function inOnePiece(polygon: readonly Ring[]): readonly Ring[] {
  const longitudes = polygon.flat().map(([longitude]) => longitude);
  const isNear = longitudes.every((longitude) => Math.abs(longitude) > 90);
  const isOnBothSides = longitudes.some((x) => x < 0) && longitudes.some((x) => x > 0);
  if (!isNear || !isOnBothSides) return polygon;
  return polygon.map((ring) => ring.map(([x, y]): Position => [x < 0 ? x + 360 : x, y]));
}

function crossingsOf(ring: Ring, latitude: number): number[] {
  const crossings: number[] = [];
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i] as Position, ring[i + 1] as Position];
    // A corner on the line belongs to the edge above it, so that it counts once.
    if (y1 <= latitude !== y2 <= latitude) {
      crossings.push(x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  return crossings;
}

/** Twice the area in square degrees. The sign shows the direction. */
function areaOf(ring: Ring): number {
  let area = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i] as Position, ring[i + 1] as Position];
    area += x1 * y2 - x2 * y1;
  }
  return area;
}

/**
 * Rounds to a tenth of a metre, which is more than exact enough for a point that stands for an
 * area.
 */
function sixDecimals(degrees: number): string {
  return String(Number(degrees.toFixed(6)));
}

/** Separates a cell's longitude and latitude. */
const BETWEEN = ' ';

/** A geometry (RFC 7946). */
export type Shape = {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: unknown;
};

/**
 * Writes a geometry as a cell: a point with all digits, or one that stands for another shape. Blank
 * if the geometry is empty. Throws an Error if it is not in degrees. `order` says that the latitude
 * is first.
 */
export function shapePoint(shape: Shape, order?: 'lat-lon'): string {
  const { type, geometries } = shape;
  const written = type === 'GeometryCollection' ? coordinatesOf(geometries) : shape.coordinates;
  const coordinates = (order === undefined ? written : exchanged(written)) as unknown[];
  const [first] = coordinates;
  // The coordinates of an empty point are NaN.
  if (coordinates.length === 0 || (type === 'Point' && Number.isNaN(first))) return '';
  const positions = positionsOf(type, coordinates);
  checkDegrees(positions, order === undefined ? '; if all do: --axis-order lat-lon' : '');
  if (positions.length === 0) return '';
  const point = type === 'Point' ? positions[0]?.slice(0, 2).map(decimalText) : undefined;
  return (point ?? pointWithin(type, positions, coordinates)).join(BETWEEN);
}

/** Splits a point's cell into the cells of longitude and latitude. */
export function pointCells(cell: string): readonly [longitude: string, latitude: string] {
  const [longitude = '', latitude = ''] = cell.split(BETWEEN);
  return [longitude, latitude];
}

/** The coordinates of a collection's shapes, which may be collections themselves. */
function coordinatesOf(shapes: unknown): unknown[] {
  const text = JSON.stringify(shapes);
  return JSON.parse(text, (_, value) => value?.coordinates ?? value?.geometries ?? value);
}
