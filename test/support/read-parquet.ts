import { gunzipSync } from 'node:zlib';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Row, Value } from '../../src/values/field-type.ts';
import { type Field, typeOf } from '../../src/values/field-types.ts';

export type ReadParquet = {
  readonly metadata: FileMetaData;
  readonly rows: readonly Record<string, unknown>[];
};

/** A Parquet file as hyparquet reads it. */
export async function readParquet(bytes: Uint8Array): Promise<ReadParquet> {
  const file = new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({
    file,
    compressors: { GZIP: (packed) => gunzipSync(packed) },
  });
  return { metadata: parquetMetadata(file), rows };
}

/** A row as a reader of Parquet gives it: times as dates, and numbers of 64 bits as bigints. */
export function typedRow(
  fields: readonly Field[],
  row: Row,
  { schema }: FileMetaData,
): Record<string, unknown> {
  const isLong = (name: string) => schema.find((one) => one.name === name)?.type === 'INT64';
  return Object.fromEntries(
    fields.map((field) => [field.name, typed(field, row[field.name], isLong(field.name))]),
  );
}

function typed(field: Field, value: Value | undefined, isLong: boolean): unknown {
  if (value === null || value === undefined) return null;
  const { json, format } = typeOf(field);
  if (format === 'date') return new Date(`${value}T00:00:00Z`);
  if (format === 'date-time') return new Date(field.local ? `${value}Z` : (value as string));
  return json === 'integer' && isLong ? BigInt(value) : value;
}
