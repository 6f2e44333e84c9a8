import { Problem } from '../problem/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of these bytes, without a byte order mark. Throws a Problem if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const detail = 'The body holds bytes that are not UTF-8. Save or send it as UTF-8.';
    throw new Problem('invalid-encoding', detail, { cause });
  }
}
