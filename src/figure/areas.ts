import type { AxisName } from '../block/views.ts';
import { pictureOfAreas } from './area-picture.ts';
import { type AxisOffer, type Drawn, emptyFigure, type MarkKind, MOST_MARKS } from './mark.ts';
import type { NumberWords } from './numbers.ts';
import { isUnfilled, periodNoun } from './periods.ts';
import { drawnMeasure, type GroupsQuestion, numberIn, valueIn } from './question.ts';
import { season } from './season.ts';
import { hrefOf, sumOf, timeOf } from './series.ts';

import {
  type Column,
  countLeft,
  drawnValues,
  isTooMuch,
  longerThan,
  type Stack,
  stackOf,
  wordsOfStack,
} from './stack.ts';
import {
  blanksSentence,
  noValues,
  partWords,
  saidName,
  sentence,
  sentenceCase,
  shortenedSentences,
  titleOf,
  unfilledSentences,
  type Words,
} from './words.ts';

/**
 * Stacked areas over time: the largest parts of a whole, and all others as one. They are as high as
 * their numbers, or as their shares of each period.
 */
export const areas: MarkKind = {
  title: 'stacked areas',
  of: 'time',
  fits: (question) => {
    const { answer } = question;
    const time = answer && timeOf({ ...question, answer, places: undefined });
    // The months of a year are not its parts, but its season.
    if (answer === undefined || time?.other === undefined || season.fits?.(question)) return false;
    const measure = drawnMeasure({ answer });
    // Only counts, and sums without negatives, are parts of a whole.
    if (measure?.of !== 'count' && measure?.of !== 'sum') return false;
    const isWhole = answer.total <= answer.groups.length || longerThan(time) !== undefined;
    if (!isWhole || answer.isFiltered) return false;
    return answer.groups.every((group) => (numberIn(group, measure) ?? 0) >= 0);
  },
  fewer: (question) => {
    const stack = stackOf(question as GroupsQuestion);
    return isTooMuch(stack) ? longerThan(stack.time) : undefined;
  },
  draw: (question) => drawAreas(question as GroupsQuestion),
  axes: ['zero', 'share'],
  offers: offersOf,
};

/** From 0, and as shares: of all values, or of those that a filter leaves. */
function offersOf(question: GroupsQuestion): AxisOffer[] {
  const { say } = question.known.language;
  const count = countLeft(question);
  const title = count === undefined ? say('share of all') : say('share of the {count}', { count });
  return [
    { name: 'zero', title: say('from 0') },
    { name: 'share', title },
  ];
}

function drawAreas(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const stack = stackOf(question);
  const { measure, time, columns, layers, isShare } = stack;
  const { dimension, periods } = time;
  const plain = titleOf(measure, question);
  const title = isShare ? language.say('{title}, as shares', { title: plain }) : plain;
  const axis: AxisName = isShare ? 'share' : 'zero';
  if (isTooMuch(stack)) {
    const part = partWords(periods.part, language);
    const caption = sentence(
      language,
      'By {part} there are more than {count} points: too many for a figure.',
      { part, count: MOST_MARKS },
    );
    return { ...emptyFigure(language), title, caption: [caption], axis };
  }
  const blanks = sumOf(answer.groups.filter((group) => valueIn(group, dimension) === null));
  const unsaid = blanksSentence(blanks, dimension.field.title, question);
  if (columns.every(({ sum }) => sum === 0)) {
    return { ...emptyFigure(language), title, caption: [noValues(question), ...unsaid], axis };
  }
  const count = columns.length;
  const words = wordsOfStack(stack);
  const marks = columns.map((column) => ({
    name: periods.short(column.key),
    numbers: drawnValues(stack, column),
    href: hrefOf(question, time, column.groups),
  }));
  const asShare = (name: string) => language.say('{title}, share', { title: name });
  const { partName, field } = dimension;
  const head = partName === undefined ? field.title : partWords(partName, language);
  const headsOf = (titled: (name: string) => string) =>
    layers.map(({ name }) => ({ title: titled(name), isNumber: true as const }));
  return {
    title,
    form: language.say('Stacked areas'),
    extent: language.say('in {count} {periods}', {
      count,
      periods: periodNoun(periods.part, count, language),
    }),
    caption: [...captionOf(stack), ...unsaid],
    picture: pictureOfAreas(stack),
    marks,
    numbers: {
      heads: [
        { title: sentenceCase(head) },
        ...headsOf(String),
        ...(isShare ? headsOf(asShare) : []),
      ],
      rows: columns.map((column, i) => ({
        cells: [
          periods.short(column.key),
          ...column.values.map((value) => words.whole.whole(value)),
          ...(isShare ? drawnValues(stack, column).map((share) => words.drawn.whole(share)) : []),
        ],
        href: marks[i]?.href,
      })),
    },
    axis,
    offers: offersOf(question),
  };
}

