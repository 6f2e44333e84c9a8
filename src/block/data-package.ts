import type { Field } from '../fields/field-types.ts';
import { typeOf } from '../fields/field-types.ts';
import type { DatasetBlock } from './block.ts';
import type { FieldStatistics, Manifest } from './manifest.ts';

/** The name of the descriptor, below a block's address. */
export const DATA_PACKAGE = 'datapackage.json';

const PROFILES = 'https://datapackage.org/profiles/2.0';

/**
 * A dataset as a Data Package v2 (datapackage.org), with one resource: all rows as the CSV at `path`,
 * which must have texts as they are.
 */
export function dataPackageOf(block: DatasetBlock, manifest: Manifest, path: string): object {
  const { version, fields: statistics } = manifest;
  const { name, title, description, fields, primaryKey, origin } = block;
  return {
    $schema: `${PROFILES}/datapackage.json`,
    ...{ name, title, description, version },
    ...origin,
    resources: [
      {
        $schema: `${PROFILES}/dataresource.json`,
        ...{ name, title, path },
        type: 'table',
        format: 'csv',
        mediatype: 'text/csv',
        encoding: 'utf-8',
        schema: {
          $schema: `${PROFILES}/tableschema.json`,
          fields: fields.map((field) => fieldOf(field, statistics[field.name])),
          missingValues: [''],
          ...(primaryKey === undefined ? {} : { primaryKey }),
        },
      },
    ],
  };
}

function fieldOf(field: Field, statistics?: FieldStatistics): object {
  const { name, title, description, unit } = field;
  return {
    ...{ name, title },
    ...(description === undefined ? {} : { description }),
    ...tableType(field, statistics),
    ...(unit === undefined ? {} : { unit }),
  };
}

/** Table Schema has types for JSON Schema's formats of dates and times. */
function tableType(
  field: Field,
  { min = 0, max = 0 }: Partial<FieldStatistics> = {},
): { type: string; format?: string } {
  const { json, format } = typeOf(field);
  if (format === 'date') return { type: 'date' };
  if (format === 'date-time') return { type: 'datetime' };
  // These are written with an exponent, which only its numbers have.
  if (json === 'integer' && Math.max(-min, max) >= 1e21) return { type: 'number' };
  return { type: json, ...(format === undefined ? {} : { format }) };
}
