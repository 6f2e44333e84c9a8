import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress as unzstd } from 'fzstd';
import { type ColumnMetaData, parquetRead, type SchemaElement, snappyUncompress } from 'hyparquet';
import { decimalText } from '../../text/decimal.ts';
import { numberText } from '../../text/wording.ts';
import type { CellType } from '../source-table.ts';
import { lz4Unpacked } from './lz4.ts';
import {
  type Cursor,
  DELTA_BINARY_PACKED,
  DELTA_BYTE_ARRAY,
  isOfDictionary,
  isOfRuns,
  type PageHeader,
  PLAIN,
  readPageHeader,
  readVarInt,
  writePageHeader,
} from './page-header.ts';

/** Reads bytes of a file. */
type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/** Bytes of a page's header, including its statistics. */
const MAX_HEADER = 65_536;

/** Values of a page of a Parquet file. Programs write some 20,000. */
const MAX_VALUES = 5_000_000;

/** A Parquet file's pages that are held at once, unpacked, with their values. */
const MAX_HELD = 512 * 2 ** 20;

/** Bytes of the pages that are held, over all columns of a row group. */
export type Held = { bytes: number };

type Values = ArrayLike<unknown>;

/**
 * Reads a column of a row group page by page, as cells. It is not nested: one value for each row.
 *
 * The package reads a whole row group, which may be the whole file, and trusts how long a run says
 * that it is. So it gets each page as a file of its own, after the page is unpacked and checked.
 */
export class ParquetPages {
  /** The present page's cells. */
  cells: readonly string[] = [];
  readonly #read: ReadRange;
  readonly #codec: string;
  readonly #element: SchemaElement;
  readonly #write: CellWriter;
  readonly #held: Held;
  readonly #isNullable: boolean;
  #offset: number;
  readonly #end: number;
  #dictionary: readonly string[] | undefined;
  #heldHere = 0;

