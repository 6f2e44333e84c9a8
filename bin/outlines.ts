import { createRequire } from 'node:module';
import { geoArea, geoBounds, geoCentroid, geoContains } from 'd3-geo';
import type { Feature, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Objects, Topology } from 'topojson-specification';
import { packedArc, SEAT_STEP } from '../src/figure/earth/packed-arc.ts';

/**
 * Packs the outlines of land, countries and US states for maps: Natural Earth's, and the Census
 * Bureau's, as world-atlas and us-atlas have them.
 */
export function packedOutlines(): string {
  const layers = {
    world: layerOf('world-atlas/countries-110m.json', 'land', 'countries', 0.01, 0),
    near: layerOf('world-atlas/countries-50m.json', 'land', 'countries', 0.005, 0.0005),
    states: layerOf('us-atlas/states-10m.json', 'nation', 'states', 0.005, 0.0002),
  };
  const lines = Object.entries(layers).map(([name, one]) => `"${name}": ${JSON.stringify(one)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Packs the counties of the United States, which are only read where a file names some. */
export function packedCounties(): string {
  // None is left out: some cities are so small that the atlas has a line of them.
  const topology = simplify(weighed('us-atlas/counties-10m.json'), COUNTY_LEAST);
  const { areas, arcs, step, geometries } = packedAreas(topology, 'counties', COUNTY_STEP);
  const names = geometries.map(
    ({ id, properties }) => `${id} ${(properties as { name: string }).name}`,
  );
  const lines = Object.entries({ step, names, areas, arcs }).map(
    ([name, one]) => `"${name}": ${JSON.stringify(one)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** In degrees: a county is 0.5 wide, and on a map of a state about 100 units. */
const COUNTY_STEP = 0.005;
const COUNTY_LEAST = 0.0002;

const require = createRequire(import.meta.url);

/** `step` is what coordinates are rounded to, and `least` the least triangle that is kept, in degrees. */
function layerOf(file: string, land: string, areas: string, step: number, least: number) {
  const whole = weighed(file);
  const topology = filter(simplify(whole, least), filterWeight(whole, least));
  const { found, ...packed } = packedAreas(topology, areas, step);
  const { features } = feature(topology, found);
  return {
    step,
    names: features.map(({ id, properties }) => nameOf(id, properties.name)),
    // Where a name may be: in degrees, along a grid in the largest part of each area.
    seats: features.map((one) => seatsIn(largest(one as Feature))),
    land: arcsOf(topology.objects[land]),
    areas: packed.areas,
    arcs: packed.arcs,
  };
}

/** A file with the weight of each corner: how large the triangle is that it adds. */
function weighed(file: string) {
  return presimplify(require(file) as Topology<Objects<object>>);
}

function packedAreas(topology: Topology<Objects<object>>, areas: string, step: number) {
  const found = topology.objects[areas] as GeometryCollection<{ name: string }>;
  const { geometries } = found;
  return {
    ...{ found, geometries, step },
    areas: geometries.map(arcsOf),
    arcs: topology.arcs.map((arc) => packedArc(arc as [number, number][], step)),
  };
}

/** The code of a country, by which languages name it; else its name. */
function nameOf(id: string | number | undefined, name: string): string {
  // The number of ISO 3166; that of a state has two digits.
  if (!/^\d{3}$/.test(String(id)) || SHARED.has(name)) return name;
  const code = new Intl.Locale(`und-${id}`).region ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : name;
}

/** What has the number of another country. */
const SHARED = new Set(['Ashmore and Cartier Is.']);

/** The arcs of polygons, as TopoJSON has them for a multipolygon. */
function arcsOf(of: unknown): number[][][] {
  const { type, arcs, geometries } = of as {
    type: string;
    arcs: number[][] | number[][][];
    geometries?: unknown[];
  };
  if (geometries !== undefined) return geometries.flatMap(arcsOf);
  if (arcs === undefined) return [];
  return type === 'Polygon' ? [arcs as number[][]] : (arcs as number[][][]);
}

function largest({ geometry }: Feature): Polygon {
  const polygons =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : [];
  const all = polygons.map((coordinates): Polygon => ({ type: 'Polygon', coordinates }));
  return all.toSorted((a, b) => geoArea(b) - geoArea(a))[0] ?? { type: 'Polygon', coordinates: [] };
}

/** The number of places of an area that are tried for its name, or a few more. */
const SEATS = 24;

/** Places in an area, packed, and how many degrees they are apart. */
function seatsIn(area: Polygon) {
  const [[west, south], [last, north]] = geoBounds(area);
  const east = last < west ? last + 360 : last;
  const [x, y] = geoCentroid(area);
  // Square degrees of a sphere, at the equator.
  const apart = Math.max(0.1, Math.sqrt((geoArea(area) * (180 / Math.PI) ** 2) / SEATS));
  const seats: [number, number][] = [];
  for (let latitude = south + apart / 2; latitude < north; latitude += apart) {
    const wide = apart / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
    for (let longitude = west + wide / 2; longitude < east; longitude += wide) {
      if (geoContains(area, [longitude, latitude])) seats.push([longitude, latitude]);
    }
  }
  const all = seats.length === 0 ? [[x, y] as const] : seats;
  return { apart: Number(apart.toFixed(2)), at: packedArc(all, SEAT_STEP) };
}
