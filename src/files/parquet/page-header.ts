/** A place in bytes. */
export type Cursor = { readonly view: DataView; offset: number };

/** What a page's header says of it. */
export type PageHeader = {
  readonly kind: 'data' | 'dictionary' | 'index';
  /** Its bytes in the file, and unpacked. */
  readonly packed: number;
  readonly unpacked: number;
  readonly values: number;
  /** How its values are written, by its number in Parquet's definition. */
  readonly encoding: number;
  /** The bytes of its levels, which are never packed; absent if they are among its values. */
  readonly levels?: { readonly repetition: number; readonly definition: number };
  readonly isPacked: boolean;
};

/** The numbers of encodings (https://parquet.apache.org/docs/file-format/data-pages/encodings/). */
export const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const RLE = 3;
export const DELTA_BINARY_PACKED = 5;
export const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;

export const isOfDictionary = (encoding: number) =>
  encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY;
export const isOfRuns = (encoding: number) => encoding === RLE;

const KINDS = ['data', 'index', 'dictionary', 'data'] as const;

/** Reads the header of a page, a struct PageHeader of Parquet's definition. Throws if it is none. */
export function readPageHeader(cursor: Cursor): PageHeader {
  const header = struct(cursor, 0);
  const kind = KINDS[number(header[1])];
  if (kind === undefined) throw new Error('a page of an unknown kind');
  const [v1, dictionary, v2] = [header[5], header[7], header[8]].map((part) =>
    typeof part === 'object' ? part : undefined,
  );
  const page = v1 ?? v2 ?? dictionary ?? {};
  const isV2 = page === v2;
  return {
    kind,
    unpacked: number(header[2]),
    packed: number(header[3]),
    values: number(page[1]),
    encoding: number(page[isV2 ? 4 : 2]),
    ...(isV2 && { levels: { definition: number(page[5]), repetition: number(page[6]) } }),
    isPacked: !isV2 || page[7] !== false,
  };
}

/** The header of a page of data that is not packed, in the first form. */
export function writePageHeader(values: number, encoding: number, bytes: number): Uint8Array {
  const page = [...field(values), ...field(encoding), ...field(RLE), ...field(RLE), 0];
  return Uint8Array.from([...field(0), ...field(bytes), ...field(bytes), 0x2c, ...page, 0]);
}

/** The next field of a struct, a number of 32 bits. */
function field(value: number): number[] {
  const bytes = [0x15];
  let rest = value * 2;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** Thrift's compact protocol, as far as headers of pages have it: the fields by their numbers. */
type Struct = { readonly [id: number]: number | boolean | Struct | undefined };

/** Structs in each other: a header has two, and its statistics. Then the file is refused. */
const MAX_DEPTH = 4;

function struct(cursor: Cursor, depth: number): Struct {
  if (depth > MAX_DEPTH) throw new Error('a page is damaged');
  const fields: Record<number, Struct[number]> = {};
  for (let id = 0; ; ) {
    const byte = cursor.view.getUint8(cursor.offset++);
    if (byte === 0) return fields;
    id = byte >> 4 === 0 ? signed(cursor) : id + (byte >> 4);
    fields[id] = value(cursor, byte & 15, depth);
  }
}

function value(cursor: Cursor, type: number, depth: number): Struct[number] {
  switch (type) {
    case 1:
    case 2:
      return type === 1;
    case 3:
      return cursor.view.getInt8(cursor.offset++);
    case 4:
    case 5:
    case 6:
      return signed(cursor);
    case 8: {
      const length = readVarInt(cursor);
      cursor.offset += length;
      return undefined;
    }
    case 12:
      return struct(cursor, depth + 1);
    default:
      throw new Error('a page is damaged');
  }
}

function number(field: Struct[number]): number {
  return typeof field === 'number' ? field : -1;
}

function signed(cursor: Cursor): number {
  const value = readVarInt(cursor);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Seven bits a byte, the least first. Those beyond 53 bits are lost. */
export function readVarInt(cursor: Cursor): number {
  let value = 0;
  for (let weight = 1; ; weight *= 128) {
    const byte = cursor.view.getUint8(cursor.offset++);
    value += (byte & 127) * weight;
    if (byte < 128) return value;
  }
}
