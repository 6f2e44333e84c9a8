import { feature } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, quantile, simplify } from 'topojson-simplify';
import { numberText } from '../../text/wording.ts';
import type { Boundaries } from '../../values/places.ts';
import { type Ring, type Shape, wound } from './read-boundaries.ts';

/**
 * Positions of the areas on a map. With all of these, a page has some 400 KB; more would make it
 * heavy.
 */
export const MOST_POSITIONS = 30_000;

/**
 * Shapes of areas that answers have, as GeoJSON, in bytes. Larger ones are simplified, since a
 * function holds them in its memory.
 */
const MOST_SHAPES = 16 * 2 ** 20;

/** The number of positions in all shapes. */
export function countPositions(areas: Boundaries): number {
  let count = 0;
  for (const text of Object.values(areas)) count += text.match(/\[[^[\]]+\]/g)?.length ?? 0;
  return count;
}

/** Searches for the simplest areas. */
const MOST_ROUNDS = 5;

/**
 * Simplifies areas to about `most` positions in all, leaving out those that change the shapes least
 * (Visvalingam and Whyatt, 1993). Neighbours keep their common borders. Islands and holes that
 * would have no area are left out. An area that would have none keeps a few of its own positions.
 */
export function simplifyAreas(areas: Boundaries, most: number): Boundaries {
  const names = Object.keys(areas);
  const shapes = names.map((name): Shape => JSON.parse(areas[name] as string));
  const all = countPositions(areas);
  if (all <= most) return areas;
  // The library's types are of mutable objects.
  const objects = Object.fromEntries(shapes.map((shape, i) => [`a${i}`, shape])) as never;
  const weighted = presimplify(topology(objects) as never);
  let [share, simplified] = [most / all, areas];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const simple = simplify(weighted, quantile(weighted, share));
    simplified = Object.fromEntries(
      names.map((name, i) => {
        const { geometry } = feature(simple, simple.objects[`a${i}`] as never) as unknown as {
          geometry: Shape;
        };
        const kept = withArea(geometry) ?? coarse(shapes[i] as Shape);
        return [name, JSON.stringify(wound(kept))];
      }),
    );
    const positions = countPositions(simplified);
    if (positions <= most) break;
    share *= (0.9 * most) / positions;
  }
  return simplified;
}

/** Drops rings that are only lines. Undefined if none is left. */
function withArea(shape: Shape): Shape | undefined {
  const polygons = (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates)
    .filter(([exterior]) => exterior !== undefined && hasArea(exterior))
    .map((rings) => rings.filter(hasArea));
  const [first] = polygons;
  if (first === undefined) return undefined;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function hasArea(ring: Ring): boolean {
  return new Set(ring.map(String)).size > 2;
}

const COARSE = 8;

/** Keeps some positions of the longest ring, for an area too small for the detail of the others. */
function coarse(shape: Shape): Shape {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  const exteriors = polygons.map(([exterior]) => exterior as Ring);
  const longest = exteriors.reduce((a, b) => (b.length > a.length ? b : a));
  const open = longest.slice(0, -1);
  const step = Math.max(1, Math.ceil(open.length / COARSE));
  const some = open.filter((_, i) => i % step === 0);
  const ring = some.length > 2 ? some : open;
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as Ring[number]]] };
}

/** The positions to which shapes are simplified for answers if they are too large, and a note. */
export function simplification(
  shapes: Boundaries,
  most = MOST_SHAPES,
): {
  readonly simplifiedTo?: number;
  readonly notes: readonly string[];
} {
  const positions = countPositions(shapes);
  if (positions <= MOST_POSITIONS) return { notes: [] };
  const length = Object.values(shapes).reduce((sum, text) => sum + text.length, 0);
  const [all, onMap] = [numberText(positions), numberText(MOST_POSITIONS)];
  const map = `areas are simplified for the map to ${onMap} positions of ${all}; the file keeps all`;
  if (length <= most) return { notes: [`${map}, and GeoJSON has all`] };
  const simplifiedTo = Math.floor((positions * most) / length);
  return {
    simplifiedTo,
    notes: [`${map}, and GeoJSON has ${numberText(simplifiedTo)}: simplifiedTo in block.json`],
  };
}
