import { LEAVE_THEM_OUT } from './decode-text.ts';
import { zerosIn } from './encoding.ts';
import type { Beginning } from './file-format.ts';
import {
  DEFAULT_FILE_FORMAT,
  FILE_FORMAT_NAMES,
  FILE_FORMATS,
  type FileFormatName,
  FORMATS_IN_WORDS,
} from './file-formats.ts';
import { listed, RECORD_SEPARATOR, SeedError } from './source-table.ts';
import { firstInZip } from './zip-parts.ts';

/** First bytes of a file from which its format is detected. */
export const DETECTED_BYTES = 65_536;

/**
 * Detects a file's format by its first bytes, and by its name if these allow several. Throws a
 * SeedError if the file is something else: a web page, a PDF, a picture, another office format. A
 * text may have a few zero bytes, or many if `badBytes` leaves them out.
 */
export function detectFormat(
  firstBytes: Uint8Array,
  file: string,
  badBytes?: 'replace',
): FileFormatName {
  const beginning = beginningOf(firstBytes, file);
  const { start, isBinary, ending } = beginning;
  const binary = BINARY.findLast((name) => FILE_FORMATS[name].isIn?.(beginning));
  if (binary !== undefined) return binary;
  refuseArchive(beginning, file);
  if (isBinary && beginning.bytes.toString('latin1', 257, 262) === 'ustar') {
    throw new SeedError(file, 'a tar archive; unpack it: tar xf <file>');
  }
  const other = OTHERS.find(([magic]) => {
    return start.startsWith(magic) && (isBinary || !/^[A-Z]/i.test(magic));
  });
  if (other !== undefined) throw new SeedError(file, other[1]);
  if (start.startsWith(COMPOUND)) {
    throw new SeedError(
      file,
      FILE_FORMATS.xlsx.endings.includes(ending)
        ? 'an Excel file with a password; save it without one'
        : 'an old Excel file (.xls), or one with a password; save it as .xlsx without one',
    );
  }
  const named = TEXTS.find((name) => FILE_FORMATS[name].endings.includes(ending));
  const utf16 = utf16Of(beginning);
  if (utf16 === undefined && badBytes === undefined && isBinary) {
    if (zerosIn(beginning.bytes) === 'many') {
      const reason = `bytes of no table; expected ${FORMATS_IN_WORDS}; ${LEAVE_THEM_OUT}`;
      throw new SeedError(file, reason);
    }
  }
  const readable =
    utf16 === undefined
      ? beginning
      : { ...beginning, text: startOf(new TextDecoder(utf16).decode(beginning.bytes)) };
  const found = TEXTS.findLast((name) => FILE_FORMATS[name].isIn?.(readable));
  if (found !== undefined) return found;
  refuseMarkup(readable, file);
  refuseNoTable(readable, file);
  refuseOtherJson(readable, named, file);
  return named !== undefined && FILE_FORMATS[named].isIn === undefined
    ? named
    : DEFAULT_FILE_FORMAT;
}

/** The kind of UTF-16 that a byte order mark or zero bytes show. Undefined if it is none. */
function utf16Of({ start, bytes, isBinary }: Beginning): string | undefined {
  if (start.startsWith('\xff\xfe')) return 'utf-16le';
  if (start.startsWith('\xfe\xff')) return 'utf-16be';
  const zeros = isBinary ? zerosIn(bytes) : 'none';
  return zeros.startsWith('utf-16') ? zeros : undefined;
}

const BEFORE_TEXT = new RegExp(`^[\\ufeff\\s${String.fromCharCode(RECORD_SEPARATOR)}]+`);

/** Drops a byte order mark, white space and the separator of a sequence (RFC 7464) at the start. */
function startOf(text: string): string {
  return text.replace(BEFORE_TEXT, '');
}

