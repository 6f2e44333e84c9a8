import { type GeoProjection, geoAlbersUsa, geoAzimuthalEqualArea, geoEqualEarth } from 'd3-geo';
import { EARTH_RADIUS, RADIANS } from '../../values/places.ts';
import type { Place } from '../ground.ts';
import type { Box } from '../shape.ts';
import { angleBetween, type Cap } from './outlines.ts';
import { pathOf } from './path.ts';

/**
 * How a part of the earth becomes a map: the whole of it with equal areas, cut at a meridian; the
 * United States with Alaska and Hawaii beside them; any other part with equal areas around its
 * middle, where neither the poles nor the 180th meridian are special.
 */

/** Ratios of a map's width to its height, by the class that has it in the style. */
export const RATIOS = { r21: 2, r85: 1.6, r32: 1.5, r54: 1.25, r11: 1 } as const;
export type Ratio = keyof typeof RATIOS;

/** A map has this width, in units of its own: a path of whole numbers is fine enough. */
export const WIDTH = 1000;

export type Kind = 'world' | 'us' | 'region';

/** Where places are on a map, and the other way round. */
export type Projection = {
  readonly kind: Kind;
  readonly ratio: Ratio;
  readonly width: number;
  readonly height: number;
  readonly d3: GeoProjection;
  /** Where a place is; undefined if that is not on the map. */
  at(longitude: number, latitude: number): readonly [x: number, y: number] | undefined;
  /** The place of a point; undefined where there is none. */
  placeAt(x: number, y: number): Place | undefined;
  /** What is on the map lies within this. */
  readonly cap: Cap;
  /** The box of degrees that has all of it. East is more than 180 if it goes over that meridian. */
  readonly box: Box;
  /** How many units a metre has in the middle. */
  readonly unitsPerMetre: number;
};

/** A wider frame is the world, unless it is around a pole. */
const MOST_OF_REGION = 185;
const POLAR = 50;

/** The kind of map that shows a box. */
export function kindOf([west, south, east, north]: Box): 'world' | 'region' {
  const isPolar = south >= POLAR || north <= -POLAR;
  return eastOf(west, east) - west > MOST_OF_REGION && !isPolar ? 'world' : 'region';
}

function eastOf(west: number, east: number): number {
  return east < west ? east + 360 : east;
}

/** The whole earth, cut opposite to its middle. */
export function worldAround(middle: number): Projection {
  const height = WIDTH / RATIOS.r21;
  const d3 = geoEqualEarth().rotate([-middle, 0]).precision(0);
  d3.fitExtent(inset(2, height), { type: 'Sphere' });
  return projectionOf('world', 'r21', d3, { centre: [middle, 0], radius: Math.PI });
}

/** How d3 fits the outline of the United States into a map of this ratio, with six units of room. */
const FITTED = { scale: 1265.725, translate: [536.778, 307.826] } as const;

/** The United States. */
export function unitedStates(): Projection {
  const d3 = geoAlbersUsa()
    .scale(FITTED.scale)
    .translate([...FITTED.translate])
    .precision(0);
  return projectionOf('us', 'r85', d3, { centre: [-110, 45], radius: 1 });
}

/** Leaves out what lies beyond a map: it would be drawn around all of the earth. */
export function clippedTo({
  d3,
  cap,
  width,
  height,
}: Pick<Projection, 'd3' | 'cap' | 'width' | 'height'>): void {
  d3.clipAngle(Math.min(179, cap.radius / RADIANS + 1)).clipExtent([
    [0, 0],
    [width, height],
  ]);
}

/** The edge of the world is round, where a border goes straight from corner to corner. */
export function spherePath(d3: GeoProjection): string {
  const path = pathOf({ type: 'Sphere' }, d3.precision(SMOOTH));
  d3.precision(0);
  return path;
}

/** In units of a map. */
const SMOOTH = 0.5;

/** Steps along each side of a box whose places say how large it is on the map. */
const STEPS = 16;

