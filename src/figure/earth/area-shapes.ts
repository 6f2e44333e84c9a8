import { type GeoProjection, geoPath } from 'd3-geo';
import type { AreaDrawing } from '../../block/manifest.ts';
import type { Box } from '../shape.ts';
import { layerOf, type NamedArea, type Outline, piecesIn } from './outlines.ts';
import { pathOf } from './path.ts';
import { meshOf, type Projection, partOf } from './projections.ts';

/** Areas as the shapes of a map: the whole of it, or a part. */

export type DrawnAreas = Pick<
  AreaDrawing,
  'width' | 'height' | 'ratio' | 'shapes' | 'names' | 'under' | 'over' | 'frame' | 'moves' | 'mesh'
>;

/** An area that is smaller is a square of this side, in units of a map, so that it is seen. */
export type Least = { readonly area: number; readonly side: number };
export const LEAST: Least = { area: 10, side: 8 };
/** Of thousands of areas, squares of that side would cover others. */
export const LEAST_OF_MANY: Least = { area: 1, side: 1 };

/** The same map in units that are as large as this many: its paths have half of the corners. */
const COARSE = 2;

export function coarser(projection: Projection): Projection {
  const { d3, width, height } = projection;
  const [x, y] = d3.translate();
  d3.scale(d3.scale() / COARSE).translate([x / COARSE, y / COARSE]);
  return { ...projection, width: width / COARSE, height: height / COARSE };
}

/** The areas that are on a map, as paths. */
export function drawn(
  projection: Projection,
  areas: readonly NamedArea[],
  least: Least,
): DrawnAreas {
  const { d3, width, height, ratio } = projection;
  const shapes: Record<string, string> = {};
  for (const { name, outline } of areas) {
    const path = shapeOf(outline, d3, least);
    if (path !== '') shapes[name] = path;
  }
  return { width, height, ratio, shapes };
}

/** The borders of US states, which lie over counties. */
export function bordersOfStates({ cap, d3 }: Pick<Projection, 'cap' | 'd3'>): string {
  const borders = piecesIn(layerOf('states').borders, cap);
  const geometries = borders.map(({ outline }) => outline);
  return pathOf({ type: 'GeometryCollection', geometries }, d3);
}

/** What a map shows in degrees, and what is half and twice as wide. */
export function sidesOf(projection: Projection): Pick<DrawnAreas, 'frame' | 'moves' | 'mesh'> {
  const { width, height, box, kind } = projection;
  const part = (times: number) => {
    const [across, down] = [(times * width) / 2, (times * height) / 2];
    const [x, y] = [width / 2, height / 2];
    return partOf(projection, [x - across, y - down, x + across, y + down]);
  };
  // Beyond all areas there are none.
  const wider = kind === 'region' ? part(2) : undefined;
  const closer = part(0.5);
  // The box of the United States has Alaska, which is not drawn where it is.
  const frame = kind === 'us' && closer !== undefined ? doubled(closer) : box;
  return { frame, moves: { closer, wider }, mesh: meshOf(projection) };
}

/** A box that is twice as wide and high, around the same middle. */
function doubled([west, south, east, north]: Box): Box {
  const [across, up] = [(east - west) / 2, (north - south) / 2];
  return [west - across, south - up, east + across, north + up];
}

/** The path of an area; nothing if it is not on the map. */
function shapeOf(outline: Outline, d3: GeoProjection, least: Least): string {
  const measured = geoPath(d3);
  if (measured.area(outline) >= least.area) return pathOf(outline, d3);
  const [x, y] = measured.centroid(outline).map((at) => Math.round(at - least.side / 2));
  if (!Number.isFinite(x) || !Number.isFinite(y)) return '';
  return `M${x} ${y}l${least.side} 0 0 ${least.side}-${least.side} 0z`;
}
