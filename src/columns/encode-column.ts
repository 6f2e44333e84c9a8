import { POWERS } from '../text/decimal.ts';
import { sortByCodePoint } from '../text/fold.ts';
import { lengthAt, startOf, type TextRun, textAt } from '../text/text-run.ts';
import type { FieldType, NumberType, TextType, Value } from '../values/field-type.ts';
import { FIELD_TYPES, type Field, typeOf } from '../values/field-types.ts';
import { ByteTexts, compareTexts, orderOfTexts, placesOf } from './byte-texts.ts';
import {
  boundOf,
  type EncodedColumn,
  type FrameOfReference,
  numberAt,
  type UintArray,
  uintArrayFor,
} from './chunk.ts';

/** Collects a field's values row by row, until they are encoded as a chunk. */
export type ColumnBuilder = {
  /** Adds a row's value. Returns what `repeat` takes to add the same once more. */
  add(value: Value): number;
  /**
   * Adds a text that is at hand as the codes of its characters. Returns whether it did. Absent if the
   * values are no texts.
   */
  addPlain?(codes: Uint16Array, start: number, end: number): boolean;
  /** Adds the value of this key, or of this number that `add` gave; NaN if a number has none. */
  repeat(code: number): void;
  coded(): EncodedColumn;
};

export function columnBuilder(field: Field): ColumnBuilder {
  const type: FieldType = typeOf(field);
  return type.comparedBy === 'number'
    ? new NumberColumnBuilder(type, field)
    : new TextColumnBuilder(type, field);
}

/** Collects the rows' numeric keys. NaN is a row without a key. */
class NumberColumnBuilder implements ColumnBuilder {
  readonly #type: NumberType;
  readonly #field: Field;
  #numbers = new Float64Array(FIRST_ROWS);
  #rows = 0;
  #nulls = 0;

  constructor(type: NumberType, field: Field) {
    this.#type = type;
    this.#field = field;
  }

