import type { Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Value } from '../values/field-type.ts';
import {
  type Counted,
  countedLines,
  countIn,
  fewerPoints,
  isOfValues,
  isPicked,
  linesOf,
  longerPeriods,
  measuresOf,
} from './arranged-lines.ts';
import { axesOffered, type LineAxis, misfitOf, onAxis } from './axis-kinds.ts';
import { pictureOfLines } from './line-picture.ts';
import { tableOf, withDrawn } from './line-table.ts';
import { sentences } from './line-words.ts';
import {
  type AxisOffer,
  type Drawn,
  emptyFigure,
  type MarkKind,
  MOST_LINES,
  MOST_QUIET_LINES,
} from './mark.ts';
import { areColumns } from './panel-columns.ts';
import { periodNoun } from './periods.ts';
import { type GroupsQuestion, valueIn } from './question.ts';
import { isTold, keysIn, type Lines, sumOf, timeOf } from './series.ts';
import type { Picture } from './shape.ts';
import {
  blanksSentence,
  noValues,
  partWords,
  sentence,
  shortenedSentences,
  titleOf,
  type Words,
} from './words.ts';

const LINE_AXES = ['zero', 'near', 'log', 'index'] as const;

/** Lines over time: one series with its extremes, up to eight that are named, or quiet ones. */
export const line: MarkKind = {
  title: 'line',
  of: 'time',
  showsOthers: true,
  fits: (question) => {
    const count = countIn(question);
    if (count === undefined) return false;
    const asked = question as GroupsQuestion;
    return (
      count <= MOST_LINES ||
      (count <= MOST_QUIET_LINES && isOfValues(timeOf(asked)?.other) && !isPicked(asked))
    );
  },
  measures: (question) => measuresOf(question as GroupsQuestion),
  fewer: fewerPoints,
  draw: (question) => drawLines(question as GroupsQuestion, AS_LINES),
  axes: LINE_AXES,
  offers: (question) => {
    const asked = question as GroupsQuestion;
    return offersOf(linesOf(asked, countedLines(asked)).panels, LINE_AXES) ?? [];
  },
};

/** A way to draw series over time. */
export type Form = {
  /** What is in each plot, and how many earlier periods are not. */
  arranged(
    question: GroupsQuestion,
    counted: Counted,
  ): { readonly panels: readonly Lines[]; readonly earlier: number };
  said(panels: readonly Lines[]): readonly Words[];
  picture(panels: readonly Lines[]): Picture;
  /** The axes that its numbers can have; if absent, the usual one. */
  readonly axes?: readonly LineAxis[];
};

const AS_LINES: Form = {
  arranged: linesOf,
  said: sentences,
  picture: pictureOfLines,
  axes: LINE_AXES,
};

/** The axes that are offered: of one plot, as it was asked for and on the axis on which it is drawn. */
function offersOf(
  panels: readonly Lines[],
  names: readonly LineAxis[] = [],
  drawn?: LineAxis,
): AxisOffer[] | undefined {
  const [lines, more] = panels;
  if (lines === undefined || more !== undefined || names.length === 0) return undefined;
  return axesOffered(lines, names, drawn);
}

/** Why plots do not have the axis that was asked for. */
function misfitOfPanels(panels: readonly Lines[], { axes = [] }: Form): string | undefined {
  const [lines] = panels;
  if (lines === undefined) return undefined;
  const { axis, known } = lines.question;
  if (panels.length === 1) return misfitOf(lines, axes);
  return axes.some((name) => name === axis)
    ? known.language.say('Plots of several units have an axis each.')
    : undefined;
}

export function drawLines(question: GroupsQuestion, form: Form): Drawn {
  const { answer, known, instead } = question;
  const counted = countedLines(question);
  const { time, most } = counted;
  const { dimension, periods } = time;
  const { language } = known;
  const [measure, ...together] = measuresOf(question) as [Measure, ...Measure[]];
  const title = titleOf(measure, question, together);
  if (longerPeriods(counted) !== undefined) {
    const caption = sentence(
      language,
      'By {part} there are more than {count} points: too many for a figure.',
      { part: partWords(periods.part, language), count: most },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const { panels: asked, earlier } = form.arranged(question, counted);
  // Plots of several units have an axis each.
  const names = asked.length > 1 ? [] : (form.axes ?? []);
  const panels = asked.map((lines) => onAxis(lines, names));
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, dimension) === null));
  const isEmpty = panels.every(({ series }) => keysIn(series).length === 0);
  const caption = [
    ...shortenedSentences({ instead, earlier }, periods, language),
    ...(answer.total > answer.groups.length
      ? [
          sentence(language, '{count} groups are not in it.', {
            count: answer.total - answer.groups.length,
          }),
        ]
      : []),
    ...(isEmpty ? [noValues(question)] : form.said(panels)),
    ...blanksSentence(blanks, dimension.field.title, question),
  ];
  if (isEmpty) return { ...emptyFigure(language), title, caption };
  const all = panels.flatMap(({ series, quiet }) => [...series, ...quiet]);
  const keys = keysIn(all).length;
  const { axis, base } = panels[0] ?? {};
  // `Aug 2004 = 100` is not broken in two lines.
  const asIndex = (name: string, period: string) =>
    `${name}, ${language.say('{period} = 100', { period }).replaceAll(' ', '\u00a0')}`;
  return {
    caption,
    title: base === undefined ? title : asIndex(title, periods.short(base)),
    form: formOf(panels, language),
    extent: language.say('in {count} {periods}', {
      count: keys,
      periods: periodNoun(periods.part, keys, language),
    }),
    picture: form.picture(panels),
    toPick: panels[0]?.areEnds && valuesToPick(panels[0]),
    ...(base === undefined
      ? tableOf(panels)
      : withDrawn(tableOf(asked), tableOf(panels), (name) => asIndex(name, periods.short(base)))),
    axis,
    offers: offersOf(asked, form.axes, axis),
    misfit: misfitOfPanels(asked, form),
  };
}

/** What a figure is, in a few words: `2 lines`, `2 lines and columns`. */
function formOf(panels: readonly Lines[], { say }: Language): string {
  const drawn = panels.filter((lines) => !areColumns(lines, panels.length));
  const count = drawn.reduce((sum, { series, quiet }) => sum + series.length + quiet.length, 0);
  if (count === 0) return say('Columns #drawn');
  const lines = count === 1 ? say('Line') : say('{count} lines', { count });
  return drawn.length === panels.length ? lines : say('{lines} and columns', { lines });
}

/** Of many lines, those to begin with: the first, the quarters and the last, by their ends. */
function valuesToPick({ series, quiet }: Lines): Value[] {
  const ends = [...series, ...quiet].flatMap(({ value = null, points }) => {
    const end = points.findLast(isTold)?.value;
    return end === undefined || value === null ? [] : [{ value, end }];
  });
  const sorted = ends.sort((a, b) => b.end - a.end);
  const places = [0, 1, 2, 3, 4].map((i) => Math.round((i * (sorted.length - 1)) / 4));
  return [...new Set(places.flatMap((at) => sorted[at]?.value ?? []))];
}
