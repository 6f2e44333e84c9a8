/** Rows of a page as JSON text, each; or where they lie in memory. */
export type RowTexts = readonly string[] | RowSlices;

/** Rows out of all rows of a dataset, which lie one behind the other as bytes, each with a comma. */
export type RowSlices = {
  readonly length: number;
  readonly bytes: Uint8Array;
  /** Where each row of the dataset begins; and where one more would. */
  readonly starts: Uint32Array;
  /** Of these rows in the dataset. */
  readonly positions: Uint32Array;
};

const COMMA = 1;

/** Lays rows one behind the other. */
export function layRows(texts: readonly string[]): Omit<RowSlices, 'length' | 'positions'> {
  const starts = new Uint32Array(texts.length + 1);
  for (const [position, text] of texts.entries()) {
    starts[position + 1] = (starts[position] as number) + Buffer.byteLength(text) + COMMA;
  }
  const bytes = Buffer.allocUnsafeSlow(starts[texts.length] as number);
  for (const [position, text] of texts.entries()) {
    bytes.write(`${text},`, starts[position] as number);
  }
  return { bytes, starts };
}

/** The size of a row's text, in bytes. */
export function bytesOfRow(starts: Uint32Array, position: number): number {
  return (starts[position + 1] as number) - (starts[position] as number) - COMMA;
}

/** Each row's text. */
export function textsOf(rows: RowTexts): readonly string[] {
  if (!('positions' in rows)) return rows;
  const { bytes, starts, positions } = rows;
  return Array.from(positions, (position) => {
    const start = starts[position] as number;
    return decoder.decode(bytes.subarray(start, start + bytesOfRow(starts, position)));
  });
}

const decoder = new TextDecoder();

/** The rows with commas between, behind one text and before another: bytes, copied once. */
export function joinRows(rows: RowTexts, before: string, behind: string): string | Uint8Array {
  if (!('positions' in rows)) return `${before}${rows.join(',')}${behind}`;
  const { bytes, starts, positions } = rows;
  let size = 0;
  for (const position of positions) size += bytesOfRow(starts, position) + COMMA;
  const joined = Buffer.allocUnsafe(Buffer.byteLength(before) + size + Buffer.byteLength(behind));
  let at = joined.write(before);
  for (let i = 0; i < positions.length; ) {
    const first = i;
    // Those that lie beside each other go together.
    do i++;
    while (positions[i] === (positions[i - 1] as number) + 1);
    const start = starts[positions[first] as number] as number;
    const end = starts[(positions[i - 1] as number) + 1] as number;
    joined.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  // In the place of the last comma.
  if (positions.length > 0) at -= COMMA;
  at += joined.write(behind, at);
  return joined.subarray(0, at);
}
