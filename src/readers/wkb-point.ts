import { wkbToGeojson } from 'hyparquet/src/wkb.js';
import { decimalText } from '../values/decimal.ts';
import { degreesIn, pointWithin } from './geojson-point.ts';

/** Between a cell's longitude and latitude. */
const BETWEEN = ' ';

/**
 * A geometry in Well-Known Binary (OGC 06-103r4) as a cell: its point with all digits, or one that
 * stands for another shape; blank if it is empty. Throws an Error if it is none, or not in degrees.
 */
export function wkbPoint(bytes: Uint8Array): string {
  const shape = shapeIn(bytes);
  const { type } = shape;
  const coordinates =
    type === 'GeometryCollection' ? coordinatesOf(shape.geometries) : shape.coordinates;
  const [first] = coordinates;
  // An empty point has coordinates that are no numbers.
  if (coordinates.length === 0 || (type === 'Point' && Number.isNaN(first))) return '';
  const positions = degreesIn(type, coordinates);
  if (positions.length === 0) return '';
  const point = type === 'Point' ? positions[0]?.slice(0, 2).map(decimalText) : undefined;
  return (point ?? pointWithin(type, positions, coordinates)).join(BETWEEN);
}

/** The cells of longitude and latitude. */
export function pointCells(cell: string): readonly [longitude: string, latitude: string] {
  const [longitude = '', latitude = ''] = cell.split(BETWEEN);
  return [longitude, latitude];
}

function shapeIn({ buffer, byteOffset, byteLength }: Uint8Array) {
  try {
    const view = new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
    return wkbToGeojson({ view, offset: 0 });
  } catch {
    // Bytes behind the end, collections in each other without end, other types of shapes.
    throw new Error('a shape that is no WKB of points, lines or areas');
  }
}

/** The coordinates of a collection's shapes, which may be collections. */
function coordinatesOf(shapes: unknown): unknown[] {
  const text = JSON.stringify(shapes);
  return JSON.parse(text, (_, value) => value?.coordinates ?? value?.geometries ?? value);
}
