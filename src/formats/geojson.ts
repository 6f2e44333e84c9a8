import { ownMember } from '../arguments/given.ts';
import type { Boundaries, Geometry } from '../block/declaration.ts';
import { rowText } from '../query/row-texts.ts';
import type { Row } from '../values/field-type.ts';

export type GeojsonAsked = {
  readonly geometry: Geometry;
  readonly boundaries?: Boundaries;
  /** `point` gives the centres of regions. */
  readonly form?: 'polygon' | 'point';
  /** The properties to give; all if absent. */
  readonly fields?: readonly string[];
};

/** Rows as features of GeoJSON (RFC 7946). The geometry of a row without a place is null. */
export function featuresOf(rows: readonly string[], asked: GeojsonAsked): string[] {
  return rows.map((text) => featureOf(text, asked));
}

/** A row as a feature, with an id if one is given. */
export function featureOf(text: string, asked: GeojsonAsked, id?: string): string {
  const row: Row = JSON.parse(text);
  const properties = asked.fields === undefined ? text : rowText(row, asked.fields);
  const identified = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
  return `{"type":"Feature",${identified}"geometry":${geometryOf(row, asked)},"properties":${properties}}`;
}

function geometryOf(row: Row, { geometry, boundaries, form }: GeojsonAsked): string {
  if (geometry.kind === 'regions' && form !== 'point') {
    return ownMember(boundaries, row[geometry.region] as string) ?? 'null';
  }
  const longitude = row[geometry.longitude];
  const latitude = row[geometry.latitude];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return 'null';
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return 'null';
  return JSON.stringify({ type: 'Point', coordinates: [longitude, latitude] });
}
