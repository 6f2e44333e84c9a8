import type { Thumbnail } from '../block/manifest.ts';
import { shorten } from '../text/wording.ts';
import type { Row, Value } from '../values/field-type.ts';
import { type Field, isLabel, isNumeric, keysOfDay } from '../values/field-types.ts';
import type { Figure } from './figure.ts';
import { markOf } from './marks.ts';
import { extremesOf } from './numbers.ts';
import {
  endOfStep,
  type GroupsAnswer,
  isShare,
  measuresTogether,
  numberIn,
  valueIn,
} from './question.ts';
import { type At, cutName, type Picture, type Shape } from './shape.ts';
import { messagesOfMeasure } from './words.ts';

/** Makes the small picture that a list of blocks shows of a figure: the same marks, with few digits. */

/** Characters of a thumbnail's drawing; a list of blocks holds one of each. One that needs more is left out. */
export const MOST_DRAWN = 1400;

/** Characters of a title in a thumbnail's caption, and of the name of a bar. */
const MOST_OF_TITLE = 60;
const MOST_OF_NAME = 26;

/** Bars of a thumbnail. */
const MOST_BARS_DRAWN = 4;

/** Rows and fields of a thumbnail of a table. */
export const ROWS_DRAWN = 4;
export const FIELDS_DRAWN = 2;

type OfFigure = Exclude<Thumbnail, { kind: 'table' }>;

/** A thumbnail of the first rows of a table. */
export function thumbnailOfRows(rows: readonly Row[], fields: readonly Field[]): Thumbnail {
  const cut = (value: Value) => (typeof value === 'string' ? cutName(value, MOST_OF_NAME) : value);
  return {
    kind: 'table',
    fields: fields.map(({ title }) => shorten(title, MOST_OF_TITLE)),
    rows: rows.map((row) => fields.map(({ name }) => cut(row[name] ?? null))),
  };
}

/** A thumbnail of a figure, and of the groups it is of. Undefined if it has nothing to draw. */
export function thumbnailOf(
  figure: Figure,
  answer: GroupsAnswer | undefined,
  fields: readonly Field[],
): OfFigure | undefined {
  const drawn = drawingOf(figure, answer);
  if (drawn === undefined) return undefined;
  const range = rangeOf(figure, answer);
  const numbers = writtenAs(answer, range);
  return {
    form: markOf(figure.mark).title,
    ...wordsOf(figure, answer, fields),
    ...(numbers === undefined ? {} : { numbers }),
    ...(range === undefined ? {} : { range: apart(range) }),
    ...drawn,
  };
}

/** How the numbers of a thumbnail are written: those of its steps, or else of what is measured. */
function writtenAs(
  answer: GroupsAnswer | undefined,
  range: readonly [number, number] | undefined,
): OfFigure['numbers'] {
  const { dimensions: [dimension] = [], measures = [] } = answer?.grouping ?? {};
  const measure = measures.find(({ column }) => isNumeric(column));
  const isOfSteps = range !== undefined && dimension?.width !== undefined;
  if (!isOfSteps && measure !== undefined && isShare(measure)) return 'share';
  const field = isOfSteps ? dimension?.field : measure?.column;
  const [min, max] = range ?? [];
  const ends = min === undefined || max === undefined ? {} : { min, max };
  return field !== undefined && isLabel(field, ends) ? 'plain' : undefined;
}

/** Both ends with so many decimals that they differ by three digits. */
function apart([least, greatest]: readonly [number, number]): readonly [number, number] {
  const decimals = decimalsFor(greatest - least);
  return [Number(least.toFixed(decimals)), Number(greatest.toFixed(decimals))];
}

/** Numbers as the page's table has them: whole, or with decimals where they are small. */
function writtenNumbers(numbers: readonly number[]): readonly number[] {
  if (numbers.every(Number.isInteger)) return numbers;
  const decimals = decimalsFor(Math.max(...numbers.map(Math.abs)));
  return numbers.map((number) => {
    const written = Number(number.toFixed(decimals));
    return written === 0 ? Number(number.toPrecision(3)) : written;
  });
}

/** The decimals that a number needs for three digits. */
function decimalsFor(size: number): number {
  return size >= 100 || size === 0 ? 0 : Math.min(20, 2 - Math.floor(Math.log10(size)));
}

