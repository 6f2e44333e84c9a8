import type { Measure } from '../block/grouping.ts';
import { countIn, fewerPoints, linesOf, measuresOf } from './arranged-lines.ts';
import { areEndsOfRange } from './bounds.ts';
import { drawLines } from './line.ts';
import { pictureOfLines } from './line-picture.ts';
import { sentencesOfPanel, sentencesUnder } from './line-words.ts';
import type { MarkKind } from './mark.ts';
import { type GroupsQuestion, numberIn } from './question.ts';
import { isTold, type Lines, measuresInPanels, type Series, timeOf, writingOf } from './series.ts';
import { sentence, type Words } from './words.ts';

/** What is between two numbers over time, of which one is never above the other; others are lines. */
export const band: MarkKind = {
  title: 'band',
  of: 'time',
  fits: (question) => {
    if (countIn(question) === undefined) return false;
    const asked = question as GroupsQuestion;
    if (timeOf(asked)?.other !== undefined) return false;
    return measuresInPanels(asked).some((measures) => areBand(asked, measures));
  },
  measures: (question) => measuresOf(question as GroupsQuestion),
  fewer: fewerPoints,
  draw: (question) =>
    drawLines(question as GroupsQuestion, {
      arranged: (question, counted) => {
        const { panels, earlier } = linesOf(question, counted);
        const measures = measuresInPanels(question);
        const drawn = panels.map((lines, i) =>
          areBand(question, measures[i] ?? []) ? asBand(lines) : lines,
        );
        return { panels: drawn, earlier };
      },
      said: (panels) => [
        ...panels.flatMap((lines) =>
          // Beside other plots, what is said names its lines.
          lines.band === undefined || panels.length > 1
            ? sentencesOfPanel(lines, panels.length)
            : sentencesOf(lines, lines.band),
        ),
        ...sentencesUnder(panels),
      ],
      picture: pictureOfLines,
    }),
};

/** Whether measures are the two ends of a range, and their lines never cross. */
function areBand({ answer }: GroupsQuestion, [one, two, more]: readonly Measure[]): boolean {
  if (one === undefined || two === undefined || more !== undefined) return false;
  const apart = answer.groups.flatMap((group) => {
    const [from, to] = [numberIn(group, one), numberIn(group, two)];
    return from === null || to === null ? [] : [to - from];
  });
  const isOrdered = apart.every((by) => by >= 0) || apart.every((by) => by <= 0);
  return isOrdered && areEndsOfRange([one, two]);
}

/** Two lines as a band, the lower first; others as they are. */
function asBand(lines: Lines): Lines {
  const [one, two, more] = lines.series;
  if (one === undefined || two === undefined || more !== undefined) return lines;
  const above = new Map(two.points.map(({ key, value }) => [key, value]));
  const isBelow = one.points.every(({ key, value }) => {
    return value === null || (above.get(key) ?? value) >= value;
  });
  return { ...lines, band: isBelow ? [one, two] : [two, one] };
}

function sentencesOf(lines: Lines, [low, high]: readonly [Series, Series]): Words[] {
  const numbers = writingOf(lines);
  const { language } = numbers;
  const { when } = lines.time.periods;
  const lows = new Map(low.points.filter(isTold).map(({ key, value }) => [key, value]));
  const tops = high.points.filter(isTold);
  const feet = low.points.filter(isTold);
  if (tops.length === 0 || feet.length === 0) return [];
  const most = tops.reduce((a, b) => (b.value > a.value ? b : a));
  const least = feet.reduce((a, b) => (b.value < a.value ? b : a));
  const wide = tops.flatMap(({ key, value }) => {
    const foot = lows.get(key);
    return foot === undefined ? [] : [{ key, value: value - foot }];
  });
  const widest = wide.reduce<(typeof wide)[number] | undefined>(
    (a, b) => (a === undefined || b.value > a.value ? b : a),
    undefined,
  );
  const said = (point: { readonly key: number; readonly value: number }) => ({
    value: [numbers.spoken(point.value)] as [string],
    when: when(point.key),
  });
  return [
    sentence(language, 'Highest {value}, {when}.', said(most)),
    sentence(language, 'Lowest {value}, {when}.', said(least)),
    ...(widest === undefined
      ? []
      : [sentence(language, 'The band is widest {when}: {value}.', said(widest))]),
  ];
}
