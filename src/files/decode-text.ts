import { isAscii, isUtf8 } from 'node:buffer';
import { numberText, showCell } from '../text/wording.ts';
import { type ReadBytes, SeedError } from './source-table.ts';

/** The encoding of a file's text: a label of the Encoding Standard, such as `utf-8`. */
export type Encoding = string;

export const REPLACE_THEM =
  "read such bytes as \ufffd by --bad-bytes replace (in block.json, the dialect's badBytes)";

/** The fix for a text with many zero bytes. */
export const LEAVE_THEM_OUT = '--bad-bytes replace leaves them out of a text';

/** A file of text. */
export type TextSource = {
  readonly readBytes: ReadBytes;
  readonly file: string;
  readonly encoding: Encoding;
};

/**
 * Decodes a file, and makes every line end LF, also within cells, so that all line ends give the
 * same rows. Throws a SeedError at a byte that is not of the encoding, unless `bad` counts such
 * bytes.
 */
export async function* decodeText(
  { readBytes, file, encoding }: TextSource,
  bad?: BadBytes,
): AsyncGenerator<string> {
  if (bad !== undefined) {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    for await (const bytes of readBytes()) yield bad.decode(bytes, decoder);
    yield bad.decode(undefined, decoder);
    return;
  }
  const lineEnds = new LineEnds();
  const decoder = strictDecoder(encoding);
  const decode = async (bytes?: Uint8Array) => {
    try {
      const text = decoder(bytes);
      if (!text.includes('\0')) return lineEnds.normalise(text, bytes === undefined);
      const reason = `a zero byte, as no text has; ${LEAVE_THEM_OUT} (in block.json, the dialect's badBytes)`;
      throw new SeedError(file, reason, { line: await lineOfZero(readBytes, encoding) });
    } catch (error) {
      if (!(error instanceof UndecodableError)) throw error;
      const name = encoding.toUpperCase();
      const fix =
        encoding === 'utf-8'
          ? 'save the file as UTF-8'
          : 'if the file is in another encoding, name it by --encoding';
      throw new SeedError(file, `a byte that is not ${name}; ${fix}, or ${REPLACE_THEM}`, {
        line: (await findFault(readBytes, encoding))?.line as number,
      });
    }
  };
  for await (const bytes of readBytes()) yield await decode(bytes);
  yield await decode();
}

async function lineOfZero(readBytes: ReadBytes, encoding: Encoding): Promise<number> {
  const bad = new BadBytes();
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const bytes of readBytes()) {
    bad.decode(bytes, decoder);
    if (bad.firstZero > 0) break;
  }
  return bad.firstZero;
}

/** Counts the places of a file that are read as U+FFFD, and its zero bytes, which are left out. */
export class BadBytes {
  replaced = 0;
  #zeros = 0;
  #firstReplaced = 0;
  /** The line of the first zero byte. 0 if there is none. */
  firstZero = 0;
  /** Bytes of a character that the end of a piece has cut. */
  #cut: Uint8Array = new Uint8Array();
  #isFirst = true;
  readonly #lineEnds = new LineEnds();
  #line = 1;

