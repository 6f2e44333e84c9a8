import { geoPath, geoProjection, geoTransform } from 'd3-geo';
import type { GeometryCollection } from 'geojson';
import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, MapDrawing, MapFrame } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { MOST_POSITIONS, simplifyAreas } from '../files/geojson/simplify-areas.ts';
import { defined, type Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { Boundaries, Geometry, PointFields } from '../values/places.ts';
import type { ColumnSummary } from './summarise-columns.ts';

/** Makes what a page shows about a dataset, once at import. */
export function profileDataset(
  block: DatasetBlock,
  columns: Readonly<Record<string, ColumnSummary>>,
  places: Iterable<Row>,
  areas?: Boundaries,
): DatasetProfile {
  const { fields, geometry } = block;
  const asked = fields.filter(isFilterable);
  const ranges = asked.filter((field) => typeOf(field).control === 'range');
  const texts = asked.filter((field) => typeOf(field).control === 'text');
  const map = geometry === undefined ? undefined : drawMap(geometry, places, areas);
  return {
    bins: membersOf(ranges, ({ name }) => columns[name]?.bins),
    suggestions: Object.fromEntries(
      texts.map(({ name }) => [name, columns[name]?.suggestions ?? []]),
    ),
    medians: membersOf(fields, ({ name }) => columns[name]?.median),
    decimals: membersOf(fields, ({ name }) => columns[name]?.decimals),
    commonest: membersOf(fields, ({ name }) => columns[name]?.commonest),
    ...defined({ map }),
  };
}

/** Collects a member of each field that has one, by the field's name. */
function membersOf<T>(fields: readonly Field[], of: (field: Field) => T | undefined) {
  return Object.fromEntries(
    fields.flatMap((field): [string, T][] => {
      const member = of(field);
      return member === undefined ? [] : [[field.name, member]];
    }),
  );
}

/** A map's width in its own units. Its height depends on the data. */
const WIDTH = 600;
const MARGIN = 8;

/**
 * Draws a dataset's map without marks. The projection is equirectangular and true to scale at the
 * middle latitude. That suits a city, and is acceptable for a country.
 */
function drawMap(
  geometry: Geometry,
  rows: Iterable<Row>,
  areas: Boundaries = {},
): MapDrawing | undefined {
  return geometry.kind === 'regions'
    ? drawRegions(areas)
    : framePoints(pointsOf(rows, geometry), areas);
}

function drawRegions(exact: Boundaries): MapDrawing | undefined {
  const names = Object.keys(exact);
  if (names.length === 0) return undefined;
  const boundaries = simplifyAreas(exact, MOST_POSITIONS);
  const geometries = names.map((name) => JSON.parse(boundaries[name] as string));
  const collection = { type: 'GeometryCollection' as const, geometries };
  const [[west, south], [east, north]] = geoPath().bounds(collection);
  // Areas without an extent cannot be drawn.
  if (!(east > west && north > south)) return undefined;
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
    ...(boundaries === exact ? {} : { isSimplified: true as const }),
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
 * Frames the points between the 2nd and the 98th percentile each way, so that one distant row does
 * not shrink everything.
 */
function framePoints({ longitudes, latitudes }: Points, areas: Boundaries): MapDrawing | undefined {
  if (longitudes.length === 0) return undefined;
  const outline = outlineOf(areas);
  const box = withOutline([...middle(longitudes), ...middle(latitudes)], outline);
  const { west, east, south, north, isWhole } = box;
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
  const dots = new Set<string>();
  for (let i = 0; i < longitudes.length && dots.size < MOST_DOTS; i++) {
    const [longitude, latitude] = [longitudes[i] as number, latitudes[i] as number];
    const x = Math.round(((longitude - frame.west) / (frame.east - frame.west)) * frame.width);
    const y = Math.round(((frame.north - latitude) / (frame.north - frame.south)) * frame.height);
    const isWithin = x >= 0 && x <= frame.width && y >= 0 && y <= frame.height;
    if (isWithin) dots.add(`M${x} ${y}h0`);
  }
  return {
    kind: 'points',
    ...frame,
    others: [...dots].join(''),
    ...(outline === undefined ? {} : { outline: { path: pathIn(outline, frame), isWhole } }),
  };
}

/** Positions of an outline below points. It is only a background. */
const MOST_OF_OUTLINE = 5000;

function outlineOf(areas: Boundaries): GeometryCollection | undefined {
  if (Object.keys(areas).length === 0) return undefined;
  const simple = Object.values(simplifyAreas(areas, MOST_OF_OUTLINE));
  return { type: 'GeometryCollection', geometries: simple.map((text) => JSON.parse(text)) };
}

/**
 * If an outline is longer than this many times the extent of the points, the map shows a part of
 * it.
 */
const MOST_OF_POINTS = 2;

/** The bounds of the points. They include the outline if that is not much larger. */
function withOutline(
  [west, east, south, north]: readonly [number, number, number, number],
  outline: GeometryCollection | undefined,
) {
  const ofPoints = { west, east, south, north, isWhole: false };
  if (outline === undefined) return ofPoints;
  const [[left, foot], [right, top]] = geoPath().bounds(outline);
  const both = {
    west: Math.min(west, left),
    east: Math.max(east, right),
    south: Math.min(south, foot),
    north: Math.max(north, top),
  };
  const isWhole =
    both.east - both.west <= MOST_OF_POINTS * (east - west) &&
    both.north - both.south <= MOST_OF_POINTS * (north - south);
  return isWhole ? { ...both, isWhole } : ofPoints;
}

/** Draws degrees as a path in the units of a frame. Both are linear. */
function pathIn(
  outline: GeometryCollection,
  { west, east, south, north, width, height }: MapFrame,
) {
  const projection = geoTransform({
    point(longitude, latitude) {
      const x = ((longitude - west) / (east - west)) * width;
      this.stream.point(x, ((north - latitude) / (north - south)) * height);
    },
  });
  return geoPath(projection).digits(1)(outline) ?? '';
}

/** Enough dots to show a pattern; more would make a page heavy. */
const MOST_DOTS = 1000;

/** The least span of a map, in degrees: about a hundred metres. */
const LEAST_SPAN = 0.001;

function middle(values: Float64Array): [number, number] {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return [at(0.02), at(0.98)];
}

/** The places of rows. Both arrays have the same length. */
type Points = { readonly longitudes: Float64Array; readonly latitudes: Float64Array };

function pointsOf(rows: Iterable<Row>, { longitude, latitude }: PointFields): Points {
  const [longitudes, latitudes]: [number[], number[]] = [[], []];
  for (const { [longitude]: x, [latitude]: y } of rows) {
    if (typeof x !== 'number' || typeof y !== 'number') continue;
    longitudes.push(x);
    latitudes.push(y);
  }
  return {
    longitudes: Float64Array.from(longitudes),
    latitudes: Float64Array.from(latitudes),
  };
}
