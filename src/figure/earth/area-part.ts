import type { AreaKind } from '../../block/manifest.ts';
import type { Boundaries } from '../../values/places.ts';
import { withLeast } from '../frame.ts';
import type { Box } from '../shape.ts';
import {
  bordersOfStates,
  coarser,
  type DrawnAreas,
  drawn,
  LEAST,
  LEAST_OF_MANY,
  sidesOf,
} from './area-shapes.ts';
import type { NamedArea } from './outlines.ts';
import {
  clippedTo,
  kindOf,
  type Projection,
  regionOf,
  spherePath,
  turnedTo,
  worldAround,
} from './projections.ts';

/** Of more areas in a part, outlines are as coarse as those of all counties: a page has no room for more. */
const MOST_FINE = 500;

/** Draws the part of a map of known areas that shows a box of degrees, of the shapes of all of them. */
export function drawPart(kind: AreaKind, box: Box, boundaries: Boundaries): DrawnAreas {
  const asked = withLeast(box);
  const projection = kindOf(asked) === 'world' ? worldAround(0) : regionOf(asked);
  const isWorld = projection.kind === 'world';
  const sides = sidesOf(projection);
  const areas = Object.entries(boundaries)
    .map(([name, text]) => areaOf(name, text))
    .filter((area) => isWorld || mayBeOn(projection, area));
  const isFine = areas.length <= MOST_FINE;
  const on = isFine ? projection : coarser(projection);
  if (!isWorld) clippedTo(on);
  return {
    ...drawn(on, areas, isFine ? LEAST : LEAST_OF_MANY),
    ...sides,
    under: isWorld ? spherePath(on.d3) : undefined,
    over: kind === 'us-counties' ? bordersOfStates(on) : undefined,
  };
}

/** An area of its shape. GeoJSON winds rings in the other direction than d3. */
function areaOf(name: string, text: string): NamedArea {
  const { type, coordinates } = JSON.parse(text);
  const polygons: [number, number][][][] = type === 'Polygon' ? [coordinates] : coordinates;
  const turned = polygons.map((rings) => rings.map((ring) => ring.toReversed()));
  return { name, outline: { type: 'MultiPolygon', coordinates: turned } };
}

/** Whether the box of an outer ring reaches into that of the map. */
function mayBeOn({ box }: Projection, { outline }: NamedArea): boolean {
  const [west, south, east, north] = box;
  const middle = (west + east) / 2;
  return outline.coordinates.some(([ring = []]) => {
    let [left, foot, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [longitude, latitude] of ring) {
      const x = turnedTo(longitude, middle);
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [foot, top] = [Math.min(foot, latitude), Math.max(top, latitude)];
    }
    return right >= west && left <= east && top >= south && foot <= north;
  });
}
