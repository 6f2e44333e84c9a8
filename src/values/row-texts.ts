import type { Row } from './field-type.ts';

/** The rows of a page: each as JSON text, or as slices of bytes in memory. */
export type RowTexts = readonly string[] | RowSlices;

/** Rows as JSON text in UTF-8, each with a comma behind it. */
export type RowSlices = {
  readonly length: number;
  /** The bytes that hold each row, and where it begins and ends, its comma included. */
  readonly sources: readonly Buffer[];
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

const COMMA = 1;

/** Each row's text. */
export function listTexts(rows: RowTexts): readonly string[] {
  if (!('sources' in rows)) return rows;
  const { length, sources, starts, ends } = rows;
  return Array.from({ length }, (_, i) =>
    (sources[i] as Buffer).toString('utf8', starts[i], (ends[i] as number) - COMMA),
  );
}

/** The size of all rows together; of texts, about. */
export function bytesOfRows(rows: RowTexts): number {
  if (!('sources' in rows)) return rows.reduce((sum, text) => sum + text.length, 0);
  let bytes = 0;
  for (let i = 0; i < rows.length; i++) {
    bytes += (rows.ends[i] as number) - (rows.starts[i] as number);
  }
  return bytes;
}

/** Joins the rows with commas between two texts; bytes are copied only once. */
export function joinRows(rows: RowTexts, before: string, behind: string): string | Uint8Array {
  if (!('sources' in rows)) return `${before}${rows.join(',')}${behind}`;
  const { length, sources, starts, ends } = rows;
  const size = Buffer.byteLength(before) + bytesOfRows(rows) + Buffer.byteLength(behind);
  const joined = Buffer.allocUnsafe(size);
  let at = joined.write(before);
  for (let i = 0; i < length; ) {
    const source = sources[i] as Buffer;
    const start = starts[i] as number;
    let end: number;
    // Adjacent rows are copied together.
    do end = ends[i++] as number;
    while (i < length && sources[i] === source && starts[i] === end);
    joined.set(source.subarray(start, end), at);
    at += end - start;
  }
  // Overwrites the last comma.
  if (length > 0) at -= COMMA;
  at += joined.write(behind, at);
  return joined.subarray(0, at);
}

/** The most bytes of serialised rows in one answer; Lambda's limit is 6 MB after base64. */
export const MOST_ANSWER_BYTES = 4 * 2 ** 20;

/** A row as JSON text: all fields in the block's order, or `fields` in their order. */
export function rowText(row: Row, fields?: readonly string[]): string {
  if (fields === undefined) return JSON.stringify(row);
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field] ?? null])));
}

/** The first of some texts, which come in pieces: as many as an answer holds. */
export async function textsThatFit(
  pieces: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<readonly string[]> {
  const fitting: string[] = [];
  let bytes = 0;
  for await (const texts of pieces) {
    for (const text of texts) {
      bytes += Buffer.byteLength(text);
      if (bytes > MOST_ANSWER_BYTES) return fitting;
      fitting.push(text);
    }
  }
  return fitting;
}
