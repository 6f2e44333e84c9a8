import type { AreaKind } from '../../block/manifest.ts';
import type { Boundaries } from '../../values/places.ts';
import { withLeast } from '../frame.ts';
import type { Box } from '../shape.ts';
import { bordersOfStates, type DrawnAreas, drawn, LEAST, sidesOf } from './area-shapes.ts';
import { angleBetween, capAround, type NamedArea } from './outlines.ts';
import { kindOf, type Projection, regionOf, spherePath, worldAround } from './projections.ts';

/** Draws the part of a map of known areas that shows a box of degrees, of the shapes of all of them. */
export function drawPart(kind: AreaKind, box: Box, boundaries: Boundaries): DrawnAreas {
  const asked = withLeast(box);
  const isWorld = kindOf(asked) === 'world';
  const projection = isWorld ? worldAround(0) : regionOf(asked);
  const areas = Object.entries(boundaries)
    .map(([name, text]) => areaOf(name, text))
    .filter((area) => isWorld || mayBeOn(projection, area));
  return {
    ...drawn(projection, areas, LEAST),
    ...sidesOf(projection),
    under: isWorld ? spherePath(projection.d3) : undefined,
    over: kind === 'us-counties' ? bordersOfStates(projection) : undefined,
  };
}

/** An area of its shape. GeoJSON winds rings in the other direction than d3. */
function areaOf(name: string, text: string): NamedArea {
  const { type, coordinates } = JSON.parse(text);
  const polygons: [number, number][][][] = type === 'Polygon' ? [coordinates] : coordinates;
  const turned = polygons.map((rings) => rings.map((ring) => ring.toReversed()));
  return { name, outline: { type: 'MultiPolygon', coordinates: turned } };
}

function mayBeOn({ cap }: Projection, { outline }: NamedArea): boolean {
  return outline.coordinates.some(([ring = []]) => {
    const { centre, radius } = capAround(ring);
    return angleBetween(centre, cap.centre) <= radius + cap.radius;
  });
}
