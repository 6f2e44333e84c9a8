/**
 * The known name that a caller most likely meant: the same but for case; else at most two edits,
 * and fewer than the shorter name's length; else three or more letters that begin it.
 * Of several equally near, the first.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = 3;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    if (other === lower) return candidate;
    const most = Math.min(bestDistance - 1, Math.min(lower.length, other.length) - 1);
    const distance = editDistance(lower, other, most);
    if (distance <= most) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined || lower.length < 3) return best;
  return known.find((candidate) => candidate.toLowerCase().startsWith(lower));
}

/** Levenshtein's distance, or `most + 1` as soon as it is known to be over `most`. */
function editDistance(a: string, b: string, most: number): number {
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
