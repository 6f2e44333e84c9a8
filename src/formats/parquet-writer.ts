import { gzipSync } from 'node:zlib';
import type { ColumnChunk, SchemaElement } from 'hyparquet';
import { ByteWriter, geojsonToWkb, ParquetWriter } from 'hyparquet-writer';
import { ownMember, type Row, type Value } from '../values/field-type.ts';
import { typeOf } from '../values/field-types.ts';
import type { Budget } from '../work/budget.ts';
import type { Batches, PlacesAsked, RowsAsked, TypedColumn, ValueBatches } from './format.ts';
import { geometryText, type ShapesAsked } from './geojson.ts';

/**
 * A group of rows, which a Parquet download has in memory: rows, values, characters of texts. Besides
 * it keeps where each earlier group lies in the file.
 *
 * A group's rows lie column by column, so it is in memory until its last row. A column's part is
 * written without a pause, in 2 to 25 ms, or 70 ms if all characters are one column's.
 */
const GROUP_ROWS = 2 ** 15;
const GROUP_VALUES = 2 ** 19;
const GROUP_CHARACTERS = 2 ** 22;

/**
 * The same for each column, if that is more: the end of the file lists each column of each group,
 * and all of it is read before any row.
 */
const GROUP_VALUES_PER_COLUMN = 2 ** 11;
const GROUP_CHARACTERS_PER_COLUMN = 2 ** 15;

/** The work of reading or writing a character, and of writing a value, in steps. */
const STEPS_PER_CHARACTER = 3;
const STEPS_PER_VALUE = 30;

/**
 * A file is a fourth smaller than by Snappy, and takes no longer. Node 20, 22 and 24 make the same
 * bytes, on x64 and on ARM.
 */
const CODEC = 'GZIP';

/** Where gzip names the system it was made on (RFC 1952), and the number of an unknown one. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** What a value counts as beside a text's characters, of a row that comes as values: about what it has with its name as JSON. */
const CHARACTERS_PER_VALUE = 24;

type TableAsked = Pick<RowsAsked, 'typed' | 'places'>;

/**
 * Rows, given as JSON texts, as a Parquet file in pieces: a column's part of a group each, and the
 * list of all parts last. Without that list no reader takes a file that broke off for a whole one.
 * Throws if the texts are longer than `mostCharacters` together.
 */
export async function* parquetPieces(
  { typed, places }: TableAsked,
  batches: Batches | ValueBatches,
  budget: Budget,
  mostCharacters = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const shapes = shapesOf(typed, places);
  const values = typed.map((column) => new ValueColumn(column));
  const columns: readonly Column[] = shapes === undefined ? values : [...values, shapes];
  const file = new ParquetFile(columns);
  // By itself, before any work: writing it may show that nobody is there.
  yield file.take();
  const groupValues = Math.max(GROUP_VALUES, columns.length * GROUP_VALUES_PER_COLUMN);
  const groupRows = Math.min(GROUP_ROWS, Math.floor(groupValues / columns.length));
  const groupCharacters = Math.max(GROUP_CHARACTERS, columns.length * GROUP_CHARACTERS_PER_COLUMN);
  let [rows, characters] = [0, 0];
  let left = mostCharacters;

  async function* endGroup() {
    for (const column of columns) {
      file.add(column);
      yield file.take();
      await budget.pause();
    }
    file.endGroup(rows);
    [rows, characters] = [0, 0];
  }

  const addText = (text: string): number => {
    const row: Row = JSON.parse(text);
    for (const column of values) characters += column.add(row);
    characters += shapes?.add(row) ?? 0;
    return text.length;
  };
  const addValues = (given: readonly Value[]): number => {
    let texts = 0;
    for (let i = 0; i < values.length; i++) {
      texts += (values[i] as ValueColumn).addStored(given[i] as Value);
    }
    characters += texts;
    if (shapes !== undefined) {
      const named = typed.map(({ field }, i) => [field.name, given[i] as Value]);
      characters += shapes.add(Object.fromEntries(named));
    }
    return values.length * CHARACTERS_PER_VALUE + texts;
  };

  for await (const batch of batches) {
    for (const row of batch) {
      const length = typeof row === 'string' ? addText(row) : addValues(row);
      rows++;
      left -= length;
      if (left < 0) throw new RangeError(`The rows have more than ${mostCharacters} characters.`);
      const steps = length * STEPS_PER_CHARACTER + columns.length * STEPS_PER_VALUE;
      await budget.checkpoint(steps);
      if (rows === groupRows || characters >= groupCharacters) yield* endGroup();
    }
  }
  if (rows > 0) yield* endGroup();
  yield file.end(shapes);
}

