/** The rows of a page: each as JSON text, or as slices of bytes in memory. */
export type RowTexts = readonly string[] | RowSlices;

/** Some of a dataset's rows; `bytes` holds all of its rows in sequence, each with a comma. */
export type RowSlices = {
  readonly length: number;
  readonly bytes: Uint8Array;
  /** The offset of each row of the dataset, and the offset after the last one. */
  readonly starts: Uint32Array;
  /** The positions of these rows in the dataset. */
  readonly positions: Uint32Array;
};

const COMMA = 1;

/** Writes rows into one buffer in sequence. */
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

/** Joins the rows with commas between two texts; bytes are copied only once. */
export function joinRows(rows: RowTexts, before: string, behind: string): string | Uint8Array {
  if (!('positions' in rows)) return `${before}${rows.join(',')}${behind}`;
  const { bytes, starts, positions } = rows;
  let size = 0;
  for (const position of positions) size += bytesOfRow(starts, position) + COMMA;
  const joined = Buffer.allocUnsafe(Buffer.byteLength(before) + size + Buffer.byteLength(behind));
  let at = joined.write(before);
  for (let i = 0; i < positions.length; ) {
    const first = i;
    // Adjacent rows are copied together.
    do i++;
    while (positions[i] === (positions[i - 1] as number) + 1);
    const start = starts[positions[first] as number] as number;
    const end = starts[(positions[i - 1] as number) + 1] as number;
    joined.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  // Overwrites the last comma.
  if (positions.length > 0) at -= COMMA;
  at += joined.write(behind, at);
  return joined.subarray(0, at);
}
