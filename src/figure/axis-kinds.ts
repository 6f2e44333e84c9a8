import type { Measure } from '../block/grouping.ts';
import type { AxisName } from '../block/views.ts';
import type { PlainMessage } from '../languages/german.ts';
import { beginOf, logAxis, type ValueAxis, valueAxis } from './axes.ts';
import type { AxisOffer } from './mark.ts';
import { extremesOf, numberWords } from './numbers.ts';
import { isUnfilled } from './periods.ts';
import { isAmount } from './question.ts';
import { keysIn, type Lines, type Series, valuesIn, writingOf } from './series.ts';
import type { Shape } from './shape.ts';
import { axisSentence, saidName, sentence, unitText, type Words } from './words.ts';

/** The lines of a figure, which need not be over time. */
export type Drawable = Pick<Lines, 'question' | 'measure' | 'series'> & Partial<Lines>;

/**
 * An axis of lines. To add one, write it here and name it in src/block/views.ts. Shares of all are
 * drawn as areas, which have them.
 */
type AxisKind = {
  /** What a link to it says: `from 0`. */
  title(lines: Drawable): string;
  /** Why these lines cannot have it. Undefined if they can. */
  misfit?(lines: Drawable): PlainMessage | undefined;
  /** Whether it says something of these numbers that others do not. */
  isTelling(lines: Drawable): boolean;
  /** The lines as they are on it, if their numbers become others. */
  made?(lines: Drawable): Pick<Lines, 'question' | 'series' | 'quiet' | 'base'>;
  /** Makes it, of lines as they are on it. */
  scale(lines: Drawable): ValueAxis;
  /** What the caption says of it. */
  caption(lines: Drawable): Words[];
};

/** How much longer quiet lines may make an axis from 0: beyond it, they are cut. */
const MOST_STRETCHED = 1.5;

/** The numbers that an axis has room for: of the named lines, and of quiet ones that are not far. */
function valuesOfAxis({ series, quiet = [], areEnds }: Drawable): number[] {
  const named = valuesIn(series);
  const all = [...named, ...valuesIn(quiet)];
  const spanOf = (values: readonly number[]) => {
    const [least, most] = extremesOf([0, ...values]) ?? [0, 0];
    return most - least;
  };
  return areEnds || spanOf(all) <= MOST_STRETCHED * spanOf(named) ? all : named;
}

const extremesIn = (lines: Drawable) => extremesOf(valuesOfAxis(lines)) ?? [0, 0];

/** How an axis of a line's numbers is written. */
function writtenAs(lines: Drawable) {
  const { measure, question, base, time } = lines;
  const numbers = writingOf(lines);
  if (base === undefined || time === undefined) {
    return { numbers, unit: unitText(measure, question) };
  }
  const period = time.periods.short(base);
  return { numbers, unit: numbers.language.say('100 = {period}', { period }), base: 100 };
}

/** Whether there is nothing between the whole numbers of lines. */
const isWhole = ({ base, measure: { of } }: Drawable) =>
  base === undefined && (of === 'count' || of === 'distinct');

function linearAxis(lines: Drawable, isFromZero: boolean): ValueAxis {
  const how = { ...writtenAs(lines), isFromZero, isWhole: isWhole(lines) };
  return valueAxis(valuesOfAxis(lines), how);
}

/** Where an axis near the numbers begins. */
const nearBegin = (lines: Drawable) => beginOf(valuesOfAxis(lines), isWhole(lines));

/** Numbers whose least is more than this part of their greatest are told apart without 0. */
const NEAR = 0.7;

/** If it is less than this part, an axis that begins near them is not offered. */
const LEAST_NEAR = 0.2;

/** If the greatest number is this many times the least, a logarithmic axis is offered. */
const FAR_APART = 20;

function isFarApart(lines: Drawable): boolean {
  const [least, most] = extremesIn(lines);
  return least > 0 && most >= FAR_APART * least;
}

function logCaption(lines: Drawable): Words[] {
  const { language, short } = writingOf(lines);
  const { times } = logAxis(valuesOfAxis(lines), writtenAs(lines));
  return times === undefined
    ? [
        sentence(
          language,
          'The axis is logarithmic, with lines as written: equal slopes are equal growth in per cent.',
        ),
      ]
    : [
        sentence(
          language,
          'The axis is logarithmic: each line is {times} times the one below, and equal slopes are equal growth in per cent.',
          { times: times === 10 ? language.say('ten') : short(times) },
        ),
      ];
}

