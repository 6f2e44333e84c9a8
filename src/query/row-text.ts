import type { Row } from '../fields/field.ts';

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
