import { area, line } from 'd3-shape';
import { setApart } from '../text/wording.ts';
import { paintOf } from './colours.ts';
import { type At, LEAST_SPOT, type Link, type Run, type Shape, SPOT_SIZES } from './shape.ts';

/**
 * Draws figures as SVG. On a page, an <svg> without a viewBox is as wide as its place: what has a
 * size of its own (letters, squares, bars) is placed by percentages, and only curves are stretched,
 * with strokes that do not scale. There is no style attribute, which the page's policy forbids, but
 * classes. In a file, places are pixels and colours are attributes.
 */

/** Characters that XML 1.0 has no form for, and halves of pairs. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML and for XML, without the characters that XML forbids. */
export function escaped(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (found) => ESCAPES[found] as string);
}

export const rounded = (number: number): number => Number(number.toFixed(2)) + 0;
/** A tenth of a pixel is enough: a map has a thousand places. */
const pixels = (number: number): number => Number(number.toFixed(1)) + 0;
export const percentOf = (share: number): string => `${rounded(share * 100)}%`;

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes an element. Its attributes are escaped; its content is markup. */
export function tag(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escaped(String(value))}"`,
  );
  const opened = `<${name}${written.join('')}`;
  return content === '' && !HAS_END.has(name) ? `${opened}/>` : `${opened}>${content}</${name}>`;
}

/** HTML elements that an empty tag does not close. */
const HAS_END = new Set(['td', 'th', 'a', 'div', 'figure', 'ul', 'span']);

/** Where shapes are drawn: in a plot of any width, or in a rectangle of a file. */
export type Paper =
  | { readonly kind: 'page' }
  | {
      readonly kind: 'file';
      readonly left: number;
      readonly top: number;
      readonly width: number;
      readonly height: number;
    };

type Position = { readonly at: string | number; readonly shift: number };

function placeOn(paper: Paper, axis: 'x' | 'y', at: At): Position {
  const [share, px] = typeof at === 'number' ? [at, 0] : at;
  if (paper.kind === 'file') {
    const [from, size] = axis === 'x' ? [paper.left, paper.width] : [paper.top, paper.height];
    return { at: rounded(from + share * size + px), shift: 0 };
  }
  if (share === 0) return { at: pixels(px), shift: 0 };
  return { at: percentOf(share), shift: pixels(px) };
}

/**
 * Where a circle is: on a plot of 1,000 pixels at most half a pixel beside its place. A page may
 * have a thousand of them, and is lighter by 2 KB.
 */
function centreOn(paper: Paper, axis: 'x' | 'y', at: At): string | number {
  const isShare = paper.kind === 'page' && typeof at === 'number' && at !== 0;
  return isShare ? `${pixels(at * 100)}%` : placeOn(paper, axis, at).at;
}

function lengthOn(paper: Paper, axis: 'width' | 'height', at: At): string | number {
  const [share, px] = typeof at === 'number' ? [at, 0] : at;
  if (paper.kind === 'file') return rounded(share * paper[axis] + px);
  return share === 0 ? pixels(px) : percentOf(share);
}

/** A look as classes on a page, as colours in a file. */
function lookOn(paper: Paper, look: string): Attributes {
  if (paper.kind === 'file') return paintOf(look);
  return look === '' ? {} : { class: look };
}

/** Draws shapes, one over the other. */
export function drawShapes(shapes: readonly Shape[], paper: Paper): string {
  return shapes.map((shape) => drawShape(shape, paper)).join('');
}

/** A curve on a page has so many units in each direction. */
const UNITS = 1000;

type Kind<Name extends Shape['shape']> = Extract<Shape, { shape: Name }>;

const drawShape = (shape: Shape, paper: Paper): string => DRAWN[shape.shape](shape as never, paper);

const DRAWN: {
  readonly [Name in Shape['shape']]: (shape: Kind<Name>, paper: Paper) => string;
} = {
  rect: (shape, paper) => {
    const [x, y] = [placeOn(paper, 'x', shape.x), placeOn(paper, 'y', shape.y)];
    const isMoved = x.shift !== 0 || y.shift !== 0;
    return tag('rect', {
      ...lookOn(paper, shape.look),
      x: x.at === 0 ? undefined : x.at,
      y: y.at === 0 ? undefined : y.at,
      width: lengthOn(paper, 'width', shape.width),
      height: lengthOn(paper, 'height', shape.height),
      transform: isMoved ? `translate(${x.shift} ${y.shift})` : undefined,
    });
  },
  spot: ({ look, x, y, size }, paper) => {
    const [left, top] = [placeOn(paper, 'x', x).at, placeOn(paper, 'y', y).at];
    if (paper.kind === 'page')
      return tag('rect', { class: `${look} q${size + 1}`, x: left, y: top });
    const side = Math.max(LEAST_SPOT, (SPOT_SIZES[size] ?? 0) * paper.width);
    const [across, down] = [left, top].map((at) => rounded(Number(at) - side / 2));
    return tag('rect', {
      ...paintOf(look),
      x: across,
      y: down,
      width: rounded(side),
      height: rounded(side),
    });
  },
  circle: ({ look, x, y, radius }, paper) =>
    tag('circle', {
      ...lookOn(paper, look),
      cx: centreOn(paper, 'x', x),
      cy: centreOn(paper, 'y', y),
      r: radius,
    }),
  line: (shape, paper) => {
    const [x1, x2] = shape.x.map((at) => placeOn(paper, 'x', at).at);
    const [y1, y2] = shape.y.map((at) => placeOn(paper, 'y', at).at);
    return tag('line', { ...lookOn(paper, shape.look), x1, y1, x2, y2 });
  },
  curve: drawCurve,
  band: drawBand,
  area: (shape, paper) =>
    tag('path', {
      ...lookOn(paper, shape.look),
      d: shape.path,
      transform: moved(shape.transform, paper),
      'vector-effect': 'non-scaling-stroke',
    }),
  text: drawText,
  link: drawLink,
};

