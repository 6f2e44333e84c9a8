import type { DatasetBlock } from '../block/block.ts';
import type { Geometry } from '../block/geometry.ts';
import { isFilterable } from '../block/parameter.ts';
import type { Field, Row } from '../fields/field.ts';
import { isNumeric, typeOf } from '../fields/field-types.ts';
import type { BlockView, PageOutcome } from './block-view.ts';
import type { MapDrawing } from './dataset-profile.ts';

export type MapProps = {
  readonly view: BlockView;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** The rows on a map without tiles. The table has the same as text. */
export function MapFigure({ view, found }: MapProps) {
  const map = view.profile?.map;
  const { geometry } = view.block as DatasetBlock;
  if (map === undefined || geometry === undefined || found.marks.length === 0) return null;
  return map.kind === 'regions' ? (
    <Regions view={view} map={map} geometry={geometry} found={found} />
  ) : (
    <Points view={view} map={map} geometry={geometry} found={found} />
  );
}

const CLASSES = 5;

/** Regions coloured by one field, in five classes of about equal size. */
function Regions(props: MapProps & { map: MapDrawing & { kind: 'regions' }; geometry: Geometry }) {
  const { view, map, geometry, found } = props;
  const { noun } = view.block as DatasetBlock;
  if (geometry.kind !== 'regions') return null;
  const field = mapField(view);
  const values = new Map(
    found.marks.map((row: Row) => [row[geometry.region] as string, row[field.name] ?? null]),
  );
  const known = [...values.values()].filter((value) => typeof value === 'number');
  const classes = classesOf(known);
  const missing = [...values.values()].filter((value) => value === null).length;
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${map.width} ${map.height}`}
        preserveAspectRatio="xMinYMin"
        role="img"
        aria-label={`Map of ${values.size} ${noun} by ${field.title}`}
      >
        {Object.entries(map.shapes).map(([name, d]) => {
          const value = values.get(name);
          const shade = !values.has(name)
            ? 'out'
            : typeof value === 'number'
              ? `k${classes.findIndex(({ max }) => value <= max)}`
              : 'none';
          return (
            <path class={shade} d={d}>
              <title>{`${name}${typeof value === 'number' ? `: ${short(value)}` : ''}`}</title>
            </path>
          );
        })}
      </svg>
      <figcaption>
        {field.title}
        <ul class="legend">
          {legendOf(classes).map((text, i) => (
            <li>
              <Key shade={`k${i}`} /> {text}
            </li>
          ))}
          {missing > 0 && (
            <li>
              <Key shade="none" /> no value: {missing}
            </li>
          )}
          {values.size !== Object.keys(map.shapes).length && (
            <li>
              <Key shade="out" /> {found.marksAreAll ? 'not in the answer' : 'not on this page'}
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

/** The field asked for, the rows' sort field, or the first numeric one, key fields first. */
function mapField({ block, values, manifest }: BlockView): Field {
  const { fields, keyFields } = block as DatasetBlock;
  const sort = (values._sort as string | undefined)?.replace(/^-/, '');
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
function legendOf(classes: readonly { min: number; max: number }[]): string[] {
  const ends = [...new Set(classes.flatMap(({ min, max }) => [min, max]))];
  let digits = 4;
  while (
    digits < MOST_DIGITS &&
    new Set(ends.map((end) => short(end, digits))).size < ends.length
  ) {
    digits++;
  }
  return classes.map(({ min, max }) =>
    min === max ? short(min, digits) : `${short(min, digits)} to ${short(max, digits)}`,
  );
}

/** The most significant digits that a number needs (IEEE 754, binary64). */
const MOST_DIGITS = 17;

/** A number as short text. Whole numbers are never rounded; the table has all others exactly. */
function short(value: number, digits = 6): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));
}

/** A dot for each row; rows outside the frame are counted in the caption. */
function Points(props: MapProps & { map: MapDrawing & { kind: 'points' }; geometry: Geometry }) {
  const { view, map, geometry, found } = props;
  const { noun, fields, keyFields } = view.block as DatasetBlock;
  const { width, height } = map;
  const label = keyFields.find((name) =>
    fields.some((f) => f.name === name && typeOf(f).comparedBy === 'text'),
  );
  const places = found.marks.flatMap((row) => {
    const place = placeOn(map, geometry, row);
    return place === undefined ? [] : [{ ...place, name: label === undefined ? null : row[label] }];
  });
  const inside = places.filter(({ isInside }) => isInside);
  const nowhere = found.marks.length - places.length;
  const outside = places.length - inside.length;
  const unseen = found.total - found.marks.length;
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMinYMin"
        role="img"
        aria-label={`Map of ${inside.length} ${noun}`}
      >
        <rect class="ground" width={width} height={height} />
        <path class="others" d={map.others} />
        {inside.map(({ x, y, name }) => (
          <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r="7">
            <title>{name}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        {inside.length} on the map, north up, {scaleText(map)} from side to side.
        {outside === 0 ? '' : ` ${outside} outside it.`}
        {nowhere === 0 ? '' : ` ${nowhere} without coordinates.`}
        {found.marksAreAll || unseen === 0 ? '' : ` ${unseen} more are not shown.`}
      </figcaption>
    </figure>
  );
}

/** Where a row is on a map of points, in the map's units; undefined if it has no coordinates. */
export function placeOn(
  { west, east, south, north, width, height }: MapDrawing & { kind: 'points' },
  geometry: Geometry,
  row: Row,
): { x: number; y: number; isInside: boolean } | undefined {
  const [longitude, latitude] = [row[geometry.longitude], row[geometry.latitude]];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined;
  const x = ((longitude - west) / (east - west)) * width;
  const y = ((north - latitude) / (north - south)) * height;
  return { x, y, isInside: x >= 0 && x <= width && y >= 0 && y <= height };
}

/** Kilometres in a degree of latitude on the mean sphere (IUGG, radius 6371.0088 km). */
const KM_PER_DEGREE = 111.195;

/** The width of a map on the ground. */
export function scaleText({ west, east, south, north }: MapDrawing & { kind: 'points' }): string {
  const middle = (((south + north) / 2) * Math.PI) / 180;
  const km = (east - west) * KM_PER_DEGREE * Math.cos(middle);
  return km < 10 ? `${km.toFixed(1)} km` : `${Math.round(km)} km`;
}