/** Of several lines over all full periods, which became the most times what it was. */
function growthSaid({ series, time, question, extent, areEnds }: Drawable): Words[] {
  const keys = keysIn(series);
  const first = keys.find((key) => !isUnfilled(extent, key));
  const last = keys.at(-1);
  if (time === undefined || first === undefined || last === undefined) return [];
  // Of many lines two are named, and another may have grown more.
  if (areEnds || series.length < LEAST_COMPARED || isUnfilled(extent, last)) return [];
  const grown = series.flatMap(({ name, points }) => {
    const [from, to] = [first, last].map((at) => points.find(({ key }) => key === at)?.value);
    return from != null && to != null && to > from ? [{ name, times: to / from }] : [];
  });
  if (grown.length === 0) return [];
  const most = grown.reduce((a, b) => (b.times > a.times ? b : a));
  const { language } = question.known;
  const field = { name: 'times', type: 'number' } as const;
  const { short } = numberWords({ language, field, values: [most.times] });
  return [
    sentence(language, '{name} grew most, to {times} times what it was {when}.', {
      name: saidName(most.name),
      times: [short(most.times)],
      when: time.periods.when(first),
    }),
  ];
}

/** Lines that are compared by what they were in one period. */
const LEAST_COMPARED = 2;

/** The first full period in which each line has a number above 0. */
function basePeriod({ series, extent }: Pick<Drawable, 'series' | 'extent'>): number | undefined {
  const byKey = series.map(({ points }) => new Map(points.map(({ key, value }) => [key, value])));
  const isBase = (key: number) =>
    !isUnfilled(extent, key) && byKey.every((values) => (values.get(key) ?? 0) > 0);
  return keysIn(series).find(isBase);
}

function indexed(one: Series, base: number): Series {
  const { points } = one;
  const whole = points.find(({ key }) => key === base)?.value ?? 1;
  const part = (value: number | null) => (value === null ? null : (100 * value) / whole);
  return {
    ...one,
    points: points.map(({ key, value, group }) => ({ key, value: part(value), group })),
  };
}

/** The axes that lines can have. Areas have those of shares. */
export type LineAxis = Exclude<AxisName, 'share'>;

const AXIS_KINDS: Readonly<Record<LineAxis, AxisKind>> = {
  zero: {
    title: ({ question }) => question.known.language.say('from 0'),
    isTelling: () => true,
    scale: (lines) => linearAxis(lines, true),
    caption: () => [],
  },
  near: {
    title: (lines) => {
      const { language, short } = writingOf(lines);
      return language.say('from {value}', { value: short(nearBegin(lines)) });
    },
    misfit: (lines) =>
      nearBegin(lines) > 0 ? undefined : 'Near these numbers, an axis begins at 0 or below.',
    isTelling: (lines) => {
      const [least, most] = extremesIn(lines);
      return least < most && least >= LEAST_NEAR * most;
    },
    scale: (lines) => linearAxis(lines, false),
    caption: (lines) => axisSentence(nearBegin(lines), writingOf(lines)),
  },
  log: {
    title: ({ question }) => question.known.language.say('logarithmic'),
    misfit: ({ series, quiet = [] }) =>
      valuesIn([...series, ...quiet]).every((value) => value > 0)
        ? undefined
        : 'Some of these numbers are 0 or less, and those have no logarithm.',
    isTelling: isFarApart,
    scale: (lines) => logAxis(valuesOfAxis(lines), writtenAs(lines)),
    caption: (lines) => [...growthSaid(lines), ...logCaption(lines)],
  },
  index: {
    title: (lines) => {
      const period = lines.time?.periods.short(basePeriod(lines) ?? 0) ?? '';
      return lines.question.known.language.say('{period} = 100', { period });
    },
    misfit: ({ series, extent, areEnds }) => {
      if (areEnds)
        return 'There are too many lines to compare them by one period. Pick some of them.';
      if (series.length < LEAST_COMPARED) {
        return 'There is one line, and what is 100 in one period compares several.';
      }
      return basePeriod({ series, extent }) === undefined
        ? 'There is no full period in which each line has a number above 0, which would be 100.'
        : undefined;
    },
    isTelling: () => true,
    made: (lines) => {
      const base = basePeriod(lines) as number;
      const { question, series, quiet = [] } = lines;
      const leftOut = quiet.length;
      return {
        series: series.map((one) => indexed(one, base)),
        base,
        quiet: [],
        // Not all of them have a number in that period.
        question: leftOut === 0 ? question : { ...question, others: { leftOut } },
      };
    },
    scale: (lines) =>
      isFarApart(lines) ? logAxis(valuesOfAxis(lines), writtenAs(lines)) : linearAxis(lines, false),
    caption: (lines) => {
      const { base, time } = lines;
      const numbers = writingOf(lines);
      const when = time?.periods.when(base ?? 0) ?? '';
      return [
        sentence(
          numbers.language,
          '100 is the value of each {when}, the first full one in which each has a value above 0.',
          { when },
        ),
        ...(isFarApart(lines) ? logCaption(lines) : axisSentence(nearBegin(lines), numbers)),
      ];
    },
  },
};

