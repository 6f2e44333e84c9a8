import { setApart } from '../text/wording.ts';
import {
  type Attributes,
  drawShapes,
  escaped,
  type Paper,
  percentOf,
  rounded,
  tag,
} from './draw-shapes.ts';
import type { Figure } from './figure.ts';
import type { KeyEntry } from './mark.ts';
import { type BarRow, type CellTable, isStretched, type Picture } from './shape.ts';
import type { Words } from './words.ts';

/** Draws a figure for a page, in HTML: its picture, its words, and its numbers as a table. */

/**
 * The picture of a figure on a page, with the key of its shades; `captionId` is the id of the
 * sentences that describe it.
 */
export function drawPicture(figure: Figure, captionId = CAPTION): string {
  const { picture, key, keyUnit } = figure;
  if (picture === undefined) return '';
  const keyed = key === undefined || key.length === 0 ? '' : drawKey(key, keyUnit);
  return keyed + PAGES[picture.layout](picture as never, { ...figure, captionId });
}

type Layout<Name extends Picture['layout']> = Extract<Picture, { layout: Name }>;

/** A figure, and where its sentences are. */
type Described = Figure & { readonly captionId: string };

const PAGE: Paper = { kind: 'page' };

const PAGES: {
  readonly [Name in Picture['layout']]: (picture: Layout<Name>, figure: Described) => string;
} = {
  plot: ({ look, shapes, readouts, names }, figure) =>
    (names === undefined ? '' : drawKey(names, undefined, 'key narrow')) +
    framed(
      `plot ${look}`,
      figure,
      tag(
        'svg',
        { 'aria-hidden': 'true' },
        drawShapes(shapes, PAGE) + tag('g', { class: 'hits' }, drawShapes(readouts, PAGE)),
      ),
    ),
  plots: ({ unit, shapes, quiet, ends, plots }, figure) => {
    // The id of the lines that each small plot has; a page may have several figures.
    const quietId = `${figure.captionId}-lines`;
    const behind = tag(
      'symbol',
      { id: quietId, viewBox: '0 0 1000 1000', preserveAspectRatio: 'none' },
      drawShapes([{ shape: 'curve', look: 'l quiet', points: quiet }], PAGE),
    );
    const under = tag('svg', { class: 'unseen', 'aria-hidden': 'true' }, behind);
    const others = tag('use', { href: `#${quietId}`, width: '100%', height: '100%' });
    const said = ends.map((text) => tag('span', {}, escaped(text))).join('');
    const list = plots.map(({ name, value, title, href, points, labels }) => {
      const head = tag('bdi', {}, escaped(name)) + tag('b', {}, escaped(value));
      const curve = { shape: 'curve', look: 'l', points } as const;
      const drawn = drawShapes(shapes, PAGE) + others + drawShapes([curve, ...labels], PAGE);
      const inside =
        tag('span', {}, head) +
        tag('svg', { 'aria-hidden': 'true' }, drawn) +
        tag('small', {}, said);
      const drawing =
        href === undefined
          ? tag('div', { title }, inside)
          : // It is read out with the periods of its numbers.
            tag('a', { href, title, 'aria-label': title, tabindex: -1 }, inside);
      return tag('li', {}, drawing);
    });
    const word = unit === '' ? '' : tag('p', { class: 'quiet' }, escaped(unit));
    return word + framed('plots', figure, under + tag('ul', {}, list.join('')));
  },
  grid: ({ height, shapes, table }, figure) =>
    table === undefined
      ? framed(
          'heatgrid',
          figure,
          tag('svg', { height, 'aria-hidden': 'true' }, drawShapes(shapes, PAGE)),
        )
      : framed('heat scroll', figure, drawCells(table)),
  map: (picture, figure) => {
    const { width, height, shapes, ratio, corners } = picture;
    const viewBox = `0 0 ${width} ${height}`;
    // For the script that moves a map, and lets a box be drawn.
    const frame = picture.frame?.map((degrees) => Number(degrees.toFixed(6)));
    const unsaid = { 'aria-hidden': 'true' };
    if (ratio === undefined) {
      const drawn = tag(
        'svg',
        {
          class: picture.isFramed ? 'framed' : undefined,
          viewBox,
          preserveAspectRatio: 'xMinYMid meet',
          ...unsaid,
          'data-frame': frame?.join(' '),
        },
        drawShapes(shapes, PAGE),
      );
      const under = corners === undefined ? '' : tag('div', { class: 'quiet' }, escaped(corners));
      return framed('map', figure, drawn + under);
    }
    const over = shapes.filter((shape) => !isStretched(shape));
    const layers = [
      tag(
        'svg',
        { class: 'under', viewBox, preserveAspectRatio: 'none', ...unsaid },
        drawShapes(shapes.filter(isStretched), PAGE),
      ),
      // Areas are pointed at: nothing may lie over them.
      over.length === 0 ? '' : tag('svg', { class: 'over', ...unsaid }, drawShapes(over, PAGE)),
    ];
    const mesh = picture.mesh?.flat().map((degrees) => Number(degrees.toFixed(4)));
    return framed(`map geo ${ratio}`, figure, layers.join(''), { 'data-mesh': mesh?.join(' ') });
  },
  list: ({ heads, group, rows, zero }, { said }) => {
    const hasShares = rows.some(({ share }) => share !== undefined);
    const titles = [
      ...(group === undefined ? [] : [group]),
      ...heads,
      ...(hasShares ? [said.share] : []),
      said.bar,
    ];
    const head = titles
      .map((title) =>
        tag('th', { scope: 'col', ...(title === said.bar ? UNSAID : {}) }, written(title)),
      )
      .join('');
    return tag(
      'table',
      { class: group === undefined ? 'barlist' : 'barlist lines grouped' },
      tag('thead', { class: 'vh' }, tag('tr', {}, head)) +
        bodiesOf(rows)
          .map((body) => tag('tbody', {}, drawBars(body, hasShares, zero)))
          .join(''),
    );
  },
};

