/**
 * Decodes the percent-escapes in a path or a part of one. Returns the path unchanged if they cannot
 * be decoded.
 */
export function percentDecoded(path: string, decode = decodeURIComponent): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}

/** Removes the slashes at the end of a path. The root stays a slash. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/**
 * Parses an address. Undefined if the text is not one. Node 20's `URL.canParse` refuses some valid
 * texts with a character from U+0080 to U+00FF after it has been called some thousand times.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
