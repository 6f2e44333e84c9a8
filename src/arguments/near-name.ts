import { distance } from 'fastest-levenshtein';

/** Something that can be called by several words: a field is, by its own name and its parameters'. */
export type Named = { readonly words: readonly string[]; readonly isMain?: boolean };

/** What a word may have meant, and the word of it that is nearest. */
export type Near<N extends Named> = { readonly named: N; readonly word: string };

/**
 * Those that a word most likely meant, all equally near; none where nothing is near. Near is the
 * same but for case; else a few edits, one for every four letters of the longer word; else one
 * begins the other, by three letters or more.
 */
export function nearest<N extends Named>(word: string, all: readonly N[]): readonly Near<N>[] {
  const lower = word.toLowerCase();
  let best = UNRELATED;
  let found: Near<N>[] = [];
  for (const named of all) {
    for (const word of named.words) {
      const far = textDistance(lower, word.toLowerCase());
      if (far === UNRELATED || far > best) continue;
      if (far < best) found = [];
      best = far;
      // Which of several words of one was meant, nobody can tell: then it is its first.
      const isSame = found.at(-1)?.named === named;
      if (isSame) found.pop();
      found.push({ named, word: isSame ? (named.words[0] as string) : word });
    }
  }
  return found;
}

/** The one that a word most likely meant: of several equally near the main one, else none. */
export function nearestOne<N extends Named>(word: string, all: readonly N[]): Near<N> | undefined {
  const found = nearest(word, all);
  return found.length === 1 ? found[0] : found.find(({ named }) => named.isMain);
}

/** The known name that was most likely meant; none where two are equally near. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const distinct = [...new Set(known)];
  return nearestOne(
    name,
    distinct.map((word) => ({ words: [word] })),
  )?.word;
}

/** Beyond any number of edits that is still near. */
const BEGINS = 1000;
const UNRELATED = Number.POSITIVE_INFINITY;

function textDistance(a: string, b: string): number {
  if (a === b) return 0;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const added = longer.length - shorter.length;
  // What is left out at an end is no slip of so many letters.
  if (added > 1 && shorter.length >= 3 && longer.startsWith(shorter)) return BEGINS;
  const most = Math.min(Math.ceil(longer.length / 4), shorter.length - 1);
  // By the lengths first: a caller's word may be as long as a body.
  if (added > most) return UNRELATED;
  const edits = isSwapped(a, b) ? 1 : distance(a, b);
  return edits <= most ? edits : UNRELATED;
}

/** Whether two neighbouring letters have changed places, the commonest slip of all. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}
