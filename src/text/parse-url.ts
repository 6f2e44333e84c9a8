/**
 * The address that a text is; undefined if it is none. Node 20's `URL.canParse` refuses some valid
 * texts with a character of U+0080 to U+00FF once it has been called some thousand times.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
