import { LIGHT, paintOf } from './colours.ts';
import { type Attributes, drawShapes, escaped, type Paper, rounded, tag } from './draw-shapes.ts';
import type { Figure } from './figure.ts';
import { cutName, isStretched, type Picture, type Shape } from './shape.ts';
import { plainText } from './words.ts';

/** Draws a figure as an SVG file: with its title, its sentences and its source, for any program. */

/** The width of a file, its margins, and the sizes of its letters, in pixels. */
const WIDTH = 800;
const MARGIN = 20;
const SIZE = { title: 20, text: 14, small: 13 } as const;
const LINE = { title: 26, text: 20, small: 18 } as const;

/** A letter is as wide as this part of its height, on average. No more is known of a font. */
const LETTER = 0.54;

/** Fonts of any system, as on a page. */
const FONTS = 'system-ui, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

/** The room around a plot for its numbers and names, by a word of its look. */
const ROOM = {
  left: 42,
  top: 28,
  bottom: 30,
  named: 52,
  line: 84,
  lines: 116,
  long: 164,
  longer: 218,
  hist: 12,
} as const;

/** The height of a plot, of several under each other, and of a bar. */
const PLOT_HEIGHT = 330;
const HEIGHTS = { two: 480, three: 640 } as const;
const BAR = { row: 28, height: 16, value: 340, share: 400, bar: 420 } as const;

/** Small plots: how many are in a row, how large they are, and how long their names. */
const SMALL = { across: 4, gap: 20, height: 100, name: 20, row: 154, letters: 16 } as const;

/** The room for names to the left of a grid. */
const GRID_NAMES = 150;

/** And for sums to the right of it. */
const GRID_SUMS = 72;

/** A piece of the file: its markup, and its height. */
type Piece = { readonly markup: string; readonly height: number };

/** Marks that turn the direction of what follows them, in other texts too. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Draws a figure as a file of its own, without any address.
 * @param conditions which rows and groups it is of: `where Shift is PM`
 */
export function drawFile(figure: Figure, conditions = ''): string {
  const {
    title,
    state,
    extent = '',
    caption,
    plate,
    picture,
    sentence,
    key = [],
    keyUnit,
    said,
  } = figure;
  let top = MARGIN;
  let markup = '';
  const add = (piece: Piece) => {
    markup += piece.markup;
    top += piece.height;
  };
  add(lines(title, { top, size: 'title', fill: LIGHT.ink, weight: 700 }));
  add(lines([state, extent, conditions].join(' '), { top, size: 'text', fill: LIGHT.quiet }));
  if (key.length > 0) add(drawKey(key, keyUnit, top));
  if (picture !== undefined) {
    add(FILES[picture.layout](picture as never, top + 6));
    top += 16;
  }
  add(lines(plainText(caption), { top, size: 'text', fill: LIGHT.quiet }));
  const { publisher, title: source } = plate.source;
  const from = [publisher ?? source, plate.rows, said.version];
  add(lines(from.join(' · '), { top: top + 4, size: 'small', fill: LIGHT.quiet }));
  const height = Math.ceil(top + MARGIN);
  const file = tag(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height },
      ...{ viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': sentence },
      ...{ 'font-family': FONTS, 'font-size': SIZE.small },
    },
    tag('rect', { width: WIDTH, height, fill: LIGHT.ground }) + markup,
  );
  return file.replace(TURNING, '');
}

type Written = {
  readonly top: number;
  readonly size: keyof typeof SIZE;
  readonly fill: string;
  readonly weight?: number;
};

/** A text in as many lines as it needs. */
function lines(text: string, { top, size, fill, weight }: Written): Piece {
  const letters = Math.floor((WIDTH - 2 * MARGIN) / (SIZE[size] * LETTER));
  const all = wrapped(text, letters);
  const markup = all.map((line, i) =>
    tag(
      'text',
      {
        ...{ x: MARGIN, y: rounded(top + SIZE[size] + i * LINE[size]) },
        ...{ fill, 'font-size': SIZE[size], 'font-weight': weight },
      },
      escaped(line),
    ),
  );
  return { markup: markup.join(''), height: all.length * LINE[size] };
}

