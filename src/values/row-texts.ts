import type { Row } from './field-type.ts';

/** The rows of a page, each as JSON text: a list of texts, or slices of bytes in memory. */
export type RowTexts = readonly string[] | RowSlices;

/** Rows as JSON text in UTF-8. Each has a comma after it. */
export type RowSlices = {
  readonly length: number;
  /**
   * For each row, the buffer with its bytes, and the offsets of its start and end. The comma is
   * included.
   */
  readonly sources: readonly Buffer[];
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

const COMMA = 1;

/** Returns each row's text. */
export function listTexts(rows: RowTexts): readonly string[] {
  if (!('sources' in rows)) return rows;
  const { length, sources, starts, ends } = rows;
  return Array.from({ length }, (_, i) =>
    (sources[i] as Buffer).toString('utf8', starts[i], (ends[i] as number) - COMMA),
  );
}

/** The size of all rows together. For texts it is approximate. */
export function bytesOfRows(rows: RowTexts): number {
  if (!('sources' in rows)) return rows.reduce((sum, text) => sum + text.length, 0);
  let bytes = 0;
  for (let i = 0; i < rows.length; i++) {
    bytes += (rows.ends[i] as number) - (rows.starts[i] as number);
  }
  return bytes;
}

/** Joins the rows with commas, between two texts. Bytes are copied only once. */
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
    // Rows that are adjacent in memory are copied together.
    do end = ends[i++] as number;
    while (i < length && sources[i] === source && starts[i] === end);
    joined.set(source.subarray(start, end), at);
    at += end - start;
  }
  // The next write overwrites the last comma.
  if (length > 0) at -= COMMA;
  at += joined.write(behind, at);
  return joined.subarray(0, at);
}

/**
 * Rows of an answer, as JSON. A page ends before it would have more.
 *
 * Lambda's limit is 6 MB after base64.
 */
export const MOST_ANSWER_BYTES = 4 * 2 ** 20;

/** Writes a row as JSON text: all fields in the block's order, or `fields` in their order. */
export function rowText(row: Row, fields?: readonly string[]): string {
  if (fields === undefined) return JSON.stringify(row);
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field] ?? null])));
}

/** Takes texts from the beginning, as many as an answer may hold. The texts come in pieces. */
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
