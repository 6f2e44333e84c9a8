import { axisOf, axisSentences } from './axis-kinds.ts';
import { lowestPoint } from './lowest-point.ts';
import { MOST_LINES } from './mark.ts';
import { type NumberWords, percent } from './numbers.ts';
import { isUnfilled, periodNoun } from './periods.ts';
import { isAmount } from './question.ts';
import { isTold, keysIn, type Lines, type Series, valuesIn, writingOf } from './series.ts';
import {
  countsSentence,
  saidName,
  sentence,
  sentenceCase,
  sentencesOfLine,
  unfilledSentences,
  unitText,
  type Words,
} from './words.ts';

/** What is said under lines over time. */

export function sentences(panels: readonly Lines[]): Words[] {
  return [
    ...panels.flatMap((panel) => sentencesOfPanel(panel, panels.length)),
    ...sentencesUnder(panels),
  ];
}

/** What is said of all plots: of their periods, their axis, and the rows of their averages. */
export function sentencesUnder(panels: readonly Lines[]): Words[] {
  const [lines] = panels as [Lines];
  const { question, time, extent, measure } = lines;
  const { periods } = time;
  const { language } = question.known;
  const all = panels.flatMap(({ series, quiet }) => [...series, ...quiet]);
  const keys = new Set(keysIn(all));
  const isDrawn = (key: number) => keys.has(key);
  return [
    ...unfilledSentences({ extent, isDrawn, long: periods.long }, language),
    ...(panels.length > 1 ? panels.flatMap(axisOfPanel) : axisSentences(lines)),
    ...countsSentence(measure, question),
    ...quietSentences(lines),
  ];
}

/** Where the axis of one of several plots begins, if that is not 0. */
function axisOfPanel(lines: Lines): Words[] {
  const numbers = writingOf(lines);
  const [from] = axisOf(lines).domain;
  const [first] = lines.series;
  if (from <= 0 || first === undefined) return [];
  const name = saidName(first.title ?? first.name);
  const said = { name, value: numbers.short(from) };
  return [sentence(numbers.language, 'The axis of {name} starts at {value}, not at 0.', said)];
}

/** What is said of a plot: of one line more than of several, unless other plots have their own. */
export function sentencesOfPanel(lines: Lines, panels: number): Words[] {
  const { series, areEnds } = lines;
  const numbers = writingOf(lines);
  const [line] = series;
  if (line === undefined || keysIn(series).length === 0) return [];
  if (series.length > 1 || areEnds) return ofMany(lines, numbers);
  return panels > 1 ? extremesInShort(lines, line, numbers) : ofOne(lines, line, numbers);
}

/** `Rain: highest 285 mm, in December 2015, lowest 0 mm, in August 2012.` */
function extremesInShort(lines: Lines, line: Series, numbers: NumberWords): Words[] {
  const { time, measure, question } = lines;
  const { when } = time.periods;
  const unit = unitText(measure, question);
  // Plots of several units are told apart by them.
  const said = (value: number) =>
    unit === undefined ? numbers.spoken(value) : `${numbers.spoken(value)} ${unit}`;
  const told = line.points.filter(isTold);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const least = told.reduce((a, b) => (b.value < a.value ? b : a));
  return [
    sentence(numbers.language, '{name}: highest {most}, {whenMost}, lowest {least}, {whenLeast}.', {
      name: saidName(line.title ?? line.name),
      most: [said(most.value)],
      whenMost: when(most.key),
      least: [said(least.value)],
      whenLeast: when(least.key),
    }),
  ];
}

