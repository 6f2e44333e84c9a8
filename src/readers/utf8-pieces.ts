import { isUtf8 } from 'node:buffer';
import { SeedError } from './seed-error.ts';
import type { ReadBytes } from './source-table.ts';

/** A file's text in pieces, without a byte order mark. A byte that is not UTF-8 is a SeedError. */
export async function* utf8Pieces(readBytes: ReadBytes, file: string): AsyncGenerator<string> {
  // A mark within the text is a character of it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let before: Uint8Array = new Uint8Array();
  let [line, column, isFirst] = [1, 1, true];
  for await (const some of readBytes()) {
    const bytes = before.length === 0 ? some : Buffer.concat([before, some]);
    const end = bytes.length - cutLength(bytes);
    before = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(whole, file, line, column);
    const text = decoder.decode(whole);
    const shown = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    isFirst &&= text === '';
    [line, column] = placeBehind(shown, line, column);
    if (shown !== '') yield shown;
  }
  if (before.length > 0) throw notUtf8(before, file, line, column);
}

/** The place behind a text that begins at this one. */
export function placeBehind(text: string, line: number, column: number): [number, number] {
  let [lines, start] = [line, -1];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    start = at;
  }
  return [lines, start < 0 ? column + text.length : text.length - start];
}

/** How many bytes at the end begin a character that the next bytes may complete. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function notUtf8(bytes: Uint8Array, file: string, line: number, column: number): SeedError {
  const reason =
    line === 1 && column === 1 && (bytes[0] === 0xff || bytes[0] === 0xfe)
      ? 'the file begins like UTF-16; save it as UTF-8'
      : 'a byte that is not UTF-8; save the file as UTF-8';
  // The decoder refuses at the byte that makes a character impossible.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let place: [number, number] = [line, column];
  try {
    for (let at = 0; at < bytes.length; at++) {
      const text = decoder.decode(bytes.subarray(at, at + 1), { stream: true });
      place = placeBehind(text, ...place);
    }
  } catch {}
  return new SeedError(file, reason, { line: place[0], column: String(place[1]) });
}