/** How a file is packed. Undefined if it is not, or if its format is itself an archive. */
export function packingOf(firstBytes: Uint8Array, file: string): 'gzip' | 'zip' | undefined {
  const beginning = beginningOf(firstBytes, file);
  if (beginning.start.startsWith('\x1f\x8b')) return 'gzip';
  const name = firstInZip(beginning);
  const isFormat = BINARY.some((format) => FILE_FORMATS[format].isIn?.(beginning));
  return name === undefined || name === 'mimetype' || isFormat ? undefined : 'zip';
}

const TEXTS = FILE_FORMAT_NAMES.filter((name) => FILE_FORMATS[name].isBinary === undefined);
const BINARY = FILE_FORMAT_NAMES.filter((name) => FILE_FORMATS[name].isBinary === true);

function beginningOf({ buffer, byteOffset, byteLength }: Uint8Array, file: string): Beginning {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return {
    bytes,
    start: bytes.toString('latin1', 0, 64),
    isBinary: bytes.includes(0),
    text: startOf(bytes.toString()),
    ending: /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '',
  };
}

function refuseArchive(beginning: Beginning, file: string): void {
  const name = firstInZip(beginning);
  if (name === undefined) return;
  if (name === 'mimetype') {
    throw new SeedError(file, 'an OpenDocument file (.ods); save it as .xlsx or CSV');
  }
  throw new SeedError(file, `a zip archive that begins with "${listed([name])}"; unpack it`);
}