/** What is said of lines without names, and of those that are not drawn. */
export function quietSentences(lines: Lines): Words[] {
  const { question, time, quiet } = lines;
  const { language } = question.known;
  const { others } = question;
  const field = time.other?.field.title ?? '';
  if (others !== undefined && 'leftOut' in others) {
    const { leftOut } = others;
    // A pick that no row has is not drawn either.
    const arePicksDrawn = lines.series.length >= (question.picks?.values.length ?? 0);
    return leftOut === 'some' || !arePicksDrawn
      ? [sentence(language, 'Other values of {field} are not drawn.', { field })]
      : [
          leftOut === 1
            ? sentence(language, 'The other value of {field} is not drawn.', { field })
            : sentence(language, 'The other {count} values of {field} are not drawn.', {
                count: leftOut,
                field,
              }),
        ];
  }
  if (quiet.length === 0) return [];
  const [from, to] = axisOf(lines).domain;
  const areCut = valuesIn(quiet).some((value) => value < from || value > to);
  return [
    quiet.length === 1
      ? sentence(language, 'Grey: the other value of {field}.', { field })
      : sentence(language, 'Grey: the other {count} values of {field}.', {
          count: quiet.length,
          field,
        }),
    ...(areCut ? [sentence(language, 'Some of them go beyond the axis.')] : []),
  ];
}

function ofOne(lines: Lines, { points }: Series, numbers: NumberWords): Words[] {
  const { periods } = lines.time;
  const whole = points.filter(({ key }) => !isUnfilled(lines.extent, key));
  const named = (whole.some(isTold) ? whole : points).map((point) => {
    const { key } = point;
    return isTold(point)
      ? { key, value: point.value, name: periods.long(key), when: periods.when(key) }
      : undefined;
  });
  const told = named.filter((one) => one !== undefined);
  const changes = named.flatMap((to, i) => {
    const from = named[i - 1];
    return from && to ? [{ from, to }] : [];
  });
  const noun = periodNoun(periods.part, told.length, numbers.language);
  return sentencesOfLine(told, changes, numbers, noun);
}

/** Of many lines: which has the most and the least at the end, and which end early. */
export function ofMany(lines: Lines, numbers: NumberWords): Words[] {
  const { time, areEnds, base } = lines;
  // Those axes are about growth, and what is said of them tells who grew most.
  const isGrowth = base !== undefined || lines.axis === 'log';
  const { periods } = time;
  const { language } = numbers;
  const series = areEnds ? [...lines.series, ...lines.quiet] : lines.series;
  const last = keysIn(series).at(-1) as number;
  const when = sentenceCase(periods.when(last));
  const ends = series.flatMap(({ name, points }) => {
    const end = points.findLast(isTold);
    return end === undefined ? [] : [{ name: saidName(name), key: end.key, value: end.value }];
  });
  const atEnd = ends.filter(({ key }) => key === last);
  const most = atEnd.reduce((a, b) => (b.value > a.value ? b : a));
  const least = atEnd.reduce((a, b) => (b.value < a.value ? b : a));
  const say = ({ value }: { readonly value: number }): [string] => [numbers.aligned(value)];
  const early = ends.filter(({ key }) => key !== last);
  const empty = series.length - ends.length;
  return [
    base !== undefined && most.value !== least.value
      ? sentence(language, '{when} {name} is at {most}, {other} at {least}.', {
          when,
          name: most.name,
          most: say(most),
          other: least.name,
          least: say(least),
        })
      : most.value !== least.value
        ? sentence(language, '{when} {name} has the most, {most}, {other} the least, {least}.', {
            when,
            name: most.name,
            most: say(most),
            other: least.name,
            least: say(least),
          })
        : atEnd.length === 1
          ? sentence(language, '{when} {name} had {value}.', {
              when,
              name: most.name,
              value: say(most),
            })
          : sentence(language, '{when} all {count} had {value}.', {
              when,
              count: atEnd.length,
              value: say(most),
            }),
    ...weekendSaid(lines),
    ...lowestSaid(lines, numbers),
    ...(areEnds ? middleOf(atEnd, numbers) : isGrowth ? [] : riseOf(lines, numbers)),
    ...(early.length === 0
      ? []
      : early.length > MOST_LINES
        ? [sentence(language, '{count} end earlier.', { count: early.length })]
        : [
            [
              `${early
                .map(({ name, key }) =>
                  language.say('{name} ends {when}', { name, when: periods.when(key) }),
                )
                .join(', ')}.`,
            ],
          ]),
    ...(empty === 0
      ? []
      : [
          sentence(language, '{count} of the {all} have no values.', {
            count: empty,
            all: series.length,
          }),
        ]),
  ];
}

