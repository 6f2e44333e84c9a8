import type { KeyEntry } from './mark.ts';
import type { NumberWords } from './numbers.ts';

/** The most classes of shades; the style has as many. */
const MOST_CLASSES = 5;

/** Classes of numbers, without gaps: each begins where the one before ends. */
export type Classes = {
  /** The first number of each class. */
  readonly starts: readonly number[];
  /** Returns the class of a number in the style: `s1` is the least. */
  lookOf(value: number): string;
  readonly key: readonly KeyEntry[];
  /** Set if each class begins at ten times the one before. */
  readonly areByTen?: true;
};

/**
 * Makes at most five classes with about as many numbers in each, which begin at round numbers. Equal
 * numbers share one. If two fifths are the least number, that is a class of its own: the others are
 * told apart.
 */
export function classesOf(
  values: readonly number[],
  numbers: NumberWords,
  most = MOST_CLASSES,
): Classes {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0] = sorted;
  const others = sorted.filter((value) => value > least);
  const areMany = sorted.length - others.length > (2 * sorted.length) / most;
  const breaks = areMany ? breaksAbove(least, others, most - 1) : breaksOf(sorted, most);
  return classesFrom(sorted, breaks, numbers);
}

/** Where classes of numbers above the least begin: the first of them at the next number. */
function breaksAbove(least: number, others: readonly number[], most: number): number[] {
  const [next] = others;
  if (next === undefined) return [];
  const start = [1, 2]
    .map((digits) => Number(next.toPrecision(digits)))
    .find((one) => one > least && one <= next);
  return [start ?? next, ...breaksOf(others, most)];
}

/** Numbers that reach from one to this many times it are told apart by powers of ten alone. */
const FAR_APART = 1000;

/**
 * Makes classes that begin at ten times the one before, if numbers are that far apart; else as
 * `classesOf`. The last class has the greatest number.
 */
export function classesOfCells(values: readonly number[], numbers: NumberWords): Classes {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted.find((value) => value > 0), sorted.at(-1)];
  if ((sorted[0] ?? 0) < 0 || least === 0 || most < FAR_APART * least) {
    return classesOf(values, numbers);
  }
  const last = Math.floor(Math.log10(most));
  const tens = [3, 2, 1, 0].map((before) => Number(`1e${last - before}`));
  const breaks = withRows(
    tens.filter((start) => start > (sorted[0] ?? 0)),
    sorted,
  );
  return { ...classesFrom(sorted, breaks, numbers), areByTen: true };
}

/** Where classes of counts begin whose squares are as large as they are, as parts of the greatest. */
const PARTS_OF_GREATEST = [1 / 8, 1 / 4, 1 / 2, 3 / 4];

/**
 * Makes classes of counts that grow with the squares that show them: few are the darkest. If most
 * counts would be in the first class, the classes are as of other numbers, or grow by times.
 */
export function classesOfCounts(values: readonly number[], numbers: NumberWords): Classes {
  const sorted = values.toSorted((a, b) => a - b);
  const [min = 0, max = 0, median = 0] = [sorted[0], sorted.at(-1), sorted[sorted.length >> 1]];
  const breaks = PARTS_OF_GREATEST.map((part) => Number((part * max).toPrecision(1)));
  const inside = [...new Set(breaks.map(Math.round))].filter((start) => start > min);
  if (median >= (breaks[0] as number)) {
    return classesFrom(sorted, withRows(inside, sorted), numbers);
  }
  // Where half of the squares have one row, there are few quantiles: each class is as many times
  // the one before.
  const times = [1, 2, 3, 4].map((i) => Math.round(max ** (i / MOST_CLASSES)));
  const round = [...new Set(times.map((start) => Number(start.toPrecision(1))))];
  const growing = withRows(
    round.filter((start) => start > min),
    sorted,
  );
  return growing.length > breaksOf(sorted, MOST_CLASSES).length
    ? classesFrom(sorted, growing, numbers)
    : classesOf(values, numbers);
}

function classesFrom(
  sorted: readonly number[],
  breaks: readonly number[],
  numbers: NumberWords,
): Classes {
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)];
  const starts = [min, ...breaks];
  const indexOf = (value: number) =>
    Math.max(
      0,
      starts.findLastIndex((start) => value >= start),
    );
  // Fewer classes take the ends of the shades, which differ most.
  const step = starts.length === 1 ? 0 : (MOST_CLASSES - 1) / (starts.length - 1);
  const lookAt = (i: number) => `s${starts.length === 1 ? 3 : 1 + Math.round(i * step)}`;
  const texts = textsOf(starts, max, sorted.every(Number.isInteger), numbers);
  return {
    starts,
    lookOf: (value) => lookAt(indexOf(value)),
    key: texts.map((text, i) => ({ look: lookAt(i), text })),
  };
}

/** Where classes after the first one begin: at quantiles, with as few digits as tell them apart. */
function breaksOf(sorted: readonly number[], most: number): number[] {
  const [min = 0, max = 0] = [sorted[0], sorted.at(-1)];
  const exact = Array.from({ length: most - 1 }, (_, i) => {
    return sorted[Math.floor(((i + 1) * sorted.length) / most)] as number;
  }).filter((value) => value > min);
  const distinct = new Set(exact).size;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const near = [...new Set(exact.map((value) => Number(value.toPrecision(digits))))];
    const inside = near.filter((value) => value > min && value <= max).sort((a, b) => a - b);
    if (inside.length === distinct) return withRows(inside, sorted);
  }
  return [...new Set(exact)];
}

/** The most significant digits that a number needs (IEEE 754, binary64). */
const MOST_DIGITS = 17;

/** Leaves out the beginnings of classes that would have no number. */
function withRows(breaks: readonly number[], sorted: readonly number[]): number[] {
  return breaks.filter((start, i) => {
    const end = breaks[i + 1] ?? Number.POSITIVE_INFINITY;
    return sorted.some((value) => value >= start && value < end);
  });
}

/** From here on, the last whole number of a class is told by where the next one begins. */
const LEAST_ROUGH = 10_000;

function textsOf(
  starts: readonly number[],
  max: number,
  areWhole: boolean,
  numbers: NumberWords,
): string[] {
  const { short, whole, language } = numbers;
  const { say } = language;
  const [first = 0] = starts;
  if (starts.length === 1)
    return [
      first === max ? short(first) : say('{from} to {to}', { from: short(first), to: short(max) }),
    ];
  if (areWhole && Math.abs(first) < LEAST_ROUGH && Math.abs(max) < LEAST_ROUGH) {
    const range = (from: number, to: number) =>
      from === to ? whole(from) : say('{from} to {to}', { from: whole(from), to: whole(to) });
    return starts.map((start, i) => range(start, (starts[i + 1] ?? max + 1) - 1));
  }
  const written = inDecimals(starts.slice(1), numbers);
  return starts.map((_, i) => {
    const [from = '', to] = [written[i - 1], written[i]];
    if (to === undefined) return say('{from} and over', { from });
    return i === 0 ? say('under {to}', { to }) : say('{from} to {to}', { from, to });
  });
}

/** Numbers below ten with as many decimals as any of them needs: `0.10` after `0.09`. */
function inDecimals(values: readonly number[], { short, language }: NumberWords): string[] {
  const texts = values.map(short);
  const decimals = texts.map((text) => text.split(language.decimal)[1]?.length ?? 0);
  const most = Math.max(0, ...decimals);
  return texts.map((text, i) => {
    const value = values[i] as number;
    const isPlain = value !== 0 && Math.abs(value) < 10 && /\d$/.test(text);
    return isPlain ? language.number(value, most).replace('-', '−') : text;
  });
}