  constructor(
    read: ReadRange,
    metadata: ColumnMetaData,
    element: SchemaElement,
    write: CellWriter,
    held: Held,
  ) {
    this.#read = read;
    this.#codec = metadata.codec;
    this.#write = write;
    this.#held = held;
    this.#isNullable = element.repetition_type !== 'REQUIRED';
    const { dictionary_page_offset: dictionary, data_page_offset: data } = metadata;
    this.#offset = Number(dictionary !== undefined && dictionary > 0n ? dictionary : data);
    this.#end = this.#offset + Number(metadata.total_compressed_size);
    // Without its logical type, a column returns its values as stored; a shape's is kept.
    const { converted_type: _, logical_type: logical, ...stored } = element;
    this.#element = {
      ...stored,
      type: metadata.type,
      ...(isShape(element) && { logical_type: logical }),
    };
  }

  /** Goes to the next page of data. */
  async next(): Promise<void> {
    for (;;) {
      if (this.#offset >= this.#end) throw new Error('it has fewer values than rows');
      const head = await this.#read(this.#offset, Math.min(this.#end, this.#offset + MAX_HEADER));
      const cursor = { view: viewOf(head), offset: 0 };
      const header = readPageHeader(cursor);
      const start = this.#offset + cursor.offset;
      this.#offset = start + header.packed;
      if (!(header.packed >= 0 && this.#offset <= this.#end)) {
        throw new Error('a page is longer than its column');
      }
      if (header.kind === 'index') continue;
      this.#hold(header);
      const page = this.#unpacked(header, await this.#read(start, this.#offset));
      if (header.kind === 'dictionary') {
        const element = { ...this.#element, repetition_type: 'REQUIRED' } as const;
        const values = await valuesOf(element, { ...header, encoding: PLAIN }, page);
        this.#dictionary = Array.from(values, (value) => this.#write(value as never));
        // A dictionary stays while the pages that refer to it come and go.
        this.#heldHere = 0;
      } else {
        checkRuns(header, page, this.#isNullable);
        if (header.encoding === DELTA_BYTE_ARRAY) await this.#countPrefixes(header, page);
        this.cells = await this.#cellsOf(header, page);
        return;
      }
    }
  }

  async #cellsOf(header: PageHeader, page: Uint8Array): Promise<readonly string[]> {
    const isWritten = isOfDictionary(header.encoding);
    // Places in the dictionary.
    const numbers: SchemaElement = {
      name: this.#element.name,
      type: 'INT32',
      repetition_type: this.#isNullable ? 'OPTIONAL' : 'REQUIRED',
    };
    const values = await valuesOf(isWritten ? numbers : this.#element, header, page);
    if (values.length !== header.values) throw new Error('a page lacks values');
    return Array.from(values, (value) => {
      if (value === null) return '';
      if (!isWritten) return this.#write(value as never);
      const cell = this.#dictionary?.[value as number];
      if (cell === undefined) throw new Error('a value that its dictionary lacks');
      return cell;
    });
  }

  /**
   * Counts what values take that repeat the beginning of the value before: a page may declare far
   * more bytes than it has. The lengths of the beginnings come first, as numbers of their own.
   */
  async #countPrefixes({ values }: PageHeader, page: Uint8Array): Promise<void> {
    const deltas = page.subarray(this.#isNullable ? 4 + viewOf(page).getUint32(0, true) : 0);
    if (deltas.length === 0) return;
    const cursor = { view: viewOf(deltas), offset: 0 };
    // The size of a block, and how many parts it has.
    readVarInt(cursor);
    readVarInt(cursor);
    const count = readVarInt(cursor);
    if (count > values) throw new Error('a page is damaged');
    if (count === 0) return;
    const numbers: SchemaElement = { name: '', type: 'INT32', repetition_type: 'REQUIRED' };
    const encoding = DELTA_BINARY_PACKED;
    const prefixes = await valuesOf(numbers, { values: count, encoding }, deltas);
    let bytes = 0;
    for (let i = 0; i < count; i++) bytes += prefixes[i] as number;
    this.#count(this.#heldHere + bytes);
  }

  /** A page as the first form has it: the length of its levels, if it has any, them, and its values. */
  #unpacked({ unpacked: length, isPacked, levels }: PageHeader, packed: Uint8Array): Uint8Array {
    const unpack = (bytes: Uint8Array, size: number) =>
      isPacked && this.#codec !== 'UNCOMPRESSED' ? unpackedBytes(bytes, size, this.#codec) : bytes;
    if (levels === undefined) return unpack(packed, length);
    const { repetition, definition } = levels;
    const before = repetition + definition;
    if (!(repetition >= 0 && definition >= 0 && before <= length))
      throw new Error('a page is damaged');
    const values = unpack(packed.subarray(before), length - before);
    if (!this.#isNullable) return values;
    const size = Buffer.alloc(4);
    size.writeUInt32LE(definition);
    return Buffer.concat([size, packed.subarray(repetition, before), values]);
  }

  /** Refuses a page that would take too much memory, judging by its header. */
  #hold({ values, packed, unpacked }: PageHeader): void {
    if (!(values >= 0 && values <= MAX_VALUES)) {
      throw new Error(
        `a page of ${numberText(values)} values; at most ${numberText(MAX_VALUES)} are read, ${SMALLER}`,
      );
    }
    const bytes = Math.max(unpacked, packed);
    if (!(bytes >= 0)) throw new Error('a page is damaged');
    // A value takes 8 bytes beside its own.
    this.#count(bytes + 8 * values);
  }

  /** Counts the bytes of the present page, in place of those of the page before. */
  #count(bytes: number): void {
    this.#held.bytes += bytes - this.#heldHere;
    this.#heldHere = bytes;
    if (this.#held.bytes > MAX_HELD) {
      throw new Error(`its pages take over ${MAX_HELD / 2 ** 20} MiB at once, ${SMALLER}`);
    }
  }
}

/** The values of a page, which is read as a file of one column, one group and one page. */
async function valuesOf(
  element: SchemaElement,
  { values, encoding }: Pick<PageHeader, 'values' | 'encoding'>,
  page: Uint8Array,
): Promise<Values> {
  const header = writePageHeader(values, encoding, page.length);
  const bytes = new Uint8Array(header.length + page.length);
  bytes.set(header);
  bytes.set(page, header.length);
  const [rows, size] = [BigInt(values), BigInt(bytes.length)];
  const column: ColumnMetaData = {
    type: element.type as ColumnMetaData['type'],
    encodings: [],
    path_in_schema: [element.name],
    codec: 'UNCOMPRESSED',
    num_values: rows,
    total_uncompressed_size: size,
    total_compressed_size: size,
    data_page_offset: 0n,
  };
  const group = { columns: [{ file_offset: 0n, meta_data: column }], num_rows: rows };
  let found: Values = [];
  const reading = parquetRead({
    file: { byteLength: bytes.length, slice: () => bytes.buffer },
    metadata: {
      version: 1,
      num_rows: rows,
      metadata_length: 0,
      schema: [{ name: 'rows', num_children: 1 }, element],
      row_groups: [{ ...group, total_byte_size: size }],
    },
    utf8: false,
    parsers: { timestampFromNanoseconds: (value) => value as never },
    onChunk: ({ columnData }) => {
      found = columnData;
    },
  });
  await (isShape(element) ? reading.catch(throwNoShape) : reading);
  return found;
}

function throwNoShape(): never {
  // Bytes after the end, endlessly nested collections, or unknown types of shapes.
  throw new Error('a shape that is no WKB of points, lines or areas');
}

const SMALLER = 'so write the file with smaller pages';

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
}

