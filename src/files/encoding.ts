import { isUtf8 } from 'node:buffer';
import { showCell } from '../text/wording.ts';
import { type ReadBytes, SeedError } from './source-table.ts';

/** How a file's bytes are read as text: a label of the Encoding Standard, such as `utf-8`. */
export type Encoding = string;

/** The encoding of a file, and why it is taken for that. */
type FoundEncoding = {
  readonly encoding: Encoding;
  readonly why: string;
  /**
   * Set if a person must decide: the first line that is not UTF-8, and what is read around that
   * place in the proposed encoding.
   */
  readonly needsAsking?: { readonly line: number; readonly reads: string };
};

/**
 * Finds a file's encoding: by its byte order mark, by the zero bytes of UTF-16, else UTF-8 if every
 * byte of the file is. Otherwise it proposes windows-1252, and a person must decide.
 */
export async function findEncoding(readBytes: ReadBytes, file: string): Promise<FoundEncoding> {
  const head = await headOf(readBytes);
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte));
  const encoding = mark?.encoding ?? encodingByZeros(head, file);
  const fault = encoding === 'utf-8' ? await findFault(readBytes, encoding) : undefined;
  if (fault === undefined) {
    if (mark !== undefined) return { encoding, why: 'it begins with the byte order mark' };
    const why = encoding === 'utf-8' ? 'every byte is' : 'every other byte is zero';
    return { encoding, why };
  }
  const { line, reads, firstBeyondAscii } = fault;
  if (mark !== undefined) {
    throw new SeedError(file, `begins with UTF-8's byte order mark, and ${reads} is not UTF-8`, {
      line,
    });
  }
  if (!(await isDecodable(readBytes, 'windows-1252'))) {
    throw new SeedError(file, `neither UTF-8 nor windows-1252; name its encoding`, { line });
  }
  const mixed =
    firstBeyondAscii === undefined
      ? ''
      : `, though line ${firstBeyondAscii} has a character that is: the file may mix two encodings`;
  return {
    encoding: 'windows-1252',
    why: `line ${line} is not UTF-8${mixed}`,
    needsAsking: { line, reads },
  };
}

const MARKS: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** Enough to hold line ends and delimiters of any table. */
const HEAD_BYTES = 2 ** 16;

async function headOf(readBytes: ReadBytes): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of readBytes()) {
    read.push(bytes.subarray(0, HEAD_BYTES - length));
    length += bytes.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(read);
}

/**
 * Delimiters and line ends are ASCII, which UTF-16 writes with a zero byte: behind the other byte if
 * it is little-endian. No text in another encoding has zero bytes.
 */
function encodingByZeros(head: Uint8Array, file: string): Encoding {
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) (zeros[i % 2] as number)++;
  });
  const [even, odd] = zeros as [number, number];
  if (even + odd === 0) return 'utf-8';
  if (odd > 20 * even) return 'utf-16le';
  if (even > 20 * odd) return 'utf-16be';
  throw new SeedError(file, 'has zero bytes as no text has; save it as CSV in UTF-8');
}

/**
 * Decodes a file, and makes every line end LF, also within cells: all kinds then give the same rows,
 * and csv-parse, which counts a quoted CRLF as two lines, counts right.
 */
export async function* decodeText(
  readBytes: ReadBytes,
  encoding: Encoding,
  file: string,
): AsyncGenerator<string> {
  const decoder = strictDecoder(encoding);
  const lineEnds = new LineEnds();
  const decode = async (bytes?: Uint8Array) => {
    try {
      return lineEnds.normalise(decoder(bytes), bytes === undefined);
    } catch (error) {
      if (!(error instanceof UndecodableError)) throw error;
      const name = encoding.toUpperCase();
      const fix =
        encoding === 'utf-8' ? 'save the file as UTF-8' : 'is the file in another encoding?';
      throw new SeedError(file, `a byte that is not ${name}; ${fix}`, {
        line: (await findFault(readBytes, encoding))?.line as number,
      });
    }
  };
  for await (const bytes of readBytes()) yield await decode(bytes);
  yield await decode();
}

/** What `strictDecoder` throws. */
class UndecodableError extends Error {}