/** Breaks a text at spaces into lines of at most so many letters; a longer word is cut. */
export function wrapped(text: string, letters: number): string[] {
  const all: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > letters && line !== '') {
      all.push(line);
      line = cutName(word, letters);
    } else line = cutName(next, letters);
  }
  return line === '' ? all : [...all, line];
}

function drawKey(key: NonNullable<Figure['key']>, unit: string | undefined, top: number): Piece {
  let x: number = MARGIN;
  let y = top + 4;
  const write = (text: string) =>
    tag('text', { x: x + 20, y: y + 12, fill: LIGHT.quiet }, escaped(text));
  const wide = (text: string) => 34 + text.length * SIZE.small * LETTER;
  let markup = '';
  for (const { look, text, size = 1 } of [
    ...key,
    ...(unit === undefined ? [] : [{ look: '', text: unit }]),
  ]) {
    if (x + wide(text) > WIDTH - MARGIN) {
      x = MARGIN;
      y += LINE.text;
    }
    const side = Math.max(3, 14 * Math.min(1, size));
    const at = (14 - side) / 2;
    if (look !== '') {
      const place = {
        x: rounded(x + at),
        y: rounded(y + at),
        width: rounded(side),
        height: rounded(side),
      };
      markup += tag('rect', { ...place, ...paintOf(look) });
    }
    markup += write(text);
    x += wide(text);
  }
  return { markup, height: y + LINE.text - top };
}

type Layout<Name extends Picture['layout']> = Extract<Picture, { layout: Name }>;