function unpackedBytes(packed: Uint8Array, length: number, codec: string): Uint8Array {
  const output = new Uint8Array(codec === 'SNAPPY' || codec === 'ZSTD' ? length : 0);
  switch (codec) {
    case 'LZ4_RAW':
      return lz4Unpacked(packed, length);
    case 'SNAPPY':
      snappyUncompress(packed, output);
      return output;
    case 'GZIP':
      return exactly(length, gunzipSync(packed, { maxOutputLength: Math.max(1, length) }));
    case 'BROTLI':
      return exactly(
        length,
        brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) }),
      );
    case 'ZSTD':
      return exactly(length, unzstd(packed, output));
    default:
      throw new Error(`packed with ${codec}; pack it with ZSTD, SNAPPY, GZIP, BROTLI or LZ4_RAW`);
  }
}

function exactly(length: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== length) throw new Error('a page does not unpack to its declared length');
  return bytes;
}

/** Checks runs of levels and of dictionary numbers: one may declare 2 billion values. */
function checkRuns({ encoding, values }: PageHeader, page: Uint8Array, isNullable: boolean): void {
  const cursor = { view: viewOf(page), offset: 0 };
  if (isNullable) {
    const end = 4 + cursor.view.getUint32(0, true);
    cursor.offset = 4;
    checkRun(cursor, 1, values, end);
    cursor.offset = end;
  }
  if (!isOfDictionary(encoding) && !isOfRuns(encoding)) return;
  const hasValues = cursor.offset < page.length;
  if (!hasValues) return;
  const width = isOfDictionary(encoding) ? cursor.view.getUint8(cursor.offset++) : 1;
  // The length of booleans comes first.
  if (isOfRuns(encoding)) cursor.offset += 4;
  if (width > 32) throw new Error('a page is damaged');
  if (width > 0) checkRun(cursor, width, values, page.length);
}

function checkRun(cursor: Cursor, width: number, values: number, end: number): void {
  for (let seen = 0; seen < values && cursor.offset < end; ) {
    const run = readVarInt(cursor);
    const [count, bytes] =
      run % 2 === 1
        ? [((run - 1) / 2) * 8, ((run - 1) / 2) * width]
        : [run / 2, Math.ceil(width / 8)];
    seen += count;
    cursor.offset += bytes;
    // The last group of eight may stand for fewer values, and its bytes may be cut off.
    if (seen > values + (run % 2) * MAX_PADDING) throw new Error('a run is too long');
  }
}

/** Values by which a last group of bits may exceed the page. */
const MAX_PADDING = 512;

/** Writes a value as a cell. Throws an Error if the value is not text. */
export type CellWriter = (value: never) => string;

