import { axisOf, type Drawable } from './axis-kinds.ts';
import type { NumberWords } from './numbers.ts';
import type { LinkOf } from './question.ts';
import { isTold, type Point, type Series, writingOf } from './series.ts';
import {
  endOfNumbers,
  type Link,
  movedApart,
  type Picture,
  type Run,
  type Shape,
  square,
} from './shape.ts';

/** Draws the months of the year with a line a year. The keys of the lines are months from 0 on. */

/** More lines than these are faint, and of more, those of each tenth year have names. */
export const MOST_PLAIN = 12;

/** Whether a year has a name among many. */
export const isNamed = (year: string) => Number(year) % 10 === 0;

/** A line with a name, and where that is. */
type Named = { readonly line: Series; readonly isLast: boolean; readonly place: number };

type Placed = {
  readonly series: readonly Series[];
  readonly numbers: NumberWords;
  readonly months: readonly string[];
  readonly x: (month: number) => number;
  readonly y: (value: number) => number;
  readonly named: readonly Named[];
  readonly linkOf: LinkOf;
  /** Where the numbers beside the plot end, in pixels. */
  readonly end: number;
};

export function pictureOfSeason(lines: Drawable, months: readonly string[]): Picture {
  const { series } = lines;
  const axis = axisOf(lines);
  const x = (month: number) => month / (months.length - 1);
  const numbers = writingOf(lines);
  const named = namedIn(series, axis.at);
  const { linkOf } = lines.question;
  const shown = named.flatMap(({ line }) => line.points.filter(isTold));
  const end = endOfNumbers(shown.map(({ value }) => numbers.aligned(value)));
  const placed: Placed = { series, numbers, months, x, y: axis.at, named, linkOf, end };
  return {
    layout: 'plot',
    look: 'line lines season',
    shapes: [
      ...axis.shapes,
      ...monthsOf(placed),
      ...series.flatMap((line, i) => lineOf(line, i === series.length - 1, placed)),
      ...highestOf(placed),
      ...named.flatMap((one) => nameOf(one, end)),
      {
        shape: 'link',
        look: 'ends',
        shapes: named.map((one) => valueAt(endOf(one.line), one, placed)),
      },
    ],
    readouts: readoutsOf(placed),
  };
}

function endOf({ points }: Series): Point | undefined {
  return points.findLast(isTold);
}

/** The lines that have a name: all of a few, and of many the last and each tenth year. */
function namedIn(series: readonly Series[], y: (value: number) => number): Named[] {
  const last = series.at(-1);
  const some = series.filter(
    (line) =>
      endOf(line) !== undefined &&
      (line === last || series.length <= MOST_PLAIN || isNamed(line.name)),
  );
  const places = movedApart(some.map((line) => y(endOf(line)?.value as number)));
  return some.map((line, i) => ({ line, isLast: line === last, place: places[i] as number }));
}

/** Months have names on a phone at each quarter. */
const MONTHS_APART = 3;

function monthsOf({ months, x }: Placed): Shape[] {
  return months.flatMap((text, month): Shape[] => [
    { shape: 'rect', look: 'tk', x: x(month), y: 1, width: [0, 1], height: [0, 5] },
    {
      shape: 'text',
      look: month % MONTHS_APART === 0 ? 'tick' : 'tick wide',
      x: x(month),
      y: 1,
      down: 1.6,
      anchor: 'middle',
      runs: [{ text }],
    },
  ]);
}

function lineOf({ name, points }: Series, isLast: boolean, { series, x, y }: Placed): Shape[] {
  const isFaint = series.length > MOST_PLAIN && !isNamed(name);
  const look = isLast ? 'l' : isFaint ? 'l old faint' : 'l old';
  const places = points.map(({ key, value }) =>
    value === null ? null : ([x(key), y(value)] as const),
  );
  // A month between two gaps has no line.
  const alone = points.filter(
    (point, i) => isTold(point) && points[i - 1]?.value == null && points[i + 1]?.value == null,
  );
  return [
    { shape: 'curve', look, points: places },
    ...alone.map(({ key, value }) => square(isLast ? 'lone' : 'tk', x(key), y(value as number), 5)),
  ];
}

