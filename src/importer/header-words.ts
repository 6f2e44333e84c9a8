/** A header's words in lower case: `PermitNo`, `permit_no` and `PERMIT NO` are `permit`, `no`. */
export function wordsOf(header: string): string[] {
  return header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Words that stay in capitals. */
const IN_CAPITALS = new Set(['id', 'url', 'uuid', 'guid', 'ein', 'vat', 'iban', 'isbn']);

/** A title for a header: `created_at` is `Created at`; one in mixed case keeps it. */
export function titleOf(header: string): string {
  const spaced = header
    .trim()
    .replace(/[_\s]+/g, ' ')
    .trim();
  const isMixed = /\p{Ll}/u.test(spaced) && /\p{Lu}/u.test(spaced);
  if (isMixed || spaced === '') return spaced;
  const words = spaced
    .toLowerCase()
    .split(' ')
    .map((word) => (IN_CAPITALS.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
