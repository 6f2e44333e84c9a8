import type { DatasetBlock } from '../block/block.ts';
import type { Geometry } from '../block/declaration.ts';
import type { MapDrawing } from '../block/manifest.ts';
import { isFilterable } from '../block/parameter.ts';
import { type Field, isNumeric, typeOf } from '../values/field-types.ts';
import { numberText } from '../values/wording.ts';
import { AskedPlace } from './asked-place.tsx';
import type { BlockView, PageOutcome } from './block-view.ts';
import { rowOnMap, scaleText, svgOfMap } from './map-frame.ts';
import { PLACE_NAMES } from './page-state.ts';
import { RegionMap } from './region-map.tsx';

export type MapProps = {
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

/** Regions coloured by a measure of their groups; nothing if the groups are of something else. */
function MapOfGroups({ view, found }: MapProps) {
  const map = view.profile?.map;
  const { geometry, noun } = view.block as DatasetBlock;
  const { dimensions = [], measures = [] } = found.groups?.grouping ?? {};
  const [dimension, second] = dimensions;
  const measure = measures.find(({ column }) => isNumeric(column));
  if (map?.kind !== 'regions' || geometry?.kind !== 'regions') return null;
  if (dimension?.field.name !== geometry.region || second !== undefined) return null;
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
    fields.some((field) => field.name === name && typeOf(field).comparedBy === 'text'),
  );
}

/** The field asked for, the rows' sort field, or the first numeric one, key fields first. */
function mapField({
  block,
  values,
  manifest,
}: Pick<BlockView, 'block' | 'values' | 'manifest'>): Field {
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