/** The highest point of a few lines, unless a name tells it. */
function highestOf({ series, numbers, months, x, y }: Placed): Shape[] {
  if (series.length > MOST_PLAIN) return [];
  const all = series.flatMap((line) =>
    line.points.filter(isTold).map((point) => ({ ...point, line })),
  );
  const highest = all.reduce((a, b) => (b.value > a.value ? b : a));
  const areEqual = all.every(({ value }) => value === highest.value);
  if (areEqual || highest.key === endOf(highest.line)?.key) return [];
  const at = x(highest.key);
  return [
    square('mark', at, y(highest.value), 7),
    {
      shape: 'text',
      look: 'note wide',
      x: at,
      y: y(highest.value),
      down: -0.9,
      anchor: at < 0.15 ? 'start' : at > 0.85 ? 'end' : 'middle',
      runs: [
        { text: `${numbers.language.say('Highest')} ` },
        { text: numbers.aligned(highest.value), isBold: true },
        { text: ` ${months[highest.key]} ${highest.line.name}` },
      ],
    },
  ];
}

function nameOf({ line: { name }, isLast, place }: Named, end: number): Shape[] {
  const run: Run = isLast ? { text: name, isBold: true } : { text: name };
  return [
    {
      shape: 'rect',
      look: isLast ? 'lone' : 'tk',
      x: [1, 10],
      y: [place, -4.5],
      width: [0, 9],
      height: [0, 9],
    },
    { shape: 'text', look: 'end', x: [1, end + 4], y: place, down: 0.34, runs: [run] },
  ];
}

/** A number beside the name of its line. */
function valueAt(point: Point | undefined, { place }: Named, { numbers, end }: Placed): Shape {
  const value = point?.value ?? null;
  return {
    shape: 'text',
    look: 'end v',
    x: [1, end],
    y: place,
    down: 0.34,
    anchor: 'end',
    runs: [{ text: value === null ? '–' : numbers.aligned(value) }],
  };
}

/** For each month, the numbers of the lines that have names. It leads to the rows of the last year's. */
function readoutsOf(placed: Placed): Link[] {
  const { series, numbers, months, x, y, named, linkOf } = placed;
  const half = x(1) / 2;
  return months.map((name, month): Link => {
    const [left, right] = [Math.max(0, x(month) - half), Math.min(1, x(month) + half)];
    const points = named.map(({ line }) => line.points[month]);
    const latest = series.findLast((line) => line.points[month]?.value != null)?.points[month]
      ?.group;
    return {
      shape: 'link',
      look: 'h',
      href: latest && linkOf(latest),
      title: `${name}: ${saidOf(named, month, numbers)}`,
      shapes: [
        { shape: 'rect', look: '', x: left, y: 0, width: right - left, height: 1 },
        { shape: 'line', look: '', x: [x(month), x(month)], y: [0, 1] },
        ...named.flatMap(({ isLast }, i) => {
          const value = points[i]?.value ?? null;
          return value === null ? [] : [square(isLast ? 'on' : 'on old', x(month), y(value), 7)];
        }),
        {
          shape: 'text',
          look: '',
          x: x(month),
          y: 0,
          down: -0.35,
          anchor: month === 0 ? 'start' : month === months.length - 1 ? 'end' : 'middle',
          runs: [{ text: name }],
        },
        ...named.map((one, i) => valueAt(points[i], one, placed)),
      ],
    };
  });
}

/** The numbers of a month in words, the greatest first. */
function saidOf(
  named: readonly Named[],
  month: number,
  { aligned, language }: NumberWords,
): string {
  const told = named.flatMap(({ line: { name, points } }) => {
    const value = points[month]?.value ?? null;
    return value === null ? [] : [{ name, value }];
  });
  if (told.length === 0) return language.say('no value');
  return told
    .sort((a, b) => b.value - a.value)
    .map(({ name, value }) => `${name} ${aligned(value)}`)
    .join(', ');
}