function wordsOf(
  { mark }: Figure,
  answer: GroupsAnswer | undefined,
  fields: readonly Field[],
): Pick<OfFigure, 'measured' | 'by'> {
  const { dimensions = [] } = answer?.grouping ?? {};
  const by = dimensions.filter(({ cells }) => cells === undefined);
  if (answer === undefined || by.length < dimensions.length) return { measured: {}, by: [] };
  const isTogether = mark === 'line' && dimensions.length === 1;
  const { message, titles } = messagesOfMeasure(
    answer,
    isTogether ? measuresTogether({ answer }) : [],
  );
  const hasSeveralDates = fields.filter((field) => keysOfDay(field) !== undefined).length > 1;
  const title = (text: string) => ({ field: shorten(text, MOST_OF_TITLE) });
  return {
    measured: {
      ...(message === undefined ? {} : { message }),
      ...(titles.length === 0 ? {} : title(titles.join(', '))),
    },
    by: by.map(({ field, part }) => ({
      ...(part === undefined ? {} : { part: part.words }),
      ...(part === undefined || hasSeveralDates ? title(field.title) : {}),
    })),
  };
}

/** The numbers from which to which a picture without texts goes: those of its marks, or its steps. */
function rangeOf(
  { mark, marks, ends }: Figure,
  answer: GroupsAnswer | undefined,
): readonly [number, number] | undefined {
  if (ends !== undefined) return ends;
  const [dimension] = answer?.grouping.dimensions ?? [];
  if (answer !== undefined && dimension?.width !== undefined) {
    const starts = answer.groups.flatMap((group) => {
      const start = valueIn(group, dimension);
      return typeof start === 'number' ? [start] : [];
    });
    const [first, last] = extremesOf(starts) ?? [0, 0];
    return [first, endOfStep(last, dimension)];
  }
  if (mark !== 'line' && mark !== 'regions' && mark !== 'heat') return undefined;
  return extremesOf(marks.flatMap(({ numbers }) => numbers.filter((number) => number !== null)));
}

type Drawing =
  | Pick<Extract<Thumbnail, { kind: 'bars' }>, 'kind' | 'bars' | 'more'>
  | Pick<Extract<Thumbnail, { kind: 'plot' }>, 'kind' | 'width' | 'height' | 'paths'>
  | MapDrawn;
type MapDrawn = Pick<
  Extract<Thumbnail, { kind: 'map' }>,
  'kind' | 'columns' | 'rows' | 'cells' | 'isSurface'
>;

function drawingOf(
  { picture, mark }: Figure,
  answer: GroupsAnswer | undefined,
): Drawing | undefined {
  if (picture === undefined) return undefined;
  if (picture.layout === 'list') return barsOf(picture, answer);
  if (picture.layout === 'map') return mark === 'regions' ? surfaceOf(picture) : squaresOf(picture);
  return mark === 'heat' && picture.layout === 'grid' ? heatOf(picture) : plotOf(picture);
}

type Layout<Name extends Picture['layout']> = Extract<Picture, { layout: Name }>;

/** Bars with names; of parts of time, or steps, columns from the left. */
function barsOf(picture: Layout<'list'>, answer: GroupsAnswer | undefined): Drawing | undefined {
  const { dimensions: [dimension] = [], measures = [] } = answer?.grouping ?? {};
  const measure = measures.find(({ column }) => isNumeric(column));
  if (answer === undefined || dimension === undefined || measure === undefined) return undefined;
  if (dimension.part !== undefined || dimension.width !== undefined) {
    const bars = picture.rows.filter(({ isRest }) => isRest !== true);
    const shapes = bars.flatMap(({ bar }, i): Shape[] => {
      if (bar === undefined) return [];
      const [x, width] = [(i + 0.05) / bars.length, 0.9 / bars.length];
      return [{ shape: 'rect', look: 'col', x, y: 1 - bar[1], width, height: bar[1] - bar[0] }];
    });
    return plotOf({ layout: 'plot', look: '', shapes, readouts: [] });
  }
  const bars = answer.groups.slice(0, MOST_BARS_DRAWN).flatMap((group) => {
    const value = valueIn(group, dimension);
    const number = numberIn(group, measure);
    const name = typeof value === 'string' ? cutName(value, MOST_OF_NAME) : value;
    return number === null ? [] : [[name, number] as const];
  });
  if (bars.length === 0) return undefined;
  const numbers = bars.map(([, number]) => number);
  const written = isShare(measure) ? numbers : writtenNumbers(numbers);
  return {
    kind: 'bars',
    bars: bars.map(([name], i) => [name, written[i] as number]),
    more: answer.total - bars.length,
  };
}

