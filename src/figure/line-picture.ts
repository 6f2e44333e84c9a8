import { timeAt, timeAxis } from './axes.ts';
import { axisOf, baseShapes } from './axis-kinds.ts';
import { type NotePlace, notePlaces } from './notes.ts';
import type { NumberWords } from './numbers.ts';
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
  cutName,
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

export function pictureOfLines(lines: Lines): Picture {
  const { time, series, extent } = lines;
  const { periods } = time;
  const numbers = writingOf(lines);
  const y = axisOf(lines);
  const keys = keysIn(series);
  const [first = 0, last = 0] = [keys[0], keys.at(-1)];
  const time_ = timeAt(periods.beginOf(first), periods.beginOf(last));
  const x = (key: number) => time_(periods.beginOf(key));
  const isOne = series.length === 1;
  const look = (k: number) => (isOne ? '' : ` c${k + 1}`);
  const placed = { x, y: y.at, numbers, periods };
  const curves = series.flatMap(({ points }, k): Shape[] => {
    const all = points.map(({ key, value }) =>
      value === null ? null : ([x(key), y.at(value)] as const),
    );
    // From and to a period that is not full, the line is dotted.
    const isOpen = (i: number) => {
      const key = points[i]?.key;
      return key !== undefined && first !== last && isUnfilled(extent, key);
    };
    const [from, to] = [isOpen(0) ? 1 : 0, isOpen(points.length - 1) ? -1 : points.length];
    const curve = (look: string, points: typeof all): Shape[] =>
      points.length === 0 ? [] : [{ shape: 'curve', look, points }];
    return [
      ...curve(`l${look(k)}`, all.slice(from, to)),
      ...(from === 1 ? curve(`l open${look(k)}`, all.slice(0, 2)) : []),
      ...(to === -1 && points.length > from + 1 ? curve(`l open${look(k)}`, all.slice(-2)) : []),
    ];
  });
  const lone = series.flatMap(({ points }, k) =>
    loneSquares(points, keys.length, isOne ? 'lone' : `c${k + 1}`, placed),
  );
  const longest = Math.max(...series.map(({ name }) => name.length));
  return {
    layout: 'plot',
    look: isOne ? 'line' : longest > SHORT_NAME ? 'line lines long' : 'line lines',
    shapes: [
      ...y.shapes,
      ...timeAxis(periods, first, last, { language: numbers.language, isNarrow: !isOne }),
      ...baseShapes(lines, x),
      ...curves,
      ...lone,
      ...(isOne ? notesOf(lines, series[0] as Series, placed) : endsOf(series, placed)),
    ],
    ...(isOne ? {} : { names: series.map(({ name }, k) => ({ look: `c${k + 1}`, text: name })) }),
    readouts: readoutsOf(lines, series, keys, placed),
  };
}

const SHORT_NAME = 5;

type Placed = {
  readonly x: (key: number) => number;
  readonly y: (value: number) => number;
  readonly numbers: NumberWords;
  readonly periods: Periods;
};

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
          ...{ shape: 'text', look, x: [at, px], y: height, anchor, down },
          runs: [{ text: `${word} ` }, { text: value, isBold: true }, { text: ` ${name}` }],
        },
      ];
    }),
    square(isOpen ? 'mark open' : 'mark', x(last.key), y(last.value), 7),
    {
      ...{ shape: 'text', look: 'end', x: [x(last.key), 10], y: y(last.value), down: 0.1 },
      runs: [
        { text: numbers.aligned(last.value), isBold: true },
        { text: `${word},`, starts: true },
        { text: periods.short(last.key), starts: true },
      ],
    },
  ];
}