/** The id of the sentences of a figure that is alone on a page. */
export const CAPTION = 'caption';

function framed(
  look: string,
  { name, aloud, captionId }: Described,
  svg: string,
  more: Attributes = {},
): string {
  const label = aloud === undefined ? name : `${name}. ${aloud}`;
  const said = { role: 'group', 'aria-label': label, 'aria-describedby': captionId };
  return tag('div', { class: look, tabindex: 0, ...said, ...more }, svg);
}

/** A text of people: from right to left, it does not reorder what is beside it. */
function written(text: string): string {
  return escaped(setApart(text));
}

function drawCells({ corner, heads, sums, rows }: CellTable): string {
  const head = [corner, ...heads].map((text) => tag('th', { scope: 'col' }, written(text)));
  if (sums !== undefined) head.push(tag('th', { scope: 'col', class: 'n' }, escaped(sums)));
  const body = rows.map(({ name, cells, sum }) => {
    const drawn = cells.map((cell) => {
      if (cell === undefined) return tag('td', {});
      const { look, text, title, href } = cell;
      const inside =
        href === undefined
          ? tag('span', { title }, escaped(text))
          : tag('a', { href, title, tabindex: -1 }, escaped(text));
      return tag('td', { class: look }, inside);
    });
    const named = tag('bdi', {}, escaped(name));
    if (sum !== undefined) drawn.push(tag('td', { class: 'sum' }, escaped(sum)));
    return tag('tr', {}, tag('th', { scope: 'row' }, named) + drawn.join(''));
  });
  return tag(
    'table',
    {},
    tag('thead', {}, tag('tr', {}, head.join(''))) + tag('tbody', {}, body.join('')),
  );
}

/** The bars of each group side by side; one list if they are in no groups. */
function bodiesOf(rows: readonly BarRow[]): BarRow[][] {
  const bodies: BarRow[][] = [];
  for (const row of rows) {
    const last = bodies.at(-1);
    if (last !== undefined && last[0]?.within === row.within) last.push(row);
    else bodies.push([row]);
  }
  return bodies;
}

function drawBars(rows: readonly BarRow[], hasShares: boolean, zero: number | undefined): string {
  const group = rows[0]?.within;
  const named =
    group === undefined
      ? ''
      : tag('th', { scope: 'rowgroup', rowspan: rows.length }, tag('bdi', {}, escaped(group)));
  return rows.map((row, i) => drawBarRow(row, hasShares, zero, i === 0 ? named : '')).join('');
}

