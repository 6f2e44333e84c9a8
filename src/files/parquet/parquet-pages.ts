import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress as unzstd } from 'fzstd';
import {
  type ColumnMetaData,
  type SchemaElement,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, parseFloat16 } from 'hyparquet/src/convert.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { decimalText } from '../../text/decimal.ts';
import { numberText } from '../../text/wording.ts';
import type { CellType } from '../source-table.ts';

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

type Header = ReturnType<typeof parquetHeader>;
type Values = ArrayLike<unknown>;

/**
 * Reads a column of a row group page by page, as cells. It is not nested: one value for each row.
 */
export class ParquetPages {
  /** The present page's cells. */
  cells: readonly string[] = [];
  readonly #read: ReadRange;
  readonly #codec: string;
  readonly #decoder: Parameters<typeof readPage>[2];
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
    root: SchemaTree,
    leaf: SchemaTree,
    write: CellWriter,
    held: Held,
  ) {
    this.#read = read;
    this.#codec = metadata.codec;
    this.#write = write;
    this.#held = held;
    this.#isNullable = leaf.element.repetition_type !== 'REQUIRED';
    const { dictionary_page_offset: dictionary, data_page_offset: data } = metadata;
    this.#offset = Number(dictionary !== undefined && dictionary > 0n ? dictionary : data);
    this.#end = this.#offset + Number(metadata.total_compressed_size);
    // Without its logical type, a column returns its values as stored.
    const { converted_type: _, logical_type: __, ...element } = leaf.element;
    this.#decoder = {
      pathInSchema: metadata.path_in_schema,
      type: metadata.type,
      element,
      schemaPath: [root, { ...leaf, element }],
      codec: 'UNCOMPRESSED',
      utf8: false,
      parsers: { timestampFromNanoseconds: (value: bigint) => value } as never,
    } as Parameters<typeof readPage>[2];
  }

  /** Goes to the next page of data. */
  async next(): Promise<void> {
    for (;;) {
      if (this.#offset >= this.#end) throw new Error('it has fewer values than rows');
      const head = await this.#read(this.#offset, Math.min(this.#end, this.#offset + MAX_HEADER));
      const reader = { view: viewOf(head), offset: 0 };
      const header = parquetHeader(reader);
      const start = this.#offset + reader.offset;
      this.#offset = start + header.compressed_page_size;
      if (!(header.compressed_page_size >= 0 && this.#offset <= this.#end)) {
        throw new Error('a page is longer than its column');
      }
      if (header.type === 'INDEX_PAGE') continue;
      this.#hold(header);
      const packed = await this.#read(start, this.#offset);
      const values = this.#values(header, packed);
      if (header.type === 'DICTIONARY_PAGE') {
        const raw = convert(values as never, this.#decoder);
        this.#dictionary = Array.from(raw, (value) => this.#write(value as never));
        // A dictionary stays while the pages that refer to it come and go.
        this.#heldHere = 0;
      } else {
        this.cells = this.#cellsOf(header, values);
        return;
      }
    }
  }

  #cellsOf(header: Header, values: Values): readonly string[] {
    const data = header.data_page_header ?? header.data_page_header_v2;
    const isWritten = this.#dictionary !== undefined && data?.encoding.endsWith('_DICTIONARY');
    if (values.length !== data?.num_values) throw new Error('a page lacks values');
    return Array.from(values, (value) => {
      if (value === null) return '';
      if (value === undefined) throw new Error('a value that its dictionary lacks');
      return isWritten ? (value as string) : this.#write(value as never);
    });
  }

  #values(header: Header, packed: Uint8Array): Values {
    const v2 = header.data_page_header_v2;
    const levels = v2 ? v2.definition_levels_byte_length + v2.repetition_levels_byte_length : 0;
    const isPacked = v2?.is_compressed !== false && this.#codec !== 'UNCOMPRESSED';
    const page = isPacked
      ? Buffer.concat([
          packed.subarray(0, levels),
          unpacked(packed.subarray(levels), header.uncompressed_page_size - levels, this.#codec),
        ])
      : packed;
    checkRuns(header, page, this.#isNullable);
    const plain = {
      ...header,
      compressed_page_size: page.length,
      uncompressed_page_size: page.length,
      data_page_header_v2: v2 && { ...v2, is_compressed: false },
    };
    const reader = { view: viewOf(page), offset: 0 };
    const { data } = readPage(
      reader,
      plain,
      this.#decoder,
      this.#dictionary as never,
      undefined,
      0,
    );
    return data ?? [];
  }

  /** Refuses a page that would take too much memory, judging by its header. */
  #hold(header: Header): void {
    const page =
      header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
    const values = page?.num_values ?? -1;
    if (!(values >= 0 && values <= MAX_VALUES)) {
      throw new Error(
        `a page of ${numberText(values)} values; at most ${numberText(MAX_VALUES)} are read, ${SMALLER}`,
      );
    }
    if (page?.encoding === 'DELTA_BYTE_ARRAY') {
      throw new Error('the encoding DELTA_BYTE_ARRAY is not read; write the file without it');
    }
    const bytes = Math.max(header.uncompressed_page_size, header.compressed_page_size);
    // A value takes 8 bytes beside its own.
    this.#held.bytes += bytes + 8 * values - this.#heldHere;
    this.#heldHere = bytes + 8 * values;
    if (!(bytes >= 0 && this.#held.bytes <= MAX_HELD)) {
      throw new Error(`its pages take over ${MAX_HELD / 2 ** 20} MiB at once, ${SMALLER}`);
    }
  }
}

const SMALLER = 'so write the file with smaller pages';

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
}

function unpacked(packed: Uint8Array, length: number, codec: string): Uint8Array {
  const output = new Uint8Array(codec === 'SNAPPY' || codec === 'ZSTD' ? length : 0);
  switch (codec) {
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
      throw new Error(`packed with ${codec}; pack it with ZSTD, SNAPPY, GZIP or BROTLI`);
  }
}

function exactly(length: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== length) throw new Error('a page does not unpack to its declared length');
  return bytes;
}

