import { tag } from './draw-shapes.ts';
import type { Figure } from './figure.ts';
import { extremesOf } from './numbers.ts';
import { type At, type Picture, type Shape, SPOT_SIZES } from './shape.ts';

/**
 * Draws the marks of a figure as a small SVG, without words and axes: a list of blocks shows one of
 * each. Its places are units of a grid; of several grids, the finest that needs few characters.
 */

/** Characters of a small picture. A list of blocks is sent with all of its pictures. */
export const MOST_DRAWN = 1900;

/** Units from the left of a picture to its right. Circles on a coarse grid are squares of one unit. */
const WIDTHS = [200, 150, 100, 70, 50, 35, 25, 18];
const LEAST_OF_CIRCLES = 100;

/** The size of a picture that is stretched to its place, in pixels, and the units of its height. */
const STRETCHED = { width: 600, height: 180 };
const ROWS_OF_PLOT = 60;

/** The marks of a figure, as small as fits. Undefined if it has none, or too many for any grid. */
export function smallPicture({ picture }: Pick<Figure, 'picture'>): string | undefined {
  if (picture === undefined) return undefined;
  const all = marksOf(picture);
  // The grey lines beside others are left out where they would be too much.
  const named = all.filter(({ look }) => look !== 'l quiet');
  return drawnOf(picture, all) ?? (named.length < all.length ? drawnOf(picture, named) : undefined);
}

function drawnOf(picture: Picture, marks: readonly Mark[]): string | undefined {
  const isMap = picture.layout === 'map';
  const { width, height } = isMap ? picture : STRETCHED;
  const isPlot = ['plot', 'plots', 'list'].includes(picture.layout);
  const hasCircles = marks.some(({ shape }) => shape === 'circle');
  for (const units of WIDTHS) {
    const rows =
      isPlot && !hasCircles ? ROWS_OF_PLOT : Math.max(1, Math.round((units * height) / width));
    const paths = pathsOf(marks, {
      ...sizeOf(picture),
      units,
      rows,
      isTiled: !isPlot,
      isRound: units >= LEAST_OF_CIRCLES,
    });
    if (paths === '') return undefined;
    if (paths.length > MOST_DRAWN) continue;
    return tag(
      'svg',
      {
        class: 'picture',
        'aria-hidden': 'true',
        viewBox: `0 0 ${units} ${rows}`,
        preserveAspectRatio: isMap ? 'xMinYMid' : 'none',
      },
      paths,
    );
  }
  return undefined;
}

/** Pixels of a figure's width and height, and the units of the grid that these become. */
type Grid = {
  readonly width: number;
  readonly height: number;
  readonly units: number;
  readonly rows: number;
  /** Whether its rectangles are cells beside each other, as on a map and in a heat table. */
  readonly isTiled: boolean;
  /** Whether circles are drawn as such. */
  readonly isRound: boolean;
};

function sizeOf(picture: Picture): Pick<Grid, 'width' | 'height'> {
  if (picture.layout === 'map') return picture;
  return picture.layout === 'grid' ? { ...STRETCHED, height: picture.height } : STRETCHED;
}

type Mark = Extract<Shape, { shape: 'rect' | 'spot' | 'circle' | 'curve' | 'area' }>;

/** The shapes that are data: no axes, outlines, words, and nothing that is shown by pointing. */
function marksOf(picture: Picture): readonly Mark[] {
  if (picture.layout === 'plots') {
    return picture.plots.map(({ points }) => ({ shape: 'curve', look: 'l', points }));
  }
  if (picture.layout !== 'list') return marksIn(picture.shapes);
  const bars = picture.rows.flatMap(({ bar, isRest }) => (bar && !isRest ? [bar] : []));
  return bars.map(([from, to], i) => ({
    shape: 'rect',
    look: 'col',
    x: from,
    width: to - from,
    y: (i + 0.15) / bars.length,
    height: 0.7 / bars.length,
  }));
}

const LOOK_OF_MARK = /^(?:col|lone|dot|l|part)(?: |$)|(?:^| )s[1-5]$/;

function marksIn(shapes: readonly Shape[]): Mark[] {
  return shapes.flatMap((shape): Mark[] => {
    if (shape.shape === 'link') return marksIn(shape.shapes);
    if (shape.shape === 'text' || shape.shape === 'line' || shape.shape === 'band') return [];
    return LOOK_OF_MARK.test(shape.look) ? [shape] : [];
  });
}

