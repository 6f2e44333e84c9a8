import type { BlockFile, FileField } from '../block/block-file.ts';
import type { Row } from '../values/field-type.ts';
import { FIGURE_FIELDS, KEY_FIELDS, NAME_FIELD, NUMBER_FIELD } from './neighborhood-fields.ts';

/** What a block of neighborhoods is called, and the files that it is compiled from. */
export type Made = { readonly title: string; readonly from: readonly string[] };

/** The block of a city's compiled neighborhoods, whose file has a column for each field. */
export function neighborhoodsBlock(
  rows: readonly Row[],
  file: string,
  { title, from }: Made,
): BlockFile {
  const figures = FIGURE_FIELDS.map(({ field }) => field);
  const largest = rows.toSorted((a, b) => Number(b.total_population) - Number(a.total_population));
  const middle = largest[largest.length >> 1]?.total_population ?? 0;
  return {
    title,
    description: `${title} by their census figures: people, ages, households, families, housing, land.`,
    noun: 'neighborhoods',
    file,
    rows: rows.length,
    sources: from.map((name) => ({ title: name, changes: COMPILED })),
    keyFields: KEY_FIELDS,
    fields: [NAME_FIELD, ...figures, NUMBER_FIELD].map((field) => withLack(field, rows)),
    primaryKey: NAME_FIELD.name,
    geometry: { kind: 'points', longitude: 'centerpoint_x', latitude: 'centerpoint_y' },
    examples: [
      {
        title: 'The five with the most vacant units',
        arguments: { _sort: '-vacant_units', _limit: 5, _fields: 'neighborhood_1,vacant_units' },
      },
      {
        title: 'The one with the most people',
        // A star would stand for any text.
        arguments: { neighborhood_1: String(largest[0]?.neighborhood_1).replaceAll('*', '\\*') },
      },
      { title: 'The larger half', arguments: { total_population_min: middle as number } },
    ],
  };
}

const COMPILED =
  'Tracts joined to neighborhoods: counts are sums, ratios are ratios of sums, centres are weighted by land.';

/** A figure that no tract has is told, since a column of blanks looks like an error. */
function withLack(field: FileField, rows: readonly Row[]): FileField {
  const isLacking = rows.every((row) => row[field.name] === null);
  return isLacking ? { ...field, description: 'Not in the source: null in every row.' } : field;
}