/** Checks runs of levels and of dictionary numbers: one may declare 2 billion values. */
function checkRuns(header: Header, page: Uint8Array, isNullable: boolean): void {
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  const data = v1 ?? v2;
  if (data === undefined) return;
  const reader = { view: viewOf(page), offset: 0 };
  if (v2) {
    reader.offset = v2.repetition_levels_byte_length;
    const length = v2.definition_levels_byte_length;
    if (isNullable) checkRun(reader, 1, data.num_values, reader.offset + length);
    reader.offset = v2.repetition_levels_byte_length + length;
  } else if (isNullable) {
    const length = reader.view.getUint32(0, true);
    reader.offset = 4;
    checkRun(reader, 1, data.num_values, 4 + length);
    reader.offset = 4 + length;
  }
  const isDictionary = data.encoding.endsWith('_DICTIONARY');
  if (!isDictionary && data.encoding !== 'RLE') return;
  const hasValues = reader.offset < page.length;
  if (!hasValues) return;
  const width = isDictionary ? reader.view.getUint8(reader.offset++) : 1;
  // The length of booleans comes first.
  if (!isDictionary) reader.offset += 4;
  if (width > 32) throw new Error('a page is damaged');
  if (width > 0) checkRun(reader, width, data.num_values, page.length);
}

function checkRun(
  reader: { view: DataView<ArrayBuffer>; offset: number },
  width: number,
  values: number,
  end: number,
): void {
  for (let seen = 0; seen < values && reader.offset < end; ) {
    const run = readVarInt(reader) >>> 0;
    const [count, bytes] =
      run & 1 ? [(run >>> 1) * 8, (run >>> 1) * width] : [run >>> 1, Math.ceil(width / 8)];
    seen += count;
    reader.offset += bytes;
    // The last group of eight may stand for fewer values, and its bytes may be cut off.
    if (seen > values + (run & 1 ? MAX_PADDING : 0)) throw new Error('a run is too long');
  }
}

/** Values by which a last group of bits may exceed the page. */
const MAX_PADDING = 512;

/** Writes a value as a cell. Throws an Error if the value is not text. */
export type CellWriter = (value: never) => string;

/** How to write a column's values. A text says why that is impossible. */
export function cellWriterOf(element: SchemaElement): CellWriter | string {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const places = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return (value) => decimalOf(unscaled(value), places);
  }
  if (logical?.type === 'NULL') return () => '';
  if (logical?.type === 'UUID') return uuidText;
  if (logical?.type === 'FLOAT16')
    return (value) => parquetNumberText(parseFloat16(value) as number);
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
