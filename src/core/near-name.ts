import { editDistance } from './edit-distance.ts';

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