  /** Decodes a piece of a file, or its end if there is no piece. Line ends become LF. */
  decode(piece: Uint8Array | undefined, decoder: TextDecoder): string {
    const isLast = piece === undefined;
    const isUtf8Text = decoder.encoding === 'utf-8';
    const bytes = Buffer.concat([this.#cut, piece ?? new Uint8Array()]);
    const end = bytes.length - (isUtf8Text && !isLast ? cutLength(bytes) : 0);
    const whole = bytes.subarray(0, end);
    this.#cut = bytes.subarray(end);
    const decoded = decoder.decode(whole, { stream: !isLast });
    const text =
      decoder.encoding === 'windows-1252' ? decoded.replace(UNKNOWN_1252, '\ufffd') : decoded;
    const genuine = isUtf8Text ? placesOf(REPLACEMENT, whole) : [];
    const replaced = placesOf('\ufffd', text);
    if (replaced.length > genuine.length) {
      // Before the first replaced place, U+FFFD is at the same bytes in the file.
      const isReplaced = (at: number, i: number) =>
        Buffer.byteLength(text.slice(0, at)) !== genuine[i];
      this.#firstReplaced ||= this.#lineAt(text, replaced.find(isReplaced) as number);
      this.replaced += replaced.length - genuine.length;
    }
    const zeros = placesOf('\0', text);
    if (zeros.length > 0) this.firstZero ||= this.#lineAt(text, zeros[0] as number);
    this.#zeros += zeros.length;
    const withoutMark = this.#isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    this.#isFirst &&= text === '';
    const shown = this.#lineEnds.normalise(withoutMark.replaceAll('\0', ''), isLast);
    this.#line += placesOf('\n', shown).length;
    return shown;
  }

  #lineAt(text: string, at: number): number {
    const before = this.#lineEnds.heldBack + text.slice(0, at);
    return this.#line + (before.match(/\r\n?|\n/g)?.length ?? 0);
  }

  /** A clause for each kind of counted bytes. */
  notes(encoding: Encoding): string[] {
    const notes: string[] = [];
    const placed = (count: number, line: number) =>
      count === 1 ? `in line ${line}` : `the first in line ${line}`;
    const [replaced, zeros] = [this.replaced, this.#zeros];
    if (replaced > 0) {
      const what = replaced === 1 ? 'place that is' : 'places that are';
      const read = `${replaced === 1 ? 'is' : 'are'} read as \ufffd`;
      const where = placed(replaced, this.#firstReplaced);
      notes.push(`${numberText(replaced)} ${what} not ${encoding} ${read}, ${where}`);
    }
    if (zeros > 0) {
      const what = zeros === 1 ? 'zero byte is' : 'zero bytes are';
      notes.push(`${numberText(zeros)} ${what} left out, ${placed(zeros, this.firstZero)}`);
    }
    return notes;
  }
}

/** The Encoding Standard maps the five bytes that windows-1252 lacks to control characters. */
const UNKNOWN_1252 = /[\x81\x8d\x8f\x90\x9d]/g;

/** U+FFFD in UTF-8. A file may contain it. */
const REPLACEMENT = Buffer.from('\ufffd');

function placesOf<T>(sought: T, text: { indexOf(sought: T, from: number): number }): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought, 0); at >= 0; at = text.indexOf(sought, at + 1))
    places.push(at);
  return places;
}

/** The error that `strictDecoder` throws. */
class UndecodableError extends Error {}

/**
 * Makes a decoder that throws at the first byte not of the encoding. It is called without bytes at
 * the end.
 */
function strictDecoder(encoding: Encoding): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  if (decoder.encoding === 'utf-8') return utf8Decoder();
  const decode = (bytes?: Uint8Array) => {
    try {
      // Always decodes as a stream: otherwise some versions of Node take windows-1252 for Latin-1.
      return decoder.decode(bytes ?? new Uint8Array(), { stream: bytes !== undefined });
    } catch {
      throw new UndecodableError();
    }
  };
  if (decoder.encoding !== 'windows-1252') return decode;
  return (bytes) => {
    const text = decode(bytes);
    if (text.search(UNKNOWN_1252) >= 0) throw new UndecodableError();
    return text;
  };
}

/**
 * Decodes UTF-8 as a fatal TextDecoder does, without the byte order mark. Several times as fast: that
 * one makes every text of two bytes a character.
 */
function utf8Decoder(): (bytes?: Uint8Array) => string {
  /** Bytes of a character that the next piece may complete. */
  let cut: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (bytes) => {
    if (bytes === undefined) {
      if (cut.length > 0) throw new UndecodableError();
      return '';
    }
    const all =
      cut.length > 0
        ? Buffer.concat([cut, bytes])
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const whole = all.subarray(0, all.length - cutLength(all));
    cut = all.subarray(whole.length);
    if (isAscii(whole)) {
      isFirst &&= whole.length === 0;
      if (cut.length > 0) checkBeginning(cut);
      return whole.toString('latin1');
    }
    if (!isUtf8(whole)) throw new UndecodableError();
    if (cut.length > 0) checkBeginning(cut);
    const text = whole.toString('utf8');
    const hasMark = isFirst && text.startsWith('\ufeff');
    isFirst = false;
    return hasMark ? text.slice(1) : text;
  };
}

