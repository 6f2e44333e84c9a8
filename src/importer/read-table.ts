import path from 'node:path';
import type { TableFile } from '../block/block-file.ts';
import { readCsv } from '../readers/read-csv.ts';
import { readGeoJson } from '../readers/read-geojson.ts';
import { readJson } from '../readers/read-json.ts';
import { readNdjson } from '../readers/read-ndjson.ts';
import { readParquet } from '../readers/read-parquet.ts';
import { readXlsx } from '../readers/read-xlsx.ts';
import type { SourceTable } from '../readers/source-table.ts';
import { bytesOf } from './seed-files.ts';

/** Opens a file's table as its block says that it is written. Throws a SeedError if it is not. */
export function readTable(source: TableFile, folder: string): Promise<SourceTable> {
  return READERS[source.format ?? 'csv'](source, folder);
}

type Reader = (source: TableFile, folder: string) => Promise<SourceTable>;

/** A reader for each format. */
const READERS: Readonly<Record<NonNullable<TableFile['format']>, Reader>> = {
  csv: readDelimited,
  tsv: readDelimited,
  ndjson: ({ file }, folder) => readNdjson(() => bytesOf(folder, file), file),
  json: ({ file, dialect }, folder) =>
    readJson(() => bytesOf(folder, file), file, dialect?.property),
  geojson: ({ file }, folder) => readGeoJson(() => bytesOf(folder, file), file),
  parquet: ({ file }, folder) => readParquet(path.join(folder, file), file),
  xlsx: ({ file, dialect: { sheetName, headerRows, commentRows } = {} }, folder) =>
    readXlsx(path.join(folder, file), file, {
      ...(sheetName === undefined ? {} : { sheet: sheetName }),
      ...(headerRows?.[0] === undefined ? {} : { headerRow: headerRows[0] }),
      ...(commentRows === undefined ? {} : { commentRows }),
    }),
};

function readDelimited({ file, format, encoding, dialect }: TableFile, folder: string) {
  const delimiter = format === 'tsv' ? { delimiter: '\t' as const } : {};
  return readCsv(() => bytesOf(folder, file), file, {
    ...(encoding === undefined ? {} : { encoding }),
    dialect: { ...delimiter, ...dialect },
  });
}