/** A part of the earth that has all of a box. */
export function regionOf([west, south, east, north]: Box): Projection {
  const last = eastOf(west, east);
  const isAround = last - west > MOST_OF_REGION;
  const places: [number, number][] = [];
  for (let i = 0; i <= STEPS; i++) {
    const [x, y] = [west + ((last - west) * i) / STEPS, south + ((north - south) * i) / STEPS];
    places.push([x, south], [x, north], [west, y], [last, y]);
  }
  // Around a pole, the pole is the middle, and Greenwich is below it or above it.
  const pole = north > 0 ? 90 : -90;
  const middle: Place = isAround ? [0, pole] : [(west + last) / 2, (south + north) / 2];
  const fit = { type: 'MultiPoint' as const, coordinates: places };
  const d3 = geoAzimuthalEqualArea()
    .rotate([-middle[0], -middle[1]])
    .precision(0)
    .scale(1)
    .translate([0, 0]);
  const [left, right] = extent(places.map((place) => d3(place)?.[0] ?? 0));
  const [top, bottom] = extent(places.map((place) => d3(place)?.[1] ?? 0));
  const wanted = (right - left) / Math.max(1e-12, bottom - top);
  const loss = (ratio: Ratio) => Math.abs(Math.log(wanted / RATIOS[ratio]));
  const names = Object.keys(RATIOS) as Ratio[];
  const ratio = names.reduce((best, one) => (loss(one) < loss(best) ? one : best));
  d3.fitExtent(inset(2, WIDTH / RATIOS[ratio]), fit);
  const size = [WIDTH, WIDTH / RATIOS[ratio]] as const;
  const corners = [
    [0, 0],
    [size[0], 0],
    [0, size[1]],
    [...size],
    [size[0] / 2, 0],
    [size[0] / 2, size[1]],
  ].flatMap(([x = 0, y = 0]) => inverted(d3, x, y) ?? []);
  const centre = inverted(d3, size[0] / 2, size[1] / 2) ?? middle;
  const far = corners.length === 12 ? pairs(corners).map((one) => angleBetween(one, centre)) : [];
  const radius = far.length === 0 ? Math.PI : Math.max(...far) * 1.01;
  return projectionOf('region', ratio, d3, { centre, radius });
}

function pairs(numbers: readonly number[]): Place[] {
  return Array.from(
    { length: numbers.length / 2 },
    (_, i) => [numbers[2 * i], numbers[2 * i + 1]] as unknown as Place,
  );
}