/** Which figures can have an axis: what is said where one of others is asked for. */
export const ONLY_OF: Readonly<Record<AxisName, PlainMessage>> = {
  zero: 'Only lines, areas, bars and columns have an axis that begins at 0.',
  near: 'Only lines have an axis that begins near their numbers.',
  log: 'Only lines have a logarithmic axis.',
  index: 'Only lines over time are compared by what they were in one period.',
  share:
    'Only counts, and sums without negative numbers, are shares of all: by time and one more field, without conditions on groups, as areas.',
};

/** The axis of lines that ask for none: amounts are as large as they are high, so it begins at 0. */
function usualAxis(lines: Drawable): LineAxis {
  return isFromZero(lines.measure, valuesOfAxis(lines)) ? 'zero' : 'near';
}

function isFromZero(measure: Measure, values: readonly number[]): boolean {
  const [least, most] = extremesOf(values) ?? [0, 0];
  return isAmount(measure) || least === most || least <= Math.max(0, NEAR * most);
}

/** The lines on the axis that is asked for, or else on their usual one. */
export function onAxis<L extends Drawable>(lines: L, names: readonly LineAxis[]): L {
  const { axis: asked } = lines.question;
  const axis =
    names.find((name) => name === asked && AXIS_KINDS[name].misfit?.(lines) === undefined) ??
    usualAxis(lines);
  return { ...lines, axis, ...AXIS_KINDS[axis].made?.(lines) };
}

/** What is offered of lines as they were asked for; `drawn` is the axis that they are drawn on. */
export function axesOffered(
  lines: Drawable,
  names: readonly LineAxis[],
  drawn = usualAxis(lines),
): AxisOffer[] {
  return names
    .filter((name) => {
      const { misfit, isTelling } = AXIS_KINDS[name];
      return name === drawn || (misfit?.(lines) === undefined && isTelling(lines));
    })
    .map((name) => ({ name, title: AXIS_KINDS[name].title(lines) }));
}

/** Why lines as they were asked for do not have the axis that was asked for. */
export function misfitOf(lines: Drawable, names: readonly LineAxis[]): string | undefined {
  const { axis, known } = lines.question;
  const name = names.find((one) => one === axis);
  const misfit = name && AXIS_KINDS[name].misfit?.(lines);
  return misfit && known.language.say(misfit);
}

/** The axis of lines as they are on it. */
export function axisOf(lines: Drawable): ValueAxis {
  return AXIS_KINDS[lines.axis ?? usualAxis(lines)].scale(lines);
}

/** What the caption says of the axis of lines as they are on it. */
export function axisSentences(lines: Drawable): Words[] {
  return AXIS_KINDS[lines.axis ?? usualAxis(lines)].caption(lines);
}

/** The name of a period in which all lines are 100 goes to the other side from here on, in shares. */
const TURNS_AT = 0.6;

/** The line of the period in which all lines are 100, and what it is. */
export function baseShapes(lines: Drawable, x: (key: number) => number): Shape[] {
  const { base, time, question } = lines;
  if (base === undefined || time === undefined) return [];
  const at = x(base);
  const { say } = question.known.language;
  const isLate = at > TURNS_AT;
  return [
    { shape: 'line', look: 'base', x: [at, at], y: [0, 1] },
    {
      shape: 'text',
      look: 'note wide',
      x: [at, isLate ? -8 : 8],
      y: [1, -12],
      anchor: isLate ? 'end' : 'start',
      runs: [{ text: say('{period}: all are 100', { period: time.periods.short(base) }) }],
    },
  ];
}
