import { timeAt, timeAxis, type ValueAxis } from './axes.ts';
import { axisOf, baseShapes } from './axis-kinds.ts';
import { lowestPoint } from './lowest-point.ts';
import { type NotePlace, notePlaces } from './notes.ts';
import type { NumberWords } from './numbers.ts';
import { areColumns, columnShapes } from './panel-columns.ts';
import { isUnfilled, type Periods } from './periods.ts';
import {
  hrefOf,
  isTold,
  keysIn,
  type Lines,
  type Point,
  type Series,
  writingOf,
} from './series.ts';
import {
  clipped,
  cutName,
  inPart,
  LABEL_HEIGHT,
  type Link,
  movedApart,
  type Picture,
  type Run,
  type Shape,
  square,
} from './shape.ts';

/** Draws lines over time, from their series. */

/** Names of lines have room for so many letters. */
const LONGEST_NAME = 14;

/** If one is longer, all have room for this many. */
const LONGEST_WIDE = 22;

/** The plots of lines, under each other over one axis of time. */
export function pictureOfLines(panels: readonly Lines[]): Picture {
  const [first] = panels as [Lines];
  const { periods } = first.time;
  const { language } = first.question.known;
  const all = panels.flatMap(({ series }) => series);
  const keys = keysIn(panels.flatMap(({ series, quiet }) => [...series, ...quiet]));
  const [from = 0, to = 0] = [keys[0], keys.at(-1)];
  const time = timeAt(periods.beginOf(from), periods.beginOf(to));
  const isOne = all.length === 1 && first.areEnds === undefined;
  const { length } = panels;
  const plots = panels.map((lines, i): Plot => {
    const before = panels.slice(0, i).reduce((sum, { series }) => sum + series.length, 0);
    const axis = axisOf(lines);
    return {
      lines,
      axis,
      x: (key) => time(periods.beginOf(key)),
      y: axis.at,
      numbers: writingOf(lines),
      periods,
      looks: looksOf(lines, before, isOne),
      labelHeight: LABEL_HEIGHT / heightOf(length),
      moved: movedTo(i, length),
    };
  });
  const longest = Math.max(0, ...all.map(({ name }) => name.length));
  const isWide = longest > LONGEST_NAME;
  const lines = `line lines${isWide ? ' longer' : longest > SHORT_NAME ? ' long' : ''}`;
  return {
    layout: 'plot',
    look: isOne ? 'line' : `${lines}${['', '', ' two', ' three'][length]}`,
    shapes: [
      ...plots.flatMap(({ axis, moved }) => axis.shapes.map(moved)),
      ...timeAxis(periods, from, to, { language, isNarrow: !isOne }),
      ...plots.flatMap((plot) => {
        const { series } = plot.lines;
        return [
          ...baseShapes(plot.lines, plot.x),
          ...quietLines(plot),
          ...bandOf(plot),
          ...(areColumns(plot.lines, length)
            ? columnShapes(plot.lines, plot.looks[0] ?? '', plot)
            : [
                ...curvesOf(plot, [from, to]),
                ...series.flatMap(({ points }, k) =>
                  loneSquares(points, keys.length, isOne ? 'lone' : (plot.looks[k] ?? ''), plot),
                ),
              ]),
          ...(isOne ? notesOf(plot.lines, series[0] as Series, plot) : endsOf(plot)),
          ...(length === 1 ? lowestOf(plot) : []),
        ].map(plot.moved);
      }),
    ],
    names: isOne
      ? undefined
      : plots.flatMap(({ lines: { series }, looks }) =>
          series.map(({ name }, k) => ({ look: looks[k] ?? '', text: name })),
        ),
    readouts: readoutsOf(plots, keys, isOne),
  };
}

const SHORT_NAME = 5;

/** The room between plots, in shares of all, if they were one. */
const ROOM = 0.28;

const heightOf = (plots: number) => (1 - (ROOM / plots) * (plots - 1)) / plots;

/** Moves what is drawn in a plot to where that is among several. */
function movedTo(index: number, plots: number): (shape: Shape) => Shape {
  if (plots === 1) return (shape) => shape;
  const height = heightOf(plots);
  const top = index * (height + ROOM / plots);
  return (shape) => inPart(shape, top, height);
}

