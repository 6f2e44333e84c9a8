import type { FieldStatistics } from '../block/manifest.ts';
import { type ChunkEntry, numberAt, type TextList, textOfRow } from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { chunksOf } from '../columns/memory-rows.ts';
import { lengthAt, textAt } from '../text/text-run.ts';
import { MOST_TEXT_LENGTH, type NumberType } from '../values/field-type.ts';
import { type Field, isIndexed, typeOf } from '../values/field-types.ts';
import type { Storage } from './storage.ts';

/** What the importer learns of one column. */
export type ColumnSummary = {
  readonly statistics: FieldStatistics;
  /** The number of rows in each of some equal ranges from the least number to the greatest. */
  readonly histogram?: readonly number[];
  /** The commonest texts, one spelling for each group that compares as equal; stars are escaped. */
  readonly suggestions?: readonly string[];
  /** The number of rows that have each of the commonest texts, the most common first. */
  readonly counts?: readonly number[];
};

export type Summary = {
  readonly columns: Readonly<Record<string, ColumnSummary>>;
  /** The bytes of each row in the storage. */
  readonly sizes: Uint32Array;
  /** Whether the storage takes every row. */
  readonly isHoldable: boolean;
};

const BINS = 24;

/** The most distinct texts that a person would still look through. */
const FEW_VALUES = 20;

/** The most suggestions that a page can hold for each of a dozen fields. */
const MOST_SUGGESTIONS = 60;

/** Goes through the columns one by one, so that memory holds what is known of one. */
export function summariseColumns(
  fields: readonly Field[],
  packed: PackedColumns,
  storage: Storage,
): Summary {
  const sizes = new Uint32Array(packed.rows).fill(storage.bytesOfRow);
  const columns: Record<string, ColumnSummary> = Object.create(null);
  const texts: Field[] = [];
  let holdable = true;
  for (const field of fields) {
    const type = typeOf(field);
    if (type.comparedBy === 'number') {
      const found = summariseNumbers(field, type, packed, sizes, storage);
      columns[field.name] = found.summary;
      holdable &&= found.isHoldable;
    } else {
      holdable &&= addTextBytes(field, packed, sizes, storage);
      texts.push(field);
    }
  }
  // Behind all others: it sums the sizes of whole rows.
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
): { readonly summary: ColumnSummary; readonly isHoldable: boolean } {
  const { nulls, min, max } = rangeOf(
    (packed.columns.get(field.name) as PackedColumn).directory.chunks,
  );
  const keys = new Float64Array(packed.rows - nulls);
  const sizeOf = sizesOf(field, type, storage);
  const histogram = new Array<number>(BINS).fill(0);
  let [position, found] = [0, 0];
  for (const { codes, firstKey, dictionary } of chunksOf(packed, field.name)) {
    if (dictionary.kind === 'texts') throw new TypeError(`${field.name} is not a number.`);
    for (const code of codes) {
      const row = position++;
      if (code < firstKey) continue;
      const key = numberAt(dictionary, code);
      keys[found++] = key;
      sizes[row] = (sizes[row] as number) + sizeOf(key);
      const bin = max === min ? 0 : Math.floor(((key - min) / (max - min)) * BINS);
      histogram[Math.min(bin, BINS - 1)] = (histogram[Math.min(bin, BINS - 1)] as number) + 1;
    }
  }
  const sorted = keys.subarray(0, found).sort();
  const distinct = sorted.reduce((sum, key, i) => (key === sorted[i - 1] ? sum : sum + 1), 0);
  return {
    summary:
      distinct === 0
        ? { statistics: { nulls, distinct } }
        : { statistics: { nulls, distinct, min, max }, histogram },
    isHoldable: sorted.every(storage.holdsNumber),
  };
}