/** A column of a file, with the values of the group that is being read. */
interface Column {
  readonly element: SchemaElement;
  /** Whether each part says what is the least and the greatest of its values. */
  readonly hasStatistics: boolean;
  /** The group's values. */
  take(): unknown[];
}

class ValueColumn implements Column {
  readonly element: SchemaElement;
  readonly hasStatistics = true;
  readonly #written: ColumnType['written'];
  readonly #isKey: boolean;
  #values: unknown[] = [];

  constructor(column: TypedColumn) {
    const { written, ...element } = typeOfColumn(column);
    this.element = { name: column.field.name, repetition_type: 'OPTIONAL', ...element };
    this.#written = written;
    this.#isKey =
      element.logical_type?.type === 'DATE' || element.logical_type?.type === 'TIMESTAMP';
  }

  /** Adds a row's value, and returns how many characters it has if it is a text. */
  add(row: Row): number {
    const value = ownMember(row, this.element.name) ?? null;
    return this.#push(value === null ? null : this.#written(value));
  }

  /** The same with a value that is a key, if it is a date or a time. */
  addStored(value: Value): number {
    return this.#push(value === null || this.#isKey ? value : this.#written(value));
  }

  #push(value: unknown): number {
    this.#values.push(value);
    return typeof value === 'string' ? value.length : 0;
  }

  take(): unknown[] {
    const values = this.#values;
    this.#values = [];
    return values;
  }
}

type ColumnType = Omit<SchemaElement, 'name'> & {
  /** A value in the form that is written. */
  readonly written: (value: Exclude<Value, null>) => unknown;
};

/** How Parquet has a field's values. Dates and times are their keys: days or milliseconds since 1970. */
function typeOfColumn({ field, min, max }: TypedColumn): ColumnType {
  const { json, format, keyOf } = typeOf(field);
  if (json === 'boolean') return { type: 'BOOLEAN', written: (value) => value };
  if (json === 'integer') return integerType(min, max);
  if (json === 'number') return { type: 'DOUBLE', written: (value) => value };
  const written = (value: Exclude<Value, null>) => keyOf(value, field);
  if (format === 'date') {
    return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' }, written };
  }
  if (format === 'date-time') {
    return {
      type: 'INT64',
      // Older readers know only this, and take every time for one in UTC.
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: field.local !== true, unit: 'MILLIS' },
      written,
    };
  }
  return {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    written: (value) => value,
  };
}

/**
 * The least type that has all of a dataset's whole numbers. There is none of 8 or 16 bits: it would
 * save nothing in the file, and programs would add such numbers up to wrong ones.
 */
function integerType(min?: number, max?: number): ColumnType {
  const isWithin = (end: number) => min !== undefined && min >= -end && (max ?? end) < end;
  if (isWithin(2 ** 31)) return { type: 'INT32', written: (value) => value };
  // A whole number beyond 64 bits is a double in JSON too.
  if (min !== undefined && !isWithin(2 ** 63)) {
    return { type: 'DOUBLE', written: (value) => value };
  }
  return { type: 'INT64', written: (value) => BigInt(value) };
}

type Shape = Parameters<typeof geojsonToWkb>[0];

/**
 * The places of rows, as GeoParquet 1.1. They have not Parquet's own type GEOMETRY too: Polars 2.1
 * refuses all of a file that has it.
 */
class ShapeColumn implements Column {
  readonly element: SchemaElement;
  readonly hasStatistics = false;
  readonly #asked: ShapesAsked;
  #values: (Uint8Array | null)[] = [];
  /** The group's shapes by their texts: rows at one place share it. */
  #shapes = new Map<string, Uint8Array>();
  readonly #types = new Set<string>();
  #bounds: [west: number, south: number, east: number, north: number] | undefined;

