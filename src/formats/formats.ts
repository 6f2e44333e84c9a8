import { csv } from './csv.ts';
import type { OutputFormat } from './format.ts';
import { geojson } from './geojson.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';
import { svg } from './svg.ts';

/** Every format of an answer; the first is the default. */
const ALL = { json, csv, ndjson, parquet, geojson, html, svg };

export type Format = keyof typeof ALL;

export const FORMATS: Readonly<Record<Format, OutputFormat>> = ALL;

export const FORMAT_NAMES = Object.keys(ALL) as Format[];

/** The formats that are no text. */
export const BINARY_FORMATS: readonly string[] = FORMAT_NAMES.filter(
  (name) => FORMATS[name].isBinary,
);

/** Whether a format is a file of the rows themselves, and no page or picture of them. */
export function isFileOfRows(format: Format): boolean {
  return FORMATS[format].writer !== undefined;
}

/** The formats of a block's answers. */
export function formatsOf(block: Parameters<NonNullable<OutputFormat['isOf']>>[0]): Format[] {
  return FORMAT_NAMES.filter((name) => FORMATS[name].isOf?.(block) ?? true);
}
