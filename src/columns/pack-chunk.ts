import { crc32, deflateRawSync } from 'node:zlib';
import type { Field } from '../fields/field.ts';
import { typeOf } from '../fields/field-types.ts';
import type { KeyedRow } from '../query/predicate.ts';
import { compareCodePoints } from '../text/code-point-order.ts';
import {
  type Chunk,
  type Narrow,
  type NumberFrame,
  narrowArray,
  numberAt,
  POWERS,
} from './chunk.ts';
import { BOUND_LENGTH, type ChunkEntry, type StoredDictionary } from './column-directory.ts';

/** A packed chunk, and its entry in the column's directory. */
export type PackedChunk = { readonly bytes: Buffer; readonly entry: ChunkEntry };

/** Packs some rows' values of a field, as docs/columns.md describes. */
export function packChunk(field: Field, rows: readonly KeyedRow[]): PackedChunk {
  const coded =
    typeOf(field).comparedBy === 'number'
      ? codeNumbers(rows.map(({ keys }) => (keys[field.name] as number | undefined) ?? null))
      : codeTexts(rows, field.name);
  const { codes, distinct, firstKey, size, dictionary, parts, bounds } = coded;
  const deltas = isAscending(codes);
  let nulls = 0;
  for (const code of codes) if (code < firstKey) nulls++;
  const bytes = deflateRawSync(
    Buffer.concat([inPlanes(deltas ? differences(codes) : codes), ...parts]),
    { level: 1 },
  );
  return {
    bytes,
    entry: {
      rows: rows.length,
      nulls,
      distinct,
      size,
      firstKey,
      ...(bounds === undefined ? {} : { min: bounds[0], max: bounds[1] }),
      deltas,
      dictionary,
      bytes: bytes.length,
      crc32: crc32(bytes),
    },
  };
}

type Coded = Pick<Chunk, 'codes' | 'firstKey' | 'size'> & {
  readonly distinct: number;
  readonly dictionary: StoredDictionary;
  /** The stored dictionary. */
  readonly parts: readonly Uint8Array[];
  readonly bounds?: readonly [min: string | number, max: string | number];
};

/** Codes numbers by the smaller of a frame and a list of them. */
function codeNumbers(keys: readonly (number | null)[]): Coded {
  const distinct = Float64Array.from(new Set(keys.filter((key) => key !== null))).sort();
  for (const key of distinct) {
    if (!Number.isFinite(key)) throw new TypeError(`${key} is no finite number.`);
  }
  const firstKey = keys.includes(null) ? 1 : 0;
  const listed = distinct.length + firstKey;
  const common: Pick<Coded, 'bounds' | 'distinct' | 'firstKey'> = {
    distinct: distinct.length,
    firstKey,
    ...(distinct.length === 0
      ? {}
      : { bounds: [distinct[0] as number, distinct.at(-1) as number] }),
  };
  const framed = frameOf(distinct, firstKey);
  if (framed !== undefined) {
    const { frame, size } = framed;
    const bytesOfList = narrowArray(listed, keys.length).byteLength + distinct.byteLength;
    if (narrowArray(size, keys.length).byteLength <= bytesOfList) {
      const codes = narrowArray(size, keys.length);
      for (const [row, key] of keys.entries()) {
        codes[row] = key === null ? 0 : inUnits(key, frame.power) - frame.first;
      }
      return { ...common, codes, size, dictionary: frame, parts: [] };
    }
  }
  const codeOf = new Map<number | null, number>([[null, 0]]);
  for (const [i, number] of distinct.entries()) codeOf.set(number, i + firstKey);
  const codes = narrowArray(listed, keys.length);
  for (const [row, key] of keys.entries()) codes[row] = codeOf.get(key) as number;
  return {
    ...common,
    codes,
    size: listed,
    dictionary: { kind: 'numbers' },
    parts: [inPlanes(distinct)],
  };
}

/** A frame that gives exactly these ascending numbers back; undefined if there is none. */
function frameOf(
  distinct: Float64Array,
  firstKey: number,
): { readonly frame: NumberFrame; readonly size: number } | undefined {
  if (distinct.length === 0)
    return { frame: { kind: 'frame', first: 0, power: 0 }, size: firstKey };
  const power = powerOf(distinct);
  if (power === undefined) return undefined;
  const least = inUnits(distinct[0] as number, power);
  const greatest = inUnits(distinct.at(-1) as number, power);
  const first = least - firstKey;
  const size = greatest - first + 1;
  // Beyond these, subtracting rounds: a number could get the code for none.
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(greatest)) return undefined;
  if (size > 2 ** 32) return undefined;
  const frame: NumberFrame = { kind: 'frame', first, power };
  const isExact = distinct.every((number) =>
    Object.is(numberAt(frame, inUnits(number, power) - frame.first), number),
  );
  return isExact ? { frame, size } : undefined;
}

/** The most digits behind a point, and zeros before it, that a frame has. */
const MOST_DIGITS = 9;

