import { numberText } from '../../text/wording.ts';
import { placeBehind } from '../decode-text.ts';
import {
  type CellType,
  listed,
  MAX_COLUMNS,
  MAX_DEPTH,
  MAX_LEVELS,
  RecordError,
  SeedError,
} from '../source-table.ts';
import type { JsonSlice } from './json-stream.ts';

const [MINUS, ZERO, NINE, LETTER_F, LETTER_T] = [0x2d, 0x30, 0x39, 0x66, 0x74];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST] = [0x7b, 0x7d, 0x5b];
const [CLOSE_LIST, COMMA, COLON, QUOTE, BACKSLASH] = [0x5d, 0x2c, 0x3a, 0x22, 0x5c];

/** A record's text, and its number in the file. */
export type NumberedSlice = { readonly slice: JsonSlice; readonly number: number };

/**
 * A member of the records, and its own members. It is a column once it holds anything but objects.
 */
type Member = {
  readonly path: readonly string[];
  readonly below: Map<string, Member>;
  column: number | undefined;
  /** The last record that has the member. */
  record: number;
};

/**
 * The columns of JSON objects, in order of first appearance: `{ "a": { "b": 1 } }` has a column
 * `a.b`. Numbers keep their characters, and so do arrays, as JSON text without spaces. Null is
 * blank.
 */
export class JsonColumns {
  /** The names of each column, from the record inwards. */
  readonly paths: (readonly string[])[] = [];
  readonly #file: string;
  readonly #top: Member = memberAt([]);
  #members = 0;
  #record = 0;
  /** The members that the last record has added. */
  readonly #added: { readonly member: Member; readonly above?: Member }[] = [];
  #notNumbers = { count: 0, first: 0 };
  #slice: JsonSlice = { text: '', line: 1, column: 1 };
  #text = '';
  #at = 0;
  #cells: string[] = [];
  #types: CellType[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** The JSON type of each cell of the last record. */
  get types(): readonly CellType[] {
    return this.#types;
  }

