import type { Dimension, Measure } from '../block/grouping.ts';
import { MEASURES } from '../measures/measures.ts';
import { listInWords } from '../text/wording.ts';
import { countText, extremesOf, type NumberWords, signed } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  hasSeveralDates,
  measuresTogether,
  type Question,
  rowsIn,
} from './question.ts';

/** A sentence whose numbers and names stand out. */
export type Words = readonly (string | { readonly bold: string })[];

/** Joins pieces of a sentence; a text in a list of its own stands out. */
export function words(...pieces: readonly (string | readonly [string])[]): Words {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : { bold: piece[0] }));
}

export function plainText(sentence: Words): string {
  return sentence.map((piece) => (typeof piece === 'string' ? piece : piece.bold)).join('');
}

/** Joins sentences with a space. */
export function joined(sentences: readonly Words[]): Words {
  return sentences.flatMap((sentence, i) => (i === 0 ? sentence : [' ', ...sentence]));
}

/** `sightings` becomes `Sightings`. A title is left as its publisher wrote it. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Of one row, these are its value. */
const OF_ONE_ITSELF: readonly string[] = ['avg', 'sum', 'min', 'max', 'median'];

/** What a figure is of: `Sightings`, `Average of Subway riders`. */
export function measureTitle({ of, field }: Measure, { known, answer }: Question): string {
  if (of === 'count') return sentenceCase(known.noun);
  const isOfOne = answer !== undefined && answer.total === answer.matching;
  if (field !== undefined && isOfOne && OF_ONE_ITSELF.includes(of)) return field.title;
  if (field === undefined) return `${MEASURES[of].title.replace(/ rows$/, '')} ${known.noun}`;
  return `${MEASURES[of].title} ${field.title}`;
}

/** By what: `month`, `month of Opened`, `Category`. */
export function dimensionTitle(
  { field, partName, cells, column }: Dimension,
  question: Question,
): string {
  if (cells !== undefined) return column.title;
  if (partName !== undefined) {
    const part = partName.replaceAll('_', ' ');
    return hasSeveralDates(question) ? `${part} of ${field.title}` : part;
  }
  return field.title;
}

/** Of several fields, the first are named: `Average of Subways, Buses and 5 more`. */
function measuresTitle(measure: Measure, question: GroupsQuestion): string {
  const { dimensions } = question.answer.grouping;
  const together = dimensions.length === 1 ? measuresTogether(question).slice(1) : [];
  const named = together.slice(0, MOST_NAMED).flatMap(({ field }) => field?.title ?? []);
  const more = together.length - named.length;
  const others = [...named, ...(more > 0 ? [`${countText(more)} more`] : [])];
  return listInWords([measureTitle(measure, question), ...others], 'and');
}

/** Fields that a title names beside the first. */
const MOST_NAMED = 2;

/** The title of a figure of groups: `Average of Subway riders, by month and weekday`. */
export function titleOf(measure: Measure, question: GroupsQuestion): string {
  const { dimensions } = question.answer.grouping;
  const by = listInWords(
    dimensions.map((one) => dimensionTitle(one, question)),
    'and',
  );
  const what = measuresTitle(measure, question);
  return dimensions.length === 0 ? what : `${what}, by ${by}`;
}

/** The unit that stands on the top line of an axis. */
export function unitText({ of, column }: Measure, { known }: Question): string | undefined {
  return of === 'count' ? known.noun : column.unit;
}

/** `1 row`, of which the noun is a plural: `1 of the sightings`. */
export function rowsText(rows: number, { known }: Question): string {
  return rows === 1 ? `1 of the ${known.noun}` : `${countText(rows)} ${known.noun}`;
}

/** Rows without a value, in a sentence. Nothing if there are none. */
export function blanksSentence(
  rows: number | undefined,
  what: string,
  question: Question,
): Words[] {
  if (rows === undefined || rows === 0) return [];
  const have = rows === 1 ? 'has' : 'have';
  return [words(`${sentenceCase(rowsText(rows, question))} ${have} no ${what}.`)];
}

/** A point of a line in words. */
export type Told = { readonly value: number; readonly name: string; readonly when: string };

/**
 * What is said of one line: its first and its last value, the highest and the lowest, and the
 * greatest change between two that follow each other. All are numbers that are drawn.
 */
export function sentencesOfLine(
  points: readonly Told[],
  changes: readonly { readonly from: Told; readonly to: Told }[],
  numbers: NumberWords,
  noun: string,
): Words[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const say = ({ value }: Told): [string] => [numbers.spoken(value)];
  if (points.length === 1) return [words('There is one value: ', say(first), ` ${first.when}.`)];
  const highest = points.reduce((a, b) => (b.value >= a.value ? b : a));
  const lowest = points.reduce((a, b) => (b.value <= a.value ? b : a));
  if (highest.value === lowest.value) {
    return [words(`All ${countText(points.length)} values are `, say(first), '.')];
  }
  const rank =
    last === highest ? ', the highest of' : last === lowest ? ', the lowest of' : undefined;
  const ranked = rank === undefined ? '' : `${rank} ${countText(points.length)} ${noun}`;
  const extremes = [
    ...(last === highest || first === highest ? [] : [{ word: 'Highest', point: highest }]),
    ...(last === lowest || first === lowest ? [] : [{ word: 'Lowest', point: lowest }]),
  ];
  const isFirst = first === highest ? ', the highest,' : first === lowest ? ', the lowest,' : '';
  const change = greatestChange(changes);
  return [
    words(
      'From ',
      say(first),
      ` ${first.when}${isFirst} to `,
      say(last),
      ` ${last.when}${ranked}.`,
    ),
    ...extremes.map(({ word, point }) => words(`${word} `, say(point), `, ${point.when}.`)),
    ...(change === undefined || points.length < LEAST_FOR_CHANGE
      ? []
      : [
          words(
            'The greatest change is ',
            [signed(change.to.value - change.from.value, numbers)],
            `, from ${change.from.name} to ${change.to.name}.`,
          ),
        ]),
  ];
}

/** With fewer points, the greatest change is what the first and the last value say. */
const LEAST_FOR_CHANGE = 4;

function greatestChange<T extends { readonly from: Told; readonly to: Told }>(
  changes: readonly T[],
): T | undefined {
  const size = ({ from, to }: T) => Math.abs(to.value - from.value);
  return changes.reduce<T | undefined>(
    (best, one) => (best === undefined || size(one) > size(best) ? one : best),
    undefined,
  );
}

/** What is said if there is nothing to draw. */
export function noValues(question: GroupsQuestion): Words {
  const { answer, known } = question;
  if (answer.matching === 0) return words(`No ${known.noun} match.`);
  const measure = drawnMeasure(question) as Measure;
  const { length } = answer.groups;
  const all = length === 1 ? 'its only value is' : `all ${countText(length)} values are`;
  return words(`${sentenceCase(measureTitle(measure, question))}: ${all} blank.`);
}

/** An average carries its count. */
export function countsSentence(measure: Measure, question: GroupsQuestion): Words[] {
  if (measure.of !== 'avg') return [];
  const counts = extremesOf(question.answer.groups.flatMap((group) => rowsIn(group) ?? []));
  if (counts === undefined) return [];
  const [least, most] = counts;
  // The average of one row is its value.
  if (most <= 1) return [];
  const range = least === most ? '' : `${countText(least)} to `;
  return [words(`Each is the average of ${range}${rowsText(most, question)}.`)];
}