function lowestSaid(lines: Lines, { aligned, language }: NumberWords): Words[] {
  const lowest = lowestPoint(lines);
  if (lowest === undefined) return [];
  const { name, key, value } = lowest;
  return [
    sentence(language, 'Lowest of all: {value}, {name} {when}.', {
      value: [aligned(value)],
      name: saidName(name),
      when: lines.time.periods.when(key),
    }),
  ];
}

/** Of weekdays and weekends: what part of the greater number the other one is, and was at first. */
function weekendSaid({ question, measure, time, series, extent, base }: Lines): Words[] {
  if (time.other?.partName !== 'weekend' || series.length !== 2 || base !== undefined) return [];
  // Half of a temperature says nothing.
  if (!isAmount(measure) && measure.field?.type !== 'integer') return [];
  const keys = keysIn(series);
  const [first, last] = [keys.find((key) => !isUnfilled(extent, key)), keys.at(-1)];
  const valueAt = ({ points }: Series, at: number | undefined) =>
    points.find(({ key }) => key === at)?.value ?? 0;
  const [most, less] = series.toSorted((a, b) => valueAt(b, last) - valueAt(a, last));
  if (most === undefined || less === undefined || valueAt(less, last) <= 0) return [];
  const { language } = question.known;
  const partAt = (at: number | undefined): [string] => [
    percent(valueAt(less, at) / valueAt(most, at), language),
  ];
  const said = { other: less.name, name: most.name, share: partAt(last) };
  const isCompared = first !== undefined && first !== last;
  return isCompared && valueAt(less, first) > 0 && valueAt(most, first) > 0
    ? [
        sentence(language, '{other}: {share} of {name}; {when} {before}.', {
          ...said,
          when: time.periods.when(first),
          before: partAt(first),
        }),
      ]
    : [sentence(language, '{other}: {share} of {name}.', said)];
}

/** Which of several lines rose most up to the last period, if the data fill that. */
function riseOf({ time, series, extent }: Lines, numbers: NumberWords): Words[] {
  const keys = keysIn(series);
  const first = keys.find((key) => !isUnfilled(extent, key));
  const last = keys.at(-1) as number;
  if (first === undefined || first === last || isUnfilled(extent, last)) return [];
  const rises = series.flatMap(({ name, points }) => {
    const told = points.filter(isTold);
    const [begin, end] = [first, last].map((at) => told.find(({ key }) => key === at));
    return begin && end ? [{ name, by: end.value - begin.value }] : [];
  });
  const [most, next] = rises.sort((a, b) => b.by - a.by);
  if (most === undefined || next === undefined || most.by <= 0 || most.by === next.by) return [];
  return [
    sentence(numbers.language, '{name} rose most since {period}, by {change}.', {
      name: saidName(most.name),
      period: time.periods.long(first),
      change: [numbers.aligned(most.by)],
    }),
  ];
}

/** Of many lines, what half of them are above at the end. */
function middleOf(ends: readonly { readonly value: number }[], numbers: NumberWords): Words[] {
  const sorted = ends.map(({ value }) => value).sort((a, b) => b - a);
  const median = sorted[sorted.length >> 1];
  if (median === undefined || sorted.length < LEAST_FOR_MEDIAN) return [];
  const value: [string] = [numbers.spoken(median)];
  return [sentence(numbers.language, 'Half of them have more than {value}.', { value })];
}

/** Of fewer lines, a median says little. */
const LEAST_FOR_MEDIAN = 9;