/** Named lines have colours in their order; those of a band have one, and of too many, none. */
function looksOf(
  { series, areEnds, band }: Lines,
  before: number,
  isOne: boolean,
): readonly string[] {
  const look = isOne ? '' : areEnds ? 'old' : band && 'c0';
  return series.map((_, k) => look ?? `c${before + k + 1}`);
}

/** One plot: where its numbers are, and how they are written. */
type Plot = Placed & {
  readonly lines: Lines;
  readonly axis: ValueAxis;
  /** The look of each named line. */
  readonly looks: readonly string[];
  readonly labelHeight: number;
  readonly moved: (shape: Shape) => Shape;
};

type Placed = {
  readonly x: (key: number) => number;
  readonly y: (value: number) => number;
  readonly numbers: NumberWords;
  readonly periods: Periods;
};

/** All lines without names, as one path that ends where the plot does. */
function quietLines({ lines: { quiet }, x, y }: Plot): Shape[] {
  const points = quiet.flatMap(({ points }) => [
    ...points.map(({ key, value }) => (value === null ? null : ([x(key), y(value)] as const))),
    null,
  ]);
  return points.length === 0 ? [] : [{ shape: 'curve', look: 'l quiet', points: clipped(points) }];
}

/** What is between two lines. */
function bandOf({ lines: { band }, x, y }: Plot): Shape[] {
  if (band === undefined) return [];
  const [low, high] = band;
  const highs = new Map(high.points.map(({ key, value }) => [key, value]));
  const points = low.points.map(({ key, value }) => {
    const top = highs.get(key);
    return value === null || top == null ? null : ([x(key), y(value), y(top)] as const);
  });
  return [{ shape: 'band', look: 'band', points }];
}

/** The named lines, the first of them on top. From and to a period that is not full, they are dotted. */
function curvesOf({ lines, looks, x, y }: Plot, ends: readonly [number, number]): Shape[] {
  const { series, extent } = lines;
  return series.flatMap(({ points }, k): Shape[] => {
    const all = points.map(({ key, value }) =>
      value === null ? null : ([x(key), y(value)] as const),
    );
    const isOpen = (i: number) => {
      const key = points[i]?.key;
      return key !== undefined && ends[0] !== ends[1] && isUnfilled(extent, key);
    };
    const [from, to] = [isOpen(0) ? 1 : 0, isOpen(points.length - 1) ? -1 : points.length];
    const own = looks[k] ? ` ${looks[k]}` : '';
    const curve = (look: string, points: typeof all): Shape[] =>
      points.length === 0 ? [] : [{ shape: 'curve', look: `${look}${own}`, points }];
    return [
      ...curve('l', all.slice(from, to)),
      ...(from === 1 ? curve('l open', all.slice(0, 2)) : []),
      ...(to === -1 && points.length > from + 1 ? curve('l open', all.slice(-2)) : []),
    ];
  });
}

/** A value between two gaps has no line: it gets a square of its own. */
function loneSquares(
  points: readonly Point[],
  periods: number,
  look: string,
  { x, y }: Placed,
): Shape[] {
  if (periods < 2) return [];
  return points.flatMap((point, i) => {
    if (!isTold(point)) return [];
    const { key, value } = point;
    const hasLine = [points[i - 1], points[i + 1]].some((next) => next && isTold(next));
    return hasLine ? [] : [square(look, x(key), y(value), 5)];
  });
}

