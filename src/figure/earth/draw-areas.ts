import { geoArea } from 'd3-geo';
import type { AreaKind } from '../../block/manifest.ts';
import type { Box } from '../shape.ts';
import { bordersOfStates, coarser, type DrawnAreas, drawn, LEAST, sidesOf } from './area-shapes.ts';
import { coarseCounties, countyAreas } from './counties.ts';
import { areasIn, type NamedArea, type Outline } from './outlines.ts';
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

/** A map of all areas of a kind, or of the part of the earth that has those that are named. */
export function drawAreas(kind: AreaKind, named: ReadonlySet<string>): DrawnAreas {
  return DRAWN[kind](named);
}

function whole(projection: Projection, areas: readonly NamedArea[]): DrawnAreas {
  if (projection.kind === 'region') clippedTo(projection);
  return { ...drawn(projection, areas, LEAST), ...sidesOf(projection) };
}

const DRAWN: Readonly<Record<AreaKind, (named: ReadonlySet<string>) => DrawnAreas>> = {
  countries: (named) => {
    const near = areasIn('near');
    const box = boxOf(near.filter(({ name }) => named.has(name)));
    if (kindOf(box) === 'region') return whole(regionOf(box), near);
    const world = areasIn('world');
    // The world's outlines leave out what is small.
    const known = new Set(world.map(({ name }) => name));
    const small = near.filter(({ name }) => !known.has(name));
    const projection = worldAround(0);
    return { ...whole(projection, [...world, ...small]), under: spherePath(projection.d3) };
  },
  'us-states': () => whole(unitedStates(), areasIn('states')),
  'us-counties': (named) => {
    const counties = countiesOf(named);
    const names = Object.fromEntries(counties.map(({ fips, name }) => [fips, name]));
    const areas = counties.map(({ fips, outline }) => ({ name: fips, outline }));
    if (areInOneState(counties)) return { ...whole(regionOf(boxOf(areas)), areas), names };
    const sides = sidesOf(unitedStates());
    const { d3, width, height, ratio, cap } = coarser(unitedStates());
    const over = bordersOfStates({ d3, cap });
    return { width, height, ratio, shapes: coarseCounties(d3), names, over, ...sides };
  },
};

/** The counties of all states, or of the only one that has those that are named. */
function countiesOf(named: ReadonlySet<string>) {
  const states = new Set(Array.from(named, (fips) => fips.slice(0, 2)));
  return countyAreas().filter(({ fips }) => states.size > 1 || states.has(fips.slice(0, 2)));
}

function areInOneState(counties: readonly { readonly fips: string }[]): boolean {
  return new Set(counties.map(({ fips }) => fips.slice(0, 2))).size === 1;
}

/** The outlines of the areas that a map of a kind has. */
export function outlinesOf(kind: AreaKind, named: ReadonlySet<string>): readonly NamedArea[] {
  if (kind === 'countries') return areasIn('near');
  if (kind === 'us-states') return areasIn('states');
  return countiesOf(named).map(({ fips, outline }) => ({ name: fips, outline }));
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
