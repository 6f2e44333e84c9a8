import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { wholeOf } from './bars.ts';
import { type Drawn, emptyFigure, type KeyEntry, type MarkKind } from './mark.ts';
import { extremesOf, numberWords, percent } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { type BarRow, barOf, cutName } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  measureTitle,
  noValues,
  sentence,
  sentenceCase,
  titleOf,
  type Words,
} from './words.ts';

/** Groups of two fields as bars side by side: the second field has a colour for each value. */
export const grouped: MarkKind = {
  title: 'bars side by side',
  of: 'two',
  fits: ({ answer }) => {
    const { dimensions = [] } = answer?.grouping ?? {};
    const arePlain = dimensions.every(({ cells }) => cells === undefined);
    return arePlain && (answer?.total ?? 0) <= MOST_GROUPED_BARS;
  },
  draw: (question) => drawGrouped(question as GroupsQuestion),
};

/** Bars side by side. More groups are a heat table. */
export const MOST_GROUPED_BARS = 12;

/** The colours of the second field's values: as many as there are of lines. */
const COLOURS = 8;

/** The longest name in a list, in letters. */
const LONGEST_NAME = 40;

type Bar = {
  readonly group: Row;
  readonly within: string;
  readonly name: string;
  readonly value: number | null;
  readonly look: string;
};

function drawGrouped(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const [outer, inner] = answer.grouping.dimensions as [Dimension, Dimension];
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const bars = barsOf(question, outer, inner, measure);
  const values = bars.flatMap(({ value }) => value ?? []);
  if (values.length === 0) {
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  }
  const numbers = numberWords({
    language,
    field: measure.column,
    values,
    isShare: isShare(measure),
  });
  const [least, most] = extremesOf([0, ...values]) ?? [0, 1];
  const share = (value: number) => (value - least) / (most - least || 1);
  const sums = sumsOf(bars, wholeOf(question, measure) !== undefined);
  const rows = bars.map(({ group, within, name, value, look }): BarRow => {
    const sum = sums?.get(within) ?? 0;
    return {
      name: cutName(name, LONGEST_NAME),
      within: cutName(within, LONGEST_NAME),
      look,
      href: question.linkOf(group),
      value: value === null ? '–' : numbers.whole(value),
      share: value === null || sum === 0 ? undefined : percent(value / sum, language),
      bar: value === null ? undefined : barOf(value, share),
    };
  });
  const heads = [
    sentenceCase(dimensionTitle(inner, question)),
    measureTitle(measure, question),
  ] as const;
  const zero = least < 0 ? { zero: share(0) } : {};
  return {
    title,
    form: language.say('Bars'),
    extent: language.say('in {count} groups', { count: bars.length }),
    key: keyOf(bars),
    caption: [
      ...extremesSentence(bars, numbers.spoken, question),
      ...(sums === undefined
        ? []
        : [
            sentence(language, 'Shares are of each {group}.', {
              group: dimensionTitle(outer, question),
            }),
          ]),
      ...countsSentence(measure, question),
    ],
    picture: {
      layout: 'list',
      heads,
      rows,
      ...zero,
      group: sentenceCase(dimensionTitle(outer, question)),
    },
    marks: bars.map(({ group, within, name, value }) => ({
      name: `${within}, ${name}`,
      numbers: [value],
      href: question.linkOf(group),
    })),
    numbers: {
      heads: [
        { title: sentenceCase(dimensionTitle(outer, question)) },
        { title: heads[0] },
        { title: heads[1], isNumber: true },
        ...(sums === undefined ? [] : [{ title: language.say('Share'), isNumber: true as const }]),
      ],
      rows: rows.map(({ within = '', name, value, share: part = '', href }) => ({
        cells: [within, name, value, ...(sums === undefined ? [] : [part])],
        href,
      })),
    },
  };
}

/** All groups: by the first field, and within it in the order of the second one's colours. */
function barsOf(
  question: GroupsQuestion,
  outer: Dimension,
  inner: Dimension,
  measure: Measure,
): Bar[] {
  const { groups } = question.answer;
  const order = valuesOf(groups, inner);
  return valuesOf(groups, outer).flatMap((value) =>
    groups
      .filter((group) => valueIn(group, outer) === value)
      .map((group) => ({ group, at: order.indexOf(valueIn(group, inner)) }))
      .sort((a, b) => a.at - b.at)
      .map(({ group, at }) => ({
        group,
        within: namedIn(question, outer, group),
        name: namedIn(question, inner, group),
        value: numberIn(group, measure),
        look: `c${1 + (at % COLOURS)}`,
      })),
  );
}

function namedIn(question: GroupsQuestion, dimension: Dimension, group: Row): string {
  const value = valueIn(group, dimension);
  const periods = periodsIn(question, dimension);
  if (periods === undefined || value === null) {
    return nameOf(value, dimension, question.known.language);
  }
  return periods.short(periods.keyOf(value));
}

/** What the bars of each group add up to. Undefined if they are no parts of a whole. */
function sumsOf(bars: readonly Bar[], areParts: boolean): Map<string, number> | undefined {
  if (!areParts) return undefined;
  const sums = new Map<string, number>();
  for (const { within, value } of bars) sums.set(within, (sums.get(within) ?? 0) + (value ?? 0));
  return sums;
}

function keyOf(bars: readonly Bar[]): KeyEntry[] {
  const byLook = new Map(bars.map(({ name, look }) => [name, { look, text: name }]));
  return [...byLook.values()].sort((a, b) => (a.look < b.look ? -1 : 1));
}

function extremesSentence(
  bars: readonly Bar[],
  spoken: (value: number) => string,
  { known: { language } }: GroupsQuestion,
): Words[] {
  const told = bars.filter((bar): bar is Bar & { value: number } => bar.value !== null);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const least = told.reduce((a, b) => (b.value < a.value ? b : a));
  if (most.value === least.value) return [];
  const name = ({ within, name }: Bar) => `${within}, ${name}`;
  return [
    sentence(language, 'Highest {most}, {mostOf}. Lowest {least}, {leastOf}.', {
      most: [spoken(most.value)],
      mostOf: name(most),
      least: [spoken(least.value)],
      leastOf: name(least),
    }),
  ];
}
