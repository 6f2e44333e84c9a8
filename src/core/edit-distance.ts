/** Levenshtein's distance, or `most + 1` as soon as it is known to be over `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(
        Math.min(substituted, (previous[j] as number) + 1, (current[j - 1] as number) + 1),
      );
    }
    if (Math.min(...current) > most) return most + 1;
    previous = current;
  }
  return previous[b.length] as number;
}