  add(value: Value): number {
    const key = value === null ? Number.NaN : (this.#type.keyOf(value, this.#field) as number);
    if (value !== null && !Number.isFinite(key)) throw new TypeError(`${key} is no finite number.`);
    this.repeat(key);
    return key;
  }

  repeat(key: number): void {
    if (this.#rows === this.#numbers.length) this.#grow();
    if (Number.isNaN(key)) this.#nulls++;
    // -0 equals 0, so both must have the same code.
    this.#numbers[this.#rows++] = key + 0;
  }

  #grow(): void {
    const before = this.#numbers;
    this.#numbers = new Float64Array(2 * before.length);
    this.#numbers.set(before);
  }

  coded(): EncodedColumn {
    return encodeNumbers(this.#numbers.slice(0, this.#rows), this.#nulls);
  }
}

/** Rows for which there is room at first. */
const FIRST_ROWS = 64;

/**
 * The distinct texts and keys, each with its index, in the order of their first rows. Index 0
 * stands for no text or key.
 */
type DistinctTexts = {
  readonly texts: ReadonlyMap<string, number>;
  readonly keys: ReadonlyMap<string, number>;
  /** For each text, the index of its key. */
  readonly keyOf: readonly number[];
  /** For each row, the index of its text. */
  readonly indices: Uint32Array;
};

class TextColumnBuilder implements ColumnBuilder {
  readonly #type: TextType;
  readonly #field: Field;
  /** The texts as bytes. The index of a text is its id and 1. */
  readonly #texts = new ByteTexts();
  readonly #plain = Buffer.allocUnsafe(MOST_PLAIN);
  #indices = new Uint32Array(FIRST_ROWS);
  #rows = 0;

  constructor(type: TextType, field: Field) {
    this.#type = type;
    this.#field = field;
  }

  add(value: Value): number {
    const index = value === null ? 0 : this.#indexOf(value as string);
    this.repeat(index);
    return index;
  }

  addPlain(codes: Uint16Array, start: number, end: number): boolean {
    const length = end - start;
    if (length > MOST_PLAIN || codes[start] === SPACE || codes[end - 1] === SPACE) return false;
    for (let i = 0; i < length; i++) {
      const code = codes[start + i] as number;
      if (code < SPACE || code >= DELETE) return false;
      this.#plain[i] = code;
    }
    this.repeat(this.#texts.idOf(this.#plain, 0, length) + 1);
    return true;
  }

  repeat(index: number): void {
    if (this.#rows === this.#indices.length) {
      const before = this.#indices;
      this.#indices = new Uint32Array(2 * before.length);
      this.#indices.set(before);
    }
    this.#indices[this.#rows++] = index;
  }

  coded(): EncodedColumn {
    const indices = this.#indices.subarray(0, this.#rows);
    const { run: texts } = this.#texts;
    const keys = this.#keysOf(texts);
    const placed = placesOf(keys);
    const order = orderOfTexts(placed);
    const isEqual = (at: number) =>
      compareTexts(placed, order[at - 1] as number, order[at] as number) === 0;
    let hasOwnKeys = order.length === 0 || lengthAt(keys, order[0] as number) > 0;
    for (let at = 1; at < order.length && hasOwnKeys; at++) hasOwnKeys = !isEqual(at);
    return hasOwnKeys ? encodeOrdered(indices, order, texts, keys) : encodeTexts(this.#distinct());
  }

  #indexOf(text: string): number {
    if (!text.isWellFormed()) {
      throw new TypeError(`${JSON.stringify(text)} has half a surrogate pair.`);
    }
    const bytes = Buffer.from(text);
    return this.#texts.idOf(bytes, 0, bytes.length) + 1;
  }

  /** The key of each text. */
  #keysOf(texts: TextRun): TextRun {
    const isFolded = this.#type.keyOf === FIELD_TYPES.text.keyOf;
    const ends = new Uint32Array(texts.ends.length);
    let bytes = Buffer.allocUnsafe(texts.bytes.length);
    let to = 0;
    for (let id = 0, start = 0; id < ends.length; id++) {
      const end = texts.ends[id] as number;
      if (isFolded && foldPlain(texts.bytes, start, end, bytes, to)) to += end - start;
      else {
        const key = Buffer.from(this.#type.keyOf(textAt(texts, id), this.#field) as string);
        const left = texts.bytes.length - end;
        if (to + key.length + left > bytes.length) {
          bytes = Buffer.concat([bytes], 2 * (to + key.length + left));
        }
        to += key.copy(bytes, to);
      }
      ends[id] = to;
      start = end;
    }
    return { bytes: bytes.subarray(0, to), ends };
  }

  #distinct(): DistinctTexts {
    const { run } = this.#texts;
    const texts = new Map<string, number>();
    const keys = new Map([['', 0]]);
    const keyOf = [0];
    for (let id = 0; id < run.ends.length; id++) {
      const text = textAt(run, id);
      const key = this.#type.keyOf(text, this.#field) as string;
      const indexOfKey = keys.get(key) ?? keys.size;
      if (indexOfKey === keys.size) keys.set(key, indexOfKey);
      texts.set(text, keyOf.push(indexOfKey) - 1);
    }
    return { texts, keys, keyOf, indices: this.#indices.subarray(0, this.#rows) };
  }
}
/** Bytes of a text that is added without a text being made of it. */
const MOST_PLAIN = 256;

const [SPACE, DELETE] = [0x20, 0x7f];

/**
 * Writes the folded form of a text of ASCII, which has as many bytes. Returns false if the text has
 * others, or spaces that folding takes out.
 */
function foldPlain(from: Buffer, start: number, end: number, into: Buffer, at: number): boolean {
  let before = SPACE;
  for (let i = start; i < end; i++) {
    const code = from[i] as number;
    if (code < SPACE || code >= DELETE || (code === SPACE && before === SPACE)) return false;
    into[at + i - start] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    before = code;
  }
  return before !== SPACE;
}

/** Encodes texts that each have a key of their own. `order` has the ids by these keys. */
function encodeOrdered(
  indices: Uint32Array,
  order: Uint32Array,
  texts: TextRun,
  keys: TextRun,
): EncodedColumn {
  const distinct = order.length;
  let nulls = 0;
  for (let row = 0; row < indices.length; row++) if (indices[row] === 0) nulls++;
  const firstKey = nulls > 0 ? 1 : 0;
  const size = distinct + firstKey;
  const codeOf = new Uint32Array(distinct + 1);
  for (let rank = 0; rank < distinct; rank++) {
    codeOf[(order[rank] as number) + 1] = rank + firstKey;
  }
  const keyRun = inOrder(keys, order);
  const haveLengths = texts.ends.every((end, id) => end === keys.ends[id]);
  const areKeys = haveLengths && texts.bytes.equals(keys.bytes);
  const textRun = areKeys ? undefined : inOrder(texts, order);
  const bound = (rank: number) => boundOf(textAt(keys, order[rank] as number));
  return {
    codes: codesAt(indices, codeOf, size),
    nulls,
    distinct,
    firstKey,
    size,
    dictionary: {
      kind: 'texts',
      keyBytes: keyRun.bytes.length,
      textBytes: textRun?.bytes.length,
      texts: undefined,
    },
    parts: [keyRun, ...(textRun === undefined ? [] : [textRun])].flatMap(({ lengths, bytes }) => [
      lengths,
      bytes,
    ]),
    bounds: distinct === 0 ? undefined : [bound(0), bound(distinct - 1)],
  };
}

/** Texts in an order, with the length of each. */
function inOrder(run: TextRun, order: Uint32Array): { lengths: Uint32Array; bytes: Buffer } {
  const lengths = new Uint32Array(order.length);
  const bytes = Buffer.allocUnsafe(run.bytes.length);
  let to = 0;
  for (let rank = 0; rank < order.length; rank++) {
    const id = order[rank] as number;
    const start = startOf(run, id);
    const length = (run.ends[id] as number) - start;
    for (let i = 0; i < length; i++) bytes[to++] = run.bytes[start + i] as number;
    lengths[rank] = length;
  }
  return { lengths, bytes };
}

/**
 * Encodes numbers by a frame of reference or by a list of the distinct numbers, whichever is
 * smaller. NaN is no number.
 */
export function encodeNumbers(numbers: Float64Array, nulls: number): EncodedColumn {
  const distinct = distinctOf(numbers, nulls);
  const firstKey = nulls > 0 ? 1 : 0;
  const listed = distinct.length + firstKey;
  const common: Pick<EncodedColumn, 'bounds' | 'distinct' | 'firstKey' | 'nulls'> = {
    nulls,
    distinct: distinct.length,
    firstKey,
    bounds: distinct.length === 0 ? undefined : [distinct[0] as number, distinct.at(-1) as number],
  };
  const framed = frameOf(distinct, firstKey);
  if (framed !== undefined) {
    const { frame, size } = framed;
    const codes = uintArrayFor(size, numbers.length);
    const bytesOfList = uintArrayFor(listed, numbers.length).byteLength + distinct.byteLength;
    if (codes.byteLength <= bytesOfList) {
      for (let row = 0; row < numbers.length; row++) {
        const number = numbers[row] as number;
        if (!Number.isNaN(number)) codes[row] = inUnits(number, frame.power) - frame.first;
      }
      return { ...common, codes, size, dictionary: frame, parts: [] };
    }
  }
  const codeOf = new Map<number, number>([[Number.NaN, 0]]);
  for (const [i, number] of distinct.entries()) codeOf.set(number, i + firstKey);
  const codes = uintArrayFor(listed, numbers.length);
  for (const [row, number] of numbers.entries()) codes[row] = codeOf.get(number) as number;
  return { ...common, codes, size: listed, dictionary: { kind: 'numbers' }, parts: [distinct] };
}

/**
 * Encodes whole multiples of `10 ** power` by a frame of reference, several times as fast. NaN is no
 * number. The greatest is less than 2 ** 32 above the least.
 */
export function encodeUnits(units: Float64Array, power: number): EncodedColumn {
  let [least, greatest, nulls] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let row = 0; row < units.length; row++) {
    const unit = units[row] as number;
    if (unit < least) least = unit;
    if (unit > greatest) greatest = unit;
    if (Number.isNaN(unit)) nulls++;
  }
  const firstKey = nulls > 0 ? 1 : 0;
  const first = nulls < units.length ? least - firstKey : 0;
  const size = nulls < units.length ? greatest - first + 1 : firstKey;
  if (size > 2 ** 32) throw new RangeError('A frame has fewer codes.');
  const codes = uintArrayFor(size, units.length);
  for (let row = 0; row < units.length; row++) {
    const unit = units[row] as number;
    if (!Number.isNaN(unit)) codes[row] = unit - first;
  }
  const distinct = countDistinct(codes, firstKey, size);
  const dictionary = { kind: 'frame' as const, first, power };
  const bounds =
    distinct === 0 ? undefined : ([inNumbers(least, power), inNumbers(greatest, power)] as const);
  return { codes, nulls, distinct, firstKey, size, dictionary, parts: [], bounds };
}

/** Codes that are marked to count the different ones. More are sorted. */
const MOST_MARKED = 2 ** 22;

function countDistinct(codes: UintArray, firstKey: number, size: number): number {
  let distinct = 0;
  if (size > MOST_MARKED) {
    const sorted = codes.toSorted();
    for (let i = 0; i < sorted.length; i++) {
      const code = sorted[i] as number;
      if (code >= firstKey && code !== sorted[i - 1]) distinct++;
    }
    return distinct;
  }
  const isFound = new Uint8Array(size);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < firstKey || isFound[code] === 1) continue;
    isFound[code] = 1;
    distinct++;
  }
  return distinct;
}

