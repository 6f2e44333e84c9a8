import type { Row } from './field-type.ts';

/** The rows of a page, each as JSON text: a list of texts, or bytes that were in memory. */
export type RowTexts = readonly string[] | RowBytes;

/**
 * Rows as JSON in UTF-8, each before a comma, as `bytesText` writes bytes: V8 joins texts in
 * half the time in which it copies slices of a buffer.
 */
export type RowBytes = { readonly length: number; readonly bytes: readonly string[] };

const COMMA = 1;

/** The bytes of a text in UTF-8, each as the character of its number. */
export function bytesText(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** Without control characters, which JSON escapes. */
const ASCII = /^[ -~]*$/;

/** Returns each row's text. */
export function listTexts(rows: RowTexts): readonly string[] {
  if (!('bytes' in rows)) return rows;
  return Array.from({ length: rows.length }, (_, i) =>
    Buffer.from(rows.bytes[i] as string, 'latin1')
      .toString()
      .slice(0, -COMMA),
  );
}

/** The size of all rows together. For texts it is approximate. */
export function bytesOfRows(rows: RowTexts): number {
  if (!('bytes' in rows)) return rows.reduce((sum, text) => sum + text.length, 0);
  let bytes = 0;
  for (let i = 0; i < rows.length; i++) bytes += (rows.bytes[i] as string).length;
  return bytes;
}

/** Texts of rows that are joined at once: of a long answer, no more than this is in memory twice. */
const JOINED_AT_ONCE = 2 ** 17;

/** Joins the rows with commas, between two texts. */
export function joinRows(rows: RowTexts, before: string, behind: string): string | Uint8Array {
  if (!('bytes' in rows)) return `${before}${rows.join(',')}${behind}`;
  const { length, bytes } = rows;
  const end = bytesText(behind);
  let text = bytesText(before);
  const joined = Buffer.allocUnsafe(text.length + bytesOfRows(rows) + end.length);
  let at = 0;
  for (let i = 0; i < length; i++) {
    text += bytes[i] as string;
    if (text.length < JOINED_AT_ONCE) continue;
    at += joined.write(text, at, 'latin1');
    text = '';
  }
  at += joined.write(text, at, 'latin1');
  // The end overwrites the last comma.
  if (length > 0) at -= COMMA;
  at += joined.write(end, at, 'latin1');
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