/** Many lines: each with a square, its last value and its name, moved apart. */
function endsOf(series: readonly Series[], placed: Placed): Shape[] {
  const ends = series.map(({ points }) => points.findLast(isTold));
  const places = labelPlaces(series, placed);
  return [
    ...series.flatMap(({ name }, k): Shape[] => [
      {
        ...{ shape: 'rect', look: `c${k + 1}`, x: [1, 10], y: [places[k] as number, -4.5] },
        ...{ width: [0, 9], height: [0, 9] },
      },
      {
        ...{ shape: 'text', look: 'end', x: [1, 70], y: places[k] as number, down: 0.34 },
        runs: [{ text: cutName(name, LONGEST_NAME) }],
      },
    ]),
    {
      ...{ shape: 'link', look: 'ends' },
      shapes: ends.map((end, k) => endValue(end?.value ?? null, places[k] as number, placed)),
    },
  ];
}

function labelPlaces(series: readonly Series[], { y }: Placed): number[] {
  const ends = series.map(({ points }) => points.findLast(isTold)?.value);
  return movedApart(ends.map((value) => (value === undefined ? 1 : y(value))));
}

function endValue(value: number | null, y: number, { numbers }: Placed): Shape {
  return {
    ...{ shape: 'text', look: 'end v', x: [1, 67], y, down: 0.34, anchor: 'end' },
    runs: [{ text: value === null ? '–' : numbers.aligned(value) }],
  };
}

/** Periods to point at. Of more, several are one, which shows the last of them. */
const MOST_READOUTS = 300;

/** Values that all periods to point at show. Of many lines, fewer periods can be pointed at. */
const MOST_READ_OUT = 600;

function readoutsOf(
  { question, time }: Lines,
  series: readonly Series[],
  keys: readonly number[],
  placed: Placed,
): Link[] {
  const { x, y, numbers, periods } = placed;
  const isOne = series.length === 1;
  const size = Math.ceil(
    keys.length / Math.min(MOST_READOUTS, Math.floor(MOST_READ_OUT / series.length)),
  );
  const places = isOne ? [] : labelPlaces(series, placed);
  const byKey = series.map(({ points }) => new Map(points.map((point) => [point.key, point])));
  const readouts: Link[] = [];
  for (let i = 0; i < keys.length; i += size) {
    const some = keys.slice(i, i + size);
    const [from = 0, to = 0] = [some[0], some.at(-1)];
    const at = x(to);
    const left =
      i === 0 ? x(from) - (keys.length === 1 ? 0.5 : 0) : (x(keys[i - 1] as number) + x(from)) / 2;
    const next = keys[i + size];
    const right = next === undefined ? at + (keys.length === 1 ? 0.5 : 0) : (at + x(next)) / 2;
    const points = byKey.map((all) => all.get(to));
    const groups = some.flatMap((key) => byKey.map((all) => all.get(key)?.group));
    const href = hrefOf(question, time, groups);
    const name = periods.short(to);
    const anchor = at > 0.5 ? 'end' : 'start';
    const valueText = (point: Point | undefined) =>
      point === undefined || point.value === null
        ? numbers.language.say('no value')
        : numbers.aligned(point.value);
    const said: Run[] = isOne
      ? [{ text: valueText(points[0]), isBold: true }, { text: ` ${name}` }]
      : [{ text: name }];
    readouts.push({
      ...{ shape: 'link', look: 'h' },
      ...(href === undefined ? {} : { href }),
      shapes: [
        { shape: 'rect', look: '', x: left, y: 0, width: right - left, height: 1 },
        { shape: 'line', look: '', x: [at, at], y: [0, 1] },
        ...points.flatMap((point, k) =>
          point === undefined || point.value === null
            ? []
            : [square(isOne ? 'on' : `on c${k + 1}`, at, y(point.value), 7)],
        ),
        {
          ...{ shape: 'text', look: '', y: 0, down: -0.35, runs: said },
          ...(isOne
            ? { x: [at, anchor === 'end' ? -6 : 6] as const, anchor }
            : { x: at, anchor: 'middle' as const }),
        },
        ...(isOne
          ? []
          : points.map((point, k) => endValue(point?.value ?? null, places[k] as number, placed))),
      ],
    });
  }
  return readouts;
}
