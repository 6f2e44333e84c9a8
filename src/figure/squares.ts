import { MOST_POINTS, squareColumns } from '../block/two-numbers.ts';
import type { Row } from '../values/field-type.ts';
import { classesOfCounts } from './classes.ts';
import type { Drawn, MarkKind } from './mark.ts';
import { extremesOf, numberWords } from './numbers.ts';
import type { PairAxis } from './pair-axes.ts';
import {
  emptyPairs,
  numberOf,
  pairsCaption,
  pairsOf,
  pairsTitle,
  pointsOf,
  shapesOver,
  shapesUnder,
} from './pairs.ts';
import type { PairsQuestion } from './question.ts';
import { linked, type Shape, square } from './shape.ts';
import { rowsText, sentence, sentenceCase } from './words.ts';

/** Two numbers of many rows: a square is many rows counted, and its area is their count. */
export const squares: MarkKind = {
  title: 'squares',
  fits: ({ xy }) => xy?.found.of === 'squares',
  draw: (question) => drawSquares(question as PairsQuestion),
};

type Square = {
  readonly row: Row;
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
  readonly count: number;
};

/** The sides of squares, in pixels; on a phone the style makes them smaller. */
const SIDES = [4, 6, 8, 10, 12, 14, 16] as const;

/** A plot on a desk, in pixels. */
const PLOT = { width: 820, height: 400 } as const;

function drawSquares(question: PairsQuestion): Drawn {
  const empty = emptyPairs(question);
  if (empty !== undefined) return empty;
  const { known, xy, linkOf } = question;
  const { language, noun } = known;
  const { say } = language;
  const all = squaresOf(question);
  const pairs = pairsOf(
    question,
    { x: all.flatMap(({ x }) => x), y: all.flatMap(({ y }) => y) },
    pointsOf(xy.named ?? [], question),
  );
  const { x, y } = pairs;
  const counts = all.map(({ count }) => count);
  const [, most] = extremesOf(counts) ?? [0, 1];
  const numbers = numberWords({
    language,
    field: { name: 'count', type: 'integer' },
    values: counts,
  });
  const classes = classesOfCounts(counts, numbers);
  const largest = largestSide(all, pairs);
  const sideOf = (count: number) => {
    const side = largest * Math.sqrt(count / most);
    return Math.max(
      0,
      SIDES.findLastIndex((one) => one <= side),
    );
  };
  const rangeOf = (axis: PairAxis, [from, to]: readonly [number, number]) =>
    say('{from} to below {to}', { from: axis.numbers.short(from), to: axis.said(to) });
  const listed = all
    .toSorted((a, b) => b.count - a.count)
    .map((one) => ({ ...one, ...linked(linkOf(one.row)) }));
  const said = (one: Square) =>
    `${rowsText(one.count, question)}: ${y.field.title} ${rangeOf(y, one.y)}, ${x.field.title} ${rangeOf(x, one.x)}`;
  return {
    title: pairsTitle(question),
    extent: say('in {count} squares', { count: all.length }),
    form: say('Squares'),
    key: classes.key.map((entry, i) => {
      const side = SIDES[sideOf(classes.starts[i + 1] ?? most)] ?? SIDES[0];
      return { ...entry, size: side / KEY_SIDE };
    }),
    keyUnit: noun,
    caption: [
      ...pairsCaption(pairs),
      // Fewer rows are squares if an answer has no room for their names.
      ...(xy.found.rows > MOST_POINTS
        ? [
            sentence(language, 'Over {most} rows are counted in squares; the larger, the more.', {
              most: MOST_POINTS,
            }),
          ]
        : []),
    ],
    picture: {
      layout: 'plot',
      look: 'pairs',
      shapes: [
        ...shapesUnder(pairs),
        {
          shape: 'link',
          look: 'squares',
          shapes: listed.map((one): Shape => {
            const at = sideOf(one.count);
            const look = `p${at + 1} ${classes.lookOf(one.count)}`;
            const side = SIDES[at] ?? SIDES[0];
            return {
              ...{ shape: 'link', title: said(one), ...linked(one.href) },
              shapes: [square(look, middleOn(x, one.x), 1 - middleOn(y, one.y), side)],
            };
          }),
        },
        ...shapesOver(pairs),
      ],
      readouts: [],
    },
    marks: listed.map((one) => ({ name: said(one), numbers: [one.count], ...linked(one.href) })),
    numbers: {
      heads: [
        { title: y.field.title },
        { title: x.field.title },
        { title: sentenceCase(noun), isNumber: true },
      ],
      rows: listed.map((one) => ({
        cells: [rangeOf(y, one.y), rangeOf(x, one.x), numbers.whole(one.count)],
        ...linked(one.href),
      })),
    },
  };
}

/** The side of a full square in a key, in pixels. */
const KEY_SIDE = 18;

function squaresOf({ xy }: PairsQuestion): Square[] {
  const names = squareColumns(xy.asked).map(({ name }) => name);
  return xy.rows.flatMap((row) => {
    const numbers = names.flatMap((name) => numberOf(row, name) ?? []);
    if (numbers.length < names.length) return [];
    const [fromX = 0, toX = 0, fromY = 0, toY = 0, count = 0] = numbers;
    return [{ row, x: [fromX, toX], y: [fromY, toY], count }];
  });
}

/** The middle of a step as it is seen, in a share of its axis. */
function middleOn(axis: PairAxis, [from, to]: Square['x']): number {
  return (axis.at(from) + axis.at(to)) / 2;
}

/** The side of the fullest square: it does not reach the squares beside it. */
function largestSide(all: readonly Square[], { x, y }: { x: PairAxis; y: PairAxis }): number {
  const narrowest = (of: 'x' | 'y', axis: PairAxis, pixels: number) =>
    all.reduce((least, one) => {
      const [from, to] = one[of];
      return Math.min(least, (axis.at(to) - axis.at(from)) * pixels);
    }, Number.POSITIVE_INFINITY);
  const room = Math.min(narrowest('x', x, PLOT.width), narrowest('y', y, PLOT.height));
  return Math.min(SIDES.at(-1) ?? 16, Math.max(SIDES[0], room));
}
