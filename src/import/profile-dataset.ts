import { geoPath, geoProjection, geoTransform } from 'd3-geo';
import type { GeometryCollection } from 'geojson';
import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, MapDrawing, MapFrame } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { extentOf, fitted, narrowing, turned, withRoom } from '../figure/frame.ts';
import type { Box } from '../figure/shape.ts';
import { MOST_POSITIONS, simplifyAreas } from '../files/geojson/simplify-areas.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import type { Boundaries, Geometry } from '../values/places.ts';
import type { ColumnSummary } from './summarise-columns.ts';

/** Makes what a page shows about a dataset, once at import. */
export function profileDataset(
  block: DatasetBlock,
  columns: Readonly<Record<string, ColumnSummary>>,
  places: Points,
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
    map,
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
  places: Points,
  areas: Boundaries = {},
): MapDrawing | undefined {
  return geometry.kind === 'regions' ? drawRegions(areas) : framePoints(places, areas);
}

/** Draws all areas of a file. Undefined if none of them has an extent. */
export function drawRegions(
  exact: Boundaries,
): Extract<MapDrawing, { kind: 'regions' }> | undefined {
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
    isSimplified: boundaries === exact ? undefined : true,
    width: WIDTH,
    height: heightInAll,
    west: left,
    east: left + WIDTH * degrees,
    south: top - heightInAll * degreesUp,
    north: top,
    shapes,
  };
}

/** Frames the points, and draws where all of them are. */
function framePoints({ longitudes, latitudes }: Points, areas: Boundaries): MapDrawing | undefined {
  const extent = extentOf(longitudes, latitudes);
  if (extent === undefined) return undefined;
  const outline = outlineOf(areas);
  const { box, isWhole } = withOutline(extent, outline);
  const [west, south, east, north] = fitted(withRoom(box));
  const shrink = narrowing([west, south, east, north]);
  const frame = {
    width: WIDTH,
    west,
    south,
    east,
    north,
    height: Math.round((WIDTH * (north - south)) / ((east - west) * shrink)),
  };
  return {
    kind: 'points',
    ...frame,
    ...othersIn(frame, { longitudes, latitudes }),
    outline: outline === undefined ? undefined : { path: pathIn(outline, frame), isWhole },
  };
}

/** The sides of squares that are tried, in units of a map: the last ones are few. */
const SQUARES = [4, 5, 6, 8, 10, 12, 15, 20, 24, 30];

/** All places of a frame: dots or, if these are too many, squares that have any, row by row. */
function othersIn(
  { west, south, east, north, width, height }: MapFrame,
  { longitudes, latitudes }: Points,
): { others: string; squareSide?: number } {
  const box: Box = [west, south, east, north];
  const [xs, ys] = [new Float64Array(longitudes.length), new Float64Array(longitudes.length)];
  let count = 0;
  for (let i = 0; i < longitudes.length; i++) {
    const x = ((turned(longitudes[i] as number, box) - west) / (east - west)) * width;
    const y = ((north - (latitudes[i] as number)) / (north - south)) * height;
    if (!(x >= 0 && x <= width && y >= 0 && y <= height)) continue;
    xs[count] = x;
    ys[count++] = y;
  }
  const places = { xs: xs.subarray(0, count), ys: ys.subarray(0, count) };
  const dots = dotsOf(places);
  if (dots !== undefined) return { others: dots.join('') };
  let runs: string[] = [];
  let squareSide = 0;
  for (squareSide of SQUARES) {
    runs = runsOf(places, squareSide, height);
    if (runs.length <= MOST_DOTS) break;
  }
  return { others: runs.join(''), squareSide };
}

/** Places in the units of a frame. */
type Marks = { readonly xs: Float64Array; readonly ys: Float64Array };

/** All places as dots, each once. Undefined if there are too many. */
function dotsOf({ xs, ys }: Marks): string[] | undefined {
  const found = new Set<string>();
  for (let i = 0; i < xs.length; i++) {
    found.add(`M${Math.round(xs[i] as number)} ${Math.round(ys[i] as number)}h0`);
    if (found.size > MOST_DOTS) return undefined;
  }
  return [...found];
}

/** Squares side by side, drawn as one, in the order of the first place of each. */
function runsOf({ xs, ys }: Marks, side: number, height: number): string[] {
  // One more than there are, so that no run goes on in the next row.
  const across = Math.floor(WIDTH / side) + 2;
  const isFound = new Uint8Array(across * (Math.floor(height / side) + 1) + 1);
  const squares: number[] = [];
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i] as number, ys[i] as number];
    const square = Math.floor(y / side) * across + Math.floor(x / side);
    if (isFound[square] === 0) squares.push(square);
    isFound[square] = 1;
  }
  return squares.flatMap((first) => {
    if (isFound[first - 1] === 1) return [];
    let last = first;
    while (isFound[last + 1] === 1) last++;
    const [x, y, wide] = [first % across, Math.floor(first / across), last + 1 - first];
    return `M${x * side} ${y * side}h${wide * side}v${side}h-${wide * side}z`;
  });
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
  box: Box,
  outline: GeometryCollection | undefined,
): { readonly box: Box; readonly isWhole: boolean } {
  if (outline === undefined) return { box, isWhole: false };
  const [west, south, east, north] = box;
  const [[left, foot], [right, top]] = geoPath().bounds(outline);
  const both = [
    Math.min(west, left),
    Math.min(south, foot),
    Math.max(east, right),
    Math.max(north, top),
  ] as const;
  const isWhole =
    both[2] - both[0] <= MOST_OF_POINTS * (east - west) &&
    both[3] - both[1] <= MOST_OF_POINTS * (north - south);
  return { box: isWhole ? both : box, isWhole };
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

/** Enough dots, or rows of squares, to show a pattern; more would make a page heavy. */
const MOST_DOTS = 1000;

/** The places of rows. Both arrays have the same length. */
export type Points = { readonly longitudes: Float64Array; readonly latitudes: Float64Array };