  constructor(name: string, { boundaries, ...places }: PlacesAsked) {
    this.element = { name, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' };
    this.#asked = { ...places, boundaries: boundaries?.() };
  }

  /** Adds a row's shape, and returns how many characters it has beside the row's own. */
  add(row: Row): number {
    const text = geometryText(row, this.#asked);
    const known = this.#shapes.get(text);
    const shape: Shape | null = known === undefined ? JSON.parse(text) : null;
    if (shape === null) {
      this.#values.push(known ?? null);
      return 0;
    }
    // A copy: it comes as a part of a longer array.
    const bytes = geojsonToWkb(shape).slice();
    this.#shapes.set(text, bytes);
    this.#values.push(bytes);
    this.#types.add(shape.type);
    this.#extend((shape as { readonly coordinates: Coordinates }).coordinates);
    return text.length;
  }

  take(): unknown[] {
    const values = this.#values;
    this.#values = [];
    this.#shapes = new Map();
    return values;
  }

  /**
   * What a file's end says of it: https://geoparquet.org/releases/v1.1.0/. Where no coordinates are
   * named, they are WGS 84, longitude first.
   */
  get metadata(): { readonly key: string; readonly value: string } {
    const { name } = this.element;
    const column = { encoding: 'WKB', geometry_types: [...this.#types].sort(), bbox: this.#bounds };
    const geo = { version: '1.1.0', primary_column: name, columns: { [name]: column } };
    return { key: 'geo', value: JSON.stringify(geo) };
  }

  #extend(coordinates: Coordinates): void {
    const [x, y] = coordinates;
    if (typeof x === 'number' && typeof y === 'number') {
      const [west, south, east, north] = this.#bounds ?? [x, y, x, y];
      this.#bounds = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
    } else for (const part of coordinates) this.#extend(part as Coordinates);
  }
}

type Coordinates = readonly (number | Coordinates)[];

/** The column of the rows' places, if the file has the fields that tell them. */
function shapesOf(
  typed: TableAsked['typed'],
  places: TableAsked['places'],
): ShapeColumn | undefined {
  const names = new Set(typed.map(({ field }) => field.name));
  if (places === undefined || !placeFields(places).every((name) => names.has(name)))
    return undefined;
  // No field begins with a line.
  return new ShapeColumn(names.has('geometry') ? '_geometry' : 'geometry', places);
}

/** The fields that tell where a row is. */
function placeFields({ geometry, form }: Omit<PlacesAsked, 'boundaries'>): readonly string[] {
  if (geometry.kind === 'regions' && form !== 'point') return [geometry.region];
  return [geometry.longitude, geometry.latitude];
}

/** A file that is being written, column by column of each group. */
class ParquetFile {
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #schema: SchemaElement[];
  #chunks: ColumnChunk[] = [];
  #rows = 0;

  constructor(columns: readonly Column[]) {
    this.#schema = schemaOf(columns);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: this.#schema,
      codec: CODEC,
      compressors: { [CODEC]: packed },
      createdBy: 'blockyard',
    });
  }

  /** Takes what was written since. */
  take(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }

  /** Writes a column's part of a group, as a group of its own: all columns would take too long. */
  add(column: Column): void {
    const { element, hasStatistics: statistics } = column;
    const data = column.take();
    const columnData = [{ name: element.name, data, statistics, columnIndex: true }];
    // The writer goes through the whole schema each time.
    this.#writer.schema = schemaOf([column]);
    this.#writer.write({ columnData, rowGroupSize: data.length });
    this.#chunks.push(...(this.#writer.row_groups.pop()?.columns ?? []));
  }

  /** Makes one group of the columns' parts. */
  endGroup(rows: number): void {
    const columns = this.#chunks;
    const sum = (size: 'total_uncompressed_size' | 'total_compressed_size') =>
      columns.reduce((all, { meta_data }) => all + (meta_data?.[size] ?? 0n), 0n);
    this.#writer.row_groups.push({
      columns,
      num_rows: BigInt(rows),
      total_byte_size: sum('total_uncompressed_size'),
      total_compressed_size: sum('total_compressed_size'),
    });
    this.#chunks = [];
    this.#rows += rows;
  }

  /** Writes the schema and the list of groups. */
  end(shapes: ShapeColumn | undefined): Uint8Array {
    this.#writer.schema = this.#schema;
    this.#writer.num_rows = BigInt(this.#rows);
    if (shapes !== undefined) this.#writer.kvMetadata = [shapes.metadata];
    this.#writer.finish();
    return this.take();
  }
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'rows', num_children: columns.length }, ...columns.map((one) => one.element)];
}

function packed(bytes: Uint8Array): Uint8Array {
  const gzip = gzipSync(bytes);
  gzip[SYSTEM_AT] = UNKNOWN_SYSTEM;
  return gzip;
}
