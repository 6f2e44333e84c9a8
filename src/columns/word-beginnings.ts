/**
 * What words begin with, if a text has all of these beginnings: in order of their bytes, without
 * those that begin another one.
 */
export function beginningsOf(words: readonly string[]): Buffer[] {
  const ordered = words.map((word) => Buffer.from(word)).sort(Buffer.compare);
  return ordered.filter((one, i) => ordered[i + 1]?.subarray(0, one.length).equals(one) !== true);
}

/**
 * Which beginning the bytes have, of some in order; -1 if none. Their first `same` bytes need no
 * look, as far as there are so many.
 */
export function beginningAt(
  bytes: Buffer,
  place: number,
  end: number,
  beginnings: readonly Buffer[],
  same: number,
): number {
  let low = 0;
  let high = beginnings.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const beginning = beginnings[middle] as Buffer;
    const most = Math.min(beginning.length, end - place);
    let at = same;
    while (at < most && bytes[place + at] === beginning[at]) at++;
    if (at < most && (bytes[place + at] as number) > (beginning[at] as number)) low = middle + 1;
    else if (at < most || most < beginning.length) high = middle - 1;
    else return middle;
  }
  return -1;
}
