import type { PointFields } from '../values/places.ts';
import {
  type Chunk,
  type ChunkEntry,
  type FrameOfReference,
  type NumberList,
  numberAt,
  orderedChunkRows,
  PLACE_COLUMNS,
} from './chunk.ts';
import { type PackedColumn, type PackedColumns, packChunk } from './encode-chunk.ts';
import { encodeNumbers, encodeUnits } from './encode-numbers.ts';
import { chunksOf } from './memory-rows.ts';
import { ascending } from './selection.ts';

/**
 * Rows of a dataset whose places are stored in the order of a curve too. More are found in the
 * columns of the rows.
 *
 * To put them in order takes 36 bytes a row.
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
  const column = (axis: Axis) => packInOrder(axis, order, inChunk);
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
      [PLACE_COLUMNS.position, column({ numbers: places.positions, power: 0 })],
    ]),
  };
}

/** The places of the rows that have one, and the positions of these rows. */
type Places = {
  readonly longitudes: Axis;
  readonly latitudes: Axis;
  readonly positions: Uint32Array;
};

type Numbers = FrameOfReference | NumberList;

/**
 * The numbers of one axis, as multiples of `10 ** power`: they are encoded several times as fast as
 * degrees. They are degrees if `power` is undefined.
 */
type Axis = { readonly numbers: Float64Array | Uint32Array; readonly power: number | undefined };

function placesOf(packed: PackedColumns, { longitude, latitude }: PointFields): Places {
  const { rows } = packed;
  const [longitudes, latitudes] = [longitude, latitude].map((name) => ({
    numbers: new Float64Array(rows),
    power: powerOf(packed.columns.get(name) as PackedColumn),
  })) as [Axis, Axis];
  const positions = new Uint32Array(rows);
  let [first, count] = [0, 0];
  const others = chunksOf(packed, latitude);
  for (const x of chunksOf(packed, longitude)) {
    const y = others.next().value as Chunk;
    const [xs, ys] = [x.dictionary, y.dictionary] as [Numbers, Numbers];
    const numberOf = ({ power }: Axis, of: Numbers, code: number) =>
      power === undefined ? numberAt(of, code) : (of as FrameOfReference).first + code;
    for (let row = 0; row < x.codes.length; row++) {
      const [codeOfX, codeOfY] = [x.codes[row] as number, y.codes[row] as number];
      if (codeOfX < x.firstKey || codeOfY < y.firstKey) continue;
      const [east, north] = [numberAt(xs, codeOfX), numberAt(ys, codeOfY)];
      // A search for the nearest rows does not find what is not on the map.
      if (Math.abs(east) > 180 || Math.abs(north) > 90) continue;
      longitudes.numbers[count] = numberOf(longitudes, xs, codeOfX);
      latitudes.numbers[count] = numberOf(latitudes, ys, codeOfY);
      positions[count++] = first + row;
    }
    first += x.codes.length;
  }
  const firstOf = ({ numbers, power }: Axis) => ({ numbers: numbers.subarray(0, count), power });
  return {
    longitudes: firstOf(longitudes),
    latitudes: firstOf(latitudes),
    positions: positions.subarray(0, count),
  };
}

/** The power of ten of a column, if a frame with it can have all of its numbers. */
function powerOf({ directory: { chunks } }: PackedColumn): number | undefined {
  let power: number | undefined;
  let [least, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { dictionary, size, nulls, rows } of chunks) {
    if (nulls === rows) continue;
    if (dictionary.kind !== 'frame') return undefined;
    power ??= dictionary.power;
    if (dictionary.power !== power) return undefined;
    least = Math.min(least, dictionary.first);
    end = Math.max(end, dictionary.first + size);
  }
  return end - least < 2 ** 32 ? power : undefined;
}

/** The curve goes through a square of this many cells on each side. */
const SIDE = 2 ** 16;

/** The places in the order of Hilbert's curve through their box. Those of one cell keep their order. */
function orderOfCurve({ longitudes, latitudes }: Places): Uint32Array {
  const [xs, ys] = [longitudes.numbers, latitudes.numbers];
  const [columnOf, rowOf] = [cellsOf(xs), cellsOf(ys)];
  const keys = new Uint32Array(xs.length);
  const turns = turnsOfCurve();
  for (let i = 0; i < keys.length; i++) {
    keys[i] = alongCurve(columnOf(xs[i] as number), rowOf(ys[i] as number), turns);
  }
  return ascending(keys, 2 ** 32, new Uint32Array(keys.length), new Uint32Array(keys.length));
}

function cellsOf(numbers: Axis['numbers']): (one: number) => number {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < numbers.length; i++) {
    least = Math.min(least, numbers[i] as number);
    greatest = Math.max(greatest, numbers[i] as number);
  }
  const scale = greatest > least ? (SIDE - 1) / (greatest - least) : 0;
  return (one) => Math.floor((one - least) * scale);
}

/** How far along Hilbert's curve a cell is (Warren, Hacker's Delight, chapter 16). */
function alongCurve(column: number, row: number, turns: Uint16Array): number {
  let [turned, along] = [0, 0];
  for (let shift = 12; shift >= 0; shift -= 4) {
    const at = (turned << 8) | (((column >>> shift) & 15) << 4) | ((row >>> shift) & 15);
    const turn = turns[at] as number;
    along = 256 * along + (turn & 255);
    turned = turn >>> 8;
  }
  return along;
}

/**
 * For each way in which a square is turned and four bits of a column and a row: how far along that is,
 * in eight bits, and above them how the smaller square is turned.
 */
function turnsOfCurve(): Uint16Array {
  return Uint16Array.from({ length: 4 * 256 }, (_, at) => {
    let [turned, along] = [at >>> 8, 0];
    for (let bit = 3; bit >= 0; bit--) {
      const [x, y] = [(at >>> (4 + bit)) & 1, (at >>> bit) & 1];
      // The first bit says that both are exchanged, the second that they are upside down.
      const flip = turned >>> 1;
      const right = ((turned & 1) === 1 ? y : x) ^ flip;
      const upper = ((turned & 1) === 1 ? x : y) ^ flip;
      along = 4 * along + ((3 * right) ^ upper);
      // The lower quarters are turned: the left one is mirrored, the right one also upside down.
      if (upper === 0) turned ^= right === 1 ? 3 : 1;
    }
    return (turned << 8) | along;
  });
}

function packInOrder({ numbers, power }: Axis, order: Uint32Array, inChunk: number): PackedColumn {
  const [entries, chunks]: [ChunkEntry[], Buffer[]] = [[], []];
  for (let from = 0; from < order.length; from += inChunk) {
    const some = new Float64Array(Math.min(inChunk, order.length - from));
    for (let i = 0; i < some.length; i++) some[i] = numbers[order[from + i] as number] as number;
    const { bytes, entry } = packChunk(
      power === undefined ? encodeNumbers(some) : encodeUnits(some, power),
    );
    entries.push(entry);
    chunks.push(bytes);
  }
  return { directory: { chunks: entries }, chunks };
}
