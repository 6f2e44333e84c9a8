import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Topology } from 'topojson-specification';
import { RADIANS } from '../../values/places.ts';
import type { Place } from '../ground.ts';
import packed from './outlines.json' with { type: 'json' };
import { SEAT_STEP, unpackedArc } from './packed-arc.ts';

/** The outlines of land, countries and states, which `npm run generate` packs: bin/outlines.ts. */

/** A part of the earth's surface: all places within an angle of a place. */
export type Cap = { readonly centre: Place; readonly radius: number };

/** A part of an outline, and a cap that has all of it. */
type Piece = Cap & {
  readonly outline:
    | { readonly type: 'Polygon'; readonly coordinates: [number, number][][] }
    | { readonly type: 'LineString'; readonly coordinates: [number, number][] };
};

/** An area that has a name, with places in it where the name may be, a grid that has this many degrees from one to the next. */
export type Named = {
  /** The code of a country, or the name. */
  readonly name: string;
  readonly apart: number;
  readonly seats: readonly Place[];
};

export type Layer = {
  readonly land: readonly Piece[];
  readonly borders: readonly Piece[];
  readonly named: readonly Named[];
  /** Its areas, which are read when the first of them is looked for. */
  areas(): readonly NamedArea[];
};

type LayerName = keyof typeof packed;

/** Of the world at 1:110 million, of countries at 1:50 million, of US states at 1:10 million. */
export function layerOf(name: LayerName): Layer {
  const { areas, names, seats } = packed[name];
  const topology = topologyOf(packed[name]);
  const collection: GeometryCollection = {
    type: 'GeometryCollection',
    geometries: areas.map(multi),
  };
  let known: readonly NamedArea[] | undefined;
  const between = mesh(topology, collection, (a, b) => a !== b);
  return {
    land: landIn(name, topology).map((coordinates) => ({
      ...capAround(coordinates[0] ?? []),
      outline: { type: 'Polygon', coordinates },
    })),
    borders: (between.coordinates as [number, number][][]).map((coordinates) => ({
      ...capAround(coordinates),
      outline: { type: 'LineString', coordinates },
    })),
    areas: () => {
      known ??= areasOf(packed[name]);
      return known;
    },
    named: names.map((name, i) => {
      const { apart = 1, at = '' } = seats[i] ?? {};
      return { name, apart, seats: unpackedArc(at, SEAT_STEP) };
    }),
  };
}

/** The land of a layer, as polygons of rings. */
export function landIn(
  name: LayerName,
  topology = topologyOf(packed[name]),
): readonly [number, number][][][] {
  const { geometry } = feature(topology, multi(packed[name].land));
  return (geometry as unknown as Outline).coordinates;
}

/** Whether a place is in an area: a line from it to the east crosses its rings an odd number of times. */
export function hasPlace(
  polygons: readonly (readonly (readonly (readonly [number, number])[])[])[],
  [longitude, latitude]: Place,
): boolean {
  let isIn = false;
  for (const rings of polygons) {
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [[x1, y1], [x2, y2]] = [ring[i], ring[j]] as [Place, Place];
        const isBeside = y1 > latitude !== y2 > latitude;
        if (isBeside && longitude < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) isIn = !isIn;
      }
    }
  }
  return isIn;
}

/** Areas by their names, in rings as they are drawn. */
export type NamedArea = { readonly name: string; readonly outline: Outline };
export type Outline = {
  readonly type: 'MultiPolygon';
  readonly coordinates: [number, number][][][];
};

/** Areas as `npm run generate` packs them. */
export type PackedAreas = {
  readonly step: number;
  readonly names: readonly string[];
  readonly areas: number[][][][];
  readonly arcs: readonly string[];
};

export function areasIn(name: LayerName): NamedArea[] {
  return areasOf(packed[name]);
}

export function areasOf(packed: PackedAreas): NamedArea[] {
  const topology = topologyOf(packed);
  return packed.areas.map((polygons, i) => ({
    name: packed.names[i] ?? '',
    outline: feature(topology, multi(polygons)).geometry as unknown as Outline,
  }));
}

function topologyOf({ arcs, step }: Pick<PackedAreas, 'arcs' | 'step'>): Topology {
  return { type: 'Topology', arcs: unpackedArcs({ arcs, step }), objects: {} };
}

/** The lines that areas are made of, in degrees. */
export function unpackedArcs({ arcs, step }: Pick<PackedAreas, 'arcs' | 'step'>) {
  return arcs.map((text) => unpackedArc(text, step));
}

const multi = (polygons: number[][][]): MultiPolygon => ({ type: 'MultiPolygon', arcs: polygons });

/** Around the mean of some places, which may lie anywhere. */
export function capAround(places: readonly Place[]): Cap {
  const all = new Float64Array(3 * places.length);
  let [x, y, z, at] = [0, 0, 0, 0];
  for (const [longitude, latitude] of places) {
    const [lambda, phi] = [longitude * RADIANS, latitude * RADIANS];
    x += all[at++] = Math.cos(lambda) * Math.cos(phi);
    y += all[at++] = Math.sin(lambda) * Math.cos(phi);
    z += all[at++] = Math.sin(phi);
  }
  const length = Math.hypot(x, y, z);
  // Places all around the earth have no middle.
  if (length < 1e-9) return { centre: [0, 0], radius: Math.PI };
  let least = 1;
  for (let i = 0; i < all.length; i += 3) {
    const [a, b, c] = [all[i], all[i + 1], all[i + 2]] as unknown as [number, number, number];
    least = Math.min(least, (a * x + b * y + c * z) / length);
  }
  return {
    centre: [Math.atan2(y, x) / RADIANS, Math.asin(z / length) / RADIANS],
    radius: Math.acos(Math.max(-1, least)),
  };
}

/** The angle between two places, in radians. */
export function angleBetween([a, b]: Place, [c, d]: Place): number {
  const sine = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const haversine = sine(d - b) + Math.cos(b * RADIANS) * Math.cos(d * RADIANS) * sine(c - a);
  return 2 * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The pieces that may reach into a cap. */
export function piecesIn(pieces: readonly Piece[], { centre, radius }: Cap): Piece[] {
  return pieces.filter((piece) => angleBetween(piece.centre, centre) <= piece.radius + radius);
}
