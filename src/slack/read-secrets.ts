/**
 * Reads the secrets that signatures are checked with: several while a new one replaces an old one.
 * Throws a Problem (`secret-unavailable`) if they cannot be read.
 */
export type ReadSecrets = () => Promise<readonly string[]>;

/** Splits a text into secrets, which are separated by spaces or line ends. */
export function secretsIn(text: string): string[] {
  return text.split(/\s+/).filter((secret) => secret !== '');
}