/** All marks of a look as one path, and those that are whole units as another one. */
function pathsOf(marks: readonly Mark[], grid: Grid): string {
  const paths = new Map<string, string>();
  const points = new Map<string, Set<number>>();
  const centres = new Map<string, Set<number>>();
  const taken = new Set<number>();
  const take = (look: string, [left, top, right, foot]: Units) => {
    const others = points.get(look) ?? new Set();
    points.set(look, others);
    for (let y = Math.max(0, top); y < Math.min(grid.rows, foot); y++) {
      for (let x = Math.max(0, left); x < Math.min(grid.units, right); x++) {
        const unit = y * grid.units + x;
        if (!taken.has(unit)) others.add(unit);
        taken.add(unit);
      }
    }
  };
  for (const mark of marks) {
    const look = mark.look.replace(/ open$/, '');
    const { path, units, centre } = DRAWN[mark.shape](mark as never, grid);
    if (units !== undefined) take(look, units);
    else if (centre !== undefined) {
      const others = centres.get(look) ?? new Set();
      centres.set(look, others.add(centre[1] * (grid.units + 1) + centre[0]));
    } else if (path !== '') paths.set(look, (paths.get(look) ?? '') + path);
  }
  const drawn = [
    ...[...paths].map(([look, d]) => tag('path', { class: look, d })),
    ...[...points].map(([look, units]) =>
      tag('path', { class: `${look} unit`, d: rowsOf(units, grid) }),
    ),
    ...[...centres].map(([look, all]) =>
      tag('path', { class: `${look} round`, d: circlesOf(all, grid) }),
    ),
  ];
  return drawn.length > 1 ? tag('g', { class: 'lines' }, drawn.join('')) : drawn.join('');
}

type Point = readonly [x: number, y: number];
type Units = readonly [left: number, top: number, right: number, foot: number];
type Piece = { readonly path: string; readonly units?: Units; readonly centre?: Point };
type Kind<Name extends Mark['shape']> = Extract<Mark, { shape: Name }>;

const DRAWN: {
  readonly [Name in Mark['shape']]: (mark: Kind<Name>, grid: Grid) => Piece;
} = {
  rect: (mark, grid) => {
    const [x, y] = [acrossOf(mark.x, grid), downOf(mark.y, grid)];
    const [right, foot] = [x + acrossOf(mark.width, grid), y + downOf(mark.height, grid)];
    if (right - x < 1 && foot - y < 1) return unitAt((x + right) / 2, (y + foot) / 2);
    const [left, top] = [Math.round(x), Math.round(y)];
    const [w, h] = [Math.round(right) - left || 1, Math.round(foot) - top || 1];
    // Cells beside each other are one in their rows.
    if (grid.isTiled) return { path: '', units: [left, top, left + w, top + h] };
    return { path: `M${left} ${top}h${w}v${h}h-${w}z` };
  },
  spot: ({ x, y, size }, grid) => {
    const side = Math.max(1, Math.round((SPOT_SIZES[size] ?? 0) * grid.units));
    const at = [acrossOf(x, grid), downOf(y, grid)].map((one) => Math.floor(one - (side - 1) / 2));
    const [left, top] = at as [number, number];
    return { path: '', units: [left, top, left + side, top + side] };
  },
  circle: ({ x, y }, grid) => {
    const [across, down] = [acrossOf(x, grid), downOf(y, grid)];
    if (!grid.isRound) return unitAt(across, down);
    return { path: '', centre: [Math.round(across), Math.round(down)] };
  },
  curve: ({ points }, grid) => ({ path: curvePath(points, grid) }),
  area: (mark, grid) => {
    const rings = ringsOf(mark, grid);
    const corners = rings.flat();
    const x = extremesOf(corners.map(([x]) => x)) ?? [0, 0];
    const y = extremesOf(corners.map(([, y]) => y)) ?? [0, 0];
    const isUnit = x[1] - x[0] < 1.5 && y[1] - y[0] < 1.5;
    const path = isUnit ? '' : rings.map(ringPath).join('');
    return path === '' ? unitAt((x[0] + x[1]) / 2, (y[0] + y[1]) / 2) : { path };
  },
};

/** The unit that a place lies in. */
function unitAt(x: number, y: number): Piece {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { path: '', units: [left, top, left + 1, top + 1] };
}

function acrossOf(at: At, { width, units }: Grid): number {
  return (typeof at === 'number' ? at : at[0] + at[1] / width) * units;
}

function downOf(at: At, { height, rows }: Grid): number {
  return (typeof at === 'number' ? at : at[0] + at[1] / height) * rows;
}

/** Units as lines along their rows; those beside each other are one. */
function rowsOf(units: ReadonlySet<number>, grid: Grid): string {
  const sorted = [...units].sort((a, b) => a - b);
  let drawn = '';
  let [row, end] = [-1, 0];
  for (let i = 0; i < sorted.length; ) {
    const from = sorted[i] as number;
    const next = Math.floor(from / grid.units);
    const column = from % grid.units;
    let length = 1;
    while (sorted[i + length] === from + length && column + length < grid.units) length++;
    drawn += row === next ? `m${column - end} 0h${length}` : `M${column} ${next + 0.5}h${length}`;
    [row, end, i] = [next, column + length, i + length];
  }
  return drawn;
}