function inNumbers(units: number, power: number): number {
  return numberAt({ kind: 'frame', first: 0, power }, units);
}

/** The distinct numbers, ascending, without NaN. */
function distinctOf(numbers: Float64Array, nulls: number): Float64Array {
  const marked = markedNumbers(numbers);
  if (marked !== undefined) return marked;
  // NaN sorts after all numbers.
  const sorted = numbers.toSorted().subarray(0, numbers.length - nulls);
  return sorted.filter((number, i) => i === 0 || number !== sorted[i - 1]);
}

/**
 * Returns the distinct numbers much faster, if they are whole numbers that lie close together;
 * otherwise undefined.
 */
function markedNumbers(numbers: Float64Array): Float64Array | undefined {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (number < least) least = number;
    if (number > greatest) greatest = number;
    if (number !== Math.trunc(number) && !Number.isNaN(number)) return undefined;
  }
  const range = greatest - least + 1;
  if (range < 1 || range > MOST_MARKS_PER_ROW * numbers.length) return undefined;
  const marks = new Uint8Array(range);
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] as number;
    if (!Number.isNaN(number)) marks[number - least] = 1;
  }
  const found: number[] = [];
  for (let i = 0; i < range; i++) if (marks[i] === 1) found.push(least + i);
  return Float64Array.from(found);
}