function moved(transform: string | undefined, paper: Paper): string | undefined {
  const isMoved = paper.kind === 'file' && (paper.left !== 0 || paper.top !== 0);
  if (!isMoved) return transform || undefined;
  return `translate(${paper.left} ${paper.top}) ${transform ?? ''}`.trim();
}

/** Where a share is in a path: on a page, in units that are stretched. */
function inPath(paper: Paper, axis: 'x' | 'y') {
  return (at: number) => (paper.kind === 'page' ? at * UNITS : Number(placeOn(paper, axis, at).at));
}

function drawCurve({ look, points }: Kind<'curve'>, paper: Paper): string {
  const [x, y] = [inPath(paper, 'x'), inPath(paper, 'y')];
  const path = line<readonly [x: number, y: number] | null>()
    .digits(2)
    .defined((point) => point !== null)
    .x((point) => x(point?.[0] ?? 0))
    .y((point) => y(point?.[1] ?? 0));
  return drawPath(look, path(points as (readonly [number, number] | null)[]) ?? '', paper);
}

function drawBand({ look, points }: Kind<'band'>, paper: Paper): string {
  const [x, y] = [inPath(paper, 'x'), inPath(paper, 'y')];
  const path = area<readonly [x: number, low: number, high: number] | null>()
    .digits(2)
    .defined((point) => point !== null)
    .x((point) => x(point?.[0] ?? 0))
    .y0((point) => y(point?.[1] ?? 0))
    .y1((point) => y(point?.[2] ?? 0));
  return drawPath(look, path(points as (readonly [number, number, number] | null)[]) ?? '', paper);
}

/** A path, whose stroke does not stretch with a page's plot. */
function drawPath(look: string, d: string, paper: Paper): string {
  if (d === '') return '';
  const drawn = tag('path', { ...lookOn(paper, look), d });
  if (paper.kind === 'file') return drawn;
  return tag(
    'svg',
    {
      class: 'ink',
      viewBox: `0 0 ${UNITS} ${UNITS}`,
      preserveAspectRatio: 'none',
      width: '100%',
      height: '100%',
    },
    drawn,
  );
}

/** The height of a line of letters, in their size; a file has letters of this size. */
const LINE_HEIGHT = 1.2;
const LETTERS = 13;

function drawText(text: Kind<'text'>, paper: Paper): string {
  const [x, y] = [placeOn(paper, 'x', text.x), placeOn(paper, 'y', text.y)];
  const down = text.down ?? 0;
  const isLarge = text.look === 'end' && text.runs.length > 1;
  const begins = { x: x.at, dx: x.shift === 0 ? undefined : x.shift };
  const runs = text.runs.map(({ text: own, isBold, starts }: Run) => {
    // Other programs may show the marks that set a text apart.
    const said = paper.kind === 'page' ? setApart(own) : own;
    if (!isBold && !starts) return escaped(said);
    return tag(
      'tspan',
      {
        ...(isBold ? (paper.kind === 'page' ? { class: 'v' } : { 'font-weight': 700 }) : {}),
        'font-size': isBold && isLarge && paper.kind === 'file' ? 18 : undefined,
        ...(starts ? { ...begins, dy: `${LINE_HEIGHT}em` } : {}),
      },
      escaped(said),
    );
  });
  if (text.turn !== undefined) return turned(text, paper, runs.join(''));
  const dy = y.shift === 0 ? `${down}em` : rounded(y.shift + down * LETTERS);
  return tag(
    'text',
    {
      ...lookOn(paper, text.look),
      ...begins,
      y: y.at,
      dy: down === 0 && y.shift === 0 ? undefined : dy,
      'text-anchor': text.anchor === undefined || text.anchor === 'start' ? undefined : text.anchor,
    },
    runs.join(''),
  );
}

/** A text that is turned around its place, which on a page is a share of the map. */
function turned(text: Kind<'text'>, paper: Paper, said: string): string {
  const [x, y] = [placeOn(paper, 'x', text.x).at, placeOn(paper, 'y', text.y).at];
  const attributes = { 'text-anchor': text.anchor, dy: `${text.down ?? 0}em` };
  const look = lookOn(paper, text.look);
  const transform = `rotate(${text.turn})`;
  return paper.kind === 'file'
    ? tag('text', { ...look, ...attributes, transform: `translate(${x} ${y}) ${transform}` }, said)
    : tag(
        'svg',
        { class: 'anchor', x, y },
        tag('text', { ...look, ...attributes, transform }, said),
      );
}

/** A file has no links and no readouts, but shows what they hold. */
function drawLink({ look, href, title, shapes }: Link, paper: Paper): string {
  const said = title === undefined ? '' : tag('title', {}, escaped(title));
  const inside = said + drawShapes(shapes, paper);
  const attributes = paper.kind === 'page' && look !== undefined ? { class: look } : {};
  if (paper.kind === 'file' || href === undefined) return tag('g', attributes, inside);
  // One stop of the keyboard is the figure; arrows go on from it.
  return tag('a', { ...attributes, href, tabindex: -1 }, inside);
}