/** One line: its last value, large, and its highest and lowest. */
function notesOf(lines: Lines, { points }: Series, { x, y, numbers, periods }: Placed): Shape[] {
  const told = points.filter(isTold);
  const last = told.at(-1);
  if (last === undefined) return [];
  const whole = told.filter(({ key }) => !isUnfilled(lines.extent, key));
  const extremes = whole.length === 0 ? told : whole;
  const high = extremes.reduce((a, b) => (b.value >= a.value ? b : a));
  const low = extremes.reduce((a, b) => (b.value <= a.value ? b : a));
  const areEqual = told.every(({ value }) => value === last.value);
  const isOpen = lines.extent?.lastEnds !== undefined && last.key === lines.extent.last;
  const { say } = numbers.language;
  const word = isOpen
    ? say('So far')
    : areEqual
      ? told.length > 1
        ? say('All equal')
        : say('Only one')
      : last === high
        ? say('Highest')
        : last === low
          ? say('Lowest')
          : say('Last');
  const notes = [
    { point: low, word: say('Lowest'), isLow: true },
    { point: high, word: say('Highest'), isLow: false },
  ]
    .filter(({ point }) => point !== last && high.value !== low.value)
    .map(({ point, word, isLow }) => {
      const [value, name] = [numbers.aligned(point.value), periods.short(point.key)];
      const letters = `${word} ${value} ${name}`.length;
      return { word, value, name, letters, isLow, point: [x(point.key), y(point.value)] as const };
    });
  const places = notePlaces(
    notes,
    points.map(({ key, value }) => (value === null ? null : ([x(key), y(value)] as const))),
  );
  return [
    ...notes.flatMap(({ point: [at, height], word, value, name }, i): Shape[] => {
      const { anchor, px, down, covers } = places[i] as NotePlace;
      const mark = square('mark', at, height, 7);
      // The caption says it too.
      if (covers === 'always') return [mark];
      const look = covers === 'nothing' ? 'note' : 'note wide';
      return [
        mark,
        {
          shape: 'text',
          look,
          x: [at, px],
          y: height,
          anchor,
          down,
          runs: [{ text: `${word} ` }, { text: value, isBold: true }, { text: ` ${name}` }],
        },
      ];
    }),
    square(isOpen ? 'mark open' : 'mark', x(last.key), y(last.value), 7),
    {
      shape: 'text',
      look: 'end',
      x: [x(last.key), 10],
      y: y(last.value),
      down: 0.1,
      runs: [
        { text: numbers.aligned(last.value), isBold: true },
        { text: `${word},`, starts: true },
        { text: periods.short(last.key), starts: true },
      ],
    },
  ];
}

/** Many lines: each with a square, its last value and its name, moved apart. */
function endsOf(plot: Plot): Shape[] {
  const { series } = plot.lines;
  const ends = series.map(({ points }) => points.findLast(isTold));
  const places = labelPlaces(plot);
  return [
    ...series.flatMap(({ name }, k): Shape[] => [
      {
        shape: 'rect',
        look: plot.looks[k] ?? '',
        x: [1, 10],
        y: [places[k] as number, -4.5],
        width: [0, 9],
        height: [0, 9],
      },
      {
        shape: 'text',
        look: 'end',
        x: [1, 70],
        y: places[k] as number,
        down: 0.34,
        runs: [{ text: cutName(name, LONGEST_WIDE) }],
      },
    ]),
    {
      shape: 'link',
      look: 'ends',
      shapes: ends.map((end, k) => endValue(end?.value ?? null, places[k] as number, plot)),
    },
  ];
}

/** The lowest point of all named lines, with its line and its period. */
function lowestOf({ lines, x, y, numbers, periods }: Plot): Shape[] {
  const lowest = lowestPoint(lines);
  if (lowest === undefined) return [];
  const { name, key, value } = lowest;
  const word = numbers.language.say('Lowest');
  const [said, of] = [
    numbers.aligned(value),
    `${cutName(name, LONGEST_WIDE)} ${periods.short(key)}`,
  ];
  const at = [x(key), y(value)] as const;
  const note = { point: at, letters: `${word} ${said} ${of}`.length, isLow: true };
  const places = lines.series.flatMap(({ points }) => [
    ...points.map(({ key, value }) => (value === null ? null : ([x(key), y(value)] as const))),
    null,
  ]);
  const [place] = notePlaces([note], places, { hasNames: true });
  const { anchor, px, down, covers } = place as NotePlace;
  const mark = square('mark', ...at, 7);
  if (covers === 'always') return [mark];
  return [
    mark,
    {
      shape: 'text',
      look: covers === 'nothing' ? 'note' : 'note wide',
      x: [at[0], px],
      y: at[1],
      anchor,
      down,
      runs: [{ text: `${word} ` }, { text: said, isBold: true }, { text: ` ${of}` }],
    },
  ];
}

