import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { FileFormat } from '../format.ts';
import { JsonColumns, type NumberedSlice } from '../json/json-columns.ts';
import { type JsonSlice, JsonStream } from '../json/json-stream.ts';
import {
  elements,
  firstOfSeveral,
  isJson,
  jsonLines,
  ndjson,
  RecordFaults,
} from '../json/read-json.ts';
import { readAsUtf8 } from '../read-as-utf8.ts';
import {
  type CellType,
  listed,
  type ReadBytes,
  RecordError,
  repeatable,
  SeedError,
  type SourceTable,
} from '../source-table.ts';
import {
  degreesIn,
  type Position,
  pointWithin,
  REPROJECT,
  WGS84,
  type WrittenPoint,
  writtenPoint,
} from './geojson-point.ts';

export const geojson: FileFormat = {
  title: 'GeoJSON',
  endings: ['geojson'],
  takes: ['encoding', 'badBytes'],
  isIn: (beginning) => {
    if (!isJson(beginning)) return false;
    const { text, ending } = beginning;
    const first = firstOfSeveral(beginning);
    if (first !== undefined) return first.type === 'Feature';
    if (geojson.endings.includes(ending)) return true;
    if (!text.startsWith('{') || ndjson.endings.includes(ending)) return false;
    return /"type"\s*:\s*"(?:FeatureCollection|Topology)"/.test(text.slice(0, 4096));
  },
  read: (written, { readBytes }) =>
    readAsUtf8(written, readBytes, (utf8) => readGeoJson(utf8, written.file, written.dialect)),
};

/**
 * Reads a FeatureCollection (RFC 7946), or one Feature on each line. Makes a column for each
 * property, and two for a point: that of a Point with its digits, or one that stands for another
 * geometry.
 */
export async function readGeoJson(
  readBytes: ReadBytes,
  file: string,
  { badRows }: Pick<Dialect, 'badRows'> = {},
): Promise<SourceTable> {
  const features = await findFeatures(readBytes, file);
  const columns = new JsonColumns(file);
  /** The number of features by type of geometry; '' for none. */
  const geometryTypes = new Map<string, number>();
  let altitudes = 0;
  const faults = new RecordFaults(file, columns, badRows !== undefined);
  for await (const feature of features()) {
    faults.orBad(feature, ({ slice, number }) => {
      const feature = new Feature(columns, slice, file);
      const type = feature.at('geometry', 'type');
      feature.point();
      if (/^\[(?:[^,[\]]+,){2}/.test(feature.at('geometry', 'coordinates'))) altitudes++;
      geometryTypes.set(type, (geometryTypes.get(type) ?? 0) + 1);
      return { cells: feature.cells, line: number };
    });
  }
  if (geometryTypes.size === 0) {
    throw faults.first ?? new SeedError(file, 'it holds no features; write one for each row');
  }
  const kept = columns.paths.flatMap((path, column) => {
    const [top, ...below] = path;
    if (top === 'properties' && below.length > 0) return [{ header: below.join('.'), column }];
    return [];
  });
  const hasHeader = (name: string) => kept.some(({ header }) => header.toLowerCase() === name);
  const id = columns.paths.findIndex((path) => path.length === 1 && path[0] === 'id');
  if (id >= 0) kept.unshift({ header: hasHeader('id') ? 'feature_id' : 'id', column: id });
  const hasPoint = [...geometryTypes.keys()].some((type) => type !== '');
  const prefix = hasHeader('longitude') || hasHeader('latitude') ? 'point_' : '';
  const headers = kept.map(({ header }) => header);
  const read = ({ slice, number }: NumberedSlice) => {
    const feature = new Feature(columns, slice, file);
    const cells = kept.map(({ column }) => feature.cells[column] as string);
    const types = kept.map(({ column }) => columns.types[column] as CellType);
    if (hasPoint) {
      cells.push(...(feature.point() ?? ['', '']));
      types.push('number', 'number');
    }
    return { cells, types, line: number };
  };
  return {
    headers: hasPoint ? [...headers, `${prefix}longitude`, `${prefix}latitude`] : headers,
    areAreas: [...geometryTypes.keys()].every((type) => /Polygon$/.test(type)),
    counts: 'feature',
    headerLine: 0,
    notes: [...notesOn(geometryTypes, altitudes, columns.paths), ...columns.notes()],
    records: repeatable(async function* () {
      for await (const feature of features()) yield faults.orBad(feature, read);
    }),
  };
}

/** A feature's members as cells of JsonColumns. */
class Feature {
  readonly cells: readonly string[];
  readonly #columns: JsonColumns;
  readonly #slice: JsonSlice;
  readonly #file: string;

  constructor(columns: JsonColumns, slice: JsonSlice, file: string) {
    this.#columns = columns;
    this.#slice = slice;
    this.#file = file;
    this.cells = columns.cellsOf(slice);
    if (this.at('type') !== 'Feature') throw this.#fault('expected a "type" of "Feature"');
    if (this.at('properties') !== '') throw this.#fault('expected properties in an object');
  }

  /** The cell of a member. '' if it is absent. */
  at(...path: readonly string[]): string {
    const column = this.#columns.columnAt(path);
    return column === undefined ? '' : (this.cells[column] ?? '');
  }

  point(): WrittenPoint | undefined {
    const type = this.at('geometry', 'type');
    if (type === '') {
      if (this.at('geometry') === '' && this.at('geometry', 'coordinates') === '') return undefined;
      throw this.#fault('a geometry without a type');
    }
    const text = this.at('geometry', 'coordinates');
    const coordinates =
      type === 'GeometryCollection' ? this.#collected() : this.#parsed(type, text);
    const positions = this.#positions(type, coordinates);
    if (positions.length === 0) return undefined;
    if (type === 'Point') return writtenPoint(text);
    return pointWithin(type, positions, coordinates) as unknown as WrittenPoint;
  }

  #parsed(type: string, coordinates: string): unknown {
    try {
      return JSON.parse(coordinates || 'null');
    } catch {
      // A text in place of a list is in its cell without quotes.
      throw this.#fault(`these are no coordinates of a ${listed([type])}`);
    }
  }

  #positions(type: string, coordinates: unknown): Position[] {
    try {
      return degreesIn(type, coordinates);
    } catch (error) {
      throw this.#fault((error as Error).message);
    }
  }

  /** The coordinates of a collection's geometries. */
  #collected(): unknown {
    const geometries = this.at('geometry', 'geometries') || 'null';
    return JSON.parse(geometries, (_, value) => value?.coordinates ?? value?.geometries ?? value);
  }

  #fault(reason: string): RecordError {
    const { line, column } = this.#slice;
    return new RecordError(this.#file, reason, {
      line,
      column: String(column),
    });
  }
}

