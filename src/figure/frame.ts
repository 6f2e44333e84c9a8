import { decimalText } from '../text/decimal.ts';
import { RADIANS } from '../values/places.ts';
import type { Box } from './shape.ts';

/** Which part of the earth a map shows. East is more than 180 if it goes over that meridian. */

/** A map has at most and at least this height for each of its width. */
const HEIGHT = { least: 0.45, most: 1.25 } as const;

/** The room around places, as a share of their extent; and the least extent, in degrees. */
const MARGIN = 0.04;
const LEAST_EXTENT = 0.002;

/** A frame that is wider has all places. */
const MOST_TRIMMED = 90;

/** The share of the places that may be left out, if the others then have half the area. */
const MOST_FAR = 0.02;

/** The box around places; both arrays have the same length. Undefined if there are none. */
export function extentOf(
  longitudes: ArrayLike<number>,
  latitudes: ArrayLike<number>,
): Box | undefined {
  const { length } = longitudes;
  if (length === 0) return undefined;
  const eastOf = turnOf(longitudes);
  const east = Float64Array.from(longitudes);
  for (let i = 0; i < length; i++) east[i] = eastOf(east[i] as number);
  // Two arrays and a copy: a million places take 8 MB in each.
  const distances = east.slice();
  const middleX = nthOf(distances, length >> 1);
  for (let i = 0; i < length; i++) distances[i] = latitudes[i] as number;
  const middleY = nthOf(distances, length >> 1);
  const narrow = narrowing([0, middleY, 0, middleY]);
  for (let i = 0; i < length; i++) {
    const [x, y] = [(east[i] as number) - middleX, (latitudes[i] as number) - middleY];
    distances[i] = Math.max(Math.abs(x) * narrow, Math.abs(y));
  }
  const near = nthOf(distances.slice(), length - 1 - Math.floor(MOST_FAR * length));
  const far: number[] = [];
  let [least, south, greatest, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < length; i++) {
    const [x, y] = [east[i] as number, latitudes[i] as number];
    if ((distances[i] as number) > near) far.push(i);
    else {
      least = Math.min(least, x);
      greatest = Math.max(greatest, x);
      south = Math.min(south, y);
      top = Math.max(top, y);
    }
  }
  const core: Box = [least, south, greatest, top];
  far.sort((a, b) => (distances[a] as number) - (distances[b] as number));
  const most = 2 * areaOf(core);
  let all = core;
  let trimmed = core;
  for (const i of far) {
    all = grown(all, east[i] as number, latitudes[i] as number);
    if (areaOf(all) < most) trimmed = all;
  }
  const [first, , last] = fitted(withRoom(trimmed));
  return last - first > MOST_TRIMMED ? all : trimmed;
}

/**
 * The number at an index, as if the numbers were sorted. They are moved about. A number that is
 * chosen by chance parts the rest, so that no order of them takes long (Hoare, Algorithm 65: Find).
 */
function nthOf(numbers: Float64Array, index: number): number {
  let [first, last] = [0, numbers.length - 1];
  while (first < last) {
    const parting = numbers[first + Math.floor(Math.random() * (last - first + 1))] as number;
    let [left, right] = [first, last];
    while (left <= right) {
      while ((numbers[left] as number) < parting) left++;
      while ((numbers[right] as number) > parting) right--;
      if (left > right) break;
      const number = numbers[left] as number;
      numbers[left++] = numbers[right] as number;
      numbers[right--] = number;
    }
    if (index <= right) last = right;
    else if (index >= left) first = left;
    else break;
  }
  return numbers[index] as number;
}

function grown([west, south, east, north]: Box, x: number, y: number): Box {
  return [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
}

function areaOf([west, south, east, north]: Box): number {
  return Math.max(LEAST_EXTENT, east - west) * Math.max(LEAST_EXTENT, north - south);
}

/** Where places lie on both sides of the 180th meridian, and none on half of the earth, one turn on. */
function turnOf(longitudes: ArrayLike<number>): (longitude: number) => number {
  let [west, east] = [Infinity, -Infinity];
  for (let i = 0; i < longitudes.length; i++) {
    const longitude = longitudes[i] as number;
    if (longitude < 0) east = Math.max(east, longitude);
    else west = Math.min(west, longitude);
  }
  const isTurned = Number.isFinite(west - east) && west - east > 180;
  return (longitude) => (isTurned && longitude < 0 ? longitude + 360 : longitude);
}

/** A box with room around what is in it. */
export function withRoom([west, south, east, north]: Box): Box {
  const room = Math.max(east - west, north - south, LEAST_EXTENT) * MARGIN;
  return [west - room, south - room, east + room, north + room];
}

/** A box that is not too small to be a map. East is more than 180 if it goes over that meridian. */
export function withLeast([west, south, east, north]: Box): Box {
  const right = east < west ? east + 360 : east;
  const [across, up] = [right - west, north - south].map(
    (extent) => Math.max(0, LEAST_EXTENT - extent) / 2,
  ) as [number, number];
  return [
    west - across,
    Math.max(-90, south - up),
    Math.min(right + across, west - across + 360),
    Math.min(90, north + up),
  ];
}

/** How much narrower a degree is to the side than up, in the middle of a box. */
export function narrowing([, south, , north]: Box): number {
  return Math.max(0.05, Math.cos(((south + north) / 2) * RADIANS));
}

/** Widens a box to a shape that fits on a page, and moves it onto the globe. */
export function fitted([west, south, east, north]: Box): Box {
  const right = east < west ? east + 360 : east;
  let wide = Math.min(360, Math.max(right - west, LEAST_EXTENT));
  let high = Math.max(north - south, LEAST_EXTENT);
  const narrow = narrowing([west, south, right, north]);
  high = Math.min(180, Math.max(high, wide * narrow * HEIGHT.least));
  wide = Math.min(360, Math.max(wide, high / (narrow * HEIGHT.most)));
  const left = wide === 360 ? -180 : (west + right) / 2 - wide / 2;
  const foot = Math.max(-90, (south + north) / 2 - high / 2);
  return foot + high >= 90
    ? [left, 90 - high, left + wide, 90]
    : [left, foot, left + wide, foot + high];
}

/** The longitude that lies in a frame, which may go over the 180th meridian. */
export function turned(longitude: number, [west, , east]: Box): number {
  const isIn = (turn: number) => turn >= west && turn <= east;
  if (isIn(longitude)) return longitude;
  if (isIn(longitude + 360)) return longitude + 360;
  return isIn(longitude - 360) ? longitude - 360 : longitude;
}

/** A box as it is asked for. It has its east before its west if it goes over the 180th meridian. */
export function boxText([west, south, east, north]: Box): string {
  const isAround = east - west >= 360;
  const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  const sides = isAround ? [-180, south, 180, north] : [turned(west), south, turned(east), north];
  return sides.map((degrees) => decimalText(Number(degrees.toFixed(5)))).join(',');
}