function labelPlaces({ lines, y, labelHeight }: Plot): number[] {
  const ends = lines.series.map(({ points }) => points.findLast(isTold)?.value);
  const places = ends.map((value) => (value === undefined ? 1 : y(value)));
  return movedApart(places, labelHeight);
}

function endValue(value: number | null, y: number, { numbers }: Placed): Shape {
  return {
    shape: 'text',
    look: 'end v',
    x: [1, 67],
    y,
    down: 0.34,
    anchor: 'end',
    runs: [{ text: value === null ? '–' : numbers.aligned(value) }],
  };
}

/** Periods to point at. Of more, several are one, which shows the last of them. */
const MOST_READOUTS = 300;

/** Values that all periods to point at show. Of many lines, fewer periods can be pointed at. */
const MOST_READ_OUT = 600;

/** What is shown of each period: its numbers in all plots. */
function readoutsOf(plots: readonly Plot[], keys: readonly number[], isOne: boolean): Link[] {
  const [first] = plots as [Plot];
  const { x, periods } = first;
  const { question, time } = first.lines;
  const count = plots.reduce((sum, { lines }) => sum + lines.series.length, 0);
  const size = Math.ceil(
    keys.length / Math.min(MOST_READOUTS, Math.floor(MOST_READ_OUT / Math.max(1, count))),
  );
  const inPlots = plots.map((plot) => ({
    plot,
    places: isOne ? [] : labelPlaces(plot),
    byKey: plot.lines.series.map(({ points }) => new Map(points.map((one) => [one.key, one]))),
  }));
  const readouts: Link[] = [];
  for (let i = 0; i < keys.length; i += size) {
    const some = keys.slice(i, i + size);
    const [from = 0, to = 0] = [some[0], some.at(-1)];
    const at = x(to);
    const left =
      i === 0 ? x(from) - (keys.length === 1 ? 0.5 : 0) : (x(keys[i - 1] as number) + x(from)) / 2;
    const next = keys[i + size];
    const right = next === undefined ? at + (keys.length === 1 ? 0.5 : 0) : (at + x(next)) / 2;
    const groups = some.flatMap((key) =>
      inPlots.flatMap(({ byKey }) => byKey.map((all) => all.get(key)?.group)),
    );
    const name = periods.short(to);
    const anchor = at > 0.5 ? 'end' : 'start';
    const value = inPlots[0]?.byKey[0]?.get(to)?.value ?? null;
    const said: Run[] = isOne
      ? [{ text: valueText(value, first.numbers), isBold: true }, { text: ` ${name}` }]
      : [{ text: name }];
    readouts.push({
      shape: 'link',
      look: 'h',
      href: hrefOf(question, time, groups),
      shapes: [
        { shape: 'rect', look: '', x: left, y: 0, width: right - left, height: 1 },
        { shape: 'line', look: '', x: [at, at], y: [0, 1] },
        ...inPlots.flatMap(({ plot, byKey }) =>
          byKey.flatMap((all, k) => {
            const value = all.get(to)?.value ?? null;
            const look = isOne ? 'on' : `on ${plot.looks[k]}`;
            return value === null ? [] : [plot.moved(square(look, at, plot.y(value), 7))];
          }),
        ),
        {
          shape: 'text',
          look: '',
          y: 0,
          down: -0.35,
          runs: said,
          ...(isOne
            ? { x: [at, anchor === 'end' ? -6 : 6] as const, anchor }
            : { x: at, anchor: 'middle' as const }),
        },
        ...inPlots.flatMap(({ plot, byKey, places }) =>
          isOne
            ? []
            : byKey.map((all, k) =>
                plot.moved(endValue(all.get(to)?.value ?? null, places[k] as number, plot)),
              ),
        ),
      ],
    });
  }
  return readouts;
}

function valueText(value: number | null, numbers: NumberWords): string {
  return value === null ? numbers.language.say('no value') : numbers.aligned(value);
}
