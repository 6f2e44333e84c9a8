import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Row } from '../values/field-type.ts';
import { cellWidthIn, PLACE } from '../values/map-cells.ts';
import { metresIn } from '../values/places.ts';
import { classesOf, classesOfCounts } from './classes.ts';
import { groundOf, othersOf, sizeOf } from './drawing.ts';
import { type Ground, METRES_PER_DEGREE, type Pixel, type Rect, roundBelow } from './ground.ts';
import { farthestSentence, greatestAloud, MOST_ALOUD, placeText } from './map-words.ts';
import { type Drawn, emptyFigure, type Fewer, type MarkKind } from './mark.ts';
import { asWritten, extremesOf, numberWords, percent } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsAnswer,
  type GroupsQuestion,
  isShare,
  numberIn,
  type Question,
  rowsIn,
  valueIn,
} from './question.ts';
import { LEAST_SPOT, type Shape, SPOT_SIZES } from './shape.ts';
import {
  countsSentence,
  measureTitle,
  noValues,
  rowsText,
  sentence,
  unitText,
  type Words,
} from './words.ts';

/** Squares on a map: a square is many rows counted, and its area is their count. */
export const cells: MarkKind = {
  title: 'squares on a map',
  of: 'cells',
  fewer: widerCells,
  most: (question) => (widerThan(question).length > 0 ? MOST_USUAL : undefined),
  draw: (question) => drawCells(question as GroupsQuestion),
};

type Cell = {
  readonly group: Row;
  readonly name: string;
  readonly place: readonly [longitude: number, latitude: number];
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly value: number;
  /** What the square's area is: its rows, or its number if nothing says how many these are. */
  readonly size: number;
};

/** Squares of a map, unless a width was asked for. Of more, they become wider, as far as that can be seen. */
const MOST_USUAL = 500;

/**
 * Squares of a map. Each is a link, which takes some 30 bytes of a packed page, and more would make that
 * longer than 52 KB in all. Of more, they become wider.
 */
export const MOST_SQUARES = 700;

/** Squares that a wider width aims at: those at the borders of places are more than their area tells. */
const AIMED_AT = 0.9 * MOST_SQUARES;

/** The usual widths that are wider than what was asked. */
function widerThan({ answer, wider = [] }: Question): readonly string[] {
  const width = widthOf(answer);
  return wider.filter((one) => metresIn(one) > metresIn(width));
}

function widthOf(answer: GroupsAnswer | undefined): string {
  return cellWidthIn(answer?.grouping.dimensions[0]?.text ?? '') ?? '';
}

/** Wider squares, if there are too many. */
function widerCells(question: Question): Fewer | undefined {
  const { answer } = question;
  if (answer === undefined) return undefined;
  const { total } = answer;
  const [width, usual] = [widthOf(answer), widerThan(question)];
  if (usual.length > 0 && total > MOST_USUAL) {
    // Twice as wide, they are a fourth as many, if places are everywhere.
    const countOf = (one: string) => total * (metresIn(width) / metresIn(one)) ** 2;
    const found = usual.find((one) => countOf(one) <= MOST_USUAL) ?? (usual.at(-1) as string);
    // Each width that is tried reads all rows.
    return countOf(found) <= AIMED_AT ? { width: found } : widened(width, total);
  }
  return isTooMuch(answer) ? widened(width, total) : undefined;
}

function isTooMuch({ groups, total }: GroupsAnswer): boolean {
  return groups.length > MOST_SQUARES || total > groups.length;
}