/** A plot is drawn in a box so wide; if that takes too many characters, in a narrower one. */
const WIDTHS = [200, 100, 50, 25];
const HEIGHT = 60;

function plotOf(picture: Layout<'plot' | 'grid'>): Drawing | undefined {
  const px = picture.layout === 'grid' ? 1 / picture.height : 0;
  for (const width of WIDTHS) {
    const paths = new Map<string, string>();
    const add = (look: string, path: string) => {
      if (path !== '') paths.set(look, (paths.get(look) ?? '') + path);
    };
    for (const shape of flat(picture.shapes)) {
      if (shape.shape === 'curve') {
        const [look, colour] = shape.look.split(' ').filter((word) => word !== 'open');
        if (look === 'l') add([look, colour].join(' ').trim(), curvePath(shape.points, width));
      } else if (shape.shape === 'rect') {
        const [look, isLone] = [lookOfRect(shape.look), shape.look === 'lone'];
        if (look === undefined) continue;
        const [x, y] = [at(shape.x, 0) * width, at(shape.y, px) * HEIGHT];
        const [w, h] = [at(shape.width, 0) * width, at(shape.height, px) * HEIGHT];
        add(look, isLone ? rectPath(x - 1, y - 1, 2, 2) : rectPath(x, y, w, h));
      }
    }
    const length = [...paths.values()].reduce((sum, path) => sum + path.length, 0);
    if (length === 0) return undefined;
    if (length <= MOST_DRAWN) return { kind: 'plot', width, height: HEIGHT, paths: [...paths] };
  }
  return undefined;
}

/** The classes of a rectangle that is a mark; the others are axes and keys. */
function lookOfRect(look: string): string | undefined {
  if (look === 'col' || look.startsWith('part ')) return look;
  return look === 'lone' ? 'col' : undefined;
}

/** A place in shares; `px` is the share of a pixel. */
function at(place: At, px: number): number {
  return typeof place === 'number' ? place : place[0] + place[1] * px;
}

function flat(shapes: readonly Shape[]): Exclude<Shape, { shape: 'link' }>[] {
  return shapes.flatMap((shape) => (shape.shape === 'link' ? flat(shape.shapes) : [shape]));
}

const short = (number: number) => Number(number.toFixed(1)) + 0;

function rectPath(x: number, y: number, width: number, height: number): string {
  const [w, h] = [short(width), short(height)];
  return w > 0 && h > 0 ? `M${short(x)} ${short(y)}h${w}v${h}h-${w}z` : '';
}

/** A line in whole units. Where several points lie over one of these, the highest and the lowest stay. */
function curvePath(points: readonly (readonly [number, number] | null)[], width: number): string {
  const drawn: string[] = [];
  let [x, y] = [0, 0];
  let isOpen = false;
  const go = (toX: number, toY: number) => {
    drawn.push(isOpen ? `l${toX - x} ${toY - y}` : `M${toX} ${toY}`);
    [x, y, isOpen] = [toX, toY, true];
  };
  for (let i = 0; i < points.length; ) {
    const point = points[i];
    if (point == null) {
      [isOpen, i] = [false, i + 1];
      continue;
    }
    const column = Math.round(point[0] * width);
    const heights: number[] = [];
    for (let next = points[i]; next != null && Math.round(next[0] * width) === column; ) {
      heights.push(Math.round(next[1] * HEIGHT));
      next = points[++i];
    }
    const [least, most] = extremesOf(heights) as readonly [number, number];
    const isRising = heights.indexOf(least) <= heights.lastIndexOf(most);
    const [first, second] = isRising ? [least, most] : [most, least];
    go(column, first);
    if (second !== first) go(column, second);
  }
  // A letter that repeats need not be written again, and a minus needs no space before it.
  return drawn
    .join('')
    .replace(/(?<=l[^Ml]*)l/g, ' ')
    .replaceAll(' -', '-');
}

