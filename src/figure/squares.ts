import { MOST_POINTS, squareColumns } from '../block/two-numbers.ts';
import { setApart } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import { classesOfCounts } from './classes.ts';
import type { Drawn, MarkKind } from './mark.ts';
import { extremesOf, numberWords } from './numbers.ts';
import type { PairAxis } from './pair-axes.ts';
import { drawnPairs, emptyPairs, numberOf, type PairMark, pairsOf, pointsOf } from './pairs.ts';
import type { PairsQuestion } from './question.ts';
import { square } from './shape.ts';
import { rowsText, sentence, sentenceCase } from './words.ts';

/** Two numbers of many rows: a square is many rows counted, and its area is their count. */
export const squares: MarkKind = {
  title: 'squares',
  of: 'squares',
  draw: (question) =>
    emptyPairs(question as PairsQuestion) ?? drawSquares(question as PairsQuestion),
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
  const marks = all
    .toSorted((a, b) => b.count - a.count)
    .map((one): PairMark => {
      const at = sideOf(one.count);
      const look = `p${at + 1} ${classes.lookOf(one.count)}`;
      const [across, up] = [rangeOf(x, one.x), rangeOf(y, one.y)];
      return {
        said: `${rowsText(one.count, question)}: ${setApart(y.field.title)} ${up}, ${setApart(x.field.title)} ${across}`,
        numbers: [one.count],
        href: linkOf(one.row),
        shape: square(look, middleOn(x, one.x), 1 - middleOn(y, one.y), SIDES[at] ?? SIDES[0]),
        cells: [up, across, numbers.whole(one.count)],
      };
    });
  return drawnPairs(pairs, marks, {
    form: say('Squares'),
    extent: say('in {count} squares', { count: all.length }),
    look: 'squares',
    key: classes.key.map((entry, i) => {
      const side = SIDES[sideOf(classes.starts[i + 1] ?? most)] ?? SIDES[0];
      return { ...entry, size: side / KEY_SIDE };
    }),
    keyUnit: noun,
    kind:
      xy.found.rows > MOST_POINTS
        ? sentence(language, 'Over {most} rows are counted in squares; the larger, the more.', {
            most: MOST_POINTS,
          })
        : sentence(
            language,
            'Their names have no room in an answer, so the rows are counted in squares; the larger, the more.',
          ),
    heads: [
      { title: y.field.title },
      { title: x.field.title },
      { title: sentenceCase(noun), isNumber: true },
    ],
  });
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
