import type { Dimension, Measure } from '../block/grouping.ts';
import type { Message } from '../languages/german.ts';
import { type Language, listed, type Slot } from '../languages/language.ts';
import { type MeasureName, measureOfField } from '../measures/measures.ts';
import { isNumeric } from '../values/field-types.ts';
import { TIME_PARTS, type TimePartName } from '../values/time-part.ts';
import { extremesOf, type NumberWords, signed } from './numbers.ts';
import { type Extent, type Part, type Periods, periodNoun } from './periods.ts';
import {
  drawnMeasure,
  type GroupsAnswer,
  type GroupsQuestion,
  hasSeveralDates,
  type Question,
  rowsIn,
} from './question.ts';
import { cutName } from './shape.ts';

/** A sentence whose numbers and names stand out. */
export type Words = readonly (string | { readonly bold: string })[];

/** What is put into a sentence; a text in a list of its own stands out. */
type Piece = string | number | readonly [string];

/** Says a message as a sentence. */
export function sentence<M extends Message>(
  language: Language,
  message: M,
  ...[values]: [Slot<M>] extends [never] ? [] : [Readonly<Record<Slot<M>, Piece>>]
): Words {
  const pieces = language.parts<M, Piece>(message, values ?? ({} as Record<Slot<M>, Piece>));
  const said: (string | { readonly bold: string })[] = [];
  for (const piece of pieces) {
    const last = said.at(-1);
    if (typeof piece === 'object') said.push({ bold: piece[0] });
    else {
      const text = typeof piece === 'number' ? language.number(piece) : piece;
      if (typeof last === 'string') said.splice(-1, 1, last + text);
      else said.push(text);
    }
  }
  return said;
}

/** A name in a sentence. */
export function saidName(name: string): string {
  return cutName(name, LONGEST_SAID);
}

/** Longer names are cut in a sentence; the table has them whole. */
const LONGEST_SAID = 100;

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
const OF_ONE_ITSELF: readonly MeasureName[] = ['avg', 'sum', 'min', 'max', 'median'];

/** What a figure is of: `Sightings`, `Average of Subway riders`. */
export function measureTitle({ of, field }: Measure, { known, answer }: Question): string {
  const { language, noun } = known;
  if (of === 'count') return sentenceCase(noun);
  if (field !== undefined && answer !== undefined && isItself(of, answer)) return field.title;
  if (field === undefined) return language.say('Share of {noun}', { noun });
  return measureOfField(of, field.title, language);
}

/** Whether a number is a row's own: each group has one row. */
function isItself(of: MeasureName, { total, matching }: GroupsAnswer): boolean {
  return total === matching && OF_ONE_ITSELF.includes(of);
}

/** The measures that were asked for and have no place in this figure. */
export function undrawnSentence(
  { answer, ...question }: Question,
  measures?: readonly Measure[],
): Words[] {
  if (answer === undefined) return [];
  const asked = { ...question, answer, places: undefined, xy: undefined };
  const drawn = measures ?? [drawnMeasure(asked)];
  const others = answer.grouping.measures.filter(
    (one) => one.of !== 'count' && isNumeric(one.column) && !drawn.includes(one),
  );
  if (others.length === 0) return [];
  const { language } = question.known;
  const titles = listed(
    others.map((one) => measureTitle(one, asked)),
    language,
  );
  return [sentence(language, 'Not drawn, but in the table: {measures}.', { measures: titles })];
}

/** What a part of time is called: `month of year`. */
export function partWords(part: TimePartName, { say }: Language): string {
  return say(TIME_PARTS[part].words);
}

/** By what: `month`, `month of Opened`, `Category`. */
export function dimensionTitle(
  { field, partName, cells, column }: Dimension,
  question: Question,
): string {
  if (cells !== undefined) return column.title;
  if (partName === undefined) return field.title;
  const { language } = question.known;
  const part = partWords(partName, language);
  return hasSeveralDates(question)
    ? language.say('{part} of {field}', { part, field: field.title })
    : part;
}

