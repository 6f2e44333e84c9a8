import { decimalText } from '../../text/decimal.ts';
import { numberText } from '../../text/wording.ts';
import { padded } from '../../values/calendar.ts';
import { utf8Pieces } from '../decode-text.ts';
import { listed, SeedError } from '../source-table.ts';
import { ZipParts } from '../zip-parts.ts';
import { MAX_TOKEN, type XmlHandler, XmlScanner, type XmlTag } from './xml-scanner.ts';

/**
 * Parts of an Excel file, its texts and a sheet, unpacked; no more than declared. Texts are held in
 * memory, a sheet is read piece by piece.
 */
const MAX_SMALL_PART = 16 * 2 ** 20;
const MAX_TEXTS = 256 * 2 ** 20;
const MAX_SHEET = 4 * 2 ** 30;

export type XlsxSheet = {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
};

/** The fix for a workbook that no program should have written so. */
export const SAVE_ANEW = 'open it in Excel or LibreOffice, and save it anew as .xlsx or CSV';

/** The parts of a workbook to which cells refer. */
export type XlsxWorkbook = {
  readonly sheets: readonly XlsxSheet[];
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  /** The year in which its days begin. */
  readonly system: 1900 | 1904;
  /** Whether its program left the formulas to be calculated. */
  readonly isUncalculated: boolean;
  /** Scans a sheet. After each piece, yields what the handler has made. */
  readonly scan: <T>(sheet: XlsxSheet, handler: XmlHandler, made: () => T) => AsyncGenerator<T>;
};

