import { distance } from 'fastest-levenshtein';

/** Something with several names: a field has its own name and those of its parameters. */
export type Named = { readonly words: readonly string[]; readonly isMain?: boolean };

/** What a word may have meant, and which of its names is the nearest. */
export type NearMatch<N extends Named> = { readonly named: N; readonly word: string };

/**
 * The most likely meanings of a word, all equally near. Empty if nothing is near. The same word in
 * another case is the nearest. Next is a word with a few edits, at most one per four letters of the
 * longer word, or with other underscores at its beginning. Last is a word that begins the other and
 * has at least three letters.
 */
export function nearest<N extends Named>(word: string, all: readonly N[]): readonly NearMatch<N>[] {
  const lower = word.toLowerCase();
  let best = UNRELATED;
  let found: NearMatch<N>[] = [];
  for (const named of all) {
    for (const word of named.words) {
      const far = nameDistance(lower, word.toLowerCase());
      if (far === UNRELATED || far > best) continue;
      if (far < best) found = [];
      best = far;
      // If several words of one candidate are equally near, its first word stands for it.
      const isSame = found.at(-1)?.named === named;
      if (isSame) found.pop();
      found.push({ named, word: isSame ? (named.words[0] as string) : word });
    }
  }
  return found;
}

/**
 * The most likely meaning of a word. If several are equally near, it is the main one, if there is
 * one.
 */
export function nearestOne<N extends Named>(
  word: string,
  all: readonly N[],
): NearMatch<N> | undefined {
  const found = nearest(word, all);
  return found.length === 1 ? found[0] : found.find(({ named }) => named.isMain);
}

/** The most likely known name. Undefined if several are equally near. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const distinct = [...new Set(known)];
  return nearestOne(
    name,
    distinct.map((word) => ({ words: [word] })),
  )?.word;
}

/** Greater than any number of edits that counts as near. */
const BEGINS = 1000;
const UNRELATED = Number.POSITIVE_INFINITY;

/**
 * How far apart two names are: the number of edits while they are few, otherwise whether one begins
 * the other. query/why-empty.ts compares the values of a dataset, word by word.
 */
function nameDistance(a: string, b: string): number {
  if (a === b) return 0;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const added = longer.length - shorter.length;
  if (added <= MOST_UNDERSCORES && withoutUnderscores(a) === withoutUnderscores(b)) return 1;
  // A word cut off at its end is an abbreviation, so its missing letters are not counted as edits.
  if (added > 1 && shorter.length >= 3 && longer.startsWith(shorter)) return BEGINS;
  const most = Math.min(Math.ceil(longer.length / 4), shorter.length - 1);
  // The lengths are compared first, because a caller's word may be as long as a body.
  if (added > most) return UNRELATED;
  const edits = isSwapped(a, b) ? 1 : distance(a, b);
  return edits <= most ? edits : UNRELATED;
}

/**
 * Names that differ by at most this many underscores at the beginning are near. The lengths are
 * compared first, because a caller's word may be as long as a body.
 */
const MOST_UNDERSCORES = 3;

function withoutUnderscores(word: string): string {
  return word.replace(/^_+/, '');
}

/** Tells whether two neighbouring letters are swapped, which is the commonest typing error. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}
