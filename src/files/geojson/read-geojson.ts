import type { Dialect } from '../../block/declaration.ts';
import { numberText } from '../../text/wording.ts';
import type { FileFormat } from '../file-format.ts';
import { JsonColumns, type NumberedSlice } from '../json/json-columns.ts';
import { type JsonSlice, JsonStream } from '../json/json-stream.ts';
import {
  documents,
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
  type GeometryColumns,
  listed,
  type ReadBytes,
  RecordError,
  repeatable,
  SeedError,
  type SourceTable,
} from '../source-table.ts';
import {
  checkDegrees,
  exchanged,
  isOnMap,
  LATITUDE_FIRST,
  type Position,
  pointWithin,
  positionsOf,
  REPROJECT,
  WGS84,
  type WrittenPoint,
  writtenPoint,
} from './geojson-point.ts';

export const geojson: FileFormat = {
  title: 'GeoJSON',
  endings: ['geojson', 'geojsons', 'geojsonl', 'geojsonseq'],
  takes: ['encoding', 'badBytes', 'axisOrder'],
  isIn: (beginning) => {
    if (!isJson(beginning)) return false;
    const { text, ending } = beginning;
    const first = firstOfSeveral(beginning);
    if (first !== undefined) return first.type === 'Feature';
    if (geojson.endings.includes(ending)) return true;
    if (!text.startsWith('{') || ndjson.endings.includes(ending)) return false;
    const head = text.slice(0, 4096);
    return (
      /"type"\s*:\s*"(?:FeatureCollection|Topology)"/.test(head) ||
      /^\{\s*"type"\s*:\s*"Feature"\s*,/.test(head)
    );
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
  { badRows, axisOrder }: Pick<Dialect, 'badRows' | 'axisOrder'> = {},
): Promise<SourceTable> {
  const features = await findFeatures(readBytes, file);
  const order = axisOrder === undefined ? new OrderEvidence() : undefined;
  const columns = new JsonColumns(file);
  /** The number of features by type of geometry; '' for none. */
  const geometryTypes = new Map<string, number>();
  let altitudes = 0;
  const faults = new RecordFaults(file, columns, badRows !== undefined);
  for await (const feature of features()) {
    faults.orBad(feature, ({ slice, number }) => {
      const feature = new Feature(columns, slice, file, axisOrder);
      const type = feature.at('geometry', 'type');
      feature.point((positions) => order?.add(positions, number));
      if (/^\[(?:[^,[\]]+,){2}/.test(feature.at('geometry', 'coordinates'))) altitudes++;
      geometryTypes.set(type, (geometryTypes.get(type) ?? 0) + 1);
      return { cells: feature.cells, line: number };
    });
  }
  const mayBeLatitudeFirst = order?.latitudeFirst;
  const noFeature = () => faults.first ?? new SeedError(file, NO_FEATURES);
  if (geometryTypes.size === 0 && mayBeLatitudeFirst === undefined) throw noFeature();
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
    const feature = new Feature(columns, slice, file, axisOrder);
    const cells = kept.map(({ column }) => feature.cells[column] as string);
    const types = kept.map(({ column }) => columns.types[column] as CellType);
    if (hasPoint) {
      cells.push(...(feature.point() ?? ['', '']));
      types.push('number', 'number');
    }
    return { cells, types, line: number };
  };
  const [longitude, latitude] = [headers.length, headers.length + 1];
  return {
    headers: hasPoint ? [...headers, `${prefix}longitude`, `${prefix}latitude`] : headers,
    geometry: hasPoint
      ? { longitude, latitude, are: kindOf([...geometryTypes.keys()]) }
      : undefined,
    mayBeLatitudeFirst,
    counts: 'feature',
    headerLine: 0,
    notes: [
      ...(axisOrder === undefined ? [] : [LATITUDE_FIRST]),
      ...notesOn(geometryTypes, altitudes, columns.paths),
      ...columns.notes(),
    ],
    records: repeatable(async function* () {
      if (geometryTypes.size === 0) throw noFeature();
      for await (const feature of features()) yield faults.orBad(feature, read);
    }),
  };
}

const NO_FEATURES = 'it holds no features; write one for each row';

/** What every geometry of these types is. */
function kindOf(types: readonly string[]): GeometryColumns['are'] {
  if (types.every((type) => /Polygon$/.test(type))) return 'areas';
  return types.every((type) => type === 'Point' || type === '') ? 'points' : 'others';
}

/** At least one feature in this many is on no map if a file may have its latitudes first. */
const FEW = 10;

/** Collects whether the positions of a file are on the map only with the latitude first. */
class OrderEvidence {
  #features = 0;
  #beyond = 0;
  #first: SourceTable['mayBeLatitudeFirst'];
  #isOnMapExchanged = true;

  add(positions: readonly Position[], line: number): void {
    this.#features++;
    this.#isOnMapExchanged &&= positions.every(([x, y]) => isOnMap([y, x]));
    const beyond = positions.find((position) => !isOnMap(position));
    if (beyond === undefined) return;
    this.#beyond++;
    this.#first ??= { position: beyond.slice(0, 2).join(', '), line };
  }

  get latitudeFirst(): SourceTable['mayBeLatitudeFirst'] {
    const isLikely = this.#isOnMapExchanged && this.#beyond * FEW >= this.#features;
    return isLikely ? this.#first : undefined;
  }
}

/** A feature's members as cells of JsonColumns. */
class Feature {
  readonly cells: readonly string[];
  readonly #columns: JsonColumns;
  readonly #slice: JsonSlice;
  readonly #file: string;
  readonly #order: Dialect['axisOrder'];

  constructor(columns: JsonColumns, slice: JsonSlice, file: string, order: Dialect['axisOrder']) {
    this.#columns = columns;
    this.#slice = slice;
    this.#file = file;
    this.#order = order;
    this.cells = columns.cellsOf(slice);
    if (this.at('type') !== 'Feature') throw this.#fault('expected a "type" of "Feature"');
    if (this.at('properties') !== '') throw this.#fault('expected properties in an object');
  }

  /** The cell of a member. '' if it is absent. */
  at(...path: readonly string[]): string {
    const column = this.#columns.columnAt(path);
    return column === undefined ? '' : (this.cells[column] ?? '');
  }

  /** The point that stands for the geometry. `see` is called with its positions as they stand. */
  point(see?: (positions: readonly Position[]) => void): WrittenPoint | undefined {
    const type = this.at('geometry', 'type');
    if (type === '') {
      if (this.at('geometry') === '' && this.at('geometry', 'coordinates') === '') return undefined;
      throw this.#fault('a geometry without a type');
    }
    const text = this.at('geometry', 'coordinates');
    const isExchanged = this.#order === 'lat-lon';
    const written = type === 'GeometryCollection' ? this.#collected() : this.#parsed(type, text);
    const coordinates = isExchanged ? exchanged(written) : written;
    const positions = this.#positions(type, coordinates, see);
    if (positions.length === 0) return undefined;
    if (type === 'Point') {
      const point = writtenPoint(text);
      return point && isExchanged ? [point[1], point[0]] : point;
    }
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

  #positions(
    type: string,
    coordinates: unknown,
    see?: (positions: readonly Position[]) => void,
  ): Position[] {
    try {
      const positions = positionsOf(type, coordinates);
      see?.(positions);
      checkDegrees(positions);
      return positions;
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
  if (type === 'Feature') {
    const isOfLines = stream.line === 1 && ((await stream.peek()) === '' || stream.line > 1);
    return () => (isOfLines ? featureLines : documents)(readBytes, file);
  }
  await stream.end();
  if (type === 'FeatureCollection' && hasFeatures) return () => featuresIn(readBytes, file);
  const fix =
    type === 'Topology'
      ? 'this is TopoJSON; convert it: npx topojson-client (topo2geo) or mapshaper -o format=geojson'
      : `expected a GeoJSON FeatureCollection with "features", found the type ${JSON.stringify(type)?.slice(0, 40)}`;
  throw new SeedError(file, fix);
}

/** Reads one feature on each line (RFC 8142, with its separators or without). */
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
