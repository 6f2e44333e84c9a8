import { type ColumnBytes, type OutputFormat, textPieces } from './format.ts';

/** A row a line (github.com/ndjson/ndjson-spec). */
export const ndjson: OutputFormat = {
  title: 'NDJSON',
  contentType: 'application/x-ndjson; charset=utf-8',
  accepted: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  extension: 'ndjson',
  isPackedToo: true,
  rowBytes: jsonBytes,
  writer: () =>
    textPieces({
      before: '',
      rows: (texts) => texts.map((text) => `${text}\n`).join(''),
      behind: '',
    }),
};

/** About how many bytes a row has as JSON, with a comma or a line's end after it. */
export function jsonBytes(columns: readonly ColumnBytes[]): number {
  const members = columns.map(({ name, isText, filled, bytes }) => {
    const quotes = isText ? 2 * filled : 0;
    const nulls = (1 - filled) * 'null'.length;
    return Buffer.byteLength(name) + '"":,'.length + bytes + quotes + nulls;
  });
  return members.reduce((sum, member) => sum + member, '{}'.length);
}
