import type { ColumnChunk, DecodedArray, FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import type { Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { Batches, TypedColumn } from './format.ts';

/**
 * A page of a Parquet download: rows, characters, or characters for each column if that is more.
 *
 * It is written without a pause, in 1 to 8 ms, and ends at the first of these. Each page has a
 * head, so that of many columns has more characters: with 29 rows, the heads are a third of it.
 */
const PAGE_ROWS = 1000;
const PAGE_CHARACTERS = 2 ** 18;
const PAGE_CHARACTERS_PER_COLUMN = 2 ** 12;

/**
 * A group of rows, which a Parquet download has in memory: rows, compressed bytes, or bytes for
 * each column if that is more. Besides it keeps where each earlier group lies in the file.
 *
 * The rows of a group lie column by column, so the group is in memory until its last row. The end
 * of the file lists each column of each group, so a group of many columns is larger.
 */
const GROUP_ROWS = 64_000;
const GROUP_BYTES = 2 ** 21;
const GROUP_BYTES_PER_COLUMN = 2 ** 13;

/** The work of reading or writing a character, and of writing a value, in steps. */
const STEPS_PER_CHARACTER = 3;
const STEPS_PER_VALUE = 30;

const CODEC = 'SNAPPY';

/** The four bytes that a Parquet file begins and ends with. */
const MAGIC = Buffer.from('PAR1');

/**
 * Rows, given as JSON texts, as a Parquet file in pieces: a column's part of a group each, and the
 * list of all parts last. Without that list no reader takes a file that broke off for a whole one.
 * Throws if the texts are longer than `mostCharacters` together.
 */
export async function* parquetPieces(
  fields: readonly TypedColumn[],
  batches: Batches,
  budget: Budget,
  mostCharacters = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  // By itself, before any work: writing it may show that nobody is there.
  yield MAGIC;
  const columns = fields.map((field) => new Column(field));
  const groups: RowGroup[] = [];
  const mostCharactersOfPage = Math.max(
    PAGE_CHARACTERS,
    columns.length * PAGE_CHARACTERS_PER_COLUMN,
  );
  const groupBytes = Math.max(GROUP_BYTES, columns.length * GROUP_BYTES_PER_COLUMN);
  let offset = MAGIC.length;
  let [groupRows, pageRows, pageCharacters] = [0, 0, 0];
  let left = mostCharacters;

  const endPage = async () => {
    const characters = pageCharacters / columns.length;
    for (const column of columns) {
      column.endPage();
      await budget.checkpoint(pageRows * STEPS_PER_VALUE + characters * STEPS_PER_CHARACTER);
    }
    groupRows += pageRows;
    [pageRows, pageCharacters] = [0, 0];
  };
  async function* endGroup() {
    const chunks: ColumnChunk[] = [];
    for (const column of columns) {
      const { bytes, chunk } = column.endChunk(groupRows, offset);
      offset += bytes.length;
      chunks.push(chunk);
      yield bytes;
      await budget.pause();
    }
    groups.push(groupOf(chunks, groupRows));
    groupRows = 0;
  }

  for await (const texts of batches) {
    for (const text of texts) {
      const row = JSON.parse(text);
      for (const column of columns) column.add(row[column.name]);
      pageRows++;
      pageCharacters += text.length;
      left -= text.length;
      if (left < 0) throw new RangeError(`The rows have more than ${mostCharacters} characters.`);
      await budget.checkpoint(text.length * STEPS_PER_CHARACTER);
      if (pageRows < PAGE_ROWS && pageCharacters < mostCharactersOfPage) continue;
      await endPage();
      const bytes = columns.reduce((sum, column) => sum + column.bytes, 0);
      if (groupRows >= GROUP_ROWS || bytes >= groupBytes) yield* endGroup();
    }
  }
  if (pageRows > 0) await endPage();
  if (groupRows > 0) yield* endGroup();
  yield footerOf(columns, groups);
}

/** A column of a file: the values of the page that is being read, and the group's pages so far. */
class Column {
  readonly name: string;
  readonly element: SchemaElement;
  readonly #written: (value: Exclude<Value, null>) => unknown;
  #values: unknown[] = [];
  #pages = new ByteWriter();
  #plainBytes = 0;

  constructor(parquetField: TypedColumn) {
    const { field } = parquetField;
    const { written, ...element } = columnOf(parquetField);
    this.name = field.name;
    this.element = { name: field.name, repetition_type: 'OPTIONAL', ...element };
    this.#written = written;
  }

  get bytes(): number {
    return this.#pages.offset;
  }

  add(value: Value | undefined): void {
    this.#values.push(value === null || value === undefined ? null : this.#written(value));
  }

  endPage(): void {
    const values = this.#values;
    this.#plainBytes += writeDataPageV2({
      writer: this.#pages,
      column: {
        columnName: this.name,
        element: this.element,
        schemaPath: [ROOT, this.element],
        codec: CODEC,
        compressors: { [CODEC]: snappyCompress },
        stats: false,
        pageSize: 0,
        columnIndex: false,
        offsetIndex: false,
      },
      encoding: 'PLAIN',
      pageData: {
        values: values as DecodedArray,
        definitionLevels: values.map((value) => (value === null ? 0 : 1)),
        repetitionLevels: [],
        maxDefinitionLevel: 1,
      },
    });
    this.#values = [];
  }

  /** The group's pages, which begin at an offset in the file. */
  endChunk(rows: number, offset: number): { bytes: Uint8Array; chunk: ColumnChunk } {
    const bytes = this.#pages.getBytes();
    const chunk: ColumnChunk = {
      file_offset: BigInt(offset),
      meta_data: {
        type: this.element.type as NonNullable<SchemaElement['type']>,
        encodings: ['PLAIN', 'RLE'],
        path_in_schema: [this.name],
        codec: CODEC,
        num_values: BigInt(rows),
        total_uncompressed_size: BigInt(this.#plainBytes),
        total_compressed_size: BigInt(bytes.length),
        data_page_offset: BigInt(offset),
      },
    };
    this.#pages = new ByteWriter();
    this.#plainBytes = 0;
    return { bytes, chunk };
  }
}

const ROOT: SchemaElement = { name: 'rows' };

type ColumnType = Omit<SchemaElement, 'name'> & {
  /** A value in the form that is written. */
  readonly written: (value: Exclude<Value, null>) => unknown;
};

/** How Parquet has a field's values. Dates and times are their keys: days or milliseconds since 1970. */
function columnOf({ field, min = 0, max = 0 }: TypedColumn): ColumnType {
  const { json, format, keyOf } = typeOf(field);
  if (json === 'boolean') return { type: 'BOOLEAN', written: (value) => value };
  // A whole number beyond its integers is a double in JSON too.
  if (json === 'number' || (json === 'integer' && !(isInt64(min) && isInt64(max)))) {
    return { type: 'DOUBLE', written: (value) => value };
  }
  if (json === 'integer') return { type: 'INT64', written: int64 };
  if (format === 'date') {
    return {
      type: 'INT32',
      converted_type: 'DATE',
      logical_type: { type: 'DATE' },
      written: (value) => keyOf(value, field),
    };
  }
  if (format === 'date-time') {
    return {
      type: 'INT64',
      // Older readers know only this, and take every time for one in UTC.
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: field.local !== true, unit: 'MILLIS' },
      written: (value) => BigInt(keyOf(value, field)),
    };
  }
  return {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    written: (value) => value,
  };
}