function captionOf(stack: Stack): Words[] {
  const { question, time, extent, layers, others, columns, earlier, isShare } = stack;
  const { periods } = time;
  const { language } = question.known;
  const { instead } = question;
  const { whole } = wordsOfStack(stack);
  const [first, last] = [columns[0] as Column, columns.at(-1) as Column];
  const [whenFirst, whenLast] = [periods.when(first.key), periods.when(last.key)];
  const ends = { whenFirst, whenLast, first: bold(whole, first.sum), last: bold(whole, last.sum) };
  const keys = new Set(columns.map(({ key }) => key));
  const isDrawn = (key: number) => keys.has(key);
  return [
    ...shortenedSentences({ instead, earlier }, periods, language),
    ...largestSaid(stack, first, last),
    isShare
      ? sentence(
          language,
          'Each {period} adds up to 100 %, of {first} {whenFirst} and {last} {whenLast}.',
          { ...ends, period: periodNoun(periods.part, 1, language) },
        )
      : sentence(language, 'Together they are {first} {whenFirst} and {last} {whenLast}.', ends),
    ...(others > 0
      ? [
          sentence(
            language,
            'The {named} largest of {all} are named; the {more} others are grey together.',
            { named: layers.length - 1, all: layers.length - 1 + others, more: others },
          ),
        ]
      : []),
    ...unfilledSentences({ extent, isDrawn, long: periods.long }, language),
  ];
}

const bold = ({ spoken }: NumberWords, value: number): [string] => [spoken(value)];

/** Which layer is the largest at the end, and which rose most. All others together are none. */
function largestSaid(stack: Stack, first: Column, last: Column): Words[] {
  const { question, time, layers } = stack;
  const { periods } = time;
  const { language } = question.known;
  const { drawn } = wordsOfStack(stack);
  const isFull = ({ key }: Column) => !isUnfilled(stack.extent, key);
  // A part of a period has less than all of it.
  const begin = stack.columns.find(isFull) ?? first;
  const [before, after] = [drawnValues(stack, begin), drawnValues(stack, last)];
  const named = layers.flatMap(({ name, look }, i) =>
    look === 'others' ? [] : [{ name: saidName(name), from: before[i] ?? 0, to: after[i] ?? 0 }],
  );
  const most = named.reduce((a, b) => (b.to > a.to ? b : a));
  const risen = named.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  const [whenFirst, whenLast] = [periods.when(begin.key), periods.when(last.key)];
  const when = sentenceCase(whenLast);
  return [
    stack.isShare
      ? sentence(language, '{when} {name} has the largest share, {share}.', {
          when,
          name: most.name,
          share: bold(drawn, most.to),
        })
      : sentence(language, '{when} {name} has the most, {most}.', {
          when,
          name: most.name,
          most: bold(drawn, most.to),
        }),
    ...(begin === last || !isFull(last) || risen.to <= risen.from
      ? []
      : [
          sentence(language, '{name} rose most: from {first} {whenFirst} to {last} {whenLast}.', {
            name: risen.name,
            first: bold(drawn, risen.from),
            last: bold(drawn, risen.to),
            whenFirst,
            whenLast,
          }),
        ]),
  ];
}
