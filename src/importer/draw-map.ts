import { geoPath, geoProjection } from 'd3-geo';
import type { Boundaries, Geometry, PointFields } from '../block/declaration.ts';
import type { MapDrawing } from '../block/manifest.ts';
import type { Row } from '../values/field-type.ts';

/** A map's width in its own units; its height depends on what it shows. */
const WIDTH = 600;
const MARGIN = 8;

/**
 * A dataset's map, without its marks. The projection is equirectangular, true to scale at the
 * middle latitude, which suits a city and is acceptable for a country.
 */
export function drawMap(
  geometry: Geometry,
  rows: Iterable<Row>,
  boundaries: Boundaries | undefined,
): MapDrawing | undefined {
  return geometry.kind === 'regions'
    ? drawRegions(boundaries ?? {})
    : framePoints(pointsOf(rows, geometry));
}

function drawRegions(boundaries: Boundaries): MapDrawing | undefined {
  const names = Object.keys(boundaries);
  if (names.length === 0) return undefined;
  const geometries = names.map((name) => JSON.parse(boundaries[name] as string));
  const collection = { type: 'GeometryCollection' as const, geometries };
  const [[west, south], [east, north]] = geoPath().bounds(collection);
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const width = WIDTH - 2 * MARGIN;
  const height = (width * (north - south)) / ((east - west) * shrink);
  const projection = geoProjection((x, y) => [x * shrink, y])
    // Clipping on a sphere would take these rings to enclose their outside.
    .preclip((stream) => stream)
    .precision(0)
    .fitExtent(
      [
        [MARGIN, MARGIN],
        [MARGIN + width, MARGIN + height],
      ],
      collection,
    );
  const path = geoPath(projection).digits(0);
  const shapes = Object.fromEntries(names.map((name, i) => [name, path(geometries[i]) ?? '']));
  const [degrees, degreesUp] = [(east - west) / width, (north - south) / height];
  const heightInAll = Math.ceil(height + 2 * MARGIN);
  const [left, top] = [west - MARGIN * degrees, north + MARGIN * degreesUp];
  return {
    kind: 'regions',
    width: WIDTH,
    height: heightInAll,
    west: left,
    east: left + WIDTH * degrees,
    south: top - heightInAll * degreesUp,
    north: top,
    shapes,
  };
}

/**
 * The frame of the 2nd to the 98th percentile each way, so that one distant row does not shrink
 * all.
 */
function framePoints(points: readonly (readonly [number, number])[]): MapDrawing | undefined {
  if (points.length === 0) return undefined;
  const [west, east] = middle(points.map(([longitude]) => longitude));
  const [south, north] = middle(points.map(([, latitude]) => latitude));
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const span = Math.max((east - west) * shrink, north - south, LEAST_SPAN);
  const [width, height] = [
    Math.max((east - west) * shrink, span / 2),
    Math.max(north - south, span / 2),
  ];
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const half = (size: number) => (size / 2) * 1.08;
  const frame = {
    width: WIDTH,
    height: Math.round((WIDTH * height) / width),
    west: x - half(width) / shrink,
    east: x + half(width) / shrink,
    south: y - half(height),
    north: y + half(height),
  };
  const places = points.flatMap(([longitude, latitude]) => {
    const x = Math.round(((longitude - frame.west) / (frame.east - frame.west)) * frame.width);
    const y = Math.round(((frame.north - latitude) / (frame.north - frame.south)) * frame.height);
    return x >= 0 && x <= frame.width && y >= 0 && y <= frame.height ? [`M${x} ${y}h0`] : [];
  });
  const others = [...new Set(places)].slice(0, MOST_DOTS).join('');
  return { kind: 'points', ...frame, others };
}

/** Enough dots to show a pattern; more would make a page heavy. */
const MOST_DOTS = 1000;

/** The least span of a map, in degrees: about a hundred metres. */
const LEAST_SPAN = 0.001;

function middle(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return [at(0.02), at(0.98)];
}

function pointsOf(rows: Iterable<Row>, { longitude, latitude }: PointFields) {
  const points: [number, number][] = [];
  for (const { [longitude]: x, [latitude]: y } of rows) {
    if (typeof x === 'number' && typeof y === 'number') points.push([x, y]);
  }
  return points;
}
