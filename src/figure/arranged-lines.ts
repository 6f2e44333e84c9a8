import { type Dimension, type Measure, MOST_GROUPS } from '../block/grouping.ts';
import { type Fewer, MOST_LINES, MOST_MARKS, MOST_QUIET_POINTS } from './mark.ts';
import { coarserThan, extentOf } from './periods.ts';
import { drawnMeasure, type GroupsQuestion, type Question, valueIn } from './question.ts';
import {
  isTold,
  keysIn,
  type Lines,
  measuresInPanels,
  type Panel,
  panelsOf,
  type Series,
  seriesNames,
  type Time,
  timeOf,
} from './series.ts';

/** Which lines a question has: how many, in which plots, and which of them are named. */

/**
 * How many lines a question has. Undefined if it has none: it is not of time, or some of its groups
 * are not there, so that their number is not known, and its periods cannot be longer.
 */
export function countIn(question: Question): number | undefined {
  const { answer } = question;
  if (answer === undefined) return undefined;
  const asked = { ...question, answer, places: undefined };
  const time = timeOf(asked);
  if (time === undefined) return undefined;
  const { length } = seriesNames(asked);
  const most = length > MOST_LINES ? MOST_QUIET_POINTS : MOST_GROUPS;
  const isWhole = answer.total <= Math.min(answer.groups.length, most);
  const mayBeLonger =
    coarserThan(time.periods.part) !== undefined && time.dimension.field.type !== 'integer';
  return isWhole || mayBeLonger || time.other === undefined ? length : undefined;
}

/** Longer periods, if a question has too many points. */
export function fewerPoints(question: Question): Fewer | undefined {
  return longerPeriods(countedLines(question as GroupsQuestion));
}

/** Whether a dimension is of the values of a field, which can be picked. */
export function isOfValues(dimension: Dimension | undefined): dimension is Dimension {
  const { part, width, cells } = dimension ?? {};
  return dimension !== undefined && (part ?? width ?? cells) === undefined;
}

/** Whether a filter names the values of the field that is not time. */
export function isPicked(question: GroupsQuestion): boolean {
  return question.picks?.field.name === timeOf(question)?.other?.field.name;
}

/** The measures of a line: of one dimension several, in a plot for each unit. */
export function measuresOf(question: GroupsQuestion): readonly Measure[] {
  const isOfOne = question.answer.grouping.dimensions.length === 1;
  return isOfOne ? measuresInPanels(question).flat() : [drawnMeasure(question) as Measure];
}

/** The lines of a question, and how many points they have. */
export function countedLines(question: GroupsQuestion) {
  const { answer, known, cuts = {} } = question;
  const time = timeOf(question) as Time;
  const { dimension, periods } = time;
  const { name } = dimension.field;
  const statistics = known.statistics[name] ?? {};
  const extent = extentOf(dimension, periods, known.language, statistics, cuts[name]);
  const dated = answer.groups.filter((group) => valueIn(group, dimension) !== null);
  const panels = panelsOf(question, time, dated, extent);
  const all = panels.flatMap(({ series }) => series);
  const count = all.reduce((sum, { points }) => sum + points.filter(isTold).length, 0);
  const most = all.length > MOST_LINES ? MOST_QUIET_POINTS : MOST_MARKS;
  return { answer, time, extent, panels, count, most };
}

/** Longer periods, if there are too many points, and if there are longer ones. */
export function longerPeriods({ answer, time, count, most }: Counted) {
  const part = coarserThan(time.periods.part);
  const isTooMuch = count > most || answer.total > answer.groups.length;
  const hasLonger = part !== undefined && time.dimension.field.type !== 'integer';
  return isTooMuch && hasLonger ? { part } : undefined;
}

export type Counted = ReturnType<typeof countedLines>;

/** The plots of a question: which lines are named in each, and which are quiet. */
export function linesOf(question: GroupsQuestion, { panels, count, time, extent }: Counted) {
  const [first] = panels as [Panel];
  const common = { question, time, extent };
  if (first.series.length > MOST_LINES) {
    const { ends, others } = endsOf(first.series);
    const { measure } = first;
    const crowd: Lines = { ...common, measure, series: ends, quiet: others, areEnds: true };
    return { panels: [crowd], earlier: 0 };
  }
  const { series: cut, earlier } = lastOf(
    panels.flatMap(({ series }) => series),
    count,
  );
  let at = 0;
  const drawn = panels.map(({ measure, series }): Lines => {
    const own = cut.slice(at, at + series.length);
    at += series.length;
    return { ...common, measure, series: own, quiet: othersOf(question, common, own) };
  });
  return { panels: drawn, earlier };
}

/** Of many lines: those with the most and the least at the end, and the others. */
function endsOf(series: readonly Series[]) {
  const last = keysIn(series).at(-1);
  const atEnd = series.flatMap((one) => {
    const end = one.points.findLast(isTold);
    return end?.key === last && end !== undefined ? [{ one, value: end.value }] : [];
  });
  if (atEnd.length === 0) return { ends: [], others: series };
  const most = atEnd.reduce((a, b) => (b.value > a.value ? b : a)).one;
  const least = atEnd.reduce((a, b) => (b.value < a.value ? b : a)).one;
  const ends = [...new Set([most, least])];
  return { ends, others: series.filter((one) => !ends.includes(one)) };
}

/** What a filter leaves out of the field that is not time, in the periods that are drawn. */
export function othersOf(
  question: GroupsQuestion,
  { time, extent }: Pick<Lines, 'time' | 'extent'>,
  series: readonly Series[],
): readonly Series[] {
  const { others, answer } = question;
  if (others === undefined || !('groups' in others)) return [];
  const dated = others.groups.filter((group) => valueIn(group, time.dimension) !== null);
  const asked = { ...question, picks: undefined, answer: { ...answer, groups: others.groups } };
  const keys = keysIn(series);
  const [first = 0, last = 0] = [keys[0], keys.at(-1)];
  return panelsOf(asked, time, dated, extent).flatMap((panel) =>
    panel.series.map((one) => ({
      ...one,
      points: one.points.filter(({ key }) => key >= first && key <= last),
    })),
  );
}

/** The last periods of series that have too many points and no coarser part. */
function lastOf(series: readonly Series[], count: number) {
  if (count <= MOST_MARKS) return { series, earlier: 0 };
  const keys = keysIn(series);
  const kept = keys.slice(-Math.floor(MOST_MARKS / series.length));
  const [first = 0] = kept;
  const last = series.map((one) => ({
    ...one,
    points: one.points.filter(({ key }) => key >= first),
  }));
  return { series: last, earlier: keys.length - kept.length };
}