/** The greatest power of ten of which each number is a whole multiple; undefined if none serves. */
function powerOf(numbers: Float64Array): number | undefined {
  let digits = 0;
  for (const number of numbers) {
    if (!Number.isSafeInteger(inUnits(number, -digits))) return undefined;
    while (inUnits(number, -digits) / (POWERS[digits] as number) !== number) {
      if (digits++ === MOST_DIGITS) return undefined;
    }
  }
  if (digits > 0) return -digits;
  let zeros = 0;
  while (
    zeros < MOST_DIGITS &&
    numbers.every((number) => number % (POWERS[zeros + 1] as number) === 0)
  ) {
    zeros++;
  }
  return zeros === MOST_DIGITS ? 0 : zeros;
}

/** How many times `10 ** power` a number is, rounded. */
function inUnits(number: number, power: number): number {
  return Math.round(
    power < 0 ? number * (POWERS[-power] as number) : number / (POWERS[power] as number),
  );
}

function codeTexts(rows: readonly KeyedRow[], name: string): Coded {
  const keyOf = new Map<string, string>();
  let hasNulls = false;
  for (const { values, keys } of rows) {
    const text = (values[name] ?? null) as string | null;
    if (text === null) hasNulls = true;
    else if (!keyOf.has(text)) keyOf.set(text, (keys[name] as string | undefined) ?? '');
  }
  const texts = [...keyOf]
    .sort(([a, itsKey], [b, other]) => compareCodePoints(itsKey, other) || compareCodePoints(a, b))
    .map(([text]) => text);
  const keys = [...new Set(keyOf.values())].sort(compareCodePoints);
  // A text that folds to nothing has no key.
  const hasBlanks = keys[0] === '';
  if (hasBlanks) keys.shift();
  const firstKey = hasNulls || hasBlanks ? 1 : 0;
  const codeOfKey = new Map(keys.map((key, i) => [key, i + firstKey]));
  const codes = narrowArray(keys.length + firstKey, rows.length);
  for (const [row, { keys }] of rows.entries()) {
    codes[row] = codeOfKey.get((keys[name] as string | undefined) ?? '') ?? 0;
  }
  const keyRun = runOf(keys);
  const isOwn = texts.length !== keys.length;
  const textRun = isOwn || texts.some((text, i) => text !== keys[i]) ? runOf(texts) : undefined;
  return {
    codes,
    distinct: keys.length,
    firstKey,
    size: keys.length + firstKey,
    dictionary: {
      kind: 'texts',
      keyBytes: keyRun.bytes.length,
      ...(textRun === undefined ? {} : { textBytes: textRun.bytes.length }),
      ...(isOwn ? { texts: texts.length } : {}),
    },
    parts: [
      keyRun.lengths,
      keyRun.bytes,
      ...(textRun === undefined ? [] : [textRun.lengths, textRun.bytes]),
      ...(isOwn ? [inPlanes(codesOfTexts(rows, name, texts))] : []),
    ],
    ...(keys.length === 0
      ? {}
      : { bounds: [boundOf(keys[0] as string), boundOf(keys.at(-1) as string)] }),
  };
}

function codesOfTexts(rows: readonly KeyedRow[], name: string, texts: readonly string[]): Narrow {
  const codeOf = new Map(texts.map((text, i) => [text, i + 1]));
  const codes = narrowArray(texts.length + 1, rows.length);
  for (const [row, { values }] of rows.entries()) {
    codes[row] = codeOf.get(values[name] as string) ?? 0;
  }
  return codes;
}

/** The first units of a text, without half a character. */
function boundOf(text: string): string {
  const cut = text.slice(0, BOUND_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

function runOf(texts: readonly string[]): { lengths: Uint8Array; bytes: Buffer } {
  const bytes = texts.map((text) => {
    if (text.isWellFormed()) return Buffer.from(text);
    throw new TypeError(`${JSON.stringify(text)} has half a surrogate pair.`);
  });
  const lengths = Uint32Array.from(bytes, ({ length }) => length);
  return { lengths: inPlanes(lengths), bytes: Buffer.concat(bytes) };
}

function isAscending(codes: Narrow): boolean {
  for (let row = 1; row < codes.length; row++) {
    if ((codes[row] as number) < (codes[row - 1] as number)) return false;
  }
  return true;
}

function differences(codes: Narrow): Narrow {
  let before = 0;
  return codes.map((code) => {
    const difference = code - before;
    before = code;
    return difference;
  });
}

/**
 * The first bytes of all numbers, then the second ones, and so on, least significant first: alike
 * bytes lie together, so that they deflate well.
 */
function inPlanes(numbers: Narrow | Float64Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const width = numbers.BYTES_PER_ELEMENT;
  if (width === 1) return bytes;
  const planes = new Uint8Array(bytes.length);
  for (let plane = 0, at = 0; plane < width; plane++) {
    for (let i = plane; i < bytes.length; i += width) planes[at++] = bytes[i] as number;
  }
  return planes;
}
