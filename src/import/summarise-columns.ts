import type { Bins, FieldStatistics, ValueCount } from '../block/manifest.ts';
import {
  type Chunk,
  type ChunkEntry,
  codesOf,
  type FrameOfReference,
  type NumberList,
  numberAt,
  type TextList,
} from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { chunksOf } from '../columns/memory-rows.ts';
import { numberBetween } from '../measures/median.ts';
import { TextDictionary } from '../measures/text-ids.ts';
import type { Storage } from '../recipe/storage.ts';
import { lengthOfNumber } from '../text/decimal.ts';
import { isSameText, lengthAt, type TextRun, textAt } from '../text/text-run.ts';
import { decimalsOf } from '../text/wording.ts';
import { MOST_TEXT_LENGTH, type NumberType } from '../values/field-type.ts';
import { type Field, isIndexed, isLabel, isNumeric, typeOf } from '../values/field-types.ts';
import { resultOf } from '../work/work.ts';
import { binned, binnedChunks, binsOf, type Sampled, sampleOf, sharedScales } from './bins.ts';

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
  const kept = new Map<string, Float64Array>();
  let bytesLeft = MOST_KEPT;
  // One for all columns: what each would have would be in memory until the garbage is collected.
  const room = new Float64Array(packed.rows);
  let holdable = true;
  for (const field of fields) {
    const type = typeOf(field);
    if (type.comparedBy === 'number') {
      const found = summariseNumbers(field, type, packed, sizes, storage, room);
      columns[field.name] = found.summary;
      holdable &&= found.isHoldable;
      const { sample, summary, sorted } = found;
      const isAmount = isNumeric(field) && !isLabel(field, summary.statistics);
      if (sample === undefined || sorted === undefined || !isAmount) continue;
      sampled.push({ field, sample });
      const { byteLength } = sorted;
      if (byteLength > MOST_KEPT_OF_COLUMN || byteLength > bytesLeft) continue;
      bytesLeft -= byteLength;
      kept.set(field.name, sorted.slice());
    } else {
      holdable &&= addTextBytes(field, packed, sizes, storage);
      texts.push(field);
    }
  }
  for (const [name, scale] of sharedScales(sampled)) {
    const sorted = kept.get(name);
    const bins =
      sorted === undefined ? binnedChunks(chunksOf(packed, name), scale) : binned(sorted, scale);
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

/** Bytes of numbers that are kept until the scales are known: of all columns, and of each. */
const MOST_KEPT = 2 ** 25;
const MOST_KEPT_OF_COLUMN = 2 ** 20;

function summariseNumbers(
  field: Field,
  type: NumberType,
  packed: PackedColumns,
  sizes: Uint32Array,
  storage: Storage,
  room: Float64Array,
): {
  readonly summary: ColumnSummary;
  readonly isHoldable: boolean;
  readonly sample?: Float64Array;
  readonly sorted?: Float64Array;
} {
  const { nulls, min, max } = rangeOf(
    (packed.columns.get(field.name) as PackedColumn).directory.chunks,
  );
  const beside = storage.bytesBeside(field.name);
  const isOwnKey = type.json === 'number' || type.json === 'integer';
  const ofValue = isOwnKey ? beside.value : beside.value + beside.key;
  const units = countsOf(packed.columns.get(field.name) as PackedColumn, packed.rows);
  let [position, found] = [0, 0];
  let mostOfAll: number | undefined = 0;
  for (const { codes, firstKey, dictionary } of chunksOf(packed, field.name)) {
    if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a number.`);
    const most = mostDecimalsOf(dictionary);
    mostOfAll =
      mostOfAll === undefined || most === undefined ? undefined : Math.max(mostOfAll, most);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      if (code < firstKey) continue;
      const key = numberAt(dictionary, code);
      if (units === undefined) room[found] = key;
      else units.add((dictionary as FrameOfReference).first + code);
      found++;
      // A boolean has one byte.
      const length = isOwnKey ? 0 : (type.textLength?.(key, field) ?? 1);
      const bytes = ofValue + length + storage.bytesOfNumber(key, most);
      sizes[position + row] = (sizes[position + row] as number) + bytes;
    }
    position += codes.length;
  }
  const sorted = room.subarray(0, found);
  if (units === undefined) sorted.sort();
  else units.fill(sorted);
  let [distinct, bytesOfTexts, length, isHoldable] = [0, 0, 0, true];
  for (let i = 0; i < found; i++) {
    const key = sorted[i] as number;
    if (i === 0 || key !== sorted[i - 1]) {
      distinct++;
      isHoldable &&= storage.holdsNumber(key);
      if (isOwnKey) length = lengthOfNumber(key, mostOfAll);
      else length = type.textLength?.(key, field) ?? String(type.valueOf(key, field)).length;
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
    return { summary, isHoldable, sample: sampleOf(sorted), sorted };
  }
  const yes = sorted.reduce((sum, key) => sum + key, 0);
  const counts: ValueCount[] = [
    ['yes', yes],
    ['no', found - yes],
  ];
  return { summary: { statistics, bins, commonest: counts }, isHoldable };
}

/** Decimals that are enough to write each number. Undefined if it is not known. */
function mostDecimalsOf(dictionary: FrameOfReference | NumberList): number | undefined {
  return dictionary.kind === 'frame' ? Math.max(0, -dictionary.power) : undefined;
}

/**
 * Numbers that may lie between the least and the greatest of a column that are counted: for each of
 * its rows, and in all.
 */
const MOST_BETWEEN = 16;
const MOST_COUNTED = 2 ** 22;

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
  if (end - least > Math.min(MOST_BETWEEN * rows, MOST_COUNTED)) return undefined;
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

  /** Writes all numbers that were added, ascending. */
  fill(numbers: Float64Array): void {
    let to = 0;
    for (let code = 0; code < this.#counts.length; code++) {
      const times = this.#counts[code] as number;
      if (times === 0) continue;
      numbers.fill(numberAt(this.#frame, code), to, to + times);
      to += times;
    }
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
  for (const { codes, firstKey, size, dictionary } of chunksOf(packed, field.name)) {
    const { keys, texts, textCodes } = dictionary as TextList;
    const ofKeys = new Uint32Array(size);
    for (let code = firstKey; code < size; code++) {
      const bytes = lengthAt(keys, code);
      if (bytes > mostKeyBytes) mostKeyBytes = bytes;
      ofKeys[code] = beside.key + bytes;
    }
    const ofTexts = textCodes === undefined ? ofKeys : new Uint32Array(texts.ends.length);
    for (let text = textCodes === undefined ? firstKey : 1; text < texts.ends.length; text++) {
      ofTexts[text] = (ofTexts[text] as number) + beside.value + lengthAt(texts, text);
    }
    for (let row = 0; row < codes.length; row++, position++) {
      const code = codes[row] as number;
      let bytes = ofKeys[code] as number;
      if (textCodes !== undefined) bytes += ofTexts[textCodes[row] as number] as number;
      sizes[position] = (sizes[position] as number) + bytes;
    }
  }
  return !isIndexed(field) || mostKeyBytes <= storage.mostBytesOfKey;
}

/**
 * Summarises a column of texts, chunk by chunk. Memory holds the packed texts and facts by key, but
 * no map of all texts.
 */
function summariseTexts(field: Field, packed: PackedColumns, sizes: Uint32Array): ColumnSummary {
  const keys = new KeyFacts();
  // Texts without a key, such as those of only marks.
  const keyless = new Set<string>();
  let [nulls, bytes, from] = [0, 0, 0];
  const { directory } = packed.columns.get(field.name) as PackedColumn;
  const stored = directory.codes && chunksOf(packed, codesOf(field.name));
  for (const chunk of chunksOf(packed, field.name)) {
    const read = readKeys(chunk, sizes, from);
    nulls += read.nulls;
    bytes += read.bytesOfTexts;
    for (const text of read.keyless) keyless.add(text);
    const codes = stored?.next().value;
    keys.add(read, codes && idsOfCodes(chunk, codes));
    from += packed.rowsPerChunk;
  }
  const distinct = keyless.size + keys.texts;
  const isFew = distinct > 0 && distinct <= FEW_VALUES;
  return {
    statistics: {
      nulls,
      distinct,
      bytes,
      values: isFew ? [...keyless, ...keys.allTexts()].sort() : undefined,
      mostBytesOfKey: isIndexed(field) ? keys.mostBytes() : undefined,
    },
    ...keys.commonest(),
  };
}

/** The id of each key of a chunk: what is stored as the code of its rows. */
function idsOfCodes({ codes, size }: Chunk, stored: Chunk): Uint32Array {
  const ids = new Uint32Array(size);
  const { first } = stored.dictionary as FrameOfReference;
  for (let row = 0; row < codes.length; row++) {
    ids[codes[row] as number] = first + (stored.codes[row] as number);
  }
  return ids;
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
  const [rows, first] = [new Uint32Array(size), new Uint32Array(size)];
  const bytes = new Float64Array(size);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number;
    if (rows[code] === 0) first[code] = from + row;
    rows[code] = (rows[code] as number) + 1;
    bytes[code] = (bytes[code] as number) + (sizes[from + row] as number);
  }
  const read = { keys, texts, firstKey, size, rows, bytes, first };
  let bytesOfTexts = 0;
  if (textCodes === undefined) {
    for (let code = firstKey; code < size; code++) {
      bytesOfTexts += (rows[code] as number) * lengthAt(texts, code);
    }
    const nulls = firstKey === 1 ? (rows[0] as number) : 0;
    const firstText = Uint32Array.from(rows.keys());
    return { ...read, firstText, nulls, bytesOfTexts, keyless: [] };
  }
  const countOfTexts = texts.ends.length;
  const [firstText, keyOfText] = [new Uint32Array(size), new Uint32Array(countOfTexts)];
  let nulls = 0;
  for (let row = codes.length - 1; row >= 0; row--) {
    const [code, text] = [codes[row] as number, textCodes[row] as number];
    firstText[code] = text;
    if (text === 0) nulls++;
    else {
      bytesOfTexts += lengthAt(texts, text);
      keyOfText[text] = code;
    }
  }
  // Texts are in the order of their keys. Texts without a key come first.
  const textsFrom = new Uint32Array(size + 1).fill(countOfTexts);
  for (let text = countOfTexts - 1; text > 0; text--) textsFrom[keyOfText[text] as number] = text;
  const keyless: string[] = [];
  for (let text = 1; text < countOfTexts && (keyOfText[text] as number) < firstKey; text++) {
    keyless.push(textAt(texts, text));
  }
  return { ...read, firstText, textsFrom, nulls, bytesOfTexts, keyless };
}

/** Facts about the keys of a column, which several chunks may have. Ids tell keys apart. */
class KeyFacts {
  readonly #ids = new TextDictionary();
  #count = 0;
  /** The texts of each chunk. */
  readonly #runs: TextRun[] = [];
  /** For each key: its rows, their bytes, the first row, and the chunk and the index of its text. */
  #rows = new Uint32Array(FIRST_KEYS);
  #bytes = new Float64Array(FIRST_KEYS);
  #first = new Uint32Array(FIRST_KEYS);
  #runOf = new Uint16Array(FIRST_KEYS);
  #textOf = new Uint32Array(FIRST_KEYS);
  /** The further texts of keys that have several. */
  readonly #further = new Map<number, Set<string>>();
  /** The number of different texts. */
  texts = 0;

  /** Adds the keys of the next chunk. `ids` are those of its keys, if they are known. */
  add(chunk: KeyedChunk, ids = this.#idsOf(chunk)): void {
    const { texts, firstKey, size, textsFrom } = chunk;
    const run = this.#runs.push(texts) - 1;
    for (let code = firstKey; code < size; code++) {
      const id = ids[code] as number;
      if (id >= this.#count) this.#count = id + 1;
      this.#reserve(this.#count);
      if (this.#rows[id] === 0) {
        this.#first[id] = chunk.first[code] as number;
        this.#runOf[id] = run;
        this.#textOf[id] = chunk.firstText[code] as number;
        this.texts++;
      }
      this.#rows[id] = (this.#rows[id] as number) + (chunk.rows[code] as number);
      this.#bytes[id] = (this.#bytes[id] as number) + (chunk.bytes[code] as number);
      const end = textsFrom === undefined ? code + 1 : (textsFrom[code + 1] as number);
      for (let text = textsFrom?.[code] ?? code; text < end; text++) this.#addText(id, texts, text);
    }
  }

  #idsOf({ keys, firstKey, size }: KeyedChunk): Uint32Array {
    const codes = Uint32Array.from({ length: size - firstKey }, (_, i) => firstKey + i);
    const ids = new Uint32Array(size);
    ids.set(resultOf(this.#ids.idsOf(keys, codes)), firstKey);
    return ids;
  }

  #addText(id: number, texts: TextRun, text: number): void {
    const own = this.#runs[this.#runOf[id] as number] as TextRun;
    if (isSameText(own, this.#textOf[id] as number, texts, text)) return;
    const further = this.#further.get(id) ?? new Set();
    const before = further.size;
    this.#further.set(id, further.add(textAt(texts, text)));
    this.texts += further.size - before;
  }

  #reserve(count: number): void {
    if (count <= this.#rows.length) return;
    const length = Math.max(count, 2 * this.#rows.length);
    const rows = new Uint32Array(length);
    const bytes = new Float64Array(length);
    const first = new Uint32Array(length);
    const runOf = new Uint16Array(length);
    const textOf = new Uint32Array(length);
    rows.set(this.#rows);
    bytes.set(this.#bytes);
    first.set(this.#first);
    runOf.set(this.#runOf);
    textOf.set(this.#textOf);
    [this.#rows, this.#bytes, this.#first] = [rows, bytes, first];
    [this.#runOf, this.#textOf] = [runOf, textOf];
  }

  #text(id: number): string {
    return textAt(this.#runs[this.#runOf[id] as number] as TextRun, this.#textOf[id] as number);
  }

  /** All texts. There should be few. */
  allTexts(): string[] {
    const firstTexts = Array.from({ length: this.#count }, (_, id) => this.#text(id));
    return [...firstTexts, ...[...this.#further.values()].flatMap((further) => [...further])];
  }

  /** The most bytes that the rows of a key have. */
  mostBytes(): number {
    return this.#bytes.reduce((most, bytes) => Math.max(most, bytes), 0);
  }

  /** The texts that most rows have. If as many rows have two texts, the first one wins. */
  commonest(): Required<Pick<ColumnSummary, 'suggestions' | 'commonest'>> {
    const list: Common[] = [];
    for (let id = 0; id < this.#count; id++) {
      const common = { rows: this.#rows[id] as number, first: this.#first[id] as number };
      const isFull = list.length === MOST_SUGGESTIONS;
      if (isFull && !isBefore(common, list.at(-1) as Common)) continue;
      const text = this.#text(id);
      if (text.length >= MOST_TEXT_LENGTH / 2 || /[\r\n]/.test(text)) continue;
      if (isFull) list.pop();
      let at = list.length;
      while (at > 0 && isBefore(common, list[at - 1] as Common)) at--;
      list.splice(at, 0, { ...common, text });
    }
    return {
      commonest: list.slice(0, FEW_VALUES).map(({ text, rows }) => [text, rows]),
      suggestions: list.map(({ text }) => text.trim().replaceAll('*', '\\*')),
    };
  }
}

/** Keys for which there is room at first. */
const FIRST_KEYS = 64;

type Common = { readonly rows: number; readonly first: number; readonly text: string };

function isBefore(a: Omit<Common, 'text'>, b: Common): boolean {
  return a.rows > b.rows || (a.rows === b.rows && a.first < b.first);
}