/** Throws if no character of UTF-8 begins with these bytes. */
function checkBeginning(bytes: Uint8Array): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw new UndecodableError();
  }
}

/** Turns CRLF and CR into LF, in a text that comes in pieces. */
class LineEnds {
  /** A CR that is kept for the next piece. */
  heldBack = '';

  normalise(piece: string, isLast: boolean): string {
    const text = this.heldBack + piece;
    // A CR at the end may be half of a CRLF.
    this.heldBack = !isLast && text.endsWith('\r') ? '\r' : '';
    const whole = this.heldBack === '' ? text : text.slice(0, -1);
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }
}

export type Fault = {
  readonly line: number;
  /** The text around the fault in its line, read as windows-1252. */
  readonly reads: string;
  /** The line of the first character before the fault that is not ASCII, if any. */
  readonly firstBeyondAscii?: number;
};

/** Finds the first line that is not of an encoding. Undefined if all are. */
export async function findFault(
  readBytes: ReadBytes,
  encoding: Encoding,
): Promise<Fault | undefined> {
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
    // Also shows the rest of the line.
    behind += piece.length;
    if (behind > SHOWN_AROUND || isLineEnd(piece.at(-1))) break;
  }
  const reads = showCell(aroundFault(bytesOfLine));
  return { line, reads, firstBeyondAscii };
}

export async function isDecodable(readBytes: ReadBytes, encoding: Encoding): Promise<boolean> {
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

/** Yields a file's bytes, cut after each line end. */
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

/** Bytes before a wrong one that are kept to show it. */
const MOST_OF_LINE = 2 ** 16;

/** Bytes of a line that are shown before a fault, and after it. */
const SHOWN_AROUND = 24;

function aroundFault(line: Uint8Array): string {
  const [before] = new TextDecoder().decode(line).split('\ufffd') as [string];
  const at = Buffer.byteLength(before);
  const start = Math.max(at - SHOWN_AROUND, line.lastIndexOf(0x0d, at) + 1, 0);
  const shown = line.subarray(start, at + SHOWN_AROUND);
  return new TextDecoder('windows-1252').decode(shown, { stream: true }).trim();
}

/**
 * Yields a file's text in pieces, without a byte order mark. Throws a SeedError at a byte that is
 * not UTF-8, with `fix` as the fix.
 */
export async function* utf8Pieces(
  readBytes: ReadBytes,
  file: string,
  fix = `save the file as UTF-8, name its encoding by --encoding, or ${REPLACE_THEM}`,
): AsyncGenerator<string> {
  // A mark within the text is a character.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let before: Uint8Array = new Uint8Array();
  let [line, column, isFirst] = [1, 1, true];
  for await (const some of readBytes()) {
    const bytes = before.length === 0 ? some : Buffer.concat([before, some]);
    const end = bytes.length - cutLength(bytes);
    before = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(whole, file, line, column, fix);
    const text = decoder.decode(whole);
    const shown = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    isFirst &&= text === '';
    [line, column] = placeBehind(shown, line, column);
    if (shown !== '') yield shown;
  }
  if (before.length > 0) throw notUtf8(before, file, line, column, fix);
}

/** The place after a text that begins at this one. */
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

function notUtf8(
  bytes: Uint8Array,
  file: string,
  line: number,
  column: number,
  fix: string,
): SeedError {
  const isUtf16 = line === 1 && column === 1 && (bytes[0] === 0xff || bytes[0] === 0xfe);
  const reason = `${isUtf16 ? 'the file begins like UTF-16' : 'a byte that is not UTF-8'}; ${fix}`;
  // The decoder throws at the byte that makes a character impossible.
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
