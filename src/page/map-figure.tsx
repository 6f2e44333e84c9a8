import type { DatasetBlock } from '../block/block.ts';
import type { Dimension } from '../block/grouping.ts';
import type { MapDrawing, MapFrame } from '../block/manifest.ts';
import { BBOX, isFilterable, NEAR, WITHIN } from '../block/parameter.ts';
import { numberText } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, typeOf } from '../values/field-types.ts';
import { type Geometry, metresIn, type PointFields } from '../values/places.ts';
import { type BlockView, type PageOutcome, PLACE_NAMES } from './block-view.ts';

type MapProps = {
  readonly view: BlockView;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** The rows on a map without tiles. The table has the same as text. */
export function MapFigure({ view, found }: MapProps) {
  const map = view.profile?.map;
  const { geometry } = view.block as DatasetBlock;
  if (map === undefined || geometry === undefined) return null;
  if (found.groups !== undefined) return <MapOfGroups view={view} found={found} />;
  // Where a place has no rows, the map can be drawn on again.
  if (found.marks.length === 0 && !PLACE_NAMES.some((name) => name in view.values)) return null;
  if (map.kind === 'points') {
    return <Points view={view} map={map} geometry={geometry} found={found} />;
  }
  if (geometry.kind !== 'regions') return null;
  return (
    <RegionMap
      map={map}
      region={geometry.region}
      rows={found.marks}
      field={mapField(view)}
      label={`${numberText(found.marks.length)} ${(view.block as DatasetBlock).noun}`}
      outside={found.marksAreAll ? 'not in the answer' : 'not on this page'}
      values={view.values}
    />
  );
}

/** Regions or cells coloured by a measure of their groups; nothing if the groups are of something else. */
function MapOfGroups({ view, found }: MapProps) {
  const { geometry, noun } = view.block as DatasetBlock;
  const { dimensions = [], measures = [] } = found.groups?.grouping ?? {};
  const [dimension, second] = dimensions;
  const map = mapOfCells(view.profile?.map, dimension, found.rows) ?? view.profile?.map;
  const measure = measures.find(({ column }) => isNumeric(column));
  if (map?.kind !== 'regions' || dimension === undefined || second !== undefined) return null;
  const isRegion = geometry?.kind === 'regions' && dimension.field.name === geometry.region;
  if (!isRegion && dimension.cells === undefined) return null;
  if (measure === undefined || found.rows.length === 0) return null;
  const isWhole = found.next === null && found.rows.length === found.total;
  return (
    <RegionMap
      map={map}
      region={dimension.column.name}
      rows={found.rows}
      field={measure.column}
      label={`${numberText(found.rows.length)} groups of ${noun}`}
      outside={isWhole ? 'not in the answer' : 'not on this page'}
      values={view.values}
    />
  );
}

/** A map whose regions are the cells of groups. */
function mapOfCells(
  map: MapDrawing | undefined,
  dimension: Dimension | undefined,
  rows: readonly Row[],
): (MapDrawing & { kind: 'regions' }) | undefined {
  const { cells, column } = dimension ?? {};
  if (map === undefined || cells === undefined || column === undefined) return undefined;
  const shapes = rows.flatMap((row): [string, string][] => {
    const centre = row[column.name];
    if (typeof centre !== 'string') return [];
    const [west = 0, south = 0, east = 0, north = 0] = degreesIn(cells.boxAround(centre));
    const [from, to] = [onMap(map, west, north), onMap(map, east, south)];
    const [x, y, right, bottom] = [from.x, from.y, to.x, to.y].map((at) => at.toFixed(1));
    return [[centre, `M${x} ${y}H${right}V${bottom}H${x}z`]];
  });
  const { west, east, south, north, width, height } = map;
  const frame = { west, east, south, north, width, height };
  return { ...frame, kind: 'regions', shapes: Object.fromEntries(shapes) };
}

/** The fields of rows that their map shows. */
export function fieldsOnMap(view: Pick<BlockView, 'block' | 'values' | 'manifest'>): string[] {
  const { geometry, ...block } = view.block as DatasetBlock;
  if (geometry === undefined) return [];
  if (geometry.kind === 'regions') return [geometry.region, mapField(view).name];
  return [geometry.longitude, geometry.latitude, labelOf(block) ?? []].flat();
}

/** The field with the name of a row's dot. */
function labelOf({ fields, keyFields }: Pick<DatasetBlock, 'fields' | 'keyFields'>) {
  return keyFields.find((name) =>
    fields.some((field) => field.name === name && typeOf(field).isName),
  );
}

/** The field asked for, the rows' sort field, or the first numeric one, key fields first. */
function mapField({
  block,
  values,
  manifest,
}: Pick<BlockView, 'block' | 'values' | 'manifest'>): Field {
  const { fields, keyFields } = block as DatasetBlock;
  const sort = (values._sort as readonly string[] | undefined)?.[0]?.replace(/^-/, '');
  const names = [
    values._shade as string | undefined,
    sort,
    ...keyFields,
    ...fields.map((f) => f.name),
  ];
  const isNumber = (field: Field | undefined) =>
    field !== undefined &&
    isFilterable(field) &&
    isNumeric(field) &&
    manifest?.fields[field.name]?.min !== undefined;
  const found = names
    .map((name) => fields.find((field) => field.name === name))
    .find((field) => isNumber(field));
  return found ?? (fields[0] as Field);
}

/** A dot for each row; rows outside the frame are counted in the caption. */
function Points(props: MapProps & { map: MapDrawing & { kind: 'points' }; geometry: Geometry }) {
  const { view, map, geometry, found } = props;
  const { noun, ...block } = view.block as DatasetBlock;
  const label = labelOf(block);
  const places = found.marks.flatMap((row) => {
    const place = rowOnMap(map, geometry, row);
    return place === undefined ? [] : [{ ...place, name: label === undefined ? null : row[label] }];
  });
  const inside = places.filter(({ isInside }) => isInside);
  const nowhere = found.marks.length - places.length;
  const outside = places.length - inside.length;
  const unseen = found.total - found.marks.length;
  return (
    <figure class="map">
      <svg {...svgOfMap(map)} aria-label={`Map of ${numberText(inside.length)} ${noun}`}>
        <rect class="ground" width={map.width} height={map.height} />
        <path class="others" d={map.others} />
        {inside.map(({ x, y, name }) => (
          <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r="7">
            <title>{name}</title>
          </circle>
        ))}
        <AskedPlace map={map} values={view.values} />
      </svg>
      <figcaption>
        {inside.length} on the map, north up, {scaleText(map)} from side to side.
        {outside === 0 ? '' : ` ${outside} outside it.`}
        {nowhere === 0 ? '' : ` ${nowhere} without coordinates.`}
        {found.marksAreAll || unseen === 0 ? '' : ` ${numberText(unseen)} more are not shown.`}
      </figcaption>
    </figure>
  );
}

const CLASSES = 5;

/** Regions coloured by one number of their rows, in five classes of about equal size. */
function RegionMap(props: {
  map: MapDrawing & { kind: 'regions' };
  /** The rows' field with the region's name. */
  region: string;
  rows: readonly Row[];
  field: Field;
  /** What the regions are: `56 neighborhoods`. */
  label: string;
  /** What it means that a region has no row here. */
  outside: string;
  values: Readonly<Record<string, unknown>>;
}) {
  const { map, region, rows, field, label, outside } = props;
  const values = new Map(
    rows.map((row) => [row[region] as string, (row[field.name] ?? null) as number | null]),
  );
  const known = [...values.values()].filter((value) => typeof value === 'number');
  const classes = classesOf(known);
  const [lowest, highest] = [classes[0]?.min ?? 0, classes.at(-1)?.max ?? 0];
  const isPlain = isLabel(field, { min: lowest, max: highest });
  const show = (value: number, digits?: number) => short(value, isPlain, digits);
  const missing = values.size - known.length;
  return (
    <figure class="map">
      <svg {...svgOfMap(map)} aria-label={`Map of ${label} by ${field.title}`}>
        {Object.entries(map.shapes).map(([name, d]) => {
          const value = values.get(name);
          const shade = !values.has(name)
            ? 'out'
            : typeof value === 'number'
              ? `k${classes.findIndex(({ max }) => value <= max)}`
              : 'none';
          return (
            <path class={shade} d={d}>
              <title>{`${name}${typeof value === 'number' ? `: ${show(value)}` : ''}`}</title>
            </path>
          );
        })}
        <AskedPlace map={map} values={props.values} />
      </svg>
      <figcaption>
        {field.title}
        {map.isSimplified && ' (areas simplified)'}
        <ul class="legend">
          {legendOf(classes, show).map((text, i) => (
            <li>
              <Key shade={`k${i}`} /> {text}
            </li>
          ))}
          {missing > 0 && (
            <li>
              <Key shade="none" /> no value: {missing}
            </li>
          )}
          {Object.keys(map.shapes).some((name) => !values.has(name)) && (
            <li>
              <Key shade="out" /> {outside}
            </li>
          )}
        </ul>
      </figcaption>
    </figure>
  );
}

function Key({ shade }: { shade: string }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      <rect class={shade} width="10" height="10" />
    </svg>
  );
}