  /** Returns the record's cells, one for each column known so far. A new member adds a column. */
  cellsOf(slice: JsonSlice): string[] {
    this.#slice = slice;
    this.#text = slice.text;
    this.#at = 0;
    this.#record++;
    this.#added.length = 0;
    this.#cells = new Array<string>(this.paths.length).fill('');
    this.#types = new Array<CellType>(this.paths.length).fill('other');
    this.#space();
    if (this.#unit() !== OPEN_OBJECT)
      throw this.#fault(`expected an object, found ${this.#kind()}`);
    this.#object(this.#top);
    this.#space();
    if (this.#at < this.#text.length)
      throw this.#fault('the object ends before this place, and there is more text');
    return this.#cells;
  }

  /** Takes back the columns of the last record, which is not a row. */
  forget(): void {
    for (const { member, above } of this.#added.splice(0).reverse()) {
      if (above === undefined) {
        member.column = undefined;
        this.paths.pop();
      } else {
        above.below.delete(member.path.at(-1) as string);
        this.#members--;
      }
    }
  }

  /** A clause about NaNs that were read as blank, in one reading of the records. */
  notes(): string[] {
    const { count, first } = this.#notNumbers;
    if (count === 0) return [];
    return [
      `NaN, which JSON does not have, is nothing in ${numberText(count)} ${count === 1 ? 'cell' : 'cells'}, first in record ${numberText(first)}`,
    ];
  }

  /** The column of the member at this path. */
  columnAt(path: readonly string[]): number | undefined {
    let member: Member | undefined = this.#top;
    for (const name of path) member = member?.below.get(name);
    return member?.column;
  }

  /** Reads an object, at most MAX_LEVELS deep. */
  #object(member: Member): void {
    this.#at++;
    this.#space();
    for (let isFirst = true; this.#unit() !== CLOSE_OBJECT; isFirst = false) {
      if (!isFirst) {
        this.#expect(COMMA);
        this.#space();
      }
      const at = this.#at;
      const name = this.#string();
      const below = member.below.get(name) ?? this.#add(member, name);
      if (below.record === this.#record) throw this.#fault(twice(name), at);
      below.record = this.#record;
      this.#space();
      this.#expect(COLON);
      this.#space();
      if (this.#unit() === OPEN_OBJECT && below.path.length < MAX_LEVELS) this.#object(below);
      else this.#cell(below);
      this.#space();
    }
    this.#at++;
  }

  #cell(member: Member): void {
    const type = typeAt(this.#unit());
    const cell = type === 'text' ? this.#string() : this.#plain();
    // A member that is null in every record is still a column.
    if (member.column === undefined) {
      member.column = this.paths.push(member.path) - 1;
      this.#added.push({ member });
      this.#cells.push('');
      this.#types.push('other');
    }
    if (cell !== 'null' || type === 'text') {
      this.#cells[member.column] = cell;
      this.#types[member.column] = type;
    }
  }

  #add(member: Member, name: string): Member {
    if (++this.#members > MAX_COLUMNS) {
      throw new SeedError(
        this.#file,
        `over ${numberText(MAX_COLUMNS)} different members; a record is to have fixed members, so write those of one kind as a list`,
        this.#placeOf(this.#at),
      );
    }
    const below = memberAt([...member.path, name]);
    member.below.set(name, below);
    this.#added.push({ member: below, above: member });
    return below;
  }

  /** A value's JSON. NaN becomes null: Python's `json` writes it for a missing number. */
  #plain(): string {
    if (!this.#text.startsWith(NOT_A_NUMBER, this.#at)) return this.#json(0);
    this.#at += NOT_A_NUMBER.length;
    const { count, first } = this.#notNumbers;
    this.#notNumbers = { count: count + 1, first: first || this.#record };
    return 'null';
  }

  /** A value's JSON without spaces, at most MAX_DEPTH deep. */
  #json(depth: number): string {
    const opening = this.#unit();
    if (opening !== OPEN_OBJECT && opening !== OPEN_LIST) return this.#scalar();
    if (depth === MAX_DEPTH) throw this.#fault(`nested over ${MAX_DEPTH} levels deep`);
    const isObject = opening === OPEN_OBJECT;
    const closing = isObject ? CLOSE_OBJECT : CLOSE_LIST;
    const names = isObject ? new Set<string>() : undefined;
    const parts: string[] = [];
    this.#at++;
    this.#space();
    while (this.#unit() !== closing) {
      if (parts.length > 0) {
        this.#expect(COMMA);
        this.#space();
      }
      let part = '';
      if (names !== undefined) {
        const at = this.#at;
        const name = this.#string();
        if (names.has(name)) throw this.#fault(twice(name), at);
        names.add(name);
        part = `${this.#text.slice(at, this.#at)}:`;
        this.#space();
        this.#expect(COLON);
        this.#space();
      }
      parts.push(part + this.#json(depth + 1));
      this.#space();
    }
    this.#at++;
    return isObject ? `{${parts.join(',')}}` : `[${parts.join(',')}]`;
  }

  /** A string, a number, true, false or null as written. */
  #scalar(): string {
    const start = this.#at;
    if (this.#unit() === QUOTE) {
      this.#string();
    } else {
      SCALAR.lastIndex = start;
      if (!SCALAR.test(this.#text)) throw this.#fault(`expected a value, found ${this.#kind()}`);
      this.#at = SCALAR.lastIndex;
    }
    return this.#text.slice(start, this.#at);
  }

  #string(): string {
    const start = this.#at;
    if (this.#unit() !== QUOTE) throw this.#fault('expected a name in quotes');
    let isEscaped = false;
    for (let at = start + 1; ; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === QUOTE) {
        this.#at = at + 1;
        break;
      }
      if (unit === BACKSLASH) {
        isEscaped = true;
        at++;
      } else if (!(unit >= 0x20)) {
        throw Number.isNaN(unit)
          ? this.#fault('a text that begins here does not end', start)
          : this.#fault('a control character in a text; JSON writes a newline as \\n', at);
      }
    }
    if (!isEscaped) return this.#text.slice(start + 1, this.#at - 1);
    let text: string;
    try {
      text = JSON.parse(this.#text.slice(start, this.#at));
    } catch {
      throw this.#fault('a backslash that is no escape of JSON', start);
    }
    // Only an escape can write half a pair, because the file is UTF-8.
    if (!text.isWellFormed())
      throw this.#fault('half of a surrogate pair, which is no text', start);
    return text;
  }

  #kind(): string {
    const unit = this.#unit();
    if (Number.isNaN(unit)) return 'the end';
    if (unit === OPEN_LIST) return 'an array';
    if (unit === OPEN_OBJECT) return 'an object';
    const text = this.#text.slice(this.#at, this.#at + 20);
    return listed([text.split(/[\s,\]}]/)[0] || text.charAt(0)]);
  }

  #unit(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #expect(unit: number): void {
    if (this.#unit() !== unit) {
      throw this.#fault(`expected "${String.fromCharCode(unit)}", found ${this.#kind()}`);
    }
    this.#at++;
  }

  #space(): void {
    for (; ; this.#at++) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }

  #fault(reason: string, at = this.#at): RecordError {
    return new RecordError(this.#file, reason, this.#placeOf(at));
  }

  #placeOf(at: number): { readonly line: number; readonly column: string } {
    const { text, line: first, column: before } = this.#slice;
    const [line, column] = placeBehind(text.slice(0, at), first, before);
    return { line, column: String(column) };
  }
}

/**
 * The type of a value, by its first character. A list stays text and says nothing about its column.
 */
function typeAt(unit: number): CellType {
  if (unit === QUOTE) return 'text';
  if (unit === MINUS || (unit >= ZERO && unit <= NINE)) return 'number';
  return unit === LETTER_T || unit === LETTER_F ? 'boolean' : 'other';
}

const NOT_A_NUMBER = 'NaN';

// Numbers as in RFC 8259, section 6.
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

function memberAt(path: readonly string[]): Member {
  return { path, below: new Map(), column: undefined, record: 0 };
}

function twice(name: string): string {
  return `the member "${listed([name])}" is there twice in one object`;
}