/** Sorting one number takes longer than going through this many marks. */
const MOST_MARKS_PER_ROW = 16;

/**
 * Returns a frame of reference that gives back exactly these ascending numbers; undefined if there
 * is none.
 */
function frameOf(
  distinct: Float64Array,
  firstKey: number,
): { readonly frame: FrameOfReference; readonly size: number } | undefined {
  if (distinct.length === 0)
    return { frame: { kind: 'frame', first: 0, power: 0 }, size: firstKey };
  const power = powerOf(distinct);
  if (power === undefined) return undefined;
  const least = inUnits(distinct[0] as number, power);
  const greatest = inUnits(distinct.at(-1) as number, power);
  const first = least - firstKey;
  const size = greatest - first + 1;
  // Beyond safe integers a subtraction rounds, and a number could get the code that stands for
  // none.
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(greatest)) return undefined;
  if (size > 2 ** 32) return undefined;
  const frame: FrameOfReference = { kind: 'frame', first, power };
  const isExact = distinct.every((number) =>
    Object.is(numberAt(frame, inUnits(number, power) - frame.first), number),
  );
  return isExact ? { frame, size } : undefined;
}

/**
 * The most decimals that a frame's numbers may have, and the most zeros at their end that a frame
 * may leave out.
 */
const MOST_DIGITS = 9;

/**
 * Returns the greatest power of ten that divides every number; undefined if there
 * is none.
 */
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

/** Divides a number by `10 ** power` and rounds the result. */
function inUnits(number: number, power: number): number {
  return Math.round(
    power < 0 ? number * (POWERS[-power] as number) : number / (POWERS[power] as number),
  );
}

