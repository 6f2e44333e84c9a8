import type { Bins, FieldStatistics, ValueCount } from '../block/manifest.ts';
import { compareTexts, orderOfTexts, type PlacedTexts } from '../columns/byte-texts.ts';
import {
  type Chunk,
  type ChunkEntry,
  type FrameOfReference,
  numberAt,
  type TextList,
} from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { chunksOf } from '../columns/memory-rows.ts';
import { numberBetween } from '../measures/median.ts';
import type { Storage } from '../recipe/storage.ts';
import { lengthAt, startOf, type TextRun, textAt } from '../text/text-run.ts';
import { decimalsOf } from '../text/wording.ts';
import { MOST_TEXT_LENGTH, type NumberType } from '../values/field-type.ts';
import { type Field, isIndexed, isLabel, isNumeric, typeOf } from '../values/field-types.ts';
import { binned, binsOf, type Sampled, sampleOf, sharedScales } from './bins.ts';

/** What the importer learns about one column. */
export type ColumnSummary = {
  readonly statistics: FieldStatistics;
  /** The distribution of numbers, dates and times. */
  readonly bins?: Bins;
  /** The commonest texts. Texts that compare as equal appear once, and stars are escaped. */
  readonly suggestions?: readonly string[];
  /** The median of numbers, as `median` returns it. Absent for dates. */
  readonly median?: number;
  /** The most decimals of the numbers. Absent for whole numbers and dates. */
  readonly decimals?: number;
  /** The commonest values with their rows. */
  readonly commonest?: readonly ValueCount[];
};

export type Summary = {
  readonly columns: Readonly<Record<string, ColumnSummary>>;
  /** The bytes of each row in the storage. */
  readonly sizes: Uint32Array;
  /** Whether the storage takes every row. */
  readonly isHoldable: boolean;
};

/**
 * The most distinct texts that a person would still look through. They are listed with their rows.
 */
const FEW_VALUES = 20;

/** The most suggestions that a page can hold for each of a dozen fields. */
const MOST_SUGGESTIONS = 60;

/**
 * Summarises the columns one by one, so that memory holds the summary data of only one, and a few
 * keys of each.
 */
export function summariseColumns(
  fields: readonly Field[],
  packed: PackedColumns,
  storage: Storage,
): Summary {
  const sizes = new Uint32Array(packed.rows).fill(storage.bytesOfRow);
  const columns: Record<string, ColumnSummary> = Object.create(null);
  const texts: Field[] = [];
  const sampled: Sampled[] = [];
  let holdable = true;
  for (const field of fields) {
    const type = typeOf(field);
    if (type.comparedBy === 'number') {
      const found = summariseNumbers(field, type, packed, sizes, storage);
      columns[field.name] = found.summary;
      holdable &&= found.isHoldable;
      const { sample, summary } = found;
      const isAmount = isNumeric(field) && !isLabel(field, summary.statistics);
      if (sample !== undefined && isAmount) sampled.push({ field, sample });
    } else {
      holdable &&= addTextBytes(field, packed, sizes, storage);
      texts.push(field);
    }
  }
  for (const [name, scale] of sharedScales(sampled)) {
    const bins = binned(keysOf(packed, name), scale);
    columns[name] = { ...(columns[name] as ColumnSummary), bins };
  }
  // Texts come last, because they sum the sizes of whole rows.
  for (const field of texts) columns[field.name] = summariseTexts(field, packed, sizes);
  return {
    columns,
    sizes,
    isHoldable: holdable && sizes.every((size) => size <= storage.mostBytesOfRow),
  };
}