/** Cells of a map of squares or circles, which stand apart, and of a surface, whose edges matter. */
const MOST_SQUARES = 900;
const LEAST_SQUARES = 150;
const MOST_OF_SURFACE = 2400;

/** Circles have no class; this one is as strong as a line. */
const SHADE_OF_CIRCLES = 3;

function squaresOf({ shapes, width, height }: Layout<'map'>): MapDrawn | undefined {
  const marks = flat(shapes);
  const squares = shadedRects(marks, 1);
  if (squares.length > 0) return drawnCells(gridOf(squares, width, height, MOST_SQUARES));
  const circles = marks.flatMap((mark) =>
    mark.shape === 'circle' && mark.look === 'dot' ? [[at(mark.x, 1), at(mark.y, 1)] as const] : [],
  );
  // A few are larger, so that they are seen.
  const cells = Math.min(MOST_SQUARES, LEAST_SQUARES + 3 * circles.length);
  const grid = emptyGrid(width, height, Math.sqrt((width * height) / cells));
  for (const [x, y] of circles) shade(grid, Math.floor(y / grid.pitch), x, 0, SHADE_OF_CIRCLES);
  return drawnCells(grid);
}

/** A heat table as a surface, whose cells are as wide as they are high. */
function heatOf({ shapes, height }: Layout<'grid'>): MapDrawn | undefined {
  const rects = shadedRects(flat(shapes), WIDTH_OF_HEAT);
  const drawn = drawnCells(gridOf(rects, WIDTH_OF_HEAT, height, MOST_OF_SURFACE));
  return drawn && { ...drawn, isSurface: true };
}

const WIDTH_OF_HEAT = 600;

/** The middle of a rectangle, in pixels, and its class of 1 to 5. */
type Square = { readonly x: number; readonly y: number; readonly shade: number };

/** The rectangles that have a class. `share` is how many pixels a share is. */
function shadedRects(shapes: readonly Shape[], share: number): Square[] {
  const pixels = (place: At) =>
    typeof place === 'number' ? place * share : place[0] * share + place[1];
  return shapes.flatMap((shape): Square[] => {
    if (shape.shape !== 'rect') return [];
    const shade = shadeOf(shape.look);
    if (shade === 0) return [];
    const x = pixels(shape.x) + pixels(shape.width) / 2;
    return [{ x, y: pixels(shape.y) + pixels(shape.height) / 2, shade }];
  });
}

function shadeOf(look: string): number {
  return Number(/(?:^| )s([1-5])$/.exec(look)?.[1] ?? 0);
}

type Grid = {
  readonly cells: Uint8Array;
  readonly columns: number;
  readonly rows: number;
  /** The side of a cell, in pixels. */
  readonly pitch: number;
};

function emptyGrid(width: number, height: number, pitch: number): Grid {
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side / pitch)));
  return {
    ...{ columns: columns as number, rows: rows as number, pitch },
    cells: new Uint8Array((columns as number) * (rows as number)),
  };
}

/** Gives a class to the cells of a row whose middles lie so near a place, or to the one it lies in. */
function shade(grid: Grid, row: number, x: number, half: number, shade: number): void {
  const { cells, columns, rows, pitch } = grid;
  if (row < 0 || row >= rows) return;
  const [from, to] = [x - half, x + half].map((end) => Math.ceil(end / pitch - 0.5));
  const own = Math.floor(x / pitch);
  const [first, end] = (from as number) < (to as number) ? [from, to] : [own, own + 1];
  for (let column = Math.max(0, first as number); column < Math.min(columns, end as number); ) {
    const cell = row * columns + column++;
    cells[cell] = Math.max(cells[cell] as number, shade);
  }
}

/**
 * Squares in rows as a grid: a row of them is a row of it. A degree to the east is longer in some
 * rows than in others, so the squares of a row are as wide as that row tells. Of too many rows, two
 * become one, with the strongest class.
 */
