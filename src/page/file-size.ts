import type { Format } from '../block/options.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { numberText } from '../values/wording.ts';

/** Rows of a page that stand for all, evenly apart. */
const MOST_SAMPLED = 50;

/** The least share of the rows, or else their least number, that tell how long the others are. */
const LEAST_SAMPLED = 10;

/**
 * How long the files of an answer are about, by format, in words: `about 1.2 MB`. It is told from
 * the rows of a page. Formats of which these do not tell it are absent.
 */
export function fileSizes(
  rows: readonly Row[],
  columns: readonly Field[],
  total: number,
  mostAsJson: number,
): Partial<Record<Format, string>> {
  if (rows.length < Math.min(LEAST_SAMPLED, total)) return {};
  const step = Math.ceil(rows.length / MOST_SAMPLED);
  const sample = rows.filter((_, i) => i % step === 0);
  const mean = (bytesOf: (row: Row) => number) =>
    sample.reduce((sum, row) => sum + bytesOf(row), 0) / sample.length;
  const json = mean((row) => bytesAsJson(columns.map(({ name }) => [name, row[name] ?? null])));
  const csv = mean((row) =>
    columns.reduce((sum, { name }) => sum + Buffer.byteLength(String(row[name] ?? '')) + 1, 1),
  );
  const head = columns.reduce((sum, { name }) => sum + name.length + 1, 1);
  return {
    csv: sizeText(head + total * csv),
    ndjson: sizeText(total * json),
    json: sizeText(Math.min(total, mostAsJson) * json),
  };
}

function bytesAsJson(members: readonly (readonly [string, unknown])[]): number {
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(members))) + 1;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Two digits, since more would not be true. */
function sizeText(bytes: number): string {
  const rounded = Number(Math.max(1, bytes).toPrecision(2));
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
  return `about ${numberText(Number((rounded / 1000 ** power).toPrecision(2)))} ${UNITS[power]}`;
}