/** What a key and its value take in a row. Writing a date takes long, and few are different. */
function sizesOf(
  field: Field,
  type: NumberType,
  { bytesOfField }: Storage,
): (key: number) => number {
  const { name } = field;
  const bytesOf = new Map<number, number>();
  return (key) => {
    if (type.json === 'number' || type.json === 'integer') return bytesOfField(name, key, key);
    let bytes = bytesOf.get(key);
    if (bytes === undefined) {
      bytes = bytesOfField(name, type.valueOf(key, field), key);
      bytesOf.set(key, bytes);
    }
    return bytes;
  };
}

function rangeOf(chunks: readonly ChunkEntry[]): { nulls: number; min: number; max: number } {
  let [nulls, least, greatest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { nulls: its, min, max } of chunks) {
    nulls += its;
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
  const beside = storage.bytesBesideText(field.name);
  let [position, mostKeyBytes] = [0, 0];
  for (const { codes, firstKey, dictionary } of chunksOf(packed, field.name)) {
    const { keys, texts, textCodes } = dictionary as TextList;
    for (const [row, code] of codes.entries()) {
      let bytes = 0;
      if (code >= firstKey) {
        const keyBytes = lengthAt(keys, code);
        if (keyBytes > mostKeyBytes) mostKeyBytes = keyBytes;
        bytes += beside.key + keyBytes;
      }
      const textCode = textCodes?.[row] ?? code;
      if (textCodes === undefined ? code >= firstKey : textCode > 0) {
        bytes += beside.text + lengthAt(texts, textCode);
      }
      sizes[position] = (sizes[position] as number) + bytes;
      position++;
    }
  }
  return !isIndexed(field) || mostKeyBytes <= storage.mostBytesOfKey;
}

/** The rows that share a key: the first one's text, their number, and their bytes. */
type RowsOfKey = { readonly text: string; rows: number; bytes: number };

function summariseTexts(field: Field, packed: PackedColumns, sizes: Uint32Array): ColumnSummary {
  const byKey = new Map<string, RowsOfKey>();
  const distinct = new Set<string>();
  let [nulls, from] = [0, 0];
  for (const chunk of chunksOf(packed, field.name)) {
    const { codes, firstKey, size } = chunk;
    const { keys, texts, textCodes } = chunk.dictionary as TextList;
    for (let i = textCodes === undefined ? firstKey : 1; i < texts.ends.length; i++) {
      distinct.add(textAt(texts, i));
    }
    const rowsOf = new Uint32Array(size);
    const bytesOf = new Float64Array(size);
    const firstRows: number[] = [];
    for (const [row, code] of codes.entries()) {
      if (textCodes === undefined ? code < firstKey : textCodes[row] === 0) nulls++;
      if (code < firstKey) continue;
      if (rowsOf[code] === 0) firstRows.push(row);
      rowsOf[code] = (rowsOf[code] as number) + 1;
      bytesOf[code] = (bytesOf[code] as number) + (sizes[from + row] as number);
    }
    for (const row of firstRows) {
      const code = codes[row] as number;
      const key = textAt(keys, code);
      const known = byKey.get(key) ?? { text: textOfRow(chunk, row) as string, rows: 0, bytes: 0 };
      known.rows += rowsOf[code] as number;
      known.bytes += bytesOf[code] as number;
      byKey.set(key, known);
    }
    from += codes.length;
  }
  let mostBytesOfKey = 0;
  for (const { bytes } of byKey.values()) mostBytesOfKey = Math.max(mostBytesOfKey, bytes);
  const commonest = [...byKey.values()].sort((a, b) => b.rows - a.rows);
  const isFew = distinct.size > 0 && distinct.size <= FEW_VALUES;
  return {
    statistics: {
      nulls,
      distinct: distinct.size,
      ...(isFew ? { values: [...distinct].sort() } : {}),
      ...(isIndexed(field) ? { mostBytesOfKey } : {}),
    },
    counts: commonest.slice(0, BINS).map(({ rows }) => rows),
    suggestions: commonest
      .filter(({ text }) => text.length < MOST_TEXT_LENGTH / 2 && !/[\r\n]/.test(text))
      .slice(0, MOST_SUGGESTIONS)
      .map(({ text }) => text.trim().replaceAll('*', '\\*')),
  };
}
