/**
 * Texts stored one after another. The text at `index` goes from `ends[index - 1]`, or 0, to
 * `ends[index]`.
 */
export type TextRun = { readonly bytes: Buffer; readonly ends: Uint32Array };

export function startOf({ ends }: TextRun, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] as number);
}

export function lengthAt(run: TextRun, index: number): number {
  return (run.ends[index] as number) - startOf(run, index);
}

export function textAt(run: TextRun, index: number): string {
  return run.bytes.toString('utf8', startOf(run, index), run.ends[index]);
}

export function bytesOfRun({ bytes, ends }: TextRun): number {
  return bytes.length + ends.byteLength;
}

/** Whether two texts have the same bytes. */
export function isSameText(a: TextRun, indexInA: number, b: TextRun, indexInB: number): boolean {
  let at = startOf(a, indexInA);
  const end = a.ends[indexInA] as number;
  if (end - at !== lengthAt(b, indexInB)) return false;
  for (let i = startOf(b, indexInB); at < end; at++, i++)
    if (a.bytes[at] !== b.bytes[i]) return false;
  return true;
}

/** Some texts of a run in memory of their own. */
export function textsOf(run: TextRun, indices: Uint32Array): TextRun {
  const ends = new Uint32Array(indices.length);
  let end = 0;
  for (let i = 0; i < ends.length; i++) {
    end += lengthAt(run, indices[i] as number);
    ends[i] = end;
  }
  const bytes = Buffer.from(new ArrayBuffer(end));
  for (let i = 0, to = 0; i < ends.length; i++) {
    const last = run.ends[indices[i] as number] as number;
    for (let at = startOf(run, indices[i] as number); at < last; at++) {
      bytes[to++] = run.bytes[at] as number;
    }
  }
  return { bytes, ends };
}
