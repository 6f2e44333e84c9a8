import { crc32 } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { numberText } from '../values/wording.ts';
import { utf8Pieces } from './encoding.ts';
import { listed, SeedError } from './source-table.ts';
import { builtInFormat, type CellFormat, formatOf, unescapedText } from './xlsx-cell.ts';
import { attributeOf, MAX_TOKEN, type XmlHandler, XmlScanner } from './xml-scanner.ts';

/** Bytes of a part when unpacked: texts are held in memory, a sheet is read piece by piece. */
const MAX_SMALL_PART = 16 * 2 ** 20;
const MAX_TEXTS = 256 * 2 ** 20;
const MAX_SHEET = 4 * 2 ** 30;

export type XlsxSheet = {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
};

/** What a workbook's cells refer to. */
export type XlsxWorkbook = {
  readonly sheets: readonly XlsxSheet[];
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  /** The year in which its days begin. */
  readonly system: 1900 | 1904;
  /** Whether the program that wrote it left its formulas to be calculated. */
  readonly isUncalculated: boolean;
  /** Scans a sheet, and gives what its handler has made after each piece. */
  readonly scan: <T>(sheet: XlsxSheet, handler: XmlHandler, made: () => T) => AsyncGenerator<T>;
};

/** Opens an Excel workbook (ECMA-376, .xlsx): all but its sheets' cells. Throws a SeedError. */
export async function openXlsx(path: string, file: string): Promise<XlsxWorkbook> {
  const zip = await ZipParts.open(path, file);
  async function* scanned<T>(
    part: string,
    handler: XmlHandler,
    most: number,
    made: () => T,
    place = `${file}, ${listed([part])}`,
  ) {
    const scanner = new XmlScanner(handler);
    const pieces = utf8Pieces(() => zip.bytes(part, most), place);
    try {
      for await (const piece of pieces) {
        scanner.write(piece);
        yield made();
      }
      scanner.end();
    } catch (error) {
      throw error instanceof SeedError ? error : new SeedError(place, (error as Error).message);
    }
  }
  const scanPart = async (part: string, handler: XmlHandler, most = MAX_SMALL_PART) => {
    if (!zip.has(part)) return;
    for await (const _ of scanned(part, handler, most, () => {}));
  };

  const relations = async (part: string) => {
    const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
    const found = new Map<string, { part: string; type: string }>();
    await scanPart(`${folder}_rels/${name}.rels`, {
      ...IGNORED,
      open: (element, tag) => {
        if (element !== 'Relationship') return;
        const { pathname } = new URL(attributeOf(tag, 'Target') ?? '', `zip:///${folder}`);
        const type = (attributeOf(tag, 'Type') ?? '').replace(/.*\//, '');
        found.set(attributeOf(tag, 'Id') ?? '', { part: decodeURI(pathname.slice(1)), type });
      },
    });
    return found;
  };
  const ofType = (found: Awaited<ReturnType<typeof relations>>, type: string) =>
    [...found.values()].find((each) => each.type === type)?.part ?? '';

  const main = ofType(await relations(''), 'officeDocument') || 'xl/workbook.xml';
  if (!zip.has(main) || /\.bin$|^(?:word|ppt)\//i.test(main)) {
    throw new SeedError(file, noWorkbook(main));
  }
  const targets = await relations(main);
  const sheets: XlsxSheet[] = [];
  let [system, isUncalculated]: [1900 | 1904, boolean] = [1900, false];
  await scanPart(main, {
    ...IGNORED,
    open: (name, tag) => {
      if (name === 'workbookPr' && isTrue(attributeOf(tag, 'date1904'))) system = 1904;
      if (name === 'calcPr') isUncalculated = isTrue(attributeOf(tag, 'fullCalcOnLoad'));
      const target = name === 'sheet' ? targets.get(relationOf(tag)) : undefined;
      if (target?.type !== 'worksheet') return;
      const isHidden = /hidden/i.test(attributeOf(tag, 'state') ?? '');
      sheets.push({ name: attributeOf(tag, 'name') ?? '', isHidden, part: target.part });
    },
  });
  const formats: CellFormat[] = [];
  await scanPart(ofType(targets, 'styles'), formatsInto(formats));
  const texts: string[] = [];
  await scanPart(ofType(targets, 'sharedStrings'), textsInto(texts), MAX_TEXTS);
  const scan: XlsxWorkbook['scan'] = ({ part, name }, handler, made) =>
    scanned(part, handler, MAX_SHEET, made, `${file}, sheet ${listed([name])}`);
  return { sheets, texts, formats, system, isUncalculated, scan };
}

const IGNORED: XmlHandler = { open: () => {}, text: () => {}, close: () => {} };

function noWorkbook(main: string): string {
  if (main.endsWith('.bin')) return 'an Excel binary workbook (.xlsb); save it as .xlsx';
  return 'a zip archive without an Excel workbook; unpack it, or save the table as .xlsx or CSV';
}

/** Its prefix may be any: the strict form of the standard has another namespace. */
function relationOf(tag: string): string {
  return /\s[\w-]+:id\s*=\s*["']([^"']*)["']/.exec(tag)?.[1] ?? '';
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Gathers the cells' formats, by the numbers with which cells name them. */
function formatsInto(formats: CellFormat[]): XmlHandler {
  const codes = new Map<number, CellFormat>();
  let isCells = false;
  return {
    ...IGNORED,
    open: (name, tag) => {
      if (name === 'numFmt') {
        const id = Number(attributeOf(tag, 'numFmtId'));
        codes.set(id, formatOf(attributeOf(tag, 'formatCode') ?? ''));
      } else if (name === 'cellXfs') {
        isCells = true;
      } else if (name === 'xf' && isCells) {
        const id = Number(attributeOf(tag, 'numFmtId') ?? 0);
        formats.push(codes.get(id) ?? builtInFormat(id));
      }
    },
  };
}

/** Gathers the workbook's texts; the parts of a formatted one are joined. */
function textsInto(texts: string[]): XmlHandler {
  const text = textGatherer();
  return {
    ...text.handler,
    close: (name) => {
      text.handler.close(name);
      if (name === 'si') texts.push(text.take());
    },
  };
}

/** Joins the texts of `t` elements, without how a word is pronounced (`rPh`). */
export function textGatherer(): { readonly handler: XmlHandler; readonly take: () => string } {
  let [gathered, isText, isPhonetic] = ['', false, false];
  return {
    handler: {
      open: (name) => {
        if (name === 't') isText = !isPhonetic;
        if (name === 'rPh') isPhonetic = true;
      },
      text: (text) => {
        if (isText) gathered += text;
        if (gathered.length > MAX_TOKEN)
          throw new Error(`a text of over ${numberText(MAX_TOKEN)} characters`);
      },
      close: (name) => {
        if (name === 't') isText = false;
        if (name === 'rPh') isPhonetic = false;
      },
    },
    take: () => {
      const text = unescapedText(gathered);
      gathered = '';
      return text;
    },
  };
}

const MAX_PARTS = 10_000;

/** The files in a zip archive, by their names in lower case. */
class ZipParts {
  readonly #path: string;
  readonly #file: string;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(path: string, file: string, entries: ReadonlyMap<string, Entry>) {
    this.#path = path;
    this.#file = file;
    this.#entries = entries;
  }

  /** Reads the archive's directory. Throws a SeedError if it is damaged. */
  static async open(path: string, file: string): Promise<ZipParts> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await openPromise(path);
      for await (const entry of zip.eachEntry()) {
        entries.set(entry.fileName.toLowerCase(), entry);
        if (entries.size > MAX_PARTS)
          throw new Error(`it holds over ${numberText(MAX_PARTS)} files`);
      }
    } catch (error) {
      throw damaged(file, error);
    }
    return new ZipParts(path, file, entries);
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * A part's unpacked bytes. A part that declares more than `most` is refused, and so is one that
   * holds more than it declares.
   */
  async *bytes(name: string, most: number): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw new SeedError(this.#file, `${listed([name])} is missing in it`);
    if (entry.uncompressedSize > most) {
      const reason = `${listed([name])} is over ${numberText(most / 2 ** 20)} MiB when unpacked; save it as CSV`;
      throw new SeedError(this.#file, reason);
    }
    if (entry.isEncrypted()) {
      throw new SeedError(this.#file, 'it has a password; save it without one');
    }
    let sum = 0;
    try {
      const zip = await openPromise(this.#path, { autoClose: false });
      try {
        for await (const bytes of await zip.openReadStreamPromise(entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
      } finally {
        zip.close();
      }
      if (sum !== entry.crc32) throw new Error(`the checksum of ${listed([name])} is wrong`);
    } catch (error) {
      throw damaged(this.#file, error);
    }
  }
}

function damaged(file: string, error: unknown): SeedError {
  if (error instanceof SeedError) return error;
  return new SeedError(file, `a damaged zip archive: ${listed([(error as Error).message])}`);
}
