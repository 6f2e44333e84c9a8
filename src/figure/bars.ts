import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { endsSentences } from './ends-words.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_BARS, USUAL_BARS } from './mark.ts';
import { extremesOf, type NumberWords, numberWords, percent } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  valueIn,
} from './question.ts';
import { type BarRow, barOf, cutName } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  measureTitle,
  noValues,
  sentence,
  titleOf,
  type Words,
} from './words.ts';

/** The first groups of the order that was asked for, a bar each, and the rest as one. */
export const bars: MarkKind = {
  title: 'bars',
  of: 'one',
  axes: ['zero'],
  draw: (question) => drawBars(question as GroupsQuestion),
};

type Bar = { readonly group: Row; readonly name: string; readonly value: number | null };

type Bars = {
  readonly question: GroupsQuestion;
  readonly dimension: Dimension;
  readonly measure: Measure;
  readonly bars: readonly Bar[];
  /** How many groups have no bar, and their number together, if it can be known. */
  readonly more: number;
  readonly rest: number | undefined;
  /** What the bars are shares of, if they are parts of one whole. */
  readonly whole: number | undefined;
  readonly numbers: NumberWords;
};

/** The longest name in a list, in letters. The whole one is read by pointing at it. */
const LONGEST_NAME = 40;

function drawBars(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const drawn = barsOf(question, measure);
  const values = drawn.bars.flatMap(({ value }) => value ?? []);
  if (values.length === 0)
    return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const { total: count } = answer;
  return {
    title,
    form: language.say('Bars'),
    caption: captionOf(drawn),
    extent: count === 1 ? language.say('in 1 group') : language.say('in {count} groups', { count }),
    ...partsOf(drawn, values),
  };
}

function barsOf(question: GroupsQuestion, measure: Measure): Bars {
  const { answer, known, bars: asked = USUAL_BARS } = question;
  const { language } = known;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const periods = periodsIn(question, dimension);
  const { part, width } = dimension;
  const isOrdered = part !== undefined || width !== undefined || periods !== undefined;
  const most = isOrdered ? MOST_BARS : Math.min(asked, MOST_BARS);
  const bars = answer.groups.slice(0, most).map((group) => {
    const of = valueIn(group, dimension);
    const name =
      periods === undefined || of === null
        ? nameOf(of, dimension, language)
        : periods.short(periods.keyOf(of));
    return { group, name, value: numberIn(group, measure) };
  });
  const whole = wholeOf(question, measure);
  const shown = bars.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const more = answer.total - bars.length;
  const rest = more > 0 && whole !== undefined ? whole - shown : undefined;
  const values = bars.flatMap(({ value }) => value ?? []);
  const numbers = numberWords({
    language,
    field: measure.column,
    isShare: isShare(measure),
    values: rest === undefined ? values : [...values, rest],
  });
  return { question, dimension, measure, bars, more, rest, whole, numbers };
}

/** What counts are shares of, or sums without negatives. Undefined if parts make no whole. */
export function wholeOf({ answer }: GroupsQuestion, measure: Measure): number | undefined {
  if (answer.isFiltered) return undefined;
  if (measure.of === 'count') return answer.matching;
  if (measure.of !== 'sum' || answer.groups.length < answer.total) return undefined;
  const values = answer.groups.map((group) => numberIn(group, measure) ?? 0);
  return values.some((value) => value < 0) ? undefined : values.reduce((a, b) => a + b, 0);
}

