/**
 * The secrets that signatures are checked with: more than one while a new one takes an old one's
 * place. Throws a Problem (`secret-unavailable`) where they cannot be read.
 */
export type ReadSecrets = () => Promise<readonly string[]>;

/** Secrets as one text: with spaces or line ends between. */
export function secretsIn(text: string): string[] {
  return text.split(/\s+/).filter((secret) => secret !== '');
}