const FILES: {
  readonly [Name in Picture['layout']]: (picture: Layout<Name>, top: number) => Piece;
} = {
  plot: ({ look, shapes }, top) => {
    const words = look.split(' ');
    const under = words.some((word) => word === 'pairs' || word === 'named')
      ? ROOM.named
      : ROOM.bottom;
    const room = (['longer', 'long', 'lines', 'line', 'hist'] as const).find((word) =>
      words.includes(word),
    );
    const several = (['two', 'three'] as const).find((word) => words.includes(word));
    const height = several === undefined ? PLOT_HEIGHT : HEIGHTS[several];
    const left = MARGIN + ROOM.left;
    const paper: Paper = {
      ...{ kind: 'file', left, top: top + ROOM.top, height },
      width: WIDTH - MARGIN - left - ROOM[room ?? 'hist'],
    };
    return {
      markup: drawShapes(shapes, paper),
      height: ROOM.top + height + under,
    };
  },
  plots: ({ unit, shapes, quiet, ends, plots }, top) => {
    const wide = (WIDTH - 2 * MARGIN - (SMALL.across - 1) * SMALL.gap) / SMALL.across;
    const under: Paper = { kind: 'file', left: 0, top: 0, width: wide, height: SMALL.height };
    const others = drawShapes([{ shape: 'curve', look: 'l quiet', points: quiet }], under);
    const text = (x: number, y: number, said: string, more: Attributes = {}) =>
      tag('text', { x: rounded(x), y: rounded(y), fill: LIGHT.quiet, ...more }, escaped(said));
    const end = { 'text-anchor': 'end' } as const;
    const drawn = plots.map(({ name, value, points, labels }, i) => {
      const left = MARGIN + (i % SMALL.across) * (wide + SMALL.gap);
      const y = top + LINE.small + Math.floor(i / SMALL.across) * SMALL.row;
      const paper: Paper = { ...under, left, top: y + SMALL.name };
      const foot = y + SMALL.name + SMALL.height + SIZE.small + 4;
      return (
        text(left, y + SIZE.small, cutName(name, SMALL.letters), { fill: LIGHT.ink }) +
        text(left + wide, y + SIZE.small, value, { ...end, fill: LIGHT.ink, 'font-weight': 700 }) +
        drawShapes(shapes, paper) +
        tag('use', { href: '#others', x: rounded(left), y: rounded(y + SMALL.name) }) +
        drawShapes([{ shape: 'curve', look: 'l', points }, ...labels], paper) +
        text(left, foot, ends[0]) +
        text(left + wide, foot, ends[1], end)
      );
    });
    const rows = Math.ceil(plots.length / SMALL.across);
    return {
      markup:
        tag('defs', {}, tag('g', { id: 'others' }, others)) +
        text(MARGIN, top + SIZE.small, unit) +
        drawn.join(''),
      height: LINE.small + rows * SMALL.row,
    };
  },
  grid: ({ height, shapes, hasSums }, top) => {
    const left = MARGIN + GRID_NAMES;
    const width = WIDTH - MARGIN - left - (hasSums ? GRID_SUMS : 0);
    return {
      markup: drawShapes(shapes, { kind: 'file', left, top, width, height }),
      height: height + ROOM.bottom,
    };
  },
  map: ({ shapes, isFramed, corners, ratio, credit, ...size }, top) => {
    // What is placed in shares is as wide as the file.
    const width = ratio === undefined ? size.width : WIDTH - 2 * MARGIN;
    const height = rounded((size.height * width) / size.width);
    const scale = width / size.width;
    const [under, over] = [true, false].map((isUnder) =>
      shapes.filter((shape) => (ratio !== undefined && isStretched(shape)) === isUnder),
    ) as [Shape[], Shape[]];
    const paper: Paper = { kind: 'file', left: 0, top: 0, width, height };
    const said = corners ?? credit;
    const words =
      said === undefined
        ? { markup: '', height: 0 }
        : lines(said, { top: top + height + 4, size: 'small', fill: LIGHT.quiet });
    return {
      markup:
        (isFramed || ratio !== undefined ? panel(width, height, top) : '') +
        (under.length === 0
          ? ''
          : tag(
              'g',
              { transform: `translate(${MARGIN} ${top}) scale(${rounded(scale)})` },
              drawShapes(under, paper),
            )) +
        drawShapes(over, { ...paper, left: MARGIN, top }) +
        words.markup,
      height: height + words.height,
    };
  },
  list: ({ rows, zero }, top) => ({
    markup: rows
      .map(({ name: own, within, look, value, share, bar, isRest }, i) => {
        const name = within === undefined ? own : `${within}, ${own}`;
        const y = top + i * BAR.row;
        const wide = WIDTH - MARGIN - BAR.bar;
        const text = (x: number, said: string, fill: string, anchor?: 'end') =>
          tag('text', { x, y: y + 15, fill, 'text-anchor': anchor }, escaped(said));
        const paint = isRest ? { fill: 'none', stroke: LIGHT.edge } : paintOf(look ?? 'col');
        const rect =
          bar === undefined
            ? ''
            : tag('rect', {
                ...{ x: rounded(BAR.bar + bar[0] * wide), y: y + 2, height: BAR.height },
                ...{ width: rounded((bar[1] - bar[0]) * wide), ...paint },
              });
        return (
          text(MARGIN, cutName(name, 34), LIGHT.ink) +
          text(BAR.value, value, LIGHT.ink, 'end') +
          (share === undefined ? '' : text(BAR.share, share, LIGHT.quiet, 'end')) +
          rect
        );
      })
      .concat(
        zero === undefined
          ? []
          : [zeroLine(BAR.bar + zero * (WIDTH - MARGIN - BAR.bar), top, rows.length * BAR.row)],
      )
      .join(''),
    height: rows.length * BAR.row,
  }),
};

function zeroLine(x: number, top: number, height: number): string {
  const at = rounded(x);
  return tag('line', { x1: at, x2: at, y1: top, y2: top + height - 8, ...paintOf('base') });
}

function panel(width: number, height: number, top: number): string {
  return tag('rect', { x: MARGIN, y: top, width, height, fill: LIGHT.panel, stroke: LIGHT.edge });
}