/** Circles as lines without a length, whose round ends are seen. */
function circlesOf(centres: ReadonlySet<number>, { units }: Grid): string {
  const sorted = [...centres].sort((a, b) => a - b);
  const places = sorted.map((at): Point => [at % (units + 1), Math.floor(at / (units + 1))]);
  return places
    .map(([x, y], i) => {
      const [fromX, fromY] = places[i - 1] ?? [0, 0];
      return i === 0 ? `M${x} ${y}h0` : `m${x - fromX} ${y - fromY}h0`;
    })
    .join('')
    .replaceAll(' -', '-');
}

/** A line in whole units. Where several points lie over one of these, the highest and the lowest stay. */
function curvePath(points: Kind<'curve'>['points'], { units, rows }: Grid): string {
  const drawn: (Point | null)[] = [];
  for (let i = 0; i < points.length; ) {
    const point = points[i];
    if (point == null) {
      drawn.push(null);
      i++;
      continue;
    }
    const column = Math.round(point[0] * units);
    const heights: number[] = [];
    for (let next = points[i]; next != null && Math.round(next[0] * units) === column; ) {
      heights.push(Math.round(next[1] * rows));
      next = points[++i];
    }
    const [least, most] = extremesOf(heights) as readonly [number, number];
    const isRising = heights.indexOf(least) <= heights.lastIndexOf(most);
    const ends = isRising ? [least, most] : [most, least];
    drawn.push(...[...new Set(ends)].map((height): Point => [column, height]));
  }
  return drawn
    .reduce<Point[][]>(
      (lines, point) => {
        if (point === null) lines.push([]);
        else lines.at(-1)?.push(point);
        return lines;
      },
      [[]],
    )
    .map(stepsOf)
    .join('');
}

/** A closed line in whole units; nothing if it has no area. Corners on a straight line are left out. */
function ringPath(ring: readonly Point[]): string {
  const rounded = ring.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  const moved = rounded.filter(([x, y], i) => {
    const [fromX, fromY] = rounded.at(i - 1) as Point;
    return x !== fromX || y !== fromY;
  });
  const corners = moved.filter(([x, y], i) => {
    const [fromX, fromY] = moved.at(i - 1) as Point;
    const [toX, toY] = moved[(i + 1) % moved.length] as Point;
    return (x - fromX) * (toY - y) !== (y - fromY) * (toX - x);
  });
  return corners.length < 3 ? '' : `${edgesOf(corners)}z`;
}

/** Lines from corner to corner; those along an axis have one number. */
function edgesOf([first = [0, 0], ...corners]: readonly Point[]): string {
  let [fromX, fromY] = first;
  let letter = '';
  const edges = corners.map(([x, y]) => {
    const [across, down] = [x - fromX, y - fromY];
    [fromX, fromY] = [x, y];
    if (across === 0 && down === 0) return '';
    const next = across === 0 ? 'v' : down === 0 ? 'h' : 'l';
    const numbers = next === 'v' ? `${down}` : next === 'h' ? `${across}` : `${across} ${down}`;
    const isSame = next === letter;
    letter = next;
    return (isSame ? ' ' : next) + numbers;
  });
  return `M${first.join(' ')}${edges.join('')}`.replaceAll(' -', '-');
}

/** Lines from point to point, each from where the last one ended. */
function stepsOf(points: readonly Point[]): string {
  return points
    .map(([x, y], i) => {
      const [fromX, fromY] = points[i - 1] ?? [0, 0];
      if (i === 0) return `M${x} ${y}`;
      // A letter that repeats need not be written again, and a minus needs no space before it.
      return `${i === 1 ? 'l' : ' '}${x - fromX} ${y - fromY}`;
    })
    .join('')
    .replaceAll(' -', '-');
}

/** The rings of an area whose path has straight lines, in units. */
function ringsOf({ path, transform = '' }: Kind<'area'>, { width, height, units, rows }: Grid) {
  const [a = 1, , , d = 1, left = 0, top = 0] = (/matrix\(([^()]*)\)/.exec(transform)?.[1] ?? '')
    .split(' ')
    .map((text) => (text === '' ? undefined : Number(text)));
  return path
    .split('M')
    .slice(1)
    .map((ring) =>
      placesIn(ring).map(
        ([x, y]): Point => [((a * x + left) / width) * units, ((d * y + top) / height) * rows],
      ),
    );
}

/** The places of a ring; after an `l`, each is relative to the one before. */
function placesIn(ring: string): Point[] {
  const numbers = ring.match(/-?[\d.]+/g)?.map(Number) ?? [];
  const isRelative = ring.includes('l');
  const places: Point[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [x, y] = [numbers[i] as number, numbers[i + 1] as number];
    const [fromX, fromY] = isRelative ? (places.at(-1) ?? [0, 0]) : [0, 0];
    places.push([fromX + x, fromY + y]);
  }
  return places;
}
