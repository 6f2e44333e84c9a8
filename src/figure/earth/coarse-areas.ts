import type { GeoProjection } from 'd3-geo';
import type { Pixel } from '../ground.ts';
import { type PackedAreas, unpackedArcs } from './outlines.ts';

/**
 * Draws thousands of areas in whole numbers, in as few as show them: each border is made straight
 * once, so that the two areas beside it still meet.
 */
export function coarseShapes(
  { areas, names, arcs, step }: PackedAreas,
  d3: GeoProjection,
): Record<string, string> {
  const borders = unpackedArcs({ arcs, step }).map((arc) => straightened(pixelsOf(arc, d3)));
  const shapes: Record<string, string> = {};
  for (const [i, polygons] of areas.entries()) {
    const path = polygons
      .flat()
      .map((ring) => ringPath(ring.map((arc) => borderOf(arc, borders))))
      .join('');
    const [first] = borderOf(polygons[0]?.[0]?.[0] ?? 0, borders);
    // An area that is too small for a path is a square of one unit.
    if (first !== undefined) shapes[names[i] ?? ''] = path === '' ? squareAt(first) : path;
  }
  return shapes;
}

/** A border as TopoJSON has it: its complement means that it is gone along backwards. */
function borderOf(arc: number, borders: readonly (readonly Pixel[])[]): readonly Pixel[] {
  return arc < 0 ? (borders[~arc] ?? []).toReversed() : (borders[arc] ?? []);
}

/** Where a border is; empty if a part of it is not on the map. */
function pixelsOf(arc: readonly (readonly [number, number])[], d3: GeoProjection): Pixel[] {
  const pixels: Pixel[] = [];
  for (const [longitude, latitude] of arc) {
    const at = d3([longitude, latitude]);
    if (at === null) return [];
    const [x, y] = at.map(Math.round) as [number, number];
    const last = pixels.at(-1);
    if (last === undefined || last[0] !== x || last[1] !== y) pixels.push([x, y]);
  }
  return pixels;
}

/** How far a border may be from where it was, in units of the map: less than a pixel on a desk. */
const MOST_APART = 0.75;

/** A border without the corners that cannot be seen (Douglas and Peucker, 1973). Its ends stay. */
function straightened(pixels: readonly Pixel[]): readonly Pixel[] {
  const [first, last] = [pixels[0], pixels.at(-1)];
  if (first === undefined || last === undefined || pixels.length < 3) return pixels;
  let [farthest, index] = [0, 0];
  for (let i = 1; i < pixels.length - 1; i++) {
    const apart = distanceTo(pixels[i] as Pixel, first, last);
    if (apart > farthest) [farthest, index] = [apart, i];
  }
  if (farthest <= MOST_APART) return [first, last];
  const before = straightened(pixels.slice(0, index + 1));
  return [...before.slice(0, -1), ...straightened(pixels.slice(index))];
}

/** How far a point is from a line between two others, or from one of these if they are the same. */
function distanceTo([x, y]: Pixel, [fromX, fromY]: Pixel, [toX, toY]: Pixel): number {
  const [right, down] = [toX - fromX, toY - fromY];
  const length = Math.hypot(right, down);
  if (length === 0) return Math.hypot(x - fromX, y - fromY);
  return Math.abs(right * (y - fromY) - down * (x - fromX)) / length;
}

/** A ring of borders; nothing if it encloses nothing. */
function ringPath(borders: readonly (readonly Pixel[])[]): string {
  const [first, ...ring] = borders.flatMap((border) => border.slice(0, -1));
  if (first === undefined || ring.length < 2) return '';
  let path = `M${first[0]} ${first[1]}`;
  let last = first;
  let command = 'l';
  for (const to of ring) {
    path += command + signed(to[0] - last[0], command === '') + signed(to[1] - last[1], true);
    last = to;
    command = '';
  }
  return `${path}z`;
}

/** A number after another one, or after a letter. */
function signed(number: number, isAfterNumber: boolean): string {
  return number < 0 || !isAfterNumber ? String(number) : ` ${number}`;
}

function squareAt([x, y]: Pixel): string {
  return `M${x} ${y}l1 0 0 1-1 0z`;
}
