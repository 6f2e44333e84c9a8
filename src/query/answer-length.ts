import type { Arguments } from '../arguments/given.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { MOST_LIMIT } from '../block/options.ts';
import type { ColumnBytes, PlacesAsked } from '../formats/format.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { jsonBytes } from '../formats/ndjson.ts';
import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { bytesOfRows } from '../values/row-texts.ts';
import type { PlannedRun, RowsOutput } from './run.ts';

/** The bytes that a channel sends as one answer; any number if absent. */
export type WholeBounds = {
  readonly most: number | undefined;
  /** Whether base64 makes more bytes of it. */
  readonly inOnePiece?: boolean;
};

/** What a whole answer is of, and what it may have. */
export type WholeAnswer = WholeBounds & {
  readonly block: Block;
  readonly manifest?: Manifest;
  /** Where its rows are on a map. */
  readonly places?: PlacesAsked;
};

/**
 * Throws a Problem if a whole answer would be longer than its channel sends, by what the import knows
 * of its columns. The estimate errs on the side of the answer: what turns out longer breaks off.
 */
export function checkLength(
  { block, manifest, places, most, inOnePiece }: WholeAnswer,
  format: Format,
  { total, rows }: RowsOutput,
  values: Arguments['values'],
  { asked }: PlannedRun,
): void {
  if (most === undefined || manifest === undefined || block.answers !== 'rows') return;
  // Groups are few, and how many rows come after a cursor is not known.
  if (asked === undefined || asked.query.grouping || asked.query.after !== undefined) return;
  const ofRows = { block, manifest, places, inOnePiece, total, values };
  const whole = { ...ofRows, sampled: bytesOfRows(rows) / rows.length };
  const bytes = bytesOfWhole(whole, format);
  if (bytes <= most) return;
  const isParquetShorter = bytesOfWhole(whole, 'parquet') <= most;
  throw tooLong(format, total, bytes, { most, isParquetShorter });
}

/** The rows of a whole answer. */
type WholeRows = Omit<WholeAnswer, 'most'> & {
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly values: Arguments['values'];
  readonly total: number;
  /** The bytes of one as JSON, on average of some that were read. */
  readonly sampled: number;
};

/** About how many bytes a whole answer has, by what the import knows of its columns. */
export function bytesOfWhole(
  { block, manifest, places, inOnePiece, values, total, sampled }: WholeRows,
  format: Format,
): number {
  const columns = columnsOfAll(fieldsAsked(block, values), manifest);
  const { isBinary, readsAllFields } = FORMATS[format];
  const read = readsAllFields === true ? columnsOfAll(block.fields, manifest) : columns;
  // Rows that a filter leaves may have shorter values than the others, as the first of them do.
  const share = total < manifest.rows ? shareOfValues(sampled, read) : 1;
  const bytes = bytesOfFile(withShare(columns, share), total, format, places);
  return Math.round(bytes * (inOnePiece && isBinary ? BASE64 : 1));
}

/** About how many bytes a file has, of rows or groups with such columns. */
export function bytesOfFile(
  columns: readonly ColumnBytes[],
  total: number,
  format: Format,
  places?: PlacesAsked,
): number {
  const { rowBytes, headBytes } = FORMATS[format];
  return (headBytes?.(columns) ?? 0) + total * (rowBytes?.(columns, places) ?? 0);
}

/** The fields that an answer has. */
export function fieldsAsked({ fields }: DatasetBlock, values: Arguments['values']): Field[] {
  const chosen = values._fields as readonly string[] | undefined;
  return fields.filter(({ name }) => chosen?.includes(name) ?? true);
}

/** The bytes of some rows' values, as a share of what the import knows of all: at most 1. */
function shareOfValues(sampled: number, columns: readonly ColumnBytes[]): number {
  const names = jsonBytes(withShare(columns, 0));
  const values = jsonBytes(columns) - names;
  return values > 0 ? Math.max(0, Math.min(1, (sampled - names) / values)) : 1;
}

function withShare(columns: readonly ColumnBytes[], share: number): ColumnBytes[] {
  return columns.map((column) => ({ ...column, bytes: column.bytes * share }));
}

/** What the import knows of the length of columns. */
export function columnsOfAll(fields: readonly Field[], manifest: Manifest): ColumnBytes[] {
  const rows = Math.max(1, manifest.rows);
  return fields.map((field) => {
    const { nulls = rows, bytes = 0 } = ownMember(manifest.fields, field.name) ?? {};
    const isText = typeOf(field).json === 'string';
    return { name: field.name, isText, filled: 1 - nulls / rows, bytes: bytes / rows };
  });
}

/** The length of the columns of some rows or groups. */
export function columnsOfSample(rows: readonly Row[], fields: readonly Field[]): ColumnBytes[] {
  return fields.map((field) => {
    const texts = rows.flatMap((row) => ownMember(row, field.name) ?? []).map(String);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / rows.length;
    const isText = typeOf(field).json === 'string';
    return { name: field.name, isText, filled: texts.length / rows.length, bytes };
  });
}

/** What base64 makes of a byte. */
const BASE64 = 4 / 3;

function tooLong(
  format: Format,
  total: number,
  bytes: number | undefined,
  { most, isParquetShorter }: { readonly most: number; readonly isParquetShorter?: boolean },
): Problem {
  const parquet = isParquetShorter ? ', take Parquet (_format=parquet), which is shorter' : '';
  const length = bytes === undefined ? `more than ${megabytes(most)}` : `about ${megabytes(bytes)}`;
  const detail = `${numberText(total)} rows match, ${length} as ${FORMATS[format].title}, and an answer has at most ${megabytes(most)} here. Ask for pages: with _limit=${MOST_LIMIT}, and then with the _cursor that each answer's Link header has, until it has none. Or name the fields that you need in _fields${parquet}, or filter for fewer rows.`;
  return new Problem('result-too-large', detail, { fault: { parameter: '_limit' } });
}

/** The refusal of a page, which is made as a whole. */
export function pageTooLong(most: number): Problem {
  const detail = `The page is longer than the ${megabytes(most)} that this service hands over at once. Ask for fewer rows with _limit, or for fewer fields with _fields.`;
  return new Problem('result-too-large', detail, { fault: { parameter: '_limit' } });
}

function megabytes(bytes: number): string {
  return `${numberText(Math.ceil(bytes / 1e6))} MB`;
}

/**
 * A body that ends with a Problem where it would have more bytes than its channel sends: what is
 * streamed breaks off, and what leaves in one piece is refused.
 */
export async function* within(
  { most, inOnePiece }: WholeBounds,
  format: Format,
  total: number,
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  const isText = FORMATS[format].isBinary !== true;
  let bytes = 0;
  let asJson = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (inOnePiece && isText) asJson += jsonTextBytes(piece);
    const asBase64 = bytes * BASE64;
    const left = !inOnePiece ? bytes : isText ? Math.min(asJson, asBase64) : asBase64;
    if (most !== undefined && left > most) throw tooLong(format, total, undefined, { most });
    yield piece;
  }
}

/** The bytes of a piece of text inside a text of JSON. */
function jsonTextBytes(piece: string | Uint8Array): number {
  const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
