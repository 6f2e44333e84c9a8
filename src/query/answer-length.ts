import type { Arguments } from '../arguments/given.ts';
import { type Block, datasetOf } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { MOST_LIMIT } from '../block/options.ts';
import type { ColumnBytes, OutputFormat, PlacesAsked } from '../formats/format.ts';
import { FORMATS, type Format } from '../formats/formats.ts';
import { jsonBytes } from '../formats/ndjson.ts';
import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { ownMember } from '../values/field-type.ts';
import { type Field, typeOf } from '../values/field-types.ts';
import { bytesOfRows } from '../values/row-texts.ts';
import type { PlannedRun, RowsOutput } from './run.ts';

/** What a whole answer is of, and the bytes that its channel sends; any number if absent. */
export type WholeAnswer = {
  readonly block: Block;
  readonly manifest?: Manifest;
  readonly places?: PlacesAsked;
  readonly most: number | undefined;
};

/**
 * Throws a Problem if a whole answer would be longer than its channel sends, by what the import knows
 * of its columns. The estimate errs on the side of the answer: what turns out longer breaks off.
 */
export function checkLength(
  { block, manifest, places, most }: WholeAnswer,
  format: Format,
  { total, rows }: RowsOutput,
  values: Arguments['values'],
  { asked }: PlannedRun,
): void {
  if (most === undefined || manifest === undefined) return;
  // Groups are few, and how many rows come after a cursor is not known.
  if (asked === undefined || asked.query.grouping || asked.query.after !== undefined) return;
  const { fields = [] } = datasetOf(block) ?? {};
  const chosen = values._fields as readonly string[] | undefined;
  const given = fields.filter(({ name }) => chosen?.includes(name) ?? true);
  const columns = columnsOf(given, manifest);
  // Rows that a filter leaves may be shorter than the others, as the first of them are.
  const isAll = FORMATS[format].readsAllFields === true;
  const read = jsonBytes(isAll ? columnsOf(fields, manifest) : columns);
  const share = total < manifest.rows ? Math.min(1, bytesOfRows(rows) / rows.length / read) : 1;
  const bytesAs = ({ rowBytes }: OutputFormat) =>
    Math.round(total * share * (rowBytes?.(columns, places) ?? 0));
  const bytes = bytesAs(FORMATS[format]);
  if (bytes <= most) return;
  const isParquetShorter = bytesAs(FORMATS.parquet) <= most;
  throw tooLong(format, total, bytes, { most, isParquetShorter });
}

/** What the import knows of the length of columns. */
function columnsOf(fields: readonly Field[], manifest: Manifest): ColumnBytes[] {
  const rows = Math.max(1, manifest.rows);
  return fields.map((field) => {
    const { nulls = rows, bytes = 0 } = ownMember(manifest.fields, field.name) ?? {};
    const isText = typeOf(field).json === 'string';
    return { name: field.name, isText, filled: 1 - nulls / rows, bytes: bytes / rows };
  });
}

function tooLong(
  format: Format,
  total: number,
  bytes: number,
  { most, isParquetShorter }: { readonly most: number; readonly isParquetShorter: boolean },
): Problem {
  const parquet = isParquetShorter ? ', take Parquet (_format=parquet), which is shorter' : '';
  const detail = `${numberText(total)} rows match, about ${megabytes(bytes)} as ${FORMATS[format].title}, and an answer has at most ${megabytes(most)} here. Ask for pages: with _limit=${MOST_LIMIT}, and then with the _cursor that each answer's Link header has, until it has none. Or name the fields that you need in _fields${parquet}, or filter for fewer rows.`;
  return new Problem('result-too-large', detail, {
    faults: [{ code: 'result-too-large', detail, parameter: '_limit' }],
  });
}

function megabytes(bytes: number): string {
  return `${numberText(Math.ceil(bytes / 1e6))} MB`;
}

/** A body that breaks off where it would have more bytes than its channel sends. */
export async function* within(
  most: number | undefined,
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    if (most !== undefined) bytes += Buffer.byteLength(piece);
    if (most !== undefined && bytes > most) {
      throw new Problem('result-too-large', `The answer has more than ${megabytes(most)}.`);
    }
    yield piece;
  }
}