function partsOf(
  drawn: Bars,
  values: readonly number[],
): Pick<Drawn, 'picture' | 'marks' | 'numbers'> {
  const { question, dimension, measure, bars, more, rest, whole, numbers } = drawn;
  const { language } = numbers;
  const [least, most] = extremesOf([0, ...values]) ?? [0, 1];
  // A rest that is longer than all bars would make them short; it has its number.
  const hasRestBar = rest !== undefined && rest <= most;
  const share = (value: number) => (value - least) / (most - least || 1);
  const ofWhole = (value: number | null | undefined) =>
    value == null || !whole ? {} : { share: percent(value / whole, language) };
  const listed = bars.map(({ group, name, value }) => ({
    name,
    numbers: [value],
    href: question.linkOf({ [dimension.column.name]: valueIn(group, dimension) }),
  }));
  const rows: BarRow[] = listed.map(({ name, numbers: [value = null], href }) => ({
    name,
    href,
    value: value === null ? '–' : numbers.whole(value),
    ...ofWhole(value),
    bar: value === null ? undefined : barOf(value, share),
  }));
  const others: BarRow = {
    name: language.say('and {count} more', { count: more }),
    value: rest === undefined ? '' : numbers.whole(rest),
    ...ofWhole(rest),
    bar: hasRestBar ? barOf(rest, share) : undefined,
    isRest: true,
  };
  const all = more > 0 ? [...rows, others] : rows;
  const heads = [dimensionTitle(dimension, question), measureTitle(measure, question)] as const;
  return {
    picture: {
      layout: 'list',
      heads,
      rows: all.map((row) => ({ ...row, name: cutName(row.name, LONGEST_NAME) })),
      zero: least < 0 ? share(0) : undefined,
    },
    marks: [...listed, ...(more > 0 ? [{ name: others.name, numbers: [rest ?? null] }] : [])],
    numbers: {
      heads: [
        { title: heads[0] },
        { title: heads[1], isNumber: true },
        ...(whole ? [{ title: language.say('Share'), isNumber: true as const }] : []),
      ],
      rows: all.map(({ name, href, value, share, bar }) => ({
        cells: [name, value, ...(whole ? [share ?? ''] : [])],
        href,
        bar,
      })),
      zero: least < 0 ? share(0) : undefined,
    },
  };
}

function captionOf(drawn: Bars): Words[] {
  const { question, measure, bars, more, rest, whole, numbers } = drawn;
  const { answer, known } = question;
  const { language, noun } = known;
  const shown = bars.length;
  const blank = bars.filter(({ value }) => value === null).length;
  const isRest = rest !== undefined && whole !== undefined && whole > 0;
  const restText = (value: number) =>
    measure.of === 'count'
      ? language.say('{count} {noun}', { count: numbers.whole(value), noun })
      : numbers.whole(value);
  return [
    ...extremesSentences(drawn),
    ...(more === 0
      ? []
      : isRest
        ? [
            sentence(
              language,
              'The {shown} shown make up {share}; {more} more share the other {other} ({rest}).',
              {
                shown,
                more,
                rest: restText(rest),
                share: percent((whole - rest) / whole, language),
                other: percent(rest / whole, language),
              },
            ),
          ]
        : [sentence(language, '{count} more are not shown.', { count: more })]),
    ...(blank === 0
      ? []
      : blank === 1
        ? [sentence(language, '1 of them has no number.')]
        : [sentence(language, '{count} of them have no number.', { count: blank })]),
    ...(answer.isFiltered ? [sentence(language, 'Filters on groups leave some out.')] : []),
    ...countsSentence(measure, question),
  ];
}

/** Which bar is the longest, and which the shortest, if all are there. */
function extremesSentences({ question, measure, bars, more, whole, numbers }: Bars): Words[] {
  const { language, noun } = question.known;
  const shown = bars.length;
  const told = bars.filter((bar): bar is Bar & { value: number } => bar.value !== null);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const least = told.reduce((a, b) => (b.value < a.value ? b : a));
  const isSorted = told.every(
    ({ value }, i) => i === 0 || value <= (told[i - 1] as Bar & { value: number }).value,
  );
  const count = told.length;
  const say = ({ value }: { readonly value: number }): [string] => [numbers.spoken(value)];
  if (most.value === least.value && count > 1) {
    return [
      more > 0
        ? sentence(language, 'All {count} shown have {value}.', { count, value: say(most) })
        : sentence(language, 'All {count} have {value}.', { count, value: say(most) }),
    ];
  }
  const isOfShown = !isSorted && more > 0;
  const name = [most.name] as const;
  if (measure.of === 'count' && whole) {
    const share = percent(most.value / whole, language);
    const frequent = { name, value: numbers.whole(most.value), count: whole, noun, share };
    return [
      isOfShown
        ? sentence(
            language,
            'Of the {shown} shown, {name} is the most frequent: {value} of {count} {noun}, {share}.',
            { shown, ...frequent },
          )
        : sentence(
            language,
            '{name} is the most frequent: {value} of {count} {noun}, {share}.',
            frequent,
          ),
    ];
  }
  if (isOfShown) {
    return [
      sentence(language, 'Of the {shown} shown, {name} has the most, {most}.', {
        shown,
        name,
        most: say(most),
      }),
    ];
  }
  return more > 0
    ? [sentence(language, '{name} has the most, {most}.', { name, most: say(most) })]
    : endsSentences(
        told.map(({ name, value }) => ({ name: [name], value })),
        numbers,
      );
}