/** Whether a column's values are shapes. */
export function isShape({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY';
}

/** How to write a column's values. A text says why that is impossible. */
export function cellWriterOf(element: SchemaElement): CellWriter | string {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const places = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return (value) => decimalOf(unscaled(value), places);
  }
  if (logical?.type === 'NULL') return () => '';
  if (logical?.type === 'UUID') return uuidText;
  if (logical?.type === 'FLOAT16') return (value) => parquetNumberText(halfFloat(value));
  if (logical?.type === 'DATE' || converted === 'DATE') return (days) => dateText(days);
  if (logical?.type === 'TIMESTAMP') {
    const zone = logical.isAdjustedToUTC ? 'Z' : '';
    return (value) => timestampText(value, DIGITS[logical.unit]) + zone;
  }
  // Timestamps from before 2018 mean UTC.
  if (converted === 'TIMESTAMP_MILLIS') return (value) => `${timestampText(value, 3)}Z`;
  if (converted === 'TIMESTAMP_MICROS') return (value) => `${timestampText(value, 6)}Z`;
  // The value comes as nanoseconds. Programs differ on its zone.
  if (type === 'INT96') return (value) => timestampText(value, 9);
  if (logical?.type === 'TIME') return (value) => clockText(BigInt(value), DIGITS[logical.unit]);
  if (converted === 'TIME_MILLIS') return (value) => clockText(BigInt(value), 3);
  if (converted === 'TIME_MICROS') return (value) => clockText(BigInt(value), 6);
  if (isUnsigned(element)) {
    const bits = type === 'INT64' ? 64 : 32;
    return (value) => String(BigInt.asUintN(bits, BigInt(value)));
  }
  if (converted === 'INTERVAL' || converted === 'BSON' || logical?.type === 'BSON') {
    return converted === 'INTERVAL' ? 'it holds intervals' : 'it holds BSON';
  }
  switch (type) {
    case 'FLOAT':
      return floatText;
    case 'DOUBLE':
      return parquetNumberText;
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return utf8Text;
    default:
      return String;
  }
}

/** The type of a column's values. Whole numbers are never dates, and texts never booleans. */
export function cellTypeOf({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaElement): CellType {
  const kind = logical?.type ?? converted ?? '';
  if (/^(?:DATE|TIMESTAMP)/.test(kind) || type === 'INT96') return 'time';
  if (/^TIME/.test(kind)) return 'text';
  if (/^(?:DECIMAL|FLOAT16)$/.test(kind)) return 'number';
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? 'text' : 'number';
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted?.startsWith('UINT_') || (logical?.type === 'INTEGER' && !logical.isSigned);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error('bytes that are no text in UTF-8; write the table without this column');
  }
}

/** The number in the two bytes of IEEE 754's binary16. */
function halfFloat([low = 0, high = 0]: Uint8Array): number {
  const sign = high & 128 ? -1 : 1;
  const [exponent, fraction] = [(high >> 2) & 31, ((high & 3) << 8) | low];
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  return sign * 2 ** (exponent - 25) * (1024 + fraction);
}

function parquetNumberText(value: number): string {
  return Number.isFinite(value) ? decimalText(value) : String(value);
}

/** The shortest decimal that reads back as this float. Nine digits distinguish all floats. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return decimalText(near);
  }
  return decimalText(Number(value.toPrecision(9)));
}

/** The whole number of a decimal. Bytes are big-endian, in two's complement. */
function unscaled(value: number | bigint | Uint8Array): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value);
  const hex = Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex');
  return BigInt.asIntN(value.length * 8, BigInt(`0x${hex || '0'}`));
}

function decimalOf(whole: bigint, places: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, '0');
  const sign = whole < 0n ? '-' : '';
  if (places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const DAY_SECONDS = 86_400n;

function timestampText(value: bigint | number, digits: number): string {
  const perDay = DAY_SECONDS * 10n ** BigInt(digits);
  const since = BigInt(value);
  const rest = ((since % perDay) + perDay) % perDay;
  return `${dateText(Number((since - rest) / perDay))}T${clockText(rest, digits)}`;
}

/** A day counted from 1970. ISO 8601 writes a year outside 0 to 9999 with a sign. */
function dateText(days: number): string {
  const date = new Date(days * 86_400_000);
  if (Number.isNaN(date.getTime())) throw new Error(`day ${days}, which no calendar has`);
  return date.toISOString().replace(/T.*/, '');
}

function clockText(value: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(value / perSecond);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  const fraction = String(value % perSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
