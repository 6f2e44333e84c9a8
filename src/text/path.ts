/** A path, or a part of it, without percent-escapes; as it is if these stand for no text. */
export function percentDecoded(path: string, decode = decodeURIComponent): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}

/** A path without the slashes at its end; the root stays a slash. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

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
