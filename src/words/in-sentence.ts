/**
 * A title for use within a sentence; one that begins with an abbreviation or a digit is unchanged.
 */
export function inSentence(title: string): string {
  return /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