/** Opens an Excel workbook (ECMA-376, .xlsx), without its sheets' cells. Throws a SeedError. */
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
    const pieces = utf8Pieces(() => zip.bytes(part, most), place, SAVE_ANEW);
    try {
      for await (const piece of pieces) {
        scanner.write(piece);
        yield made();
      }
      scanner.end();
    } catch (error) {
      if (error instanceof SeedError) throw error;
      throw new SeedError(place, `${(error as Error).message}; ${SAVE_ANEW}`);
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
        const { pathname } = new URL(tag.Target ?? '', `zip:///${folder}`);
        const type = (tag.Type ?? '').split('/').at(-1) ?? '';
        found.set(tag.Id ?? '', { part: decodeURI(pathname.slice(1)), type });
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
      if (name === 'workbookPr' && isTrue(tag.date1904)) system = 1904;
      if (name === 'calcPr') isUncalculated = isTrue(tag.fullCalcOnLoad);
      const target = name === 'sheet' ? targets.get(relationOf(tag)) : undefined;
      if (target?.type !== 'worksheet') return;
      const isHidden = /hidden/i.test(tag.state ?? '');
      sheets.push({ name: tag.name ?? '', isHidden, part: target.part });
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

/** The attribute may have any prefix: the strict form of the standard has another namespace. */
function relationOf(tag: XmlTag): string {
  const name = Object.keys(tag).find((one) => one.endsWith(':id'));
  return name === undefined ? '' : (tag[name] as string);
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Gathers the cells' formats, by the numbers with which cells refer to them. */
function formatsInto(formats: CellFormat[]): XmlHandler {
  const codes = new Map<number, CellFormat>();
  let isCells = false;
  return {
    ...IGNORED,
    open: (name, tag) => {
      if (name === 'numFmt') {
        const id = Number(tag.numFmtId);
        codes.set(id, formatOf(tag.formatCode ?? ''));
      } else if (name === 'cellXfs') {
        isCells = true;
      } else if (name === 'xf' && isCells) {
        const id = Number(tag.numFmtId ?? 0);
        formats.push(codes.get(id) ?? builtInFormat(id));
      }
    },
  };
}

/** Gathers the workbook's texts. Joins the parts of a formatted one. */
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

/** Joins the texts of `t` elements, without the pronunciation (`rPh`). */
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

/** How a number format shows a value: as a number, in percent, or as a kind of time. */
type CellFormat =
  /** `digits`: the number of zeros in a format such as that of postal codes. */
  | { readonly kind: 'number'; readonly digits: number }
  | { readonly kind: 'percent' | 'date' | 'datetime' | 'time' | 'elapsed' };

const NUMBER: CellFormat = { kind: 'number', digits: 0 };

/** The formats that a file need not define (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [from: number, to: number, CellFormat['kind']])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'elapsed'],
  [47, 47, 'time'],
  [50, 54, 'date'],
  [55, 56, 'time'],
  [57, 58, 'date'],
];

export function builtInFormat(id: number): CellFormat {
  const [, , kind] = BUILT_IN.find(([from, to]) => from <= id && id <= to) ?? [];
  return kind === undefined || kind === 'number' ? NUMBER : { kind };
}

/** Reads the first section of a format code, such as `dd/mm/yyyy hh:mm` or `#,##0.00 "EUR"`. */
export function formatOf(code: string): CellFormat {
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(code);
  const [bare = ''] = code
    // Text that is quoted, escaped, a filling or in brackets is shown as it is, or not at all.
    .replace(/"[^"]*"|[\\_*].|\[[^[\]]*\]/g, '')
    .split(';');
  if (/^0{2,}$/.test(bare)) return { kind: 'number', digits: bare.length };
  if (/^[#0.,?]+ ?%$/.test(bare)) return { kind: 'percent' };
  if (isElapsed) return { kind: 'elapsed' };
  if (/general|@/i.test(bare)) return NUMBER;
  const hasTime = /[hs]|am\/pm|a\/p/i.test(bare);
  // Beside hours or seconds, m means minutes.
  const hasDate = /[yd]/i.test(bare) || (!hasTime && /m/i.test(bare));
  if (!hasDate && !hasTime) return NUMBER;
  return { kind: hasDate && hasTime ? 'datetime' : hasDate ? 'date' : 'time' };
}

/**
 * Writes the stored value of a number as Excel shows it: a fraction with at most 15 significant
 * digits, so 0.30000000000000004 is 0.3; a whole number with all its digits. Undefined if it is not
 * a number.
 */
export function storedNumberText(stored: string): string | undefined {
  const text = stored.trim();
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return text;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  // Excel cannot store such a number, so its digits are the only source.
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(text.replace(/e.*/i, ''))))
    return text;
  const shortest = String(value);
  // A point and 15 digits.
  if (shortest.length <= 16 && !shortest.includes('e')) return shortest;
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(15));
  const written = String(shown);
  return written.includes('e') ? decimalText(shown) : written;
}

/** A stored share in percent. Raises the exponent, because a product would not be exact. */
function percentText(stored: string): string {
  const [digits, exponent = '0'] = stored.trim().toLowerCase().split('e');
  return `${storedNumberText(`${digits}e${Number(exponent) + 2}`)}%`;
}

const DAY = 86_400_000;

/** Days from Excel's day 0 to 1970-01-01, counting the 29th of February 1900, which never was. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 };

/** 9999-12-31, the last day that Excel shows. */
const LAST_DAY = { 1900: 2_958_465, 1904: 2_957_003 };

/** Shows a stored number by its format: as a number, or as a date and time in ISO 8601. */
export function shownText(
  stored: string,
  format: CellFormat,
  system: 1900 | 1904,
): string | undefined {
  const text = storedNumberText(stored);
  if (text === undefined || format.kind === 'number') {
    const digits = format.kind === 'number' ? format.digits : 0;
    return text !== undefined && /^\d+$/.test(text) ? text.padStart(digits, '0') : text;
  }
  if (format.kind === 'percent') return percentText(stored);
  const milliseconds = Math.round(Number(stored) * DAY);
  if (!(milliseconds >= 0 && milliseconds < (LAST_DAY[system] + 1) * DAY)) return text;
  const days = Math.floor(milliseconds / DAY);
  const rest = milliseconds - days * DAY;
  if (format.kind === 'elapsed') return clockText(milliseconds);
  if (format.kind === 'time' && days === 0) return clockText(rest);
  const date = dateOf(days, system);
  return format.kind === 'date' && rest === 0 ? date : `${date}T${clockText(rest)}`;
}

/**
 * Excel counts a 29th of February 1900, and calls the day before 1900 a 0th of January. They are
 * written as Excel shows them, so no reader takes them for dates.
 */
function dateOf(days: number, system: 1900 | 1904): string {
  if (system === 1900 && days === 60) return '1900-02-29';
  if (system === 1900 && days === 0) return '1900-01-00';
  const counted = system === 1900 && days < 60 ? days + 1 : days;
  const date = new Date((counted - DAYS_TO_1970[system]) * DAY);
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return `${date.getUTCFullYear()}-${padded(month)}-${padded(day)}`;
}

function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = `${padded(hours)}:${padded(minutes)}:${padded(seconds % 60)}`;
  const fraction = milliseconds % 1000;
  return fraction === 0
    ? clock
    : `${clock}.${String(fraction).padStart(3, '0').replace(/0+$/, '')}`;
}

/** Unescapes characters that XML cannot hold: `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\da-fA-F]{4})_/g, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return character.isWellFormed() ? character : whole;
  });
}
