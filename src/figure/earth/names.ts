import type { Language } from '../../languages/language.ts';
import type { Place, Rect } from '../ground.ts';
import type { Shape } from '../shape.ts';
import type { Named } from './outlines.ts';
import { type Projection, WIDTH } from './projections.ts';

/** Names of countries, states and seas on a map, where no mark is and no other name. */

/** Names of a map. The largest areas come first; others have none. */
const MOST_NAMES = 8;

/** Areas whose names are tried. */
const MOST_TRIED = 60;

/** The width of a letter and the height of a line, in units of a map as wide as on a desk. */
const LETTER = 7.2;
const LINE = 18;

/** On a phone a map has 358 pixels, and its letters have the same size. */
export const PHONE = WIDTH / 358;

/** Places of names in the seas, the best first. */
const SEAS = [
  ['Pacific Ocean', [-165, 2], [-150, 25], [-140, -20], [165, 15], [-125, 33], [-110, 10]],
  ['Atlantic Ocean', [-40, 30], [-25, -20], [-35, 45], [-70, 32], [-15, 10], [-12, 50]],
  ['Indian Ocean', [78, -25], [85, -8], [65, 5], [55, -30], [95, -15]],
] as const;

/** The look of names of areas. */
const OF_AREA = 'place';

/** A name with its places on the map, the best first, and how large its area is there. */
type Wanted = {
  readonly text: string;
  readonly look: string;
  readonly at: readonly (readonly [x: number, y: number])[];
  readonly area: number;
};

export function namesOn(
  projection: Projection,
  named: readonly Named[],
  taken: readonly Rect[],
  language: Language,
): Shape[] {
  const regions = new Intl.DisplayNames([language.name], { type: 'region' });
  const areas = named
    .flatMap((one) => wantedOf(one, projection, regions))
    .sort((a, b) => b.area - a.area)
    .slice(0, MOST_TRIED);
  const seas = SEAS.map(([name, ...places]): Wanted => {
    const at = pointsOf(places, projection);
    return { text: language.say(name), look: 'place water', at, area: 0 };
  });
  const placed: Rect[] = [];
  const onPhones: Rect[] = [];
  const shapes: Shape[] = [];
  let left = MOST_NAMES;
  for (const { text, look, at } of [...areas, ...(projection.kind === 'us' ? [] : seas)]) {
    if (look === OF_AREA && left === 0) continue;
    const found = at.find((point) => {
      const rect = around(point, text, 1);
      return isIn(rect, projection) && !isOverAny(rect, taken) && !isOverAny(rect, placed);
    });
    if (found === undefined) continue;
    if (look === OF_AREA) left--;
    placed.push(around(found, text, 1));
    const large = around(found, text, PHONE);
    const isFree =
      isIn(large, projection) && !isOverAny(large, taken) && !isOverAny(large, onPhones);
    if (isFree) onPhones.push(large);
    shapes.push({
      shape: 'text',
      look: isFree ? look : `${look} wide`,
      x: found[0] / WIDTH,
      y: found[1] / projection.height,
      down: 0.35,
      anchor: 'middle',
      runs: [{ text }],
    });
  }
  return shapes;
}

function wantedOf(
  { name, apart, seats }: Named,
  projection: Projection,
  regions: Intl.DisplayNames,
): Wanted[] {
  const points = pointsOf(seats, projection);
  const [first] = points;
  if (first === undefined) return [];
  const text = /^[A-Z]{2}$/.test(name) ? (regions.of(name) ?? name) : name;
  // Each seat has a square of the grid, which is as large as in the middle of the map.
  const side = (apart * projection.d3.scale() * Math.PI) / 180;
  const area = points.length * side ** 2;
  if (area < text.length * LETTER * LINE) return [];
  const [x, y] = [0, 1].map(
    (i) => points.reduce((sum, point) => sum + (point[i] as number), 0) / points.length,
  ) as [number, number];
  const far = ([px, py]: readonly [number, number]) => Math.hypot(px - x, (py - y) * 1.6);
  return [{ text, look: OF_AREA, area, at: points.toSorted((a, b) => far(a) - far(b)) }];
}

function pointsOf(places: readonly Place[], { at }: Projection) {
  return places.flatMap(([longitude, latitude]) => {
    const point = at(longitude, latitude);
    return point === undefined ? [] : [point];
  });
}

function around([x, y]: readonly [number, number], text: string, scale: number): Rect {
  const [wide, high] = [((text.length * LETTER + 8) / 2) * scale, (LINE / 2) * scale];
  return [x - wide, y - high, x + wide, y + high];
}

export function isOver(a: Rect, b: Rect): boolean {
  return a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
}

/** True if it is over one of the others. A map has a bounded number of marks and of names. */
export function isOverAny(a: Rect, others: readonly Rect[]): boolean {
  return others.some((one) => isOver(a, one));
}

export function isIn([left, top, right, bottom]: Rect, { height }: Projection): boolean {
  return left > 4 && top > 4 && right < WIDTH - 4 && bottom < height - 4;
}