function extent(numbers: readonly number[]): readonly [number, number] {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function inset(room: number, height: number): [[number, number], [number, number]] {
  return [
    [room, room],
    [WIDTH - room, height - room],
  ];
}

/** The place of a point; a point beyond the earth is nowhere. */
function inverted(d3: GeoProjection, x: number, y: number): [number, number] | undefined {
  const place = d3.invert?.([x, y]);
  if (place == null || !place.every(Number.isFinite) || Math.abs(place[1]) > 90) return undefined;
  const [px = Number.NaN, py = Number.NaN] = d3(place) ?? [];
  return Math.abs(px - x) < 1 && Math.abs(py - y) < 1 ? place : undefined;
}

function projectionOf(kind: Kind, ratio: Ratio, d3: GeoProjection, cap: Cap): Projection {
  const height = WIDTH / RATIOS[ratio];
  const at = (longitude: number, latitude: number) => {
    const place = d3([longitude, latitude]);
    if (place == null) return undefined;
    const [x, y] = place;
    return x >= 0 && x <= WIDTH && y >= 0 && y <= height ? place : undefined;
  };
  const placeAt = (x: number, y: number) => inverted(d3, x, y);
  const projection = { kind, ratio, width: WIDTH, height, d3, at, placeAt, cap };
  const [a, b] = [placeAt(WIDTH / 2 - 20, height / 2), placeAt(WIDTH / 2 + 20, height / 2)];
  const metres = a && b ? angleBetween(a, b) * EARTH_RADIUS : 1;
  const box: Box =
    kind === 'world'
      ? [cap.centre[0] - 180, -90, cap.centre[0] + 180, 90]
      : (boxAround(projection, [0, 0, WIDTH, height]) ?? [-180, -90, 180, 90]);
  return { ...projection, box, unitsPerMetre: 40 / metres };
}

/** Points across a part of a map whose places say which degrees it has. */
const ACROSS = 24;

/**
 * The box of degrees that has all of a part of a map, with a little room. Undefined if that is more
 * than half of the earth.
 */
export function boxAround(
  { placeAt, at, kind, cap }: Omit<Projection, 'box' | 'unitsPerMetre'>,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Box | undefined {
  const places: Place[] = [];
  for (let i = 0; i <= ACROSS; i++) {
    const x = left + ((right - left) * i) / ACROSS;
    for (let j = 0; j <= ACROSS; j++) {
      const place = placeAt(x, top + ((bottom - top) * j) / ACROSS);
      // Of the United States, beside Alaska and Hawaii there is nothing.
      if (place === undefined && kind === 'region') return undefined;
      if (place !== undefined) places.push(place);
    }
  }
  if (places.length === 0) return undefined;
  const middle = kind === 'us' ? -110 : cap.centre[0];
  const longitudes = places.map(([longitude]) => turnedTo(longitude, middle));
  const latitudes = places.map(([, latitude]) => latitude);
  const [west, east] = extent(longitudes);
  const [south, north] = extent(latitudes);
  const room = Math.max((east - west) / ACROSS, (north - south) / ACROSS);
  const isInside = (latitude: number) => {
    const [x = Number.NaN, y = Number.NaN] = at(0, latitude) ?? [];
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const [hasSouth, hasNorth] = [isInside(-90), isInside(90)];
  const foot = hasSouth ? -90 : Math.max(-90, south - room);
  const head = hasNorth ? 90 : Math.min(90, north + room);
  if (hasSouth || hasNorth || east - west + 2 * room >= 360) return [-180, foot, 180, head];
  return [west - room, foot, east + room, head];
}

/**
 * The box of degrees of a part of a map, by the middles of its sides, so that closer and wider again is
 * the same. Undefined if that is more than half of the earth.
 */
export function partOf(
  projection: Omit<Projection, 'box' | 'unitsPerMetre'>,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Box | undefined {
  const { placeAt, at, kind, cap } = projection;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const hasPole = [-90, 90].some((latitude) => {
    const [px = Number.NaN, py = Number.NaN] = at(0, latitude) ?? [];
    return px >= left && px <= right && py >= top && py <= bottom;
  });
  if (hasPole) return boxAround(projection, [left, top, right, bottom]);
  const [west, east, south, north] = [
    placeAt(left, y),
    placeAt(right, y),
    placeAt(x, bottom),
    placeAt(x, top),
  ];
  if (!west || !east || !south || !north || south[1] >= north[1]) return undefined;
  const middle = kind === 'us' ? -110 : cap.centre[0];
  const [from, to] = [turnedTo(west[0], middle), turnedTo(east[0], middle)];
  return from < to ? [from, south[1], to, north[1]] : undefined;
}

/** Points from side to side of a map whose degrees its script knows. */
const MESH = 6;

/** The degrees of points along a grid. Beyond the edge of the world they go on as inside of it. */
export function meshOf({ d3, kind, cap, height }: Omit<Projection, 'box'>): Place[] | undefined {
  const middle = kind === 'us' ? -110 : cap.centre[0];
  const mesh: Place[] = [];
  for (let row = 0; row < MESH; row++) {
    for (let column = 0; column < MESH; column++) {
      const [x, y] = [(WIDTH * column) / (MESH - 1), (height * row) / (MESH - 1)];
      const place = kind === 'world' ? onParallel(d3, x, y) : d3.invert?.([x, y]);
      if (place == null || !place.every(Number.isFinite)) return undefined;
      mesh.push([kind === 'world' ? middle + place[0] : turnedTo(place[0], middle), place[1]]);
    }
  }
  return mesh;
}

/** A place of the world by its degrees from the middle, which grow evenly along each parallel. */
function onParallel(d3: GeoProjection, x: number, y: number): Place | undefined {
  const [from, to] = [-1, 1].map((side) => d3.invert?.([WIDTH / 2 + side, y]));
  if (from == null || to == null) return undefined;
  return [((x - WIDTH / 2) * (((to[0] - from[0] + 540) % 360) - 180)) / 2, from[1]];
}

/** The longitude that is at most half a turn from a meridian. */
export function turnedTo(longitude: number, meridian: number): number {
  return longitude - 360 * Math.round((longitude - meridian) / 360);
}
