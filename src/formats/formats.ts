import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import type { OnMap } from '../values/places.ts';
import { csv } from './csv.ts';
import type { OutputFormat } from './format.ts';
import { geojson } from './geojson.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';
import { svg } from './svg.ts';
import { xlsx } from './xlsx.ts';

/** Every format of an answer; the first is the default. */
const ALL = { json, csv, xlsx, ndjson, parquet, geojson, html, svg };

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

/** The formats that are files of this number of rows. */
export function filesOfRows(formats: readonly Format[], rows: number): Format[] {
  return formats.filter((format) => isFileOfRows(format) && holds(format, rows));
}

/** Whether a format holds this number of rows. */
export function holds(format: Format, rows: number): boolean {
  return rows <= (FORMATS[format].mostRows ?? Number.POSITIVE_INFINITY);
}

/** Throws a Problem if there are more rows than a format holds: none is ever left out. */
export function checkRows(format: Format, rows: number): void {
  if (holds(format, rows)) return;
  const { title, mostRows = 0 } = FORMATS[format];
  const detail = `${numberText(rows)} rows match, and a sheet of ${title} has at most ${numberText(mostRows)} below its head. Take CSV (_format=csv), which has no such bound, or filter for fewer rows.`;
  throw new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_format' }],
  });
}

/** The formats of a block's rows, or of its one value. */
export function formatsOf(block: Parameters<NonNullable<OutputFormat['isOf']>>[0]): Format[] {
  return FORMAT_NAMES.filter((name) => FORMATS[name].isOf?.(block) ?? true);
}

/** The formats of the groups of a block's rows. */
export function formatsOfGroups(block: OnMap): Format[] {
  const asRows = formatsOf({ isRows: true, geometry: block.geometry });
  return FORMAT_NAMES.filter((name) => FORMATS[name].isOfGroups?.(block) ?? asRows.includes(name));
}

/** All formats of a block's answers, of rows or of groups, in the order in which they are offered. */
export function formatsOfAnswers({
  formats,
  groupFormats,
}: {
  readonly formats: readonly Format[];
  readonly groupFormats: readonly Format[];
}): Format[] {
  return FORMAT_NAMES.filter((name) => formats.includes(name) || groupFormats.includes(name));
}
