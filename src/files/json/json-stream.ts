import { numberText } from '../../text/wording.ts';
import { placeBehind, utf8Pieces } from '../decode-text.ts';
import {
  listed,
  MAX_RECORD,
  RECORD_SEPARATOR,
  type ReadBytes,
  SeedError,
} from '../source-table.ts';

/** A value's JSON text, and where it begins in the file. */
export type JsonSlice = { readonly text: string; readonly line: number; readonly column: number };

/**
 * Members of one object on the way to the records, whose names are kept to find those that are there
 * twice. A file with more is refused, with what makes a list of it.
 */
const MAX_MEMBERS = 250_000;

/**
 * Goes through a JSON text of any length, and holds at most one value of it. Finds the ends of
 * values by brackets and quotes; the caller checks a taken value.
 */
export class JsonStream {
  readonly #file: string;
  readonly #pieces: AsyncIterator<string>;
  #text = '';
  #at = 0;
  /** The index whose line and column are known. It is not after `#at`. */
  #placed = 0;
  #line = 1;
  #column = 1;
  #nextNewline = -1;

  constructor(readBytes: ReadBytes, file: string) {
    this.#file = file;
    this.#pieces = utf8Pieces(readBytes, file)[Symbol.asyncIterator]();
  }

  /** The next character that is not white space. '' at the end. */
  async peek(): Promise<string> {
    do {
      while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
    } while (this.#at === this.#text.length && (await this.#fill()));
    return this.#text.charAt(this.#at);
  }

  /** Takes the value that begins here. */
  async take(): Promise<JsonSlice> {
    await this.peek();
    this.#place();
    const [line, column] = [this.#line, this.#column];
    const length = await this.#pass(true);
    return { text: this.#text.slice(this.#at - length, this.#at), line, column };
  }

  /** Takes and parses the value that begins here. */
  async value(): Promise<unknown> {
    return this.#parsed((await this.take()).text);
  }

  /** Skips the value that begins here. */
  async skip(): Promise<void> {
    await this.peek();
    await this.#pass(false);
  }

  /** Stops before each element of the array that begins here. The caller takes or skips it. */
  async *elements(): AsyncGenerator<void> {
    await this.#expect('[');
    if ((await this.peek()) === ']') {
      this.#at++;
      return;
    }
    for (;;) {
      yield;
      if ((await this.#either(',', ']')) === ']') return;
    }
  }

  /** Stops before the value of each member of the object that begins here, and yields its name. */
  async *members(): AsyncGenerator<string> {
    await this.#expect('{');
    if ((await this.peek()) === '}') {
      this.#at++;
      return;
    }
    for (const names = new Set<string>(); ; ) {
      if ((await this.peek()) !== '"') throw this.fault('expected a name in quotes');
      const { text } = await this.take();
      const name = this.#parsed(text) as string;
      if (names.has(name)) throw this.fault(`the member ${listed([text])} is there twice`);
      if (names.add(name).size > MAX_MEMBERS) {
        throw this.fault(
          `an object of over ${numberText(MAX_MEMBERS)} members; if each is a row, make a list of them: jq '[to_entries[] | {key} + .value]' <this file> > new.json`,
        );
      }
      await this.#expect(':');
      yield name;
      if ((await this.#either(',', '}')) === '}') return;
    }
  }

  /** Stops before each of several values that stand one after another. The caller takes it. */
  async *documents(): AsyncGenerator<void> {
    while ((await this.peek()) !== '') {
      yield;
      if ((await this.peek()) === ',') this.#at++;
    }
  }

  /** The line of the present place. */
  get line(): number {
    this.#place();
    return this.#line;
  }

  /** Refuses anything after the value that was read. */
  async end(): Promise<void> {
    if ((await this.peek()) !== '')
      throw this.fault(
        'the JSON ends before this place, and there is more text; take out either part',
      );
  }

  /** Makes a fault at the present place. */
  fault(reason: string): SeedError {
    this.#place();
    const where = { line: this.#line, column: String(this.#column) };
    return new SeedError(this.#file, reason, where);
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.fault(`${listed([text])} is not valid JSON`);
    }
  }

  async #either(...expected: readonly [string, string]): Promise<string> {
    const found = await this.peek();
    if (!expected.includes(found)) {
      throw this.fault(
        found === ''
          ? `the file ends where ${expected.join(' or ')} is missing; is it cut off?`
          : `expected ${expected.join(' or ')}, found ${JSON.stringify(found)}`,
      );
    }
    this.#at++;
    return found;
  }

  async #expect(expected: string): Promise<void> {
    await this.#either(expected, expected);
  }

  /** Goes to the end of a value. Returns its length if it is kept. */
  async #pass(isKept: boolean): Promise<number> {
    const first = this.#text.charCodeAt(this.#at);
    if (Number.isNaN(first)) throw this.fault('the file ends where a value is missing');
    if (isNoValue(first)) throw this.fault('expected a value');
    let [at, depth, isText] = [this.#at, 0, false];
    for (;;) {
      const text = this.#text;
      scan: while (at < text.length) {
        if (isText) {
          const quote = text.indexOf('"', at);
          const end = quote < 0 ? text.length : quote;
          let slashes = 0;
          while (end - slashes > at && text.charCodeAt(end - slashes - 1) === BACKSLASH) slashes++;
          if (quote < 0) {
            // The escaped character may come with the next piece.
            at = end - slashes;
            break;
          }
          at = quote + 1;
          if (slashes % 2 === 1) continue;
          isText = false;
          if (depth === 0) return this.#passed(at);
          continue;
        }
        switch (text.charCodeAt(at)) {
          case QUOTE:
            isText = true;
            break;
          case OPEN_OBJECT:
          case OPEN_LIST:
            depth++;
            break;
          case CLOSE_OBJECT:
          case CLOSE_LIST:
            if (depth === 0) return this.#passed(at);
            if (--depth === 0) return this.#passed(at + 1);
            break;
          default:
            if (depth === 0 && isScalarEnd(text.charCodeAt(at))) break scan;
        }
        at++;
      }
      if (at < text.length && !isText) return this.#passed(at);
      if (!isKept) this.#at = at;
      const start = this.#at;
      if (!(await this.#fill())) {
        if (depth > 0 || isText)
          throw this.fault('the file ends inside the value that begins here');
        return this.#passed(this.#text.length);
      }
      at -= start;
    }
  }

  #passed(at: number): number {
    const length = at - this.#at;
    if (length > MAX_RECORD) throw this.#tooLong();
    this.#at = at;
    return length;
  }

  #tooLong(): SeedError {
    return this.fault(`a value of over ${MAX_RECORD / 1e6} million characters begins here`);
  }

  /** Reads on until twice as much is held, so that a long value is copied only a few times. */
  async #fill(): Promise<boolean> {
    const held = this.#text.length - this.#at;
    if (held > MAX_RECORD) throw this.#tooLong();
    this.#place();
    const read: string[] = [];
    for (let length = 0; length <= held; ) {
      const next = await this.#pieces.next();
      if (next.done) break;
      length += next.value.length;
      read.push(next.value);
    }
    if (read.length === 0) return false;
    this.#text = this.#text.slice(this.#at) + read.join('');
    this.#at = 0;
    this.#placed = 0;
    this.#nextNewline = -1;
    return true;
  }

  /** Counts lines up to the present place. */
  #place(): void {
    if (this.#nextNewline < this.#placed) this.#findNewline(this.#placed);
    if (this.#nextNewline >= this.#at) {
      this.#column += this.#at - this.#placed;
    } else {
      const passed = this.#text.slice(this.#placed, this.#at);
      [this.#line, this.#column] = placeBehind(passed, this.#line, this.#column);
      this.#findNewline(this.#at);
    }
    this.#placed = this.#at;
  }

  #findNewline(from: number): void {
    const found = this.#text.indexOf('\n', from);
    this.#nextNewline = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c];

/** White space of JSON, and what stands before each text of a sequence (RFC 7464). */
function isSpace(unit: number): boolean {
  return (
    unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09 || unit === RECORD_SEPARATOR
  );
}

function isNoValue(unit: number): boolean {
  return unit === CLOSE_LIST || unit === CLOSE_OBJECT || unit === COMMA || unit === COLON;
}

function isScalarEnd(unit: number): boolean {
  return unit === COMMA || unit === COLON || isSpace(unit);
}