function drawCells(question: GroupsQuestion): Drawn {
  const { answer, known, narrower } = question;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const measure = drawnMeasure(question) as Measure;
  const { language, noun } = known;
  const { say } = language;
  const asked = cellWidthIn(dimension.text) ?? '';
  const width = widthText(asked, language);
  const measured = measureTitle(measure, question);
  const title = say('{measured}, in squares of {width}', { measured, width });
  if (isTooMuch(answer)) {
    const caption = sentence(
      language,
      'There are more than {count} squares of {width}: too many for a map.',
      { count: MOST_SQUARES, width },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const all = answer.groups.flatMap((group) => cellOf(group, dimension, measure, language));
  const ground = groundOf(
    question,
    all.map(({ place }) => place),
  );
  const inside = all.flatMap((cell) => shownIn(cell, ground));
  const isInside = new Set(inside.map(({ group }) => group));
  const whereabouts = placesSentence(question, inside, all, dimension);
  if (inside.length === 0) {
    const caption = all.length === 0 ? [noValues(question)] : whereabouts;
    return { ...emptyFigure(language), title, caption };
  }
  const values = inside.map(({ value }) => value);
  const column = { field: measure.column, values, isShare: isShare(measure) };
  const numbers = numberWords({ language, ...column });
  const isOfCount = measure.of === 'count';
  const classes = isOfCount ? classesOfCounts(values, numbers) : classesOf(values, numbers);
  const [least, most] = extremesOf(values) as readonly [number, number];
  const largest = Math.max(...inside.map(({ size }) => size));
  const marksOf = (some: readonly Cell[]) =>
    some
      .toSorted((a, b) => b.value - a.value)
      .map(({ group, name, value }) => ({
        name,
        numbers: [value],
        href: question.linkOf(group),
      }));
  const marks = marksOf(inside);
  // The table has each square of the answer, so that its numbers add up.
  const listed = [
    ...marksOf(all),
    ...answer.groups.flatMap((group) => {
      const value = valueIn(group, dimension) === null ? numberIn(group, measure) : null;
      const name = say('without a place');
      return value === null ? [] : [{ name, numbers: [value], href: question.linkOf(group) }];
    }),
  ];
  const unit = unitText(measure, question);
  // Small squares lie over large ones. Among those of a size, neighbours follow each other: by keys, and
  // in a packed page, which then repeats the borders that they share.
  const squares = inside
    .map((cell) => ({ cell, ...squareOf(cell, ground, largest, classes.lookOf(cell.value)) }))
    .toSorted((a, b) => b.side - a.side);
  return {
    title,
    form: say('Map'),
    marks,
    aloud: greatestAloud(
      inside
        .toSorted((a, b) => b.value - a.value)
        .slice(0, MOST_ALOUD)
        .map(({ name, place, value }) => {
          const area = ground.areaAt?.(...place);
          return {
            name: area === undefined ? name : `${area}, ${name}`,
            text: isOfCount ? rowsText(value, question) : numbers.short(value),
          };
        }),
      language,
    ),
    extent:
      inside.length === all.length
        ? say('in {count} squares of {width}', { count: all.length, width })
        : say('in {count} squares of {width}, {drawn} of them on the map', {
            count: all.length,
            width,
            drawn: inside.length,
          }),
    keyUnit: unit,
    key: classes.key.map((entry, i) => {
      const sample = classes.starts[i + 1] ?? most;
      const size = Math.max(LEAST_SIDE / USUAL_SIDE, Math.sqrt(sample / largest));
      return isOfCount ? { ...entry, size } : entry;
    }),
    caption: [
      ...(narrower === undefined
        ? []
        : [
            sentence(
              language,
              'There are more than {count} squares of {width}, so they are of {other}.',
              { count: MOST_SQUARES, width: widthText(narrower, language), other: width },
            ),
          ]),
      isOfCount
        ? sentence(language, 'Squares hold {least} to {most} {noun}; the larger, the more.', {
            least: numbers.whole(least),
            most: [numbers.whole(most)],
            noun,
          })
        : sentence(language, 'Squares have {least} to {most}; the larger, the more rows.', {
            least: numbers.whole(least),
            most: [numbers.whole(most)],
          }),
      ...whereabouts,
      ...farthestSentence(
        question,
        ground,
        all.filter((cell) => !isInside.has(cell.group)),
      ),
      ...(ground.note === undefined ? [] : [sentence(language, ground.note)]),
      ...countsSentence(measure, question),
    ],
    picture: {
      layout: 'map',
      ...sizeOf(ground),
      hasOutside: inside.length < all.length || (question.beyond?.outside ?? 0) > 0,
      shapes: [
        ...ground.under(),
        ...(answer.matching < known.rows ? othersOf(question, ground) : []),
        {
          shape: 'link',
          look: 'cells',
          shapes: squares.map(({ cell, shape }): Shape => {
            const said = isOfCount ? rowsText(cell.value, question) : numbers.short(cell.value);
            const text = `${cell.name}: ${said}`;
            return {
              shape: 'link',
              title: text,
              href: question.linkOf(cell.group),
              shapes: [shape],
            };
          }),
        },
        ...ground.over(squares.map(({ rect }) => rect)),
      ],
    },
    numbers: {
      heads: [
        { title: say('Square around') },
        { title: measured, isNumber: true },
        ...(isOfCount ? [{ title: say('Share'), isNumber: true as const }] : []),
      ],
      rows: listed.map(({ name, numbers: [value = 0], ...link }) => ({
        cells: [
          name,
          numbers.whole(value),
          ...(isOfCount ? [percent(value / answer.matching, language, true)] : []),
        ],
        ...link,
      })),
    },
  };
}

function cellOf(group: Row, dimension: Dimension, measure: Measure, language: Language): Cell[] {
  const centre = valueIn(group, dimension);
  const value = numberIn(group, measure);
  if (typeof centre !== 'string' || value === null) return [];
  const degrees = (text: string | undefined) => (text ?? '').split(',').map(Number);
  const [longitude = 0, latitude = 0] = degrees(centre);
  const [west = 0, south = 0, east = 0, north = 0] = degrees(dimension.cells?.boxAround(centre));
  const size = measure.of === 'count' ? value : (rowsIn(group) ?? 1);
  const place = [longitude, latitude] as const;
  const name = placeText(place, language, decimalsOf(north - south));
  return [{ group, name, place, box: [west, south, east, north], value, size }];
}

/** A cell whose middle is outside the frame, as at a pole, is drawn in the part that is inside. */
function shownIn(cell: Cell, { box: frame, at }: Ground): Cell[] {
  if (at(...cell.place) !== undefined) return [cell];
  const [west, south, east, north] = cell.box;
  const [foot, top] = [Math.max(south, frame[1]), Math.min(north, frame[3])];
  return [0, 360, -360]
    .slice(0, foot <= top ? 3 : 0)
    .flatMap((turn) => {
      const [left, right] = [Math.max(west + turn, frame[0]), Math.min(east + turn, frame[2])];
      if (left > right) return [];
      return PARTS.flatMap(([x, y]) => {
        const place = [left + (right - left) * x, foot + (top - foot) * y] as const;
        return at(...place) === undefined ? [] : [{ ...cell, place }];
      });
    })
    .slice(0, 1);
}

/** Where a cell is looked for: its middle, its corners, and halfway to these. */
const PARTS = [
  [0.5, 0.5],
  ...[0.25, 0.75].flatMap((x) => [0.25, 0.75].map((y) => [x, y] as const)),
  ...[0, 1].flatMap((x) => [0, 1].map((y) => [x, y] as const)),
] as const;

/** The least side of a square, in units of the map: one row can be seen. */
const LEAST_SIDE = 6;
/** The side of the largest where no width was asked for, as the key has it. */
const USUAL_SIDE = 14;

/** The room between two full squares, and the side of those that have none. */
const GAP = 0.8;
const TINY = 2.5;

/** The side of the fullest square on the earth, as a share of the room that it has. */
const FULL = { least: 0.02, most: 0.035 } as const;

/** The square of a cell, and where it is on the map. */
function squareOf(
  { place, box: [west, south, east, north], size }: Cell,
  { at, spot, box: frame, width, height, ratio, pixelsPerMetre, scaleAt }: Ground,
  largest: number,
  look: string,
): { readonly shape: Shape; readonly rect: Rect; readonly side: number } {
  const [x, y] = at(...place) as Pixel;
  const around = (side: number): Rect => [x - side / 2, y - side / 2, x + side / 2, y + side / 2];
  const part = Math.sqrt(Math.max(0, size) / largest);
  if (ratio !== undefined) {
    const apart = ((north - south) * METRES_PER_DEGREE * pixelsPerMetre) / width;
    const most = Math.min(FULL.most, Math.max(FULL.least, 0.95 * apart));
    const step = spotSize(most * scaleAt(...place) * part);
    const side = Math.max(LEAST_SPOT + 1, (SPOT_SIZES[step] as number) * width);
    return { shape: { shape: 'spot', look, size: step, ...spot(x, y) }, rect: around(side), side };
  }
  const across = ((east - west) / (frame[2] - frame[0])) * width;
  const full = Math.min(across, ((north - south) / (frame[3] - frame[1])) * height) - GAP;
  const least = Math.max(TINY, Math.min(LEAST_SIDE, full));
  const side = Math.max(least, full * part);
  const rect = around(side);
  const length = [0, side] as const;
  const [left, top] = rect;
  return {
    shape: { shape: 'rect', look, x: [0, left], y: [0, top], width: length, height: length },
    rect,
    side,
  };
}

/** The largest size that is at most this share of a map's width, or nearly. */
function spotSize(share: number): number {
  return Math.max(
    0,
    SPOT_SIZES.findLastIndex((size) => size <= share + 0.0005),
  );
}

/**
 * What is on the map, outside of it and without a place, and what no square shows, adds up to the
 * rows that match.
 */
function placesSentence(
  { answer, known: { language }, beyond }: GroupsQuestion,
  inside: readonly Cell[],
  all: readonly Cell[],
  dimension: Dimension,
): Words[] {
  const sum = (groups: readonly Row[]) => groups.reduce((n, group) => n + (rowsIn(group) ?? 0), 0);
  const on = sum(inside.map(({ group }) => group));
  const outside = sum(all.map(({ group }) => group)) - on + (beyond?.outside ?? 0);
  const nowhere =
    sum(answer.groups.filter((group) => valueIn(group, dimension) === null)) +
    (beyond?.nowhere ?? 0);
  const unseen = answer.matching - on - outside - nowhere;
  return [
    placesText({ on, outside, nowhere }, language),
    ...(unseen > 0
      ? [
          sentence(language, '{count} more are in squares without a number, or filtered out.', {
            count: unseen,
          }),
        ]
      : []),
  ];
}

/** Where rows are, in words. */
export function placesText(
  rows: { readonly on: number; readonly outside: number; readonly nowhere: number },
  language: Language,
): Words {
  const { on, outside, nowhere } = rows;
  const count = (n: number) => (n === 0 ? language.say('none #rows') : n);
  return sentence(
    language,
    on === 1
      ? '{on} is on the map, {outside} outside it, {nowhere} without a place.'
      : '{on} are on the map, {outside} outside it, {nowhere} without a place.',
    { on, outside: count(outside), nowhere: count(nowhere) },
  );
}

/** The decimals that tell the middle of a square, this many degrees high, from those beside it. */
function decimalsOf(degrees: number): number {
  return Math.max(1, Math.ceil(-Math.log10(degrees)));
}

/** `100m` is `100 m`. */
function widthText(width: string, language: Language): string {
  return asWritten(width.replace(/(?<=\d)(?=[a-z])/, ' '), language);
}

/** How far the middles of squares may be apart, as shares of a map's width: 10 to 30 pixels on a desk. */
const APART = { least: 10 / 891, most: 30 / 891 } as const;

/** The widths of squares: 1, 2 and 5 times a power of ten, and some between. */
const WIDTHS = [
  ...['10m', '20m', '50m', '100m', '200m', '500m', '1km', '2km', '5km', '10km', '15km', '25km'],
  ...['50km', '100km', '150km', '250km', '500km'],
] as const;

/** The number of squares across a drawing, or a few less. */
const ACROSS_DRAWING = 40;

/** The widths that the squares of a map may have, the finest first. */
export function widthsOfCells({ width, pixelsPerMetre, ratio }: Ground): readonly string[] {
  const metres = width / pixelsPerMetre;
  const [least, most] =
    ratio === undefined
      ? [roundBelow((metres / ACROSS_DRAWING) * Math.SQRT2), Number.POSITIVE_INFINITY]
      : [metres * APART.least, metres * APART.most];
  const fitting = WIDTHS.filter((one) => metresIn(one) >= least && metresIn(one) <= most);
  const usual = ratio === undefined ? fitting.slice(0, 1) : fitting;
  return usual.length > 0 ? usual : [metresIn(WIDTHS[0]) >= least ? WIDTHS[0] : '500km'];
}

/** Widths that are easy to think in, within a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

/** The widest squares: all of the earth is 511 of them. */
const WIDEST = '999km';

/** Squares that are wide enough, if places are everywhere, of a width in the same unit. */
function widened(width: string, total: number): { readonly width: string } | undefined {
  const unit = width.replace(/^[\d.]+/, '');
  const least = Number.parseFloat(width) * Math.sqrt(total / AIMED_AT);
  const power = 10 ** Math.floor(Math.log10(least));
  const round = ROUND.find((one) => one * power >= least) ?? 10;
  const wider = `${Number((round * power).toPrecision(2))}${unit}`;
  if (cellWidthIn(`${PLACE}.${wider}`) !== undefined) return { width: wider };
  return metresIn(width) < metresIn(WIDEST) ? { width: WIDEST } : undefined;
}