function isInt64(value: number): boolean {
  return value >= -(2 ** 63) && value < 2 ** 63;
}

function int64(value: Exclude<Value, null>): bigint {
  if (!isInt64(value as number)) throw new RangeError(`${value} is beyond 64 bits.`);
  return BigInt(value);
}

function groupOf(columns: ColumnChunk[], rows: number): RowGroup {
  const sum = (size: 'total_uncompressed_size' | 'total_compressed_size') =>
    columns.reduce((all, { meta_data }) => all + (meta_data?.[size] ?? 0n), 0n);
  return {
    columns,
    num_rows: BigInt(rows),
    total_byte_size: sum('total_uncompressed_size'),
    total_compressed_size: sum('total_compressed_size'),
  };
}

/** The schema and the list of groups, its length, and the mark of the end. */
function footerOf(columns: readonly Column[], groups: RowGroup[]): Uint8Array {
  const writer = new ByteWriter();
  const metadata: Omit<FileMetaData, 'metadata_length'> = {
    version: 2,
    created_by: 'blockyard',
    schema: [{ ...ROOT, num_children: columns.length }, ...columns.map(({ element }) => element)],
    num_rows: groups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    row_groups: groups,
  };
  writeMetadata(writer, metadata as FileMetaData);
  writer.appendBytes(MAGIC);
  return writer.getBytes();
}
