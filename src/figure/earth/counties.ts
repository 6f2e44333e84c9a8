import type { GeoProjection } from 'd3-geo';
import { coarseShapes } from './coarse-areas.ts';
import packed from './counties.json' with { type: 'json' };
import { areasOf, type Outline } from './outlines.ts';

/** The counties of the United States, which `npm run generate` packs: bin/outlines.ts. */

/** The code of a county (FIPS 6-4), and its name without `County`. */
type CountyName = { readonly fips: string; readonly name: string };

export function countyNames(): CountyName[] {
  return packed.names.map((text) => ({ fips: text.slice(0, 5), name: text.slice(6) }));
}

export function countyAreas(): (CountyName & { readonly outline: Outline })[] {
  const names = countyNames();
  return areasOf(packed).map(({ outline }, i) => ({ ...(names[i] as CountyName), outline }));
}

/** All counties as paths, for a map on which they are small. */
export function coarseCounties(d3: GeoProjection): Record<string, string> {
  return coarseShapes({ ...packed, names: countyNames().map(({ fips }) => fips) }, d3);
}
