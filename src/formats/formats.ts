import { csv } from './csv.ts';
import type { OutputFormat } from './format.ts';
import { geojson } from './geojson.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';

/** Every format of an answer; the first is the default. */
const ALL = { json, csv, ndjson, parquet, geojson, html };

export type Format = keyof typeof ALL;

export const FORMATS: Readonly<Record<Format, OutputFormat>> = ALL;

export const FORMAT_NAMES = Object.keys(ALL) as Format[];

/** The formats that are no text. */
export const BINARY_FORMATS: readonly string[] = FORMAT_NAMES.filter(
  (name) => FORMATS[name].isBinary,
);

/** The formats of a block's answers. */
export function formatsOf(block: Parameters<NonNullable<OutputFormat['isOf']>>[0]): Format[] {
  return FORMAT_NAMES.filter((name) => FORMATS[name].isOf?.(block) ?? true);
}