/** Checks what is around the features, and says how to read them. */
async function findFeatures(
  readBytes: ReadBytes,
  file: string,
): Promise<() => AsyncGenerator<NumberedSlice>> {
  const stream = new JsonStream(readBytes, file);
  if ((await stream.peek()) !== '{') throw stream.fault('expected a GeoJSON FeatureCollection');
  let [type, hasFeatures]: [unknown, boolean] = [undefined, false];
  for await (const name of stream.members()) {
    if (name === 'features' && (await stream.peek()) === '[') {
      hasFeatures = true;
      await stream.skip();
    } else if (name === 'type') {
      type = await stream.value();
    } else if (name === 'crs') {
      const crs = (await stream.value()) as { properties?: { name?: unknown } } | null;
      const system = crs?.properties?.name ?? crs;
      if (system !== null && !WGS84.test(String(system))) {
        const shown = JSON.stringify(system).slice(0, 80);
        throw stream.fault(`the coordinates are in ${shown}; ${REPROJECT}`);
      }
    } else {
      await stream.skip();
    }
  }
  if (type === 'Feature') return () => featureLines(readBytes, file);
  await stream.end();
  if (type === 'FeatureCollection' && hasFeatures) return () => featuresIn(readBytes, file);
  const fix =
    type === 'Topology'
      ? 'this is TopoJSON; convert it: npx topojson-client (topo2geo) or mapshaper -o format=geojson'
      : `expected a GeoJSON FeatureCollection with "features", found the type ${JSON.stringify(type)?.slice(0, 40)}`;
  throw new SeedError(file, fix);
}

/** Reads one feature on each line (RFC 8142, without its separators, as programs write it). */
async function* featureLines(readBytes: ReadBytes, file: string): AsyncGenerator<NumberedSlice> {
  let number = 0;
  for await (const { slice } of jsonLines(readBytes, file)) yield { slice, number: ++number };
}

async function* featuresIn(readBytes: ReadBytes, file: string): AsyncGenerator<NumberedSlice> {
  const stream = new JsonStream(readBytes, file);
  for await (const name of stream.members()) {
    if (name === 'features') yield* elements(stream);
    else await stream.skip();
  }
}

function notesOn(
  types: ReadonlyMap<string, number>,
  altitudes: number,
  paths: readonly (readonly string[])[],
): string[] {
  const notes: string[] = [];
  for (const [type, count] of types) {
    if (type === '')
      notes.push(`${numberText(count)} ${count === 1 ? 'feature' : 'features'} without a geometry`);
    else if (type !== 'Point')
      notes.push(`${numberText(count)} ${type}: a point that stands for each`);
  }
  if (altitudes > 0)
    notes.push(
      `left out the altitude of ${altitudes === 1 ? '1 point' : `${numberText(altitudes)} points`}`,
    );
  const known = ['type', 'properties', 'geometry', 'id', 'bbox'];
  const others = new Set(paths.map(([top]) => top as string));
  const unread = [...others].filter((name) => !known.includes(name));
  if (unread.length > 0) notes.push(`left out members beside the properties: ${listed(unread)}`);
  return notes;
}
