import type { PointFields } from '../values/places.ts';
import { type ChunkEntry, numberAt, orderedChunkRows, PLACE_COLUMNS } from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeNumbers } from './encode-column.ts';
import { chunksOf } from './memory-rows.ts';

/**
 * Rows of a dataset whose places are stored in the order of a curve too. More are found in the
 * columns of the rows.
 *
 * To put them in order takes 28 bytes a row.
 */
const MOST_ROWS = 2 ** 22;

/**
 * Adds the places of the rows once more, in the order of a curve that fills the map: what is near
 * each other is in the same chunk. The directory of the latitudes says that they are there.
 *
 * One chunk of rows has too few places for that to pay.
 */
export function withPlaces(packed: PackedColumns, fields: PointFields): PackedColumns {
  const { rows, rowsPerChunk } = packed;
  if (rows <= rowsPerChunk || rows > MOST_ROWS) return packed;
  const places = placesOf(packed, fields);
  const order = orderOfCurve(places);
  if (order.length === 0) return packed;
  const inChunk = orderedChunkRows(order.length, rowsPerChunk);
  const column = (numbers: Float64Array | Uint32Array) => packInOrder(numbers, order, inChunk);
  const latitudes = packed.columns.get(fields.latitude) as PackedColumn;
  const directory = {
    ...latitudes.directory,
    places: { rows: order.length, rowsPerChunk: inChunk },
  };
  return {
    ...packed,
    columns: new Map([
      ...packed.columns,
      [fields.latitude, { ...latitudes, directory }],
      [PLACE_COLUMNS.longitude, column(places.longitudes)],
      [PLACE_COLUMNS.latitude, column(places.latitudes)],
      [PLACE_COLUMNS.position, column(places.positions)],
    ]),
  };
}

/** The places of the rows that have one, and the positions of these rows. */
type Places = {
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  readonly positions: Uint32Array;
};

function placesOf(packed: PackedColumns, { longitude, latitude }: PointFields): Places {
  const { rows } = packed;
  const [longitudes, latitudes] = [new Float64Array(rows), new Float64Array(rows)];
  const positions = new Uint32Array(rows);
  let [first, count] = [0, 0];
  const others = chunksOf(packed, latitude);
  for (const x of chunksOf(packed, longitude)) {
    const y = others.next().value;
    if (y === undefined || x.dictionary.kind === 'texts' || y.dictionary.kind === 'texts') {
      throw new TypeError('Places are two columns of numbers.');
    }
    for (let row = 0; row < x.codes.length; row++) {
      const [codeOfX, codeOfY] = [x.codes[row] as number, y.codes[row] as number];
      if (codeOfX < x.firstKey || codeOfY < y.firstKey) continue;
      const [east, north] = [numberAt(x.dictionary, codeOfX), numberAt(y.dictionary, codeOfY)];
      // A search for the nearest rows does not find what is not on the map.
      if (Math.abs(east) > 180 || Math.abs(north) > 90) continue;
      longitudes[count] = east;
      latitudes[count] = north;
      positions[count++] = first + row;
    }
    first += x.codes.length;
  }
  return {
    longitudes: longitudes.subarray(0, count),
    latitudes: latitudes.subarray(0, count),
    positions: positions.subarray(0, count),
  };
}

/** The curve goes through a square of this many cells on each side. */
const SIDE = 2 ** 16;

/** The places in the order of Hilbert's curve through their box. Those of one cell keep their order. */
function orderOfCurve({ longitudes, latitudes }: Places): Uint32Array {
  const columnOf = cellsOf(longitudes);
  const rowOf = cellsOf(latitudes);
  const keys = new Uint32Array(longitudes.length);
  for (let i = 0; i < keys.length; i++) {
    keys[i] = alongCurve(columnOf(longitudes[i] as number), rowOf(latitudes[i] as number));
  }
  return sortedByHalves(keys);
}

function cellsOf(degrees: Float64Array): (one: number) => number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < degrees.length; i++) {
    least = Math.min(least, degrees[i] as number);
    greatest = Math.max(greatest, degrees[i] as number);
  }
  const scale = greatest > least ? (SIDE - 1) / (greatest - least) : 0;
  return (one) => Math.floor((one - least) * scale);
}

/** How far along Hilbert's curve a cell is (Warren, Hacker's Delight, chapter 16). */
function alongCurve(x: number, y: number): number {
  let along = 0;
  for (let side = SIDE / 2; side > 0; side >>>= 1) {
    const isRight = (x & side) > 0;
    const isUpper = (y & side) > 0;
    along = 4 * along + (isRight ? (isUpper ? 2 : 3) : isUpper ? 1 : 0);
    if (isUpper) continue;
    if (isRight) [x, y] = [SIDE - 1 - x, SIDE - 1 - y];
    [x, y] = [y, x];
  }
  return along;
}

/** The indices of the keys, ascending by key: a radix sort by their lower and upper 16 bits. */
function sortedByHalves(keys: Uint32Array): Uint32Array {
  let order = new Uint32Array(keys.length);
  let next = new Uint32Array(keys.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (const shift of [0, 16]) {
    const starts = new Uint32Array(2 ** 16 + 1);
    for (let i = 0; i < keys.length; i++) {
      const above = (((keys[i] as number) >>> shift) & 0xffff) + 1;
      starts[above] = (starts[above] as number) + 1;
    }
    for (let half = 1; half < starts.length; half++) {
      starts[half] = (starts[half] as number) + (starts[half - 1] as number);
    }
    for (let i = 0; i < order.length; i++) {
      const index = order[i] as number;
      const half = ((keys[index] as number) >>> shift) & 0xffff;
      const at = starts[half] as number;
      next[at] = index;
      starts[half] = at + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}

function packInOrder(
  numbers: Float64Array | Uint32Array,
  order: Uint32Array,
  inChunk: number,
): PackedColumn {
  const [entries, chunks]: [ChunkEntry[], Buffer[]] = [[], []];
  for (let from = 0; from < order.length; from += inChunk) {
    const some = order.subarray(from, from + inChunk);
    const { bytes, entry } = packChunk(
      encodeNumbers(
        Float64Array.from(some, (index) => numbers[index] as number),
        0,
      ),
    );
    entries.push(entry);
    chunks.push(bytes);
  }
  return { directory: { chunks: entries }, chunks };
}
