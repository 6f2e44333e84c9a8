import { joined } from '../text/wording.ts';
import type { FileFormat } from './format.ts';
import { csv, tsv } from './read-csv.ts';
import { geojson } from './read-geojson.ts';
import { json, ndjson } from './read-json.ts';
import { parquet } from './read-parquet.ts';
import { xlsx } from './read-xlsx.ts';

/** Every format that is read, by its name in block.json; what is a special kind of another is behind it. */
const ALL = { csv, tsv, json, ndjson, geojson, xlsx, parquet };

export type FormatName = keyof typeof ALL;

export const FILE_FORMATS: Readonly<Record<FormatName, FileFormat>> = ALL;

export const FORMAT_NAMES = Object.keys(ALL) as FormatName[];

/** The format of a file whose block.json names none. */
export const DEFAULT_FORMAT = 'csv' satisfies FormatName;

/** `CSV, TSV or JSON`. */
export const FORMATS_IN_WORDS = joined(
  FORMAT_NAMES.map((name) => FILE_FORMATS[name].title),
  'or',
);