/** At most five classes with about as many values in each; equal values share one. */
function classesOf(values: readonly number[]): { min: number; max: number }[] {
  const sorted = [...values].sort((a, b) => a - b);
  const ends = Array.from(
    { length: CLASSES },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / CLASSES) - 1] as number,
  );
  const maxima = [...new Set(ends.filter((value) => value !== undefined))];
  return maxima.map((max, i) => ({
    min: sorted.find((value) => i === 0 || value > (maxima[i - 1] as number)) ?? max,
    max,
  }));
}

/** Classes as text, with enough digits to tell their ends apart. */
function legendOf(
  classes: readonly { min: number; max: number }[],
  show: (value: number, digits: number) => string,
): string[] {
  const ends = [...new Set(classes.flatMap(({ min, max }) => [min, max]))];
  let digits = 4;
  while (digits < MOST_DIGITS && new Set(ends.map((end) => show(end, digits))).size < ends.length) {
    digits++;
  }
  return classes.map(({ min, max }) =>
    min === max ? show(min, digits) : `${show(min, digits)} to ${show(max, digits)}`,
  );
}

/** The most significant digits that a number needs (IEEE 754, binary64). */
const MOST_DIGITS = 17;

/** A number as short text. Whole numbers are never rounded; the table has all others exactly. */
function short(value: number, isPlain: boolean, digits = 6): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  return isPlain ? String(rounded) : numberText(rounded);
}

