import { SaxesParser } from 'saxes';
import { numberText } from '../../text/wording.ts';

/** A tag's attributes, by their names as written. */
export type XmlTag = Readonly<Record<string, string>>;

/**
 * Receives what a scanner finds, in the document's order. Names of elements lack their prefixes.
 */
export type XmlHandler = {
  readonly open: (name: string, tag: XmlTag) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

/** Characters of one tag or text: a cell of Excel has at most 32,767. */
export const MAX_TOKEN = 2_000_000;

/** Nested elements. */
const MAX_DEPTH = 100;

/**
 * Scans XML that comes in pieces. Refuses a document type, so nothing can expand. Faults are
 * Errors.
 */
export class XmlScanner {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  #depth = 0;
  /** The characters since the last tag or text. */
  #held = 0;

  constructor({ open, text, close }: XmlHandler) {
    const parser = this.#parser;
    const take = (found: string) => {
      this.#held = 0;
      text(found);
    };
    parser.on('opentag', ({ name, attributes }) => {
      this.#held = 0;
      if (++this.#depth > MAX_DEPTH) throw new Error(`over ${MAX_DEPTH} levels deep`);
      open(localName(name), attributes);
    });
    parser.on('text', take);
    parser.on('cdata', take);
    parser.on('closetag', ({ name }) => {
      this.#held = 0;
      this.#depth--;
      close(localName(name));
    });
    parser.on('error', ({ message }) => {
      throw new Error(`not well-formed XML: ${message.replace(/\.$/, '')}`);
    });
    parser.on('doctype', () => {
      throw new Error('a document type, which no spreadsheet needs');
    });
  }

  write(piece: string): void {
    this.#held += piece.length;
    this.#parser.write(piece);
    if (this.#held > MAX_TOKEN)
      throw new Error(`a text of over ${numberText(MAX_TOKEN)} characters`);
  }

  end(): void {
    try {
      this.#parser.close();
    } catch {
      throw new Error('the XML is cut off');
    }
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