function drawBarRow(
  row: BarRow,
  hasShares: boolean,
  zero: number | undefined,
  group: string,
): string {
  const { name, href, value, share = '', bar, look, isRest } = row;
  const named = tag('bdi', {}, escaped(name));
  return tag(
    'tr',
    isRest ? { class: 'rest' } : {},
    group +
      tag('th', { scope: 'row' }, href === undefined ? named : tag('a', { href }, named)) +
      tag('td', { class: 'n' }, escaped(value)) +
      (hasShares ? tag('td', { class: 'n quiet' }, escaped(share)) : '') +
      tag('td', UNSAID, bar === undefined && zero === undefined ? '' : drawBar(bar, zero, look)),
  );
}

/** A bar as wide as its place; with a line at zero, if bars go to both sides. */
function drawBar(
  bar: readonly [from: number, to: number] | undefined,
  zero?: number,
  look?: string,
) {
  const rect =
    bar === undefined
      ? ''
      : tag('rect', {
          class: look,
          x: bar[0] === 0 ? undefined : percentOf(bar[0]),
          width: percentOf(bar[1] - bar[0]),
          height: '100%',
        });
  const at = zero === undefined ? '' : percentOf(zero);
  const base =
    zero === undefined
      ? ''
      : tag('line', { class: 'base', x1: at, x2: at, y1: '-30%', y2: '130%' });
  return tag('svg', { class: 'bar', 'aria-hidden': 'true' }, rect + base);
}

/** A bar repeats the number beside it: a column of bars is not said. */
const UNSAID = { 'aria-hidden': 'true' } as const;

/** The side of a square in a key, in pixels. */
const KEY_SIDE = 18;

function drawKey(key: readonly KeyEntry[], unit: string | undefined, look = 'key'): string {
  const entries = key.map(({ look, text, size = 1 }) => {
    const side = Math.max(3, KEY_SIDE * Math.min(1, size));
    const at = rounded((KEY_SIDE - side) / 2);
    const rect = tag('rect', {
      class: look,
      x: at,
      y: at,
      width: rounded(side),
      height: rounded(side),
    });
    const box = { viewBox: `0 0 ${KEY_SIDE} ${KEY_SIDE}`, 'aria-hidden': 'true' };
    return tag('li', {}, tag('svg', box, rect) + written(text));
  });
  const behind = unit === undefined ? '' : tag('li', {}, written(unit));
  return tag('ul', { class: look }, entries.join('') + behind);
}

/** A sentence of a figure, in HTML. A number stays with its sign for per cent. */
export function drawWords(sentence: Words): string {
  return sentence
    .map((piece) =>
      typeof piece === 'string' ? escaped(piece) : tag('b', {}, escaped(piece.bold)),
    )
    .join('')
    .replace(/(?<=\d) %/g, '\u00a0%');
}

/** The numbers of a figure as a table; of many, some rows. */
export function drawNumbers(
  { numbers, said }: Pick<Figure, 'numbers' | 'said'>,
  from = 0,
  most = Number.POSITIVE_INFINITY,
): string {
  const { heads, rows, zero } = numbers;
  const hasBars = rows.some(({ bar }) => bar !== undefined);
  const cell = (text: string, i: number) =>
    tag('td', heads[i]?.isNumber ? { class: 'n' } : {}, written(text));
  const head = heads.map(({ title, isNumber }) =>
    tag('th', { scope: 'col', class: isNumber ? 'n' : undefined }, written(title)),
  );
  const barHead = tag(
    'th',
    { scope: 'col', class: 'wide', ...UNSAID },
    tag('span', { class: 'vh' }, escaped(said.bar)),
  );
  const body = rows.slice(from, from + most).map(({ cells: [name = '', ...cells], href, bar }) => {
    const first = href === undefined ? written(name) : tag('a', { href }, written(name));
    const drawnCells = cells.map((text, i) => cell(text, i + 1));
    if (hasBars) {
      drawnCells.splice(1, 0, tag('td', { class: 'wide', ...UNSAID }, drawBar(bar, zero)));
    }
    return tag('tr', {}, tag('th', { scope: 'row' }, first) + drawnCells.join(''));
  });
  if (hasBars) head.splice(2, 0, barHead);
  const isBrief = rows.every(({ cells: [name = ''] }) => name.length <= MOST_BRIEF);
  return tag(
    'table',
    isBrief ? { class: 'brief' } : {},
    tag('thead', {}, tag('tr', {}, head.join(''))) + tag('tbody', {}, body.join('')),
  );
}

/** Characters of a name that is not broken in two lines: a month of a year, in any language. */
const MOST_BRIEF = 16;
