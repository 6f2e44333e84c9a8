import type { FieldStatistics, ValueCount } from '../block/manifest.ts';
import { type Chunk, codesOf, type FrameOfReference, type TextList } from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { chunksOf } from '../columns/memory-rows.ts';
import { TextDictionary } from '../measures/text-ids.ts';
import type { Storage } from '../recipe/storage.ts';
import { isSameText, lengthAt, type TextRun, textAt, textsOf } from '../text/text-run.ts';
import { MOST_TEXT_LENGTH } from '../values/field-type.ts';
import { type Field, isIndexed } from '../values/field-types.ts';
import { resultOf } from '../work/work.ts';

/** What the importer learns about a column of texts. */
export type TextSummary = {
  readonly statistics: FieldStatistics;
  /** The commonest texts. Texts that compare as equal appear once, and stars are escaped. */
  readonly suggestions: readonly string[];
  /** The commonest values with their rows. */
  readonly commonest: readonly ValueCount[];
};

/**
 * The most distinct texts that a person would still look through. They are listed with their rows.
 */
const FEW_VALUES = 20;

/** The most suggestions that a page can hold for each of a dozen fields. */
const MOST_SUGGESTIONS = 60;

/** Adds a text column's part of each row's size. Returns whether the storage takes its keys. */
export function addTextBytes(
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
export function summariseTexts(
  field: Field,
  packed: PackedColumns,
  sizes: Uint32Array,
): TextSummary {
  const keys = new KeyFacts();
  // Texts without a key, such as those of only marks.
  const keyless = new Set<string>();
  let [nulls, bytes, from] = [0, 0, 0];
  const { directory } = packed.columns.get(field.name) as PackedColumn;
  const codesOfRows = directory.codes && packed.columns.get(codesOf(field.name));
  keys.reserve(mostCode(codesOfRows) + 1);
  const stored = codesOfRows && chunksOf(packed, codesOf(field.name));
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

/** The greatest code of a column's rows; -1 if there is none. */
function mostCode(column: PackedColumn | undefined): number {
  return Math.max(-1, ...(column?.directory.chunks ?? []).map(({ max }) => Number(max ?? -1)));
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
    const firstText = upTo(0, size);
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

/** The numbers from one up to another. A loop takes a tenth of the time that an iterator takes. */
function upTo(first: number, end: number): Uint32Array {
  const numbers = new Uint32Array(end - first);
  for (let i = 0; i < numbers.length; i++) numbers[i] = first + i;
  return numbers;
}

/** Facts about the keys of a column, which several chunks may have. Ids tell keys apart. */
class KeyFacts {
  readonly #ids = new TextDictionary();
  #count = 0;
  /** The first texts of the keys that each chunk adds. */
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
    const run = this.#runs.length;
    const firstTexts = new Uint32Array(size - firstKey);
    let added = 0;
    for (let code = firstKey; code < size; code++) {
      const id = ids[code] as number;
      if (id >= this.#count) this.#count = id + 1;
      this.reserve(this.#count);
      if (this.#rows[id] === 0) {
        this.#first[id] = chunk.first[code] as number;
        this.#runOf[id] = run;
        this.#textOf[id] = added;
        firstTexts[added++] = chunk.firstText[code] as number;
        this.texts++;
      }
      this.#rows[id] = (this.#rows[id] as number) + (chunk.rows[code] as number);
      this.#bytes[id] = (this.#bytes[id] as number) + (chunk.bytes[code] as number);
    }
    // The chunk itself would stay in memory with its codes and keys.
    this.#runs.push(textsOf(texts, firstTexts.subarray(0, added)));
    for (let code = firstKey; code < size; code++) {
      const id = ids[code] as number;
      const end = textsFrom === undefined ? code + 1 : (textsFrom[code + 1] as number);
      for (let text = textsFrom?.[code] ?? code; text < end; text++) this.#addText(id, texts, text);
    }
  }

  #idsOf({ keys, firstKey, size }: KeyedChunk): Uint32Array {
    const ids = new Uint32Array(size);
    ids.set(resultOf(this.#ids.idsOf(keys, upTo(firstKey, size))), firstKey);
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

  /** Makes room for this many keys. */
  reserve(count: number): void {
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
  commonest(): Omit<TextSummary, 'statistics'> {
    const list: Common[] = [];
    for (let id = 0; id < this.#count; id++) {
      const isFull = list.length === MOST_SUGGESTIONS;
      // Most keys are none of the commonest: no object is made for them.
      if (isFull && (this.#rows[id] as number) < (list.at(-1) as Common).rows) continue;
      const common = { rows: this.#rows[id] as number, first: this.#first[id] as number };
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
