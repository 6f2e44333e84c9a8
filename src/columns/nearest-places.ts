import { haversine, type Point } from '../values/places.ts';
import { afterAll, type Work } from '../work/work.ts';
import type { CachedChunk } from './cached-chunk.ts';
import {
  type Chunk,
  type ColumnDirectory,
  type FrameOfReference,
  type NumberList,
  numberAt,
  PLACE_COLUMNS,
  type PlaceOrder,
} from './chunk.ts';
import type { ColumnStore, ReadContext } from './column-store.ts';
import { PlaceBoxes } from './place-boxes.ts';
import { STEPS_PER_DISTANCE } from './row-search.ts';

/** Places that follow each other on the curve and have a box together. */
const PLACES_IN_BOX = 2 ** 6;

/** The cost of telling how far a box is, in steps. */
const STEPS_PER_BOX = 10;

type Numbers = FrameOfReference | NumberList;

/** Takes rows, and tells the haversine above which it takes no more. */
type Nearest = {
  readonly worst: number;
  offer(haversine: number, position: number): void;
};

/**
 * Offers the rows near a place, from the places in the order of a curve. It reads the chunk whose
 * box is the nearest, then the next one, until all others are too far; and so it does with the boxes
 * of each chunk.
 */
export function* offerNearest(
  store: ColumnStore,
  order: PlaceOrder,
  at: Point,
  nearest: Nearest,
  context: ReadContext,
): Work<void> {
  const places = store.inOrder('places', order);
  const directories = yield* afterAll(NAMES.map((name) => places.directory(name, context)));
  const [longitudes, latitudes] = directories as [ColumnDirectory, ColumnDirectory];
  places.boxes ??= boxesOfChunks(longitudes, latitudes);
  const bounds = places.boxes.boundsTo(at);
  for (;;) {
    const chunk = takeLeast(bounds, nearest.worst);
    if (chunk === undefined) return;
    const read = NAMES.map((name, i) =>
      places.chunk(name, chunk, directories[i] as ColumnDirectory, true, context),
    );
    const [x, y, positions] = (yield* afterAll(read)) as [CachedChunk, CachedChunk, CachedChunk];
    if (y.boxes === undefined) {
      y.boxes = boxesIn(x.chunk, y.chunk);
      places.recount(PLACE_COLUMNS.latitude, chunk, y);
    }
    const offered = offerOfChunk(
      x.chunk,
      y.chunk,
      positions.chunk,
      y.boxes.boundsTo(at),
      at,
      nearest,
    );
    yield offered * STEPS_PER_DISTANCE + bounds.length * STEPS_PER_BOX;
  }
}

const NAMES = [PLACE_COLUMNS.longitude, PLACE_COLUMNS.latitude, PLACE_COLUMNS.position];

/** Returns how many places it offered. */
function offerOfChunk(
  x: Chunk,
  y: Chunk,
  positions: Chunk,
  bounds: Float64Array,
  at: Point,
  nearest: Nearest,
): number {
  const [xs, ys, rows] = [x.dictionary, y.dictionary, positions.dictionary] as Numbers[];
  let offered = 0;
  for (;;) {
    const box = takeLeast(bounds, nearest.worst);
    if (box === undefined) return offered;
    const end = Math.min((box + 1) * PLACES_IN_BOX, x.codes.length);
    for (let i = box * PLACES_IN_BOX; i < end; i++, offered++) {
      const place: Point = [
        numberAt(xs as Numbers, x.codes[i] as number),
        numberAt(ys as Numbers, y.codes[i] as number),
      ];
      const far = haversine(place, at);
      if (far > nearest.worst) continue;
      nearest.offer(far, numberAt(rows as Numbers, positions.codes[i] as number));
    }
  }
}

/** Takes the least bound out and returns its index; undefined if it is above the most. */
function takeLeast(bounds: Float64Array, most: number): number | undefined {
  let [least, index] = [most, -1];
  for (let i = 0; i < bounds.length; i++) {
    if ((bounds[i] as number) > least) continue;
    least = bounds[i] as number;
    index = i;
  }
  if (index < 0) return undefined;
  bounds[index] = TAKEN;
  return index;
}

/** No haversine is as great. */
const TAKEN = 2;

/** The boxes of the chunks, from their least and greatest keys. */
function boxesOfChunks(longitudes: ColumnDirectory, latitudes: ColumnDirectory): PlaceBoxes {
  const boxes = new PlaceBoxes(latitudes.chunks.length);
  for (const [i, y] of latitudes.chunks.entries()) {
    const x = longitudes.chunks[i];
    boxes.set(i, x?.min as number, x?.max as number, y.min as number, y.max as number);
  }
  return boxes;
}

/** The boxes in a chunk. */
function boxesIn(x: Chunk, y: Chunk): PlaceBoxes {
  const boxes = new PlaceBoxes(Math.ceil(x.codes.length / PLACES_IN_BOX));
  const numberOf = ({ dictionary }: Chunk, code: number) => numberAt(dictionary as Numbers, code);
  for (let from = 0, i = 0; from < x.codes.length; from += PLACES_IN_BOX, i++) {
    let [west, east, south, north] = [x.size, 0, y.size, 0];
    const end = Math.min(from + PLACES_IN_BOX, x.codes.length);
    for (let at = from; at < end; at++) {
      const [codeOfX, codeOfY] = [x.codes[at] as number, y.codes[at] as number];
      if (codeOfX < west) west = codeOfX;
      if (codeOfX > east) east = codeOfX;
      if (codeOfY < south) south = codeOfY;
      if (codeOfY > north) north = codeOfY;
    }
    boxes.set(i, numberOf(x, west), numberOf(x, east), numberOf(y, south), numberOf(y, north));
  }
  return boxes;
}
