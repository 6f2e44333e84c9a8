/**
 * The steps of a JSON Pointer (RFC 6901), unescaped; undefined if the text is not a pointer. The
 * empty text is one, and points at the whole document.
 */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value in a document at the end of these steps; undefined if there is none. */
export function valueAt(
  document: unknown,
  path: readonly string[],
): { readonly value: unknown } | undefined {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    // A list also has own members that are not items, such as `length`.
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(step)) return undefined;
    if (!Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return { value };
}
