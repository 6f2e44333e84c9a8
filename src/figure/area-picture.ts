import { timeAt, timeAxis } from './axes.ts';
import { extremesOf, type NumberWords } from './numbers.ts';
import { hrefOf } from './series.ts';
import { cutName, endOfNumbers, type Link, movedApart, type Picture, type Shape } from './shape.ts';
import {
  axisOfStack,
  type Column,
  drawnValues,
  type Layer,
  type Stack,
  wordsOfStack,
} from './stack.ts';

/** Draws stacked areas, from their layers. */

/** The most letters of a layer's name; with shorter names, the plot is wider. */
const LONGEST_NAME = 20;
const LOOKS_OF_NAMES = [
  { over: 14, look: ' longer' },
  { over: 5, look: ' long' },
] as const;

type Placed = {
  readonly stack: Stack;
  readonly numbers: NumberWords;
  readonly x: (key: number) => number;
  /** Where the numbers of a period end, from the lowest layer on, in shares from the top. */
  readonly tops: (column: Column) => readonly number[];
  /** Where its sum of nothing is. */
  readonly foot: number;
  /** Where the names of the layers are. */
  readonly places: readonly number[];
  /** Where the numbers beside the plot end, in pixels. */
  readonly end: number;
};

export function pictureOfAreas(stack: Stack): Picture {
  const { columns, layers, time } = stack;
  const { periods } = time;
  const axis = axisOfStack(stack);
  const numbers = wordsOfStack(stack).drawn;
  const [first, last] = [columns[0] as Column, columns.at(-1) as Column];
  const at = timeAt(periods.beginOf(first.key), periods.beginOf(last.key));
  const tops = (column: Column) => {
    let sum = 0;
    return drawnValues(stack, column).map((value) => {
      sum += value;
      return axis.at(sum);
    });
  };
  const foot = axis.at(0);
  const ends = tops(last);
  const middles = ends.map((top, i) => (top + (ends[i - 1] ?? foot)) / 2);
  // The least and the greatest are as long as others, but for a few.
  const values = columns.flatMap((column) => drawnValues(stack, column));
  const longest = [...(extremesOf(values) ?? []), ...drawnValues(stack, last)];
  const placed: Placed = {
    stack,
    numbers,
    x: (key) => at(periods.beginOf(key)),
    tops,
    foot,
    places: movedApart(middles),
    end: endOfNumbers(longest.map(numbers.aligned)),
  };
  const letters = Math.max(...layers.map(({ name }) => name.length));
  const { language } = numbers;
  return {
    layout: 'plot',
    look: `line lines${LOOKS_OF_NAMES.find(({ over }) => letters > over)?.look ?? ''}`,
    shapes: [
      ...axis.shapes,
      ...layersOf(placed),
      ...timeAxis(periods, first.key, last.key, { language, isNarrow: true }),
      ...layers.flatMap((layer, i) => nameOf(layer, placed.places[i] ?? 0, placed.end)),
      { shape: 'link', look: 'ends', shapes: valuesAt(last, placed) },
    ],
    names: layers.map(({ name, look }) => ({ look, text: name })),
    readouts: readoutsOf(placed),
  };
}

/** Each layer as closed curves, one for each stretch of periods that follow each other. */
function layersOf({ stack, x, tops, foot }: Placed): Shape[] {
  const { columns, layers, step } = stack;
  const stretches: Column[][] = [];
  for (const column of columns) {
    const before = stretches.at(-1)?.at(-1);
    if (before !== undefined && column.key - before.key <= step) stretches.at(-1)?.push(column);
    else stretches.push([column]);
  }
  return layers.flatMap(({ look }, i) =>
    stretches.map((stretch): Shape => {
      const edges = stretch.flatMap((column) => {
        const ends = tops(column);
        const high = ends[i] ?? foot;
        const low = ends[i - 1] ?? foot;
        // A period between two gaps is as wide as a line.
        const sides = stretch.length === 1 ? [-LONE, LONE] : [0];
        return sides.map((side) => ({ at: x(column.key) + side, high, low }));
      });
      const upper = edges.map(({ at, high }) => [at, high] as const);
      const lower = edges.map(({ at, low }) => [at, low] as const).reverse();
      return { shape: 'curve', look: `layer ${look}`, points: [...upper, ...lower] };
    }),
  );
}

/** Half the width of a period between two gaps, in shares. */
const LONE = 0.002;

function nameOf({ name, look }: Layer, y: number, end: number): Shape[] {
  return [
    { shape: 'rect', look, x: [1, 10], y: [y, -4.5], width: [0, 9], height: [0, 9] },
    {
      shape: 'text',
      look: 'end',
      x: [1, end + 4],
      y,
      down: 0.34,
      runs: [{ text: cutName(name, LONGEST_NAME) }],
    },
  ];
}

/** The numbers of a period, beside the names of their layers. */
function valuesAt(column: Column, { stack, numbers, places, end }: Placed): Shape[] {
  return drawnValues(stack, column).map((value, i) => ({
    shape: 'text',
    look: 'end v',
    x: [1, end],
    y: places[i] ?? 0,
    down: 0.34,
    anchor: 'end',
    runs: [{ text: numbers.aligned(value) }],
  }));
}

/** Numbers that all periods to point at show. Of many layers, several periods are pointed at as one. */
const MOST_READ_OUT = 600;

function readoutsOf(placed: Placed): Link[] {
  const { stack, x, tops } = placed;
  const { columns, layers, question, time } = stack;
  const size = Math.ceil(columns.length / Math.floor(MOST_READ_OUT / layers.length));
  const links: Link[] = [];
  for (let i = 0; i < columns.length; i += size) {
    const some = columns.slice(i, i + size);
    const [from, to] = [some[0] as Column, some.at(-1) as Column];
    const [before, after] = [columns[i - 1], columns[i + size]];
    const at = x(to.key);
    const alone = columns.length === 1 ? 0.5 : 0;
    const left = before === undefined ? x(from.key) - alone : (x(before.key) + x(from.key)) / 2;
    const right = after === undefined ? at + alone : (at + x(after.key)) / 2;
    links.push({
      shape: 'link',
      look: 'h',
      title: `${time.periods.short(to.key)}: ${saidOf(to, placed)}`,
      href: hrefOf(
        question,
        time,
        some.flatMap(({ groups }) => groups),
      ),
      shapes: [
        { shape: 'rect', look: '', x: left, y: 0, width: right - left, height: 1 },
        { shape: 'line', look: '', x: [at, at], y: [tops(to).at(-1) ?? 0, 1] },
        {
          shape: 'text',
          look: '',
          x: at,
          y: 0,
          down: -0.35,
          anchor: 'middle',
          runs: [{ text: time.periods.short(to.key) }],
        },
        ...valuesAt(to, placed),
      ],
    });
  }
  return links;
}

/** The numbers of a period in words, the greatest first. */
function saidOf(column: Column, { stack, numbers }: Placed): string {
  return drawnValues(stack, column)
    .map((value, i) => ({ value, name: stack.layers[i]?.name ?? '' }))
    .sort((a, b) => b.value - a.value)
    .map(({ value, name }) => `${name} ${numbers.aligned(value)}`)
    .join(', ');
}
