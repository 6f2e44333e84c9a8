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

/**
 * A title for a header: `created_at` and `CreatedAt` are `Created at`; other mixed case is kept.
 */
export function titleOf(header: string): string {
  const spaced = apart(header.replace(/[_\s]+|(?<=\p{L})\.(?=\p{L})/gu, ' ').trim());
  const isMixed = /\p{Ll}/u.test(spaced) && /\p{Lu}/u.test(spaced);
  if (isMixed || spaced === '') return spaced;
  const words = spaced
    .toLowerCase()
    .split(' ')
    .map((word) => (IN_CAPITALS.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Words that are written as one, each with a capital. Pieces of one letter are of a name: `GmbH`. */
function apart(header: string): string {
  const isJoined = /^(?:\p{Lu}?\p{Ll}+)(?:\p{Lu}\p{Ll}+|(?<=\p{Ll})\p{Lu}{2,})+$/u.test(header);
  if (header === 'OBJECTID') return 'Object ID';
  if (!isJoined) return header;
  const words = header.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  if (words.some((word) => word.length === 1)) return header;
  return words
    .map((word, i) => (i === 0 || /^\p{Lu}{2}/u.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