/**
 * Encodes texts by their keys. If some key has several texts, or none is left of a text, the texts get codes of their own too.
 */
function encodeTexts({ texts, keyOf, keys, indices }: DistinctTexts): EncodedColumn {
  const ordered = sortByCodePoint([...keys.keys()]);
  // The empty key comes first. Rows without a text have it, and so have blank texts.
  ordered.shift();
  const nulls = indices.reduce((sum, place) => sum + (keyOf[place] === 0 ? 1 : 0), 0);
  const firstKey = nulls > 0 ? 1 : 0;
  const size = ordered.length + firstKey;
  const codeOfKey = new Uint32Array(keys.size);
  for (const [i, key] of ordered.entries()) codeOfKey[keys.get(key) as number] = i + firstKey;
  const codeOf = Uint32Array.from(keyOf, (key) => codeOfKey[key] as number);
  const isOwn = texts.size !== ordered.length;
  const stored = inOrderOfKeys(texts, codeOf, { size, firstKey, isOwn });
  const keyRun = runOf(ordered);
  const textRun =
    isOwn || stored.some((text, i) => text !== ordered[i]) ? runOf(stored) : undefined;
  return {
    codes: codesAt(indices, codeOf, size),
    nulls,
    distinct: ordered.length,
    firstKey,
    size,
    dictionary: {
      kind: 'texts',
      keyBytes: keyRun.bytes.length,
      textBytes: textRun?.bytes.length,
      texts: isOwn ? stored.length : undefined,
    },
    parts: [
      keyRun.lengths,
      keyRun.bytes,
      ...(textRun === undefined ? [] : [textRun.lengths, textRun.bytes]),
      ...(isOwn ? [codesOfTexts(indices, texts, stored)] : []),
    ],
    bounds:
      ordered.length === 0
        ? undefined
        : [boundOf(ordered[0] as string), boundOf(ordered.at(-1) as string)],
  };
}

/**
 * Lists the texts by the codes of their keys. If some key has several texts, those of one key stand
 * in their own order.
 */
function inOrderOfKeys(
  texts: ReadonlyMap<string, number>,
  codeOf: Uint32Array,
  { size, firstKey, isOwn }: { size: number; firstKey: number; isOwn: boolean },
): string[] {
  if (!isOwn) {
    const found = new Array<string>(texts.size);
    for (const [text, place] of texts) found[(codeOf[place] as number) - firstKey] = text;
    return found;
  }
  const found = Array.from({ length: size }, (): string[] => []);
  for (const text of sortByCodePoint([...texts.keys()])) {
    found[codeOf[texts.get(text) as number] as number]?.push(text);
  }
  return found.flat();
}

function codesOfTexts(
  indices: Uint32Array,
  texts: ReadonlyMap<string, number>,
  stored: readonly string[],
): UintArray {
  const codeOf = new Uint32Array(texts.size + 1);
  for (const [i, text] of stored.entries()) codeOf[texts.get(text) as number] = i + 1;
  return codesAt(indices, codeOf, stored.length + 1);
}

/** Looks up each row's code by the index of its text. */
function codesAt(indices: Uint32Array, codeOf: Uint32Array, size: number): UintArray {
  const codes = uintArrayFor(size, indices.length);
  for (let row = 0; row < codes.length; row++)
    codes[row] = codeOf[indices[row] as number] as number;
  return codes;
}

function runOf(texts: readonly string[]): { lengths: Uint32Array; bytes: Buffer } {
  const all = texts.join('');
  const plain = Buffer.from(all);
  // As many bytes as characters, so they are ASCII.
  if (plain.length === all.length) {
    return { lengths: Uint32Array.from(texts, ({ length }) => length), bytes: plain };
  }
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + 3 * length, 0));
  const lengths = new Uint32Array(texts.length);
  let end = 0;
  for (const [i, text] of texts.entries()) {
    if (!text.isWellFormed()) {
      throw new TypeError(`${JSON.stringify(text)} has half a surrogate pair.`);
    }
    const length = bytes.write(text, end);
    lengths[i] = length;
    end += length;
  }
  return { lengths: lengths, bytes: bytes.subarray(0, end) };
}