/** Throws at the first byte that is not of the encoding. Called without bytes at the end. */
function strictDecoder(encoding: Encoding): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      // Always as a stream: read at once, some versions of Node take windows-1252 for Latin-1.
      return decoder.decode(bytes ?? new Uint8Array(), { stream: bytes !== undefined });
    } catch {
      throw new UndecodableError();
    }
  };
  if (decoder.encoding !== 'windows-1252') return decode;
  return (bytes) => {
    const text = decode(bytes);
    // The Encoding Standard maps the five bytes that windows-1252 lacks to controls.
    if (/[\x81\x8d\x8f\x90\x9d]/.test(text)) throw new UndecodableError();
    return text;
  };
}

/** Makes LF of CRLF and CR, in a text that comes in pieces. */
class LineEnds {
  #heldBack = '';

  normalise(piece: string, isLast: boolean): string {
    const text = this.#heldBack + piece;
    // A CR at the end may be half of a CRLF.
    this.#heldBack = !isLast && text.endsWith('\r') ? '\r' : '';
    const whole = this.#heldBack === '' ? text : text.slice(0, -1);
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }
}

type Fault = {
  readonly line: number;
  /** What is around the fault in its line, read as windows-1252. */
  readonly reads: string;
  /** The line of the first character before it that is not ASCII, if there is any. */
  readonly firstBeyondAscii?: number;
};

/** The first line that is not of an encoding; undefined if all are. */
async function findFault(readBytes: ReadBytes, encoding: Encoding): Promise<Fault | undefined> {
  if (await isDecodable(readBytes, encoding)) return undefined;
  const decoder = strictDecoder(encoding);
  const lineEnds = new LineEnds();
  let line = 1;
  let bytesOfLine: Uint8Array = new Uint8Array();
  let firstBeyondAscii: number | undefined;
  let behind: number | undefined;
  for await (const piece of linesOf(readBytes)) {
    bytesOfLine = Buffer.concat([bytesOfLine, piece]).subarray(-MOST_OF_LINE);
    try {
      const text = behind === undefined ? lineEnds.normalise(decoder(piece), false) : '';
      if (/[^\0-\x7f]/.test(text)) firstBeyondAscii ??= line;
      if (text.includes('\n')) bytesOfLine = text.endsWith('\n') ? new Uint8Array() : piece;
      line += text.split('\n').length - 1;
    } catch {
      // A CR that was held back is a line end.
      line += lineEnds.normalise('', true).length;
      behind = 0;
    }
    if (behind === undefined) continue;
    // The rest of the line is shown too.
    behind += piece.length;
    if (behind > SHOWN_AROUND || isLineEnd(piece.at(-1))) break;
  }
  const reads = showCell(aroundFault(bytesOfLine));
  return { line, reads, ...(firstBeyondAscii === undefined ? {} : { firstBeyondAscii }) };
}

async function isDecodable(readBytes: ReadBytes, encoding: Encoding): Promise<boolean> {
  const decoder = strictDecoder(encoding);
  try {
    for await (const bytes of readBytes()) decoder(bytes);
    decoder();
    return true;
  } catch (error) {
    if (error instanceof UndecodableError) return false;
    throw error;
  }
}

/** A file's bytes, cut behind each line end. */
async function* linesOf(readBytes: ReadBytes): AsyncGenerator<Uint8Array> {
  for await (const bytes of readBytes()) {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (!isLineEnd(bytes[at])) continue;
      yield bytes.subarray(start, at + 1);
      start = at + 1;
    }
    yield bytes.subarray(start);
  }
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;

const MOST_OF_LINE = 2 ** 16;

/** So many bytes of a line are shown before and behind a fault. */
const SHOWN_AROUND = 24;

function aroundFault(line: Uint8Array): string {
  const [before] = new TextDecoder().decode(line).split('\ufffd') as [string];
  const at = Buffer.byteLength(before);
  const start = Math.max(at - SHOWN_AROUND, line.lastIndexOf(0x0d, at) + 1, 0);
  const shown = line.subarray(start, at + SHOWN_AROUND);
  return new TextDecoder('windows-1252').decode(shown, { stream: true }).trim();
}

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
