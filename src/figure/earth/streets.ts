import type { Address, Pixel, Rect } from '../ground.ts';
import type { Shape } from '../shape.ts';
import { isIn, isOverAny, PHONE } from './names.ts';
import { type Projection, WIDTH } from './projections.ts';

/** The streets of a city, from the addresses of a block: a line through those on one street. */

/** Streets of a map. Those with the most addresses come first; others are not drawn. */
const MOST_STREETS = 14;

/** Addresses that make a street, how far they may be from its line, and how long it is at least. */
const LEAST_ADDRESSES = 3;
const MOST_ASIDE = 7;
const LEAST_LONG = 60;

/** Addresses of a street that its line is drawn through: the first ones. */
const MOST_OF_STREET = 500;

/** Addresses of a street that may be far from the others. With more of them, it is not drawn. */
const MOST_FAR = 3;

/** The units for which a street goes on beyond its last address. */
const BEYOND = 16;

/** The width of a letter along a street, and how far its name is from the line. */
const LETTER = 6.6;
const ABOVE = 11;

type Street = {
  readonly name: string;
  readonly count: number;
  readonly from: Pixel;
  readonly to: Pixel;
};

export function streetsOn({ at }: Projection, addresses: readonly Address[]): Street[] {
  const byName = new Map<string, { name: string; points: Pixel[] }>();
  for (const { text, place } of addresses) {
    const name = streetOf(text);
    const point = name === undefined ? undefined : at(...place);
    if (name === undefined || point === undefined) continue;
    const key = name.toLowerCase();
    const street = byName.get(key) ?? { name, points: [] };
    byName.set(key, street);
    if (street.points.length < MOST_OF_STREET) street.points.push(point);
  }
  return [...byName.values()]
    .flatMap(({ name, points }) => lineThrough(name, points) ?? [])
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_STREETS);
}

/** Letters of a street's name. What is longer is no name. */
const LONGEST_STREET = 40;

/** The street of an address: without its number, which is before it or after it. */
export function streetOf(address: string): string | undefined {
  const [line = ''] = address.split(/[,;\n]/);
  const text = line.trim().replace(/\s+/g, ' ').slice(0, 200);
  const [, after] = /^\d[\d/–-]*[a-z]?\s+(.*\p{L}.*)$/iu.exec(text) ?? [];
  const [, before] = /^(\p{L}[^\d]*?)\s+\d[\d/–-]*\s?[a-z]?$/iu.exec(text) ?? [];
  const street = after ?? before;
  if (street === undefined || street.length > LONGEST_STREET) return undefined;
  return /\p{Ll}/u.test(street) ? street : titled(street);
}

/** `3RD AVENUE` is `3rd Avenue`. */
function titled(text: string): string {
  return text.toLowerCase().replace(/(?<![\p{L}\d])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The line that is nearest to some points. A few of them may be wrong, and do not bend it. */
function lineThrough(
  name: string,
  points: readonly Pixel[],
  mostFar = MOST_FAR,
): Street | undefined {
  if (points.length < LEAST_ADDRESSES) return undefined;
  const { length } = points;
  const mean = (i: 0 | 1) => points.reduce((sum, point) => sum + point[i], 0) / length;
  const [x, y] = [mean(0), mean(1)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [px, py] of points) {
    xx += (px - x) ** 2;
    yy += (py - y) ** 2;
    xy += (px - x) * (py - y);
  }
  const turn = 0.5 * Math.atan2(2 * xy, xx - yy);
  const [right, down] = [Math.cos(turn), Math.sin(turn)];
  const asides = points.map(([px, py]) => Math.abs((px - x) * -down + (py - y) * right));
  const aside = Math.hypot(...asides) / Math.sqrt(length);
  if (aside > MOST_ASIDE) {
    if (mostFar === 0) return undefined;
    // Without the one that is farthest from the others, they may be on a line.
    const middle = [0, 1].map(
      (i) => points.map((point) => point[i] as number).sort((a, b) => a - b)[length >> 1] as number,
    ) as [number, number];
    const far = points.map(([px, py]) => Math.hypot(px - middle[0], py - middle[1]));
    const most = far.indexOf(Math.max(...far));
    const others = points.filter((_, i) => i !== most);
    return lineThrough(name, others, mostFar - 1);
  }
  const along = points.map(([px, py]) => (px - x) * right + (py - y) * down);
  const [first, last] = [Math.min(...along) - BEYOND, Math.max(...along) + BEYOND];
  if (last - first < LEAST_LONG + 2 * BEYOND) return undefined;
  const on = (far: number): Pixel => [x + far * right, y + far * down];
  return { name, count: length, from: on(first), to: on(last) };
}

export function roadsOf(streets: readonly Street[]): Shape[] {
  const whole = (point: Pixel) => point.map(Math.round).join(' ');
  const path = streets.map(({ from, to }) => `M${whole(from)}L${whole(to)}`).join('');
  return path === '' ? [] : [{ shape: 'area', look: 'road', path }];
}

/** Names along their streets, where no mark is and no other name. */
export function streetNames(
  streets: readonly Street[],
  projection: Projection,
  taken: readonly Rect[],
): Shape[] {
  const { height } = projection;
  const [placed, onPhones]: [Rect[], Rect[]] = [[], []];
  const isFree = (rects: readonly Rect[], others: readonly Rect[]) =>
    rects.every(
      (one) => isIn(one, projection) && !isOverAny(one, taken) && !isOverAny(one, others),
    );
  return streets.flatMap(({ name, from, to }): Shape[] => {
    const turn = Math.atan((to[1] - from[1]) / (to[0] - from[0] || 1e-9));
    const [right, down] = [Math.cos(turn), Math.sin(turn)];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const half = (name.length * LETTER) / 2;
    const [begin] = [from, to].sort((a, b) => a[0] - b[0]) as [Pixel, Pixel];
    // Small squares along the name say where it is.
    const along = ([x, y]: Pixel, scale: number) =>
      [-1, -0.6, -0.2, 0.2, 0.6, 1].map((part): Rect => {
        const [far, side] = [part * half * scale, 8 * scale];
        const [cx, cy] = [
          x + far * right + ABOVE * scale * down,
          y + far * down - ABOVE * scale * right,
        ];
        return [cx - side, cy - side, cx + side, cy + side];
      });
    for (let far = half + 6; far <= long - half - 6; far += 12) {
      const point: Pixel = [begin[0] + far * right, begin[1] + far * down];
      const rects = along(point, 1);
      if (!isFree(rects, placed)) continue;
      placed.push(...rects);
      const large = along(point, PHONE);
      const isOnPhone = isFree(large, onPhones);
      if (isOnPhone) onPhones.push(...large);
      return [
        {
          shape: 'text',
          look: isOnPhone ? 'street' : 'street wide',
          x: point[0] / WIDTH,
          y: point[1] / height,
          turn: Number(((turn * 180) / Math.PI).toFixed(1)),
          down: -0.5,
          anchor: 'middle',
          runs: [{ text: name }],
        },
      ];
    }
    return [];
  });
}