/** Of several measures, the first are named: `Average of Subways, Buses and 5 more`. */
function measuresTitle(
  measure: Measure,
  question: GroupsQuestion,
  others: readonly Measure[],
): string {
  const { language } = question.known;
  const shown = others.slice(0, MOST_NAMED);
  const named = shown.map((one) => {
    const { of, field } = one;
    const title = measureTitle(one, question);
    const isOfPublisher = field !== undefined && (of === measure.of || title === field.title);
    return isOfPublisher ? field.title : withinTitle(title, language);
  });
  const count = others.length - named.length;
  const more = count > 0 ? [language.say('{count} more', { count })] : [];
  return listed([measureTitle(measure, question), ...named, ...more], language);
}

/** A title of our own words in the middle of another. German nouns keep their capital. */
function withinTitle(title: string, { name }: Language): string {
  return name === 'de' ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Fields that a title names beside the first. */
const MOST_NAMED = 2;

/**
 * The title of a figure of groups: `Average of Subway riders, by month and weekday`. `others` are the
 * measures that it draws beside the first.
 */
export function titleOf(
  measure: Measure,
  question: GroupsQuestion,
  others: readonly Measure[] = [],
): string {
  const { language } = question.known;
  const { dimensions } = question.answer.grouping;
  const by = listed(
    dimensions.map((one) => dimensionTitle(one, question)),
    language,
  );
  const measured = measuresTitle(measure, question, others);
  return dimensions.length === 0 ? measured : language.say('{measured}, by {by}', { measured, by });
}

/** The unit that stands on the top line of an axis. */
export function unitText({ of, column }: Measure, { known }: Question): string | undefined {
  return of === 'count' ? known.noun : column.unit;
}

/** `1 row`, of which the noun is a plural: `1 of the sightings`. */
export function rowsText(rows: number, { known }: Question): string {
  const { language, noun } = known;
  return rows === 1
    ? language.say('1 of the {noun}', { noun })
    : language.say('{count} {noun}', { count: rows, noun });
}

/** Rows without a value, in a sentence. Nothing if there are none. */
export function blanksSentence(
  rows: number | undefined,
  field: string,
  question: Question,
): Words[] {
  if (rows === undefined || rows === 0) return [];
  const message = rows === 1 ? '{rows} has no “{field}”.' : '{rows} have no “{field}”.';
  const said = sentenceCase(rowsText(rows, question));
  return [sentence(question.known.language, message, { rows: said, field })];
}

/** A point of a line in words. */
export type Told = { readonly value: number; readonly name: string; readonly when: string };

/**
 * What is said of one line: its first and its last value, the highest and the lowest, and the
 * greatest change between two that follow each other. All are numbers that are drawn. `periods` is
 * what several of them are called.
 */
export function sentencesOfLine(
  points: readonly Told[],
  changes: readonly { readonly from: Told; readonly to: Told }[],
  numbers: NumberWords,
  periods: string,
): Words[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  const { language } = numbers;
  const say = ({ value }: Told): [string] => [numbers.spoken(value)];
  const count = points.length;
  if (count === 1) {
    const one = { value: say(first), when: first.when };
    return [sentence(language, 'There is one value: {value} {when}.', one)];
  }
  const highest = points.reduce((a, b) => (b.value >= a.value ? b : a));
  const lowest = points.reduce((a, b) => (b.value <= a.value ? b : a));
  if (highest.value === lowest.value) {
    return [sentence(language, 'All {count} values are {value}.', { count, value: say(first) })];
  }
  const rank =
    last === highest
      ? language.say(', the highest of {count} {periods}', { count, periods })
      : last === lowest
        ? language.say(', the lowest of {count} {periods}', { count, periods })
        : '';
  const rankOfFirst =
    first === highest
      ? language.say(', the highest,')
      : first === lowest
        ? language.say(', the lowest,')
        : '';
  const extreme = (message: 'Highest {value}, {when}.' | 'Lowest {value}, {when}.', point: Told) =>
    point === last || point === first
      ? []
      : [sentence(language, message, { value: say(point), when: point.when })];
  const change = greatestChange(changes);
  return [
    sentence(language, 'From {first} {whenFirst}{rankOfFirst} to {last} {whenLast}{rank}.', {
      ...{ first: say(first), whenFirst: first.when, rankOfFirst },
      ...{ last: say(last), whenLast: last.when, rank },
    }),
    ...extreme('Highest {value}, {when}.', highest),
    ...extreme('Lowest {value}, {when}.', lowest),
    ...(change === undefined || count < LEAST_FOR_CHANGE
      ? []
      : [
          sentence(language, 'The greatest change is {change}, from {from} to {to}.', {
            change: [signed(change.to.value - change.from.value, numbers)],
            ...{ from: change.from.name, to: change.to.name },
          }),
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

/** Where an axis begins, if that is not 0. */
export function axisSentence(from: number, numbers: NumberWords): Words[] {
  if (from <= 0) return [];
  const value = numbers.short(from);
  return [sentence(numbers.language, 'The axis starts at {value}, not at 0.', { value })];
}

type Unfilled = {
  readonly extent: Extent | undefined;
  isDrawn(key: number): boolean;
  /** What a period is called. */
  long(key: number): string;
};

/** What is said of a first and of a last period that are drawn, but that the data do not fill. */
export function unfilledSentences(
  { extent, isDrawn, long }: Unfilled,
  language: Language,
  [begins, ends]: readonly [
    '{period} has data from {day} on.' | 'The {period} have data from {day} on.',
    '{period} has data up to {day} only.' | 'The {period} have data up to {day} only.',
  ] = ['{period} has data from {day} on.', '{period} has data up to {day} only.'],
): Words[] {
  if (extent === undefined) return [];
  const { first, last, firstBegins, lastEnds } = extent;
  const say = (message: typeof begins | typeof ends, key: number, day: string | undefined) =>
    day === undefined || !isDrawn(key)
      ? []
      : [sentence(language, message, { period: sentenceCase(long(key)), day })];
  return [...say(begins, first, firstBegins), ...say(ends, last, lastEnds)];
}

/** Why periods are longer than was asked, and how many earlier ones have no room. */
export function shortenedSentences(
  { instead, earlier }: { readonly instead?: Part; readonly earlier: number },
  { part }: Pick<Periods, 'part'>,
  language: Language,
): Words[] {
  const said: Words[] = [];
  if (instead !== undefined) {
    const named = { part: partWords(instead, language), other: partWords(part, language) };
    said.push(
      sentence(language, 'By {part} there would be too many points, so it is by {other}.', named),
    );
  }
  if (earlier > 0) {
    const periods = periodNoun(part, earlier, language);
    said.push(
      sentence(language, '{count} earlier {periods} are not drawn.', { count: earlier, periods }),
    );
  }
  return said;
}

/** What is said if no row matches. */
export function noRows({ known }: Question): Words {
  return sentence(known.language, 'No {noun} match.', { noun: known.noun });
}

/** What is said if there is nothing to draw. */
export function noValues(question: GroupsQuestion): Words {
  const { answer, known } = question;
  if (answer.matching === 0) return noRows(question);
  const measure = drawnMeasure(question) as Measure;
  const measured = sentenceCase(measureTitle(measure, question));
  const { length: count } = answer.groups;
  return count === 1
    ? sentence(known.language, '{measured}: its only value is blank.', { measured })
    : sentence(known.language, '{measured}: all {count} values are blank.', { measured, count });
}

/** An average carries its count. */
export function countsSentence(measure: Measure, question: GroupsQuestion): Words[] {
  if (measure.of !== 'avg') return [];
  const counts = extremesOf(question.answer.groups.flatMap((group) => rowsIn(group) ?? []));
  if (counts === undefined) return [];
  const [least, most] = counts;
  // The average of one row is its value.
  if (most <= 1) return [];
  const { language, noun } = question.known;
  return [
    least === most
      ? sentence(language, 'Each is the average of {count} {noun}.', { count: most, noun })
      : sentence(language, 'Each is the average of {least} to {most} {noun}.', {
          ...{ least, most, noun },
        }),
  ];
}
