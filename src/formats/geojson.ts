import { ownMember, type Row } from '../values/field-type.ts';
import { areaFieldOf, type Boundaries } from '../values/places.ts';
import { rowText } from '../values/row-texts.ts';
import { type OutputFormat, type PlacesAsked, textPieces } from './format.ts';
import { jsonBytes } from './ndjson.ts';

/** RFC 7946. */
export const geojson: OutputFormat = {
  title: 'GeoJSON',
  contentType: 'application/geo+json',
  accepted: ['application/geo+json'],
  extension: 'geojson',
  isOf: ({ geometry }) => geometry !== undefined,
  isOfOneRow: true,
  isOfGroups: (block) => areaFieldOf(block) !== undefined,
  isOfPlaces: true,
  // A feature has its row's place, whatever its properties are.
  readsAllFields: true,
  rowBytes: (columns, places) => jsonBytes(columns) + FEATURE_BYTES + geometryBytes(places),
  writer: ({ places, fields }) => {
    if (places === undefined) throw new TypeError('Rows without places are no GeoJSON.');
    const { boundaries } = places;
    const asked = { ...places, boundaries: boundaries?.(), fields };
    return textPieces({
      before: '{"type":"FeatureCollection","features":[',
      rows: (texts, isFirst) => (isFirst ? '' : ',') + featuresOf(texts, asked).join(','),
      behind: ']}',
    });
  },
};

/** Of a feature without its geometry and its properties. */
const FEATURE_BYTES = featureText('', '').length;

/** About how many bytes a geometry has. Of points, the shortest: their numbers differ. */
function geometryBytes({ geometry, boundaries, form }: Partial<PlacesAsked> = {}): number {
  if (geometry?.kind !== 'regions' || form === 'point') return 'null'.length;
  const shapes = Object.values(boundaries?.() ?? {});
  return shapes.reduce((sum, shape) => sum + shape.length, 0) / Math.max(1, shapes.length);
}

/** What tells the shapes of rows. */
export type ShapesAsked = Omit<PlacesAsked, 'boundaries'> & {
  readonly boundaries?: Boundaries | undefined;
};

type FeaturesAsked = ShapesAsked & {
  /** The properties to give; all if absent. */
  readonly fields?: readonly string[] | undefined;
};

/** Rows as features. The geometry of a row without a place is null. */
export function featuresOf(rows: readonly string[], asked: FeaturesAsked): string[] {
  return rows.map((text) => featureOf(text, asked));
}

/** A row as a feature, with an id if one is given. */
export function featureOf(text: string, asked: FeaturesAsked, id?: string): string {
  const row: Row = JSON.parse(text);
  const properties = asked.fields === undefined ? text : rowText(row, asked.fields);
  const identified = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
  return featureText(geometryText(row, asked), properties, identified);
}

function featureText(geometry: string, properties: string, identified = ''): string {
  return `{"type":"Feature",${identified}"geometry":${geometry},"properties":${properties}}`;
}

/** Where a row is, as a geometry; `null` if it has no place. */
export function geometryText(row: Row, { geometry, boundaries, form }: ShapesAsked): string {
  if (geometry.kind === 'regions' && form !== 'point') {
    return ownMember(boundaries, row[geometry.region] as string) ?? 'null';
  }
  const longitude = row[geometry.longitude];
  const latitude = row[geometry.latitude];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return 'null';
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return 'null';
  return JSON.stringify({ type: 'Point', coordinates: [longitude, latitude] });
}