function summariseNumbers(
  field: Field,
  type: NumberType,
  packed: PackedColumns,
  sizes: Uint32Array,
  storage: Storage,
): {
  readonly summary: ColumnSummary;
  readonly isHoldable: boolean;
  readonly sample?: Float64Array;
} {
  const { nulls, min, max } = rangeOf(
    (packed.columns.get(field.name) as PackedColumn).directory.chunks,
  );
  const beside = storage.bytesBeside(field.name);
  const isOwnKey = type.json === 'number' || type.json === 'integer';
  const ofValue = isOwnKey ? beside.value : beside.value + beside.key;
  const units = countsOf(packed.columns.get(field.name) as PackedColumn, packed.rows);
  const keys = new Float64Array(units === undefined ? packed.rows - nulls : 0);
  let [position, found] = [0, 0];
  for (const { codes, firstKey, dictionary } of chunksOf(packed, field.name)) {
    if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a number.`);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      if (code < firstKey) continue;
      const key = numberAt(dictionary, code);
      if (units === undefined) keys[found] = key;
      else units.add((dictionary as FrameOfReference).first + code);
      found++;
      // A boolean has one byte.
      const length = isOwnKey ? 0 : (type.textLength?.(key, field) ?? 1);
      const bytes = ofValue + length + storage.bytesOfNumber(key);
      sizes[position + row] = (sizes[position + row] as number) + bytes;
    }
    position += codes.length;
  }
  const sorted = units === undefined ? keys.subarray(0, found).sort() : units.sorted(found);
  let [distinct, bytesOfTexts, length, isHoldable] = [0, 0, 0, true];
  for (let i = 0; i < found; i++) {
    const key = sorted[i] as number;
    if (i === 0 || key !== sorted[i - 1]) {
      distinct++;
      isHoldable &&= storage.holdsNumber(key);
      length = type.textLength?.(key, field) ?? String(type.valueOf(key, field)).length;
    }
    bytesOfTexts += length;
  }
  const counted = { nulls, distinct, bytes: bytesOfTexts };
  if (distinct === 0) return { summary: { statistics: counted }, isHoldable };
  const statistics = { ...counted, min, max };
  const bins = binsOf(field, sorted);
  if (type.control !== 'choice') {
    const median = isNumeric(field) ? { median: medianOf(sorted) } : {};
    const decimals = type.json === 'number' ? { decimals: mostDecimals(sorted) } : {};
    const summary = { statistics, bins, ...median, ...decimals };
    return { summary, isHoldable, sample: sampleOf(sorted) };
  }
  const yes = sorted.reduce((sum, key) => sum + key, 0);
  const counts: ValueCount[] = [
    ['yes', yes],
    ['no', found - yes],
  ];
  return { summary: { statistics, bins, commonest: counts }, isHoldable };
}

/** Numbers that may lie between the least and the greatest of a column, for each of its rows. */
const MOST_BETWEEN = 4;

/** Counts a column's numbers, if they are multiples of one power of ten that lie close together. */
function countsOf({ directory }: PackedColumn, rows: number): UnitCounts | undefined {
  const filled = directory.chunks.filter((chunk) => chunk.nulls < chunk.rows);
  const frames = filled.flatMap(({ dictionary: one }) => (one.kind === 'frame' ? [one] : []));
  const [frame] = frames;
  const isOne =
    frames.length === filled.length && frames.every((one) => one.power === frame?.power);
  if (frame === undefined || !isOne) return undefined;
  const least = Math.min(...frames.map(({ first }) => first));
  const end = Math.max(...frames.map(({ first }, i) => first + (filled[i]?.size as number)));
  if (end - least > MOST_BETWEEN * rows) return undefined;
  return new UnitCounts({ ...frame, first: least }, end - least);
}

/** How often each number of a frame occurs. It takes a fifth of the time that sorting them takes. */
class UnitCounts {
  readonly #frame: FrameOfReference;
  readonly #counts: Uint32Array;

  constructor(frame: FrameOfReference, size: number) {
    this.#frame = frame;
    this.#counts = new Uint32Array(size);
  }

  add(unit: number): void {
    const at = unit - this.#frame.first;
    this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /** All numbers that were added, ascending. There are `count`. */
  sorted(count: number): Float64Array {
    const numbers = new Float64Array(count);
    let to = 0;
    for (let code = 0; code < this.#counts.length; code++) {
      const times = this.#counts[code] as number;
      if (times === 0) continue;
      numbers.fill(numberAt(this.#frame, code), to, to + times);
      to += times;
    }
    return numbers;
  }
}

/** The keys of a column of numbers, in the order of its rows. */
function* keysOf(packed: PackedColumns, name: string): Iterable<number> {
  for (const { codes, firstKey, dictionary } of chunksOf(packed, name)) {
    if (dictionary.kind === 'texts') throw new TypeError(`${name} is not a number.`);
    for (const code of codes) if (code >= firstKey) yield numberAt(dictionary, code);
  }
}

function medianOf(sorted: Float64Array): number {
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return numberBetween(low as number, high as number, 50);
}

/** Numbers of a column whose decimals are counted, evenly apart. */
const MOST_WRITTEN = 1000;

function mostDecimals(sorted: Float64Array): number {
  const step = Math.ceil(sorted.length / MOST_WRITTEN);
  let most = 0;
  for (let i = 0; i < sorted.length; i += step) {
    most = Math.max(most, decimalsOf(sorted[i] as number));
  }
  return most;
}

function rangeOf(chunks: readonly ChunkEntry[]): { nulls: number; min: number; max: number } {
  let [nulls, least, greatest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { nulls: nullsOfChunk, min, max } of chunks) {
    nulls += nullsOfChunk;
    if (min !== undefined) least = Math.min(least, min as number);
    if (max !== undefined) greatest = Math.max(greatest, max as number);
  }
  return { nulls, min: least, max: greatest };
}

/** Adds a text column's part of each row's size. Returns whether the storage takes its keys. */
function addTextBytes(
  field: Field,
  packed: PackedColumns,
  sizes: Uint32Array,
  storage: Storage,
): boolean {
  const beside = storage.bytesBeside(field.name);
  let [position, mostKeyBytes] = [0, 0];
  for (const { codes, firstKey, dictionary } of chunksOf(packed, field.name)) {
    const { keys, texts, textCodes } = dictionary as TextList;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      let bytes = 0;
      if (code >= firstKey) {
        const keyBytes = lengthAt(keys, code);
        if (keyBytes > mostKeyBytes) mostKeyBytes = keyBytes;
        bytes += beside.key + keyBytes;
      }
      const textCode = textCodes?.[row] ?? code;
      if (textCodes === undefined ? code >= firstKey : textCode > 0) {
        bytes += beside.value + lengthAt(texts, textCode);
      }
      sizes[position] = (sizes[position] as number) + bytes;
      position++;
    }
  }
  return !isIndexed(field) || mostKeyBytes <= storage.mostBytesOfKey;
}

/**
 * Summarises a column of texts. Merges the chunks' keys in their order, so that memory holds the
 * packed texts and counts by code, but no map of all texts.
 */
function summariseTexts(field: Field, packed: PackedColumns, sizes: Uint32Array): ColumnSummary {
  const commonest = new Commonest();
  const values: string[] = [];
  let [nulls, distinct, bytesOfTexts, mostBytesOfKey] = [0, 0, 0, 0];
  const chunks: KeyedChunk[] = [];
  for (const chunk of chunksOf(packed, field.name)) {
    const read = readKeys(chunk, sizes, chunks.length * packed.rowsPerChunk);
    nulls += read.nulls;
    bytesOfTexts += read.bytesOfTexts;
    chunks.push(read);
  }
  // Texts without a key, such as those of only marks, are not ordered among the others.
  const keyless = new Set(chunks.flatMap(({ keyless }) => keyless));
  distinct += keyless.size;
  if (distinct <= FEW_VALUES) values.push(...keyless);
  const texts = new Set<string>();
  for (const members of inOrderOfKeys(chunks)) {
    let [rows, bytes] = [0, 0];
    for (const { chunk, code } of members) {
      rows += chunk.rows[code] as number;
      bytes += chunk.bytes[code] as number;
    }
    if (bytes > mostBytesOfKey) mostBytesOfKey = bytes;
    const [first] = members as [Member];
    const hasOneText = members.length === 1 && first.chunk.textsFrom === undefined;
    if (!hasOneText || distinct < FEW_VALUES) {
      texts.clear();
      for (const member of members) addTexts(texts, member);
      if (distinct < FEW_VALUES) values.push(...texts);
    }
    distinct += hasOneText ? 1 : texts.size;
    commonest.add(first, rows);
  }
  const isFew = distinct > 0 && distinct <= FEW_VALUES;
  return {
    statistics: {
      nulls,
      distinct,
      bytes: bytesOfTexts,
      values: isFew ? values.sort() : undefined,
      mostBytesOfKey: isIndexed(field) ? mostBytesOfKey : undefined,
    },
    ...commonest.found(),
  };
}

/** The keys of a chunk, and facts about their rows by code. */
type KeyedChunk = {
  readonly keys: TextRun;
  readonly texts: TextRun;
  readonly firstKey: number;
  readonly size: number;
  /** For each key: its number of rows, their bytes, and the position of the first one. */
  readonly rows: Uint32Array;
  readonly bytes: Float64Array;
  readonly first: Uint32Array;
  /** For each key: the index of its first row's text. */
  readonly firstText: Uint32Array;
  /**
   * Present if some key has several texts: where the texts of each key begin. They end where those
   * of the next key begin.
   */
  readonly textsFrom?: Uint32Array;
  readonly nulls: number;
  readonly bytesOfTexts: number;
  readonly keyless: readonly string[];
};

/** `from` is the position of the chunk's first row. */
function readKeys(chunk: Chunk, sizes: Uint32Array, from: number): KeyedChunk {
  const { codes, firstKey, size } = chunk;
  const { keys, texts, textCodes } = chunk.dictionary as TextList;
  const [rows, first, firstText] = [1, 2, 3].map(() => new Uint32Array(size)) as Lists;
  const bytes = new Float64Array(size);
  const countOfTexts = textCodes === undefined ? 0 : texts.ends.length;
  const keyOfText = new Uint32Array(countOfTexts);
  let [nulls, bytesOfTexts] = [0, 0];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    const text = textCodes === undefined ? code : (textCodes[row] as number);
    if (text < (textCodes === undefined ? firstKey : 1)) nulls++;
    else {
      bytesOfTexts += lengthAt(texts, text);
      if (textCodes !== undefined) keyOfText[text] = code;
    }
    if (code < firstKey) continue;
    if (rows[code] === 0) {
      first[code] = from + row;
      firstText[code] = text;
    }
    rows[code] = (rows[code] as number) + 1;
    bytes[code] = (bytes[code] as number) + (sizes[from + row] as number);
  }
  const counts = { nulls, bytesOfTexts };
  const read = { keys, texts, firstKey, size, rows, bytes, first, firstText, ...counts };
  if (textCodes === undefined) return { ...read, keyless: [] };
  // Texts are in the order of their keys. Texts without a key come first.
  const textsFrom = new Uint32Array(size + 1).fill(countOfTexts);
  for (let text = countOfTexts - 1; text > 0; text--) textsFrom[keyOfText[text] as number] = text;
  const keyless: string[] = [];
  for (let text = 1; text < countOfTexts && (keyOfText[text] as number) < firstKey; text++) {
    keyless.push(textAt(texts, text));
  }
  return { ...read, textsFrom, keyless };
}

type Lists = [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];

/** A key in a chunk. */
type Member = { readonly chunk: KeyedChunk; readonly code: number };

/** Yields the keys of all chunks in order: for each key, its code in every chunk that has it. */
function* inOrderOfKeys(chunks: readonly KeyedChunk[]): Generator<readonly Member[]> {
  const keys = keysOfChunks(chunks);
  // Equal keys stay in the order of their chunks.
  const order = orderOfTexts(keys);
  const memberAt = (at: number): Member => {
    const index = order[at] as number;
    const of = keys.bufferOf[index] as number;
    return { chunk: chunks[of] as KeyedChunk, code: index - (keys.firsts[of] as number) };
  };
  for (let from = 0, to = 0; from < order.length; from = to) {
    const members = [memberAt(from)];
    const isEqual = () => compareTexts(keys, order[from] as number, order[to] as number) === 0;
    for (to = from + 1; to < order.length && isEqual(); to++) members.push(memberAt(to));
    yield members;
  }
}

/** The keys of all chunks, one after another. Code 0 of a chunk would have the index of `firsts`. */
function keysOfChunks(
  chunks: readonly KeyedChunk[],
): PlacedTexts & { readonly firsts: readonly number[] } {
  const count = chunks.reduce((sum, { firstKey, size }) => sum + size - firstKey, 0);
  const bufferOf = new Uint16Array(count);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  const firsts: number[] = [];
  let index = 0;
  for (const [of, { keys, firstKey, size }] of chunks.entries()) {
    firsts.push(index - firstKey);
    for (let code = firstKey; code < size; code++, index++) {
      bufferOf[index] = of;
      starts[index] = startOf(keys, code);
      ends[index] = keys.ends[code] as number;
    }
  }
  return { buffers: chunks.map(({ keys }) => keys.bytes), bufferOf, starts, ends, firsts };
}

function addTexts(found: Set<string>, { chunk, code }: Member): void {
  const { texts, textsFrom } = chunk;
  const from = textsFrom === undefined ? code : (textsFrom[code] as number);
  const end = textsFrom === undefined ? code + 1 : (textsFrom[code + 1] as number);
  for (let text = from; text < end; text++) found.add(textAt(texts, text));
}

type Common = { readonly rows: number; readonly first: number; readonly text?: string };

/** Finds the texts that most rows have. If as many rows have two texts, the first one wins. */
class Commonest {
  readonly #suggested: Common[] = [];

  /** Adds a key with its number of rows, by its code in the first chunk. */
  add({ chunk, code }: Member, rows: number): void {
    const list = this.#suggested;
    const common = { rows, first: chunk.first[code] as number };
    const isFull = list.length === MOST_SUGGESTIONS;
    if (isFull && !isBefore(common, list.at(-1) as Common)) return;
    const text = textAt(chunk.texts, chunk.firstText[code] as number);
    if (text.length >= MOST_TEXT_LENGTH / 2 || /[\r\n]/.test(text)) return;
    if (isFull) list.pop();
    let at = list.length;
    while (at > 0 && isBefore(common, list[at - 1] as Common)) at--;
    list.splice(at, 0, { ...common, text });
  }

  found(): Required<Pick<ColumnSummary, 'suggestions' | 'commonest'>> {
    return {
      commonest: this.#suggested.slice(0, FEW_VALUES).map(({ text = '', rows }) => [text, rows]),
      suggestions: this.#suggested.map(({ text = '' }) => text.trim().replaceAll('*', '\\*')),
    };
  }
}

function isBefore(a: Common, b: Common): boolean {
  return a.rows > b.rows || (a.rows === b.rows && a.first < b.first);
}
