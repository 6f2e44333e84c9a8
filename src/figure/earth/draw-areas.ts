import { type GeoProjection, geoArea, geoPath } from 'd3-geo';
import type { AreaDrawing, AreaKind } from '../../block/manifest.ts';
import type { Box } from '../shape.ts';
import { countyAreas } from './counties.ts';
import { areasIn, layerOf, type NamedArea, type Outline, piecesIn } from './outlines.ts';
import { pathOf } from './path.ts';
import {
  clippedTo,
  kindOf,
  type Projection,
  regionOf,
  spherePath,
  turnedTo,
  unitedStates,
  worldAround,
} from './projections.ts';

/** Countries, states and counties as the shapes of a map. It is drawn once, at import. */

type Drawn = Pick<
  AreaDrawing,
  'width' | 'height' | 'ratio' | 'shapes' | 'names' | 'under' | 'over'
>;

/** A map of all areas of a kind, or of the part of the earth that has those that are named. */
export function drawAreas(kind: AreaKind, named: ReadonlySet<string>): Drawn {
  return DRAWN[kind](named);
}

/** An area that is smaller is a square of this side, in units of a map, so that it is seen. */
type Least = { readonly area: number; readonly side: number };
const LEAST: Least = { area: 10, side: 8 };
/** Of thousands of areas, squares of that side would cover others. */
const LEAST_OF_MANY: Least = { area: 1, side: 1 };

const DRAWN: Readonly<Record<AreaKind, (named: ReadonlySet<string>) => Drawn>> = {
  countries: (named) => {
    const near = areasIn('near');
    const box = boxOf(near.filter(({ name }) => named.has(name)));
    if (kindOf(box) === 'region') return drawn(regionOf(box), near, LEAST);
    const world = areasIn('world');
    // The world's outlines leave out what is small.
    const known = new Set(world.map(({ name }) => name));
    const small = near.filter(({ name }) => !known.has(name));
    const projection = worldAround(0);
    return { ...drawn(projection, [...world, ...small], LEAST), under: spherePath(projection.d3) };
  },
  'us-states': () => drawn(unitedStates(), areasIn('states'), LEAST),
  'us-counties': (named) => {
    const states = new Set(Array.from(named, (fips) => fips.slice(0, 2)));
    const isOfOne = states.size === 1;
    const counties = countyAreas().filter(({ fips }) => !isOfOne || states.has(fips.slice(0, 2)));
    const names = Object.fromEntries(counties.map(({ fips, name }) => [fips, name]));
    const areas = counties.map(({ fips, outline }) => ({ name: fips, outline }));
    if (isOfOne) return { ...drawn(regionOf(boxOf(areas)), areas, LEAST), names };
    const projection = coarser(unitedStates());
    const borders = piecesIn(layerOf('states').borders, projection.cap);
    const geometries = borders.map(({ outline }) => outline);
    const over = pathOf({ type: 'GeometryCollection', geometries }, projection.d3);
    return { ...drawn(projection, areas, LEAST_OF_MANY), names, over };
  },
};

function drawn(projection: Projection, areas: readonly NamedArea[], least: Least): Drawn {
  const { d3, width, height, ratio, kind } = projection;
  if (kind === 'region') clippedTo(projection);
  const shapes: Record<string, string> = {};
  for (const { name, outline } of areas) {
    const path = shapeOf(outline, d3, least);
    if (path !== '') shapes[name] = path;
  }
  return { width, height, ratio, shapes };
}

/** The same map in units that are as large as this many: its paths have half of the corners. */
const COARSE = 2;

function coarser(projection: Projection): Projection {
  const { d3, width, height } = projection;
  const [x, y] = d3.translate();
  d3.scale(d3.scale() / COARSE).translate([x / COARSE, y / COARSE]);
  return { ...projection, width: width / COARSE, height: height / COARSE };
}

/** The path of an area; nothing if it is not on the map. */
function shapeOf(outline: Outline, d3: GeoProjection, least: Least): string {
  const measured = geoPath(d3);
  if (measured.area(outline) >= least.area) return pathOf(outline, d3);
  const [x, y] = measured.centroid(outline).map((at) => Math.round(at - least.side / 2));
  if (!Number.isFinite(x) || !Number.isFinite(y)) return '';
  return `M${x} ${y}l${least.side} 0 0 ${least.side}-${least.side} 0z`;
}

/** The room around the areas of a part of the earth, as a part of their extent. */
const ROOM = 0.04;

/** The degrees that have the largest part of each area: France is not where its islands are. */
function boxOf(areas: readonly NamedArea[]): Box {
  const places = areas.flatMap(({ outline }) => largest(outline));
  const latitudes = places.map(([, latitude]) => latitude);
  const [south, north] = extentOf(latitudes);
  // Around the 180th meridian or not, whichever is narrower.
  const [[west, east]] = [0, 180]
    .map((middle) => extentOf(places.map(([longitude]) => turnedTo(longitude, middle))))
    .toSorted((a, b) => a[1] - a[0] - (b[1] - b[0])) as [readonly [number, number]];
  const [across, up] = [(east - west) * ROOM, (north - south) * ROOM];
  return [west - across, Math.max(-90, south - up), east + across, Math.min(90, north + up)];
}

function extentOf(numbers: readonly number[]): readonly [number, number] {
  return numbers.reduce<[number, number]>(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

function largest({ coordinates }: Outline): readonly (readonly [number, number])[] {
  const areas = coordinates.map((rings) => geoArea({ type: 'Polygon', coordinates: rings }));
  return coordinates[areas.indexOf(Math.max(...areas))]?.[0] ?? [];
}