function gridOf(squares: readonly Square[], width: number, height: number, most: number): Grid {
  const gap = (places: readonly number[]) => {
    const sorted = places.toSorted((a, b) => a - b);
    const gaps = sorted.slice(1).map((place, i) => place - (sorted[i] as number));
    return extremesOf(gaps.filter((one) => one > 1))?.[0] ?? Number.POSITIVE_INFINITY;
  };
  const side = Math.min(gap(squares.map(({ y }) => y)), height);
  let pitch = side;
  while ((width / pitch) * (height / pitch) > most) pitch *= 2;
  const grid = emptyGrid(width, height, pitch);
  const byRow = new Map<number, Square[]>();
  for (const square of squares) {
    const row = Math.floor(square.y / side);
    const others = byRow.get(row);
    if (others === undefined) byRow.set(row, [square]);
    else others.push(square);
  }
  for (const row of byRow.values()) {
    const wide = gap(row.map(({ x }) => x));
    const half = (wide < 1.5 * side ? wide : side) / 2;
    for (const { x, y, shade: one } of row) shade(grid, Math.floor(y / pitch), x, half, one);
  }
  return grid;
}

/** Areas as cells: a cell is of the area that its middle lies in. */
function surfaceOf({ shapes, width, height }: Layout<'map'>): MapDrawn | undefined {
  const grid = emptyGrid(width, height, Math.sqrt((width * height) / MOST_OF_SURFACE));
  const { cells, columns, pitch } = grid;
  for (const shape of flat(shapes)) {
    if (shape.shape !== 'area') continue;
    const shade = shadeOf(shape.look);
    if (shade === 0) continue;
    const rings = ringsOf(shape.path, shape.transform).map((ring) =>
      ring.map(([x, y]) => [x / pitch, y / pitch] as const),
    );
    if (fillRings(rings, shade, grid)) continue;
    // An area smaller than a cell takes the one it lies in, unless that has one.
    const [x = 0, y = 0] = rings[0]?.[0] ?? [];
    const cell = Math.floor(y) * columns + Math.floor(x);
    if (cells[cell] === 0) cells[cell] = shade;
  }
  const drawn = drawnCells(grid);
  return drawn && { ...drawn, isSurface: true };
}

type Ring = readonly (readonly [x: number, y: number])[];

/** The rings of a path of straight lines, with absolute places, after a transform by a matrix. */
function ringsOf(path: string, transform = ''): Ring[] {
  const [a = 1, , , d = 1, left = 0, top = 0] = (/matrix\(([^)]*)\)/.exec(transform)?.[1] ?? '')
    .split(' ')
    .map((text) => (text === '' ? undefined : Number(text)));
  return path
    .split('M')
    .slice(1)
    .map((ring) =>
      [...ring.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(
        ([, x, y]) => [a * Number(x) + left, d * Number(y) + top] as const,
      ),
    );
}

/** Fills the cells whose middles lie inside of an odd number of rings. Returns whether there is one. */
function fillRings(rings: readonly Ring[], shade: number, { cells, columns, rows }: Grid) {
  const crossings = new Map<number, number[]>();
  for (const ring of rings) {
    for (const [i, [toX, toY]] of ring.entries()) {
      const [fromX, fromY] = ring.at(i - 1) as readonly [number, number];
      const [top, foot] = [Math.min(fromY, toY), Math.max(fromY, toY)];
      const last = Math.min(rows - 1, Math.ceil(foot - 0.5) - 1);
      for (let row = Math.max(0, Math.ceil(top - 0.5)); row <= last; row++) {
        const x = fromX + ((row + 0.5 - fromY) / (toY - fromY)) * (toX - fromX);
        const others = crossings.get(row);
        if (others === undefined) crossings.set(row, [x]);
        else others.push(x);
      }
    }
  }
  let isAny = false;
  for (const [row, all] of crossings) {
    const sorted = all.sort((a, b) => a - b);
    for (let i = 0; i + 1 < sorted.length; i += 2) {
      const [from, to] = [sorted[i] as number, sorted[i + 1] as number];
      const end = Math.min(columns, Math.ceil(to - 0.5));
      for (let column = Math.max(0, Math.ceil(from - 0.5)); column < end; column++) {
        cells[row * columns + column] = shade;
        isAny = true;
      }
    }
  }
  return isAny;
}

function drawnCells({ cells, columns, rows }: Grid): MapDrawn | undefined {
  if (!cells.some((shade) => shade > 0)) return undefined;
  let written = '';
  for (let i = 0; i < cells.length; i += 2) {
    written += (6 * (cells[i] as number) + (cells[i + 1] ?? 0)).toString(36);
  }
  return { kind: 'map', columns, rows, cells: written };
}
