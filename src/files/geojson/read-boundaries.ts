import { geoArea } from 'd3-geo';
import type { Boundaries } from '../../values/places.ts';
import { SeedError } from '../source-table.ts';

type Position = readonly [number, number];
export type Ring = readonly Position[];
/** A GeoJSON geometry of an area. */
export type Shape =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/**
 * Reads the boundaries in a GeoJSON file (RFC 7946), by the property that names each, or by their
 * number. Makes exterior rings counterclockwise, as the RFC requires. Throws a SeedError.
 */
export function readBoundaries(bytes: Uint8Array, file: string, property?: string): Boundaries {
  const boundaries: Record<string, string> = Object.create(null);
  for (const [i, feature] of featuresOf(bytes, file).entries()) {
    const name = property === undefined ? `${i + 1}` : feature?.properties?.[property];
    const fault = (reason: string) => new SeedError(file, `feature ${i + 1}: ${reason}`);
    if (typeof name !== 'string') throw fault(`${property} is missing; expected a text`);
    if (Object.hasOwn(boundaries, name)) throw fault(`${name} is there twice`);
    boundaries[name] = JSON.stringify(wound(shapeOf(feature?.geometry, fault)));
  }
  return boundaries;
}

// biome-ignore lint/suspicious/noExplicitAny: a file may hold anything
function featuresOf(bytes: Uint8Array, file: string): any[] {
  let read: { type?: unknown; features?: unknown } | null;
  try {
    read = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new SeedError(file, 'not valid JSON');
  }
  if (read?.type !== 'FeatureCollection' || !Array.isArray(read.features)) {
    throw new SeedError(file, 'expected a GeoJSON FeatureCollection');
  }
  return read.features;
}

function shapeOf(geometry: unknown, fault: (reason: string) => SeedError): Shape {
  const shape = geometry as Shape | null;
  if (shape?.type !== 'Polygon' && shape?.type !== 'MultiPolygon') {
    throw fault('expected a Polygon or a MultiPolygon');
  }
  const isWhole =
    Array.isArray(shape.coordinates) &&
    polygonsOf(shape).every(
      (rings) => Array.isArray(rings) && rings.length > 0 && rings.every(isRing),
    );
  if (!isWhole) {
    throw fault('expected closed rings of longitude and latitude, in degrees');
  }
  return shape;
}

function polygonsOf(shape: Shape): readonly (readonly Ring[])[] {
  return shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
}

function isRing(ring: Ring): boolean {
  return (
    Array.isArray(ring) &&
    ring.length >= 4 &&
    ring.every(([longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) &&
    String(ring[0]) === String(ring.at(-1))
  );
}

/** Makes exterior rings counterclockwise, and holes clockwise. */
export function wound(shape: Shape): Shape {
  const polygons = polygonsOf(shape).map((rings) =>
    rings.map((ring, i) => (isCounterclockwise(ring) === (i === 0) ? ring : ring.toReversed())),
  );
  const coordinates = shape.type === 'Polygon' ? polygons[0] : polygons;
  return { type: shape.type, coordinates } as Shape;
}

/**
 * Whether a ring is counterclockwise. d3 winds rings the other way, so it takes such a ring to
 * enclose the rest of the sphere.
 */
function isCounterclockwise(ring: Ring): boolean {
  return geoArea({ type: 'Polygon', coordinates: [ring as [number, number][]] }) > 2 * Math.PI;
}