/** Texts that are no table, by how they begin. */
const NO_TABLES: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [
    /^(?:\/\*\*\/\s*)?[\w$.]+\s*\(\s*(?:\[\s*[[{"\]]|\{\s*["}])/,
    'JSON within a call of a function (JSONP); take out all before its first bracket and behind its last, or ask the source for plain JSON',
  ],
  [
    /^(?:(?:var|let|const)\s+)?[\w$.]+\s*=\s*(?:\[\s*[[{"\]]|\{\s*["}])/,
    'JavaScript with JSON in it; take out all before its first bracket and behind its last',
  ],
  [
    /^(?=--|\/\*|(?:create|insert|drop|set|begin|use|pragma|lock|alter|start)\s)[\s\S]*?(?:^|\n)[^\S\n]*(?:create table|insert into|copy \S+ \()/i,
    'an SQL dump; load it into its database, and export the table as CSV',
  ],
  [/^BEGIN:VCALENDAR/, 'a calendar (.ics); export its events as CSV'],
  [/^BEGIN:VCARD/, 'address cards (.vcf); export them as CSV'],
  [
    /^(?:%YAML|---\r?\n(?:#[^\n]*\n)*(?:- )*["\w][^,;\t\n]*:(?:\s|$))/,
    'YAML; write it as JSON: yq -o=json',
  ],
  [
    /^\S+ \S+ \S+ \[\d\d\/\w{3}\/\d{4}:[\d:]{8} [+-]\d{4}\] "/,
    "a web server's log, whose lines have no columns; let the server write JSON, or make CSV of it",
  ],
  [
    /^(?:#(?:Software|Version|Date|Remark|Start-Date|End-Date)\b[^\n]*\n)*#Fields:/,
    "a web server's log (W3C); make what follows #Fields: its first line, take out the other lines that begin with #, and add it with --delimiter ' '",
  ],
  [
    /^(?:(?:%[^\n]*)?\n)*@relation\s/i,
    'a file of Weka (.arff); save it as CSV there, or write the names of its attributes above the lines below @data',
  ],
  [
    /^(?=[^\n]*\|)[^\n]*\n\s*-+(?:\+-+)+\s*\n/,
    "a table as psql shows it; let it write CSV: psql --csv, or \\copy (…) to 'file.csv' csv header",
  ],
  [
    /^\+-+(?:\+-+)*\+\s*\n\|/,
    'a table as a terminal shows it, with frames; let the program write CSV, or tabs, as mysql --batch does',
  ],
];

/** Refuses a text that is no table, with what makes one of it. */
function refuseNoTable({ text, ending }: Beginning, file: string): void {
  const found = NO_TABLES.find(([beginning]) => beginning.test(text));
  const isYaml = /^ya?ml$/.test(ending);
  const reason = found?.[1] ?? (isYaml ? 'YAML; write it as JSON: yq -o=json' : undefined);
  if (reason !== undefined) throw new SeedError(file, reason);
}

function refuseMarkup({ text, ending }: Beginning, file: string): void {
  const isOfExcel = /^xlsx?$/.test(ending) && /<table|<\w*:?Workbook/i.test(text);
  if (text.startsWith('<') && (isOfExcel || text.includes(EXCEL_2003))) {
    const reason =
      'a table in HTML or XML for Excel; open it in a spreadsheet, and save it as .xlsx';
    throw new SeedError(file, reason);
  }
  if (/^<(?:!doctype html|html|head|body|script|meta|style|table|div|!--)/i.test(text)) {
    const reason = 'a web page, perhaps of a login or an error; download the file itself';
    throw new SeedError(file, reason);
  }
  if (/^<(?:[?!]|[a-z]+[\s>:])/i.test(text)) {
    throw new SeedError(file, `XML; save its table as ${FORMATS_IN_WORDS}`);
  }
}

/**
 * Refuses a list of values, and a text that is named JSON but is blank or a single value. JSON with
 * rows was detected by its beginning.
 */
function refuseOtherJson(
  { text, bytes }: Beginning,
  named: FileFormatName | undefined,
  file: string,
): void {
  const isNamed = named !== undefined && FILE_FORMATS[named].isIn !== undefined;
  const isAll = bytes.length < DETECTED_BYTES;
  if (isNamed && isAll && text.trim() === '') {
    throw new SeedError(file, 'is empty; write a list of objects, one for each row');
  }
  if (!VALUES.test(text) && !(isNamed && isAll && VALUE.test(text))) return;
  const found = text.startsWith('[') ? 'values' : 'one value';
  const reason = `JSON of ${found}: expected a list of objects, with a name for each value`;
  throw new SeedError(file, reason);
}

const SCALAR = String.raw`(?:-?\d[\d.eE+-]*|true|false|null)`;

/** A list of values other than texts. A header may also have brackets: `[1],[2]`. */
const VALUES = new RegExp(String.raw`^\[\s*${SCALAR}\s*(?:,|\]\s*$)`);

const VALUE = new RegExp(String.raw`^(?:${SCALAR}|"[^"\n]*")\s*$`);

/** The namespace of Excel's XML of 2003. */
const EXCEL_2003 = 'urn:schemas-microsoft-com:office:spreadsheet';

/** Microsoft's compound file: .xls, or an encrypted .xlsx. */
const COMPOUND = '\xd0\xcf\x11\xe0';

const OTHERS: readonly (readonly [magic: string, reason: string])[] = [
  ['%PDF', 'a PDF; ask its publisher for the table behind it'],
  ['\x1f\x8b', 'packed with gzip; unpack it: gunzip <file>'],
  ['BZh', 'packed with bzip2; unpack it: bunzip2 <file>'],
  ['\x28\xb5\x2f\xfd', 'packed with zstd; unpack it: unzstd <file>'],
  ['7z\xbc\xaf', 'a 7-Zip archive; unpack it'],
  ['Rar!', 'a RAR archive; unpack it'],
  ['PARE', 'an encrypted Parquet file; write it without encryption'],
  ['ARROW1', 'an Arrow file; write it as Parquet'],
  ['ORC', 'an ORC file; write it as Parquet'],
  ['SQLite format 3', 'an SQLite database; export its table as CSV'],
  ['\x89PNG', 'a picture; give the table that it shows'],
  ['\xff\xd8\xff', 'a picture; give the table that it shows'],
  ['GIF8', 'a picture; give the table that it shows'],
];
