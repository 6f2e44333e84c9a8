import { numberText } from '../text/wording.ts';
import { listed } from './source-table.ts';

/** What a scanner reports, in the document's order; names are without their prefixes. */
export type XmlHandler = {
  readonly open: (name: string, tag: string) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

/** Characters of one tag or text: a cell of Excel has at most 32,767. */
export const MAX_TOKEN = 2_000_000;

const MAX_DEPTH = 100;

/**
 * Scans XML that comes in pieces, as far as spreadsheets write it: tags, texts, the five entities
 * and numbered characters. A document type is refused, so nothing can expand. Faults are Errors.
 */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #rest = '';
  #hasRoot = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      if (start < 0) break;
      if (start > at) {
        this.#handler.text(unescaped(text.slice(at, start)));
        at = start;
      }
      const end = this.#passTag(text, start);
      if (end < 0) break;
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > MAX_TOKEN)
      throw new Error(`a text of over ${numberText(MAX_TOKEN)} characters`);
  }

  end(): void {
    if (!this.#hasRoot || this.#open.length > 0 || this.#rest.trim() !== '') {
      throw new Error('the XML is cut off');
    }
  }

  /** Returns where what begins at `start` ends; -1 if that has not come yet. */
  #passTag(text: string, start: number): number {
    const mark = text.charAt(start + 1);
    if (mark === '?') return endBehind(text, '?>', start);
    if (mark === '!') return this.#passMarked(text, start);
    if (mark === '/') return this.#passClosing(text, start);
    const end = endOfTag(text, start + 1);
    if (end < 0) return -1;
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const tag = text.slice(start + 1, isEmpty ? end - 1 : end);
    let space = 0;
    while (space < tag.length && !isSpace(tag.charCodeAt(space))) space++;
    const name = tag.slice(0, space);
    this.#hasRoot = true;
    this.#handler.open(localName(name), tag);
    if (isEmpty) this.#handler.close(localName(name));
    else if (this.#open.push(name) > MAX_DEPTH) throw new Error(`over ${MAX_DEPTH} levels deep`);
    return end + 1;
  }

  #passClosing(text: string, start: number): number {
    const end = text.indexOf('>', start);
    if (end < 0) return -1;
    const name = this.#open.pop();
    const found = text.slice(start + 2, end);
    if (name === undefined || (found !== name && found.trimEnd() !== name)) {
      throw new Error(`</${listed([found])}> closes what is not open`);
    }
    this.#handler.close(localName(name));
    return end + 1;
  }

  #passMarked(text: string, start: number): number {
    if (text.startsWith('<!--', start)) return endBehind(text, '-->', start + 4);
    if (text.startsWith(CDATA, start)) {
      const end = endBehind(text, ']]>', start + CDATA.length);
      if (end > 0) this.#handler.text(text.slice(start + CDATA.length, end - 3));
      return end;
    }
    if (text.length - start < CDATA.length) return -1;
    throw new Error('a document type, which no spreadsheet needs');
  }
}

const CDATA = '<![CDATA[';
const [SLASH, EQUALS, GREATER, QUOTE, APOSTROPHE] = [0x2f, 0x3d, 0x3e, 0x22, 0x27];

/** An attribute's value in a tag; undefined if it is absent. */
export function attributeOf(tag: string, name: string): string | undefined {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + 1)) {
    if (!isSpace(tag.charCodeAt(at - 1))) continue;
    let start = at + name.length;
    while (isSpace(tag.charCodeAt(start))) start++;
    if (tag.charCodeAt(start++) !== EQUALS) continue;
    while (isSpace(tag.charCodeAt(start))) start++;
    const mark = tag.charAt(start++);
    if (mark === '"' || mark === "'") return unescaped(tag.slice(start, tag.indexOf(mark, start)));
  }
  return undefined;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Where a tag's `>` stands; one within quotes is a character. */
function endOfTag(text: string, start: number): number {
  let quote = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === GREATER) return at;
    else if (unit === QUOTE || unit === APOSTROPHE) quote = unit;
  }
  return -1;
}

function endBehind(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescaped(text: string): string {
  // XML's line end is LF (XML 1.0, section 2.11).
  const lined = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (!lined.includes('&')) return lined;
  return lined.replace(/&([^;&]{0,20});?/g, (whole, name: string) => {
    const [, hex, decimal] = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = Number.isNaN(code) ? ENTITIES.get(name) : characterOf(code);
    if (character === undefined || !whole.endsWith(';'))
      throw new Error(`unknown entity ${listed([whole])}`);
    return character;
  });
}

function characterOf(code: number): string | undefined {
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