/** The box, the place and the distance that were asked for, drawn on a map. */
function AskedPlace(props: { map: MapFrame; values: Readonly<Record<string, unknown>> }) {
  const { map, values } = props;
  const [west, south, east, north] = degreesIn(values[BBOX]);
  const [longitude, latitude] = degreesIn(values[NEAR]);
  const at =
    longitude === undefined || latitude === undefined ? undefined : onMap(map, longitude, latitude);
  return (
    <>
      {west !== undefined && north !== undefined && (
        <AskedBox
          from={onMap(map, west, north)}
          // A box over the antimeridian goes on to the east of it.
          to={onMap(map, (east ?? 0) + ((east ?? 0) < west ? 360 : 0), south ?? 0)}
        />
      )}
      {at !== undefined && typeof values[WITHIN] === 'string' && (
        <ellipse
          class="asked"
          cx={at.x.toFixed(1)}
          cy={at.y.toFixed(1)}
          {...rounded(radiiOnMap(map, latitude ?? 0, metresIn(values[WITHIN])))}
        />
      )}
      {at !== undefined && (
        <path class="asked" d={`M${at.x.toFixed(1)} ${at.y.toFixed(1)}m-9 0h18m-9-9v18`} />
      )}
    </>
  );
}

type Corner = { readonly x: number; readonly y: number };

function AskedBox({ from, to }: { from: Corner; to: Corner }) {
  const size = { width: to.x - from.x, height: to.y - from.y };
  return <rect class="asked" {...rounded({ x: from.x, y: from.y, ...size })} />;
}

function degreesIn(text: unknown): number[] {
  return typeof text === 'string' ? text.split(',').map(Number) : [];
}

function rounded<Name extends string>(sizes: Readonly<Record<Name, number>>) {
  return Object.fromEntries(
    Object.entries<number>(sizes).map(([name, size]) => [name, size.toFixed(1)]),
  );
}

type PlaceOnMap = { readonly x: number; readonly y: number; readonly isInside: boolean };

/** Where degrees are on a map, in the map's units. */
function onMap(
  { west, east, south, north, width, height }: MapFrame,
  longitude: number,
  latitude: number,
): PlaceOnMap {
  const x = ((longitude - west) / (east - west)) * width;
  const y = ((north - latitude) / (north - south)) * height;
  return { x, y, isInside: x >= 0 && x <= width && y >= 0 && y <= height };
}

/** Where a row is on a map; undefined if it has no coordinates. */
export function rowOnMap(map: MapFrame, geometry: PointFields, row: Row): PlaceOnMap | undefined {
  const [longitude, latitude] = [row[geometry.longitude], row[geometry.latitude]];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined;
  return onMap(map, longitude, latitude);
}

/** Metres in a degree of latitude on the mean sphere (IUGG, radius 6371.0088 km). */
const METRES_PER_DEGREE = 111_195;

/** The half-axes of a circle on the ground, in the map's units. */
function radiiOnMap(map: MapFrame, latitude: number, metres: number) {
  const degrees = metres / METRES_PER_DEGREE;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  return {
    rx: (degrees / shrink / (map.east - map.west)) * map.width,
    ry: (degrees / (map.north - map.south)) * map.height,
  };
}

/** The width of a map on the ground. */
export function scaleText({ west, east, south, north }: MapFrame): string {
  const middle = (((south + north) / 2) * Math.PI) / 180;
  const km = ((east - west) * METRES_PER_DEGREE * Math.cos(middle)) / 1000;
  return km < 10 ? `${km.toFixed(1)} km` : `${Math.round(km)} km`;
}

/** What an SVG of a map needs, with its sides for the script that draws boxes. */
export function svgOfMap({ width, height, west, south, east, north }: MapFrame) {
  return {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'xMinYMin',
    role: 'img',
    'data-frame': [west, south, east, north].join(' '),
  };
}
