import { listInWords } from '../text/wording.ts';
import { csv, tsv } from './csv/csv.ts';
import type { FileFormat } from './file-format.ts';
import { geojson } from './geojson/read-geojson.ts';
import { json, ndjson } from './json/read-json.ts';
import { parquet } from './parquet/read-parquet.ts';
import { xlsx } from './xlsx/xlsx.ts';

/**
 * Every format that is read, by its name in block.json. A special kind of another format comes
 * after that.
 */
const ALL = { csv, tsv, json, ndjson, geojson, xlsx, parquet };

export type FileFormatName = keyof typeof ALL;

export const FILE_FORMATS: Readonly<Record<FileFormatName, FileFormat>> = ALL;

export const FILE_FORMAT_NAMES = Object.keys(ALL) as FileFormatName[];

/** The format of a file if its block.json names none. */
export const DEFAULT_FILE_FORMAT = 'csv' satisfies FileFormatName;

/** `CSV, TSV or JSON`. */
export const FORMATS_IN_WORDS = listInWords(
  FILE_FORMAT_NAMES.map((name) => FILE_FORMATS[name].title),
  'or',
);
