import type { Dimension, Measure } from '../block/grouping.ts';
import type { Row } from '../values/field-type.ts';
import { type Drawn, EMPTY, type MarkKind, MOST_BARS, USUAL_BARS } from './mark.ts';
import { countText, extremesOf, type NumberWords, numberWords, percent } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  valueIn,
} from './question.ts';
import { type BarRow, barOf, cutName, linked } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  measureTitle,
  noValues,
  titleOf,
  type Words,
  words,
} from './words.ts';

/** The first groups of the order that was asked for, a bar each, and the rest as one. */
export const bars: MarkKind = {
  title: 'bars',
  fits: ({ answer }) => {
    const [dimension, second] = answer?.grouping.dimensions ?? [];
    return dimension !== undefined && second === undefined && dimension.cells === undefined;
  },
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
  const { answer } = question;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const drawn = barsOf(question, measure);
  const values = drawn.bars.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return { ...EMPTY, title, caption: [noValues(question)] };
  const groups = answer.total === 1 ? '1 group' : `${countText(answer.total)} groups`;
  return {
    ...{ title, form: 'Bars', extent: `in ${groups}`, caption: captionOf(drawn) },
    ...partsOf(drawn, values),
  };
}

function barsOf(question: GroupsQuestion, measure: Measure): Bars {
  const { answer, bars: asked = USUAL_BARS } = question;
  const dimension = answer.grouping.dimensions[0] as Dimension;
  const periods = periodsIn(question, dimension);
  const { part, width } = dimension;
  const isOrdered = part !== undefined || width !== undefined || periods !== undefined;
  const most = isOrdered ? MOST_BARS : Math.min(asked, MOST_BARS);
  const bars = answer.groups.slice(0, most).map((group) => {
    const of = valueIn(group, dimension);
    const name =
      periods === undefined || of === null
        ? nameOf(of, dimension)
        : periods.short(periods.keyOf(of));
    return { group, name, value: numberIn(group, measure) };
  });
  const whole = wholeOf(question, measure);
  const shown = bars.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const more = answer.total - bars.length;
  const rest = more > 0 && whole !== undefined ? whole - shown : undefined;
  const values = bars.flatMap(({ value }) => value ?? []);
  const numbers = numberWords({
    ...{ field: measure.column, isShare: isShare(measure) },
    values: rest === undefined ? values : [...values, rest],
  });
  return { ...{ question, dimension, measure, bars, more, rest, whole, numbers } };
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
  const [least, most] = extremesOf([0, ...values]) ?? [0, 1];
  // A rest that is longer than all bars would make them short; it has its number.
  const hasRestBar = rest !== undefined && rest <= most;
  const share = (value: number) => (value - least) / (most - least || 1);
  const ofWhole = (value: number | null | undefined) =>
    value == null || !whole ? {} : { share: percent(value / whole) };
  const listed = bars.map(({ group, name, value }) => ({
    ...{ name, numbers: [value] },
    ...linked(question.linkOf({ [dimension.column.name]: valueIn(group, dimension) })),
  }));
  const rows: BarRow[] = listed.map(({ name, numbers: [value = null], href }) => ({
    ...{ name, ...linked(href), value: value === null ? '–' : numbers.whole(value) },
    ...ofWhole(value),
    ...(value === null ? {} : { bar: barOf(value, share) }),
  }));
  const others: BarRow = {
    name: `and ${countText(more)} more`,
    value: rest === undefined ? '' : numbers.whole(rest),
    ...ofWhole(rest),
    ...(hasRestBar ? { bar: barOf(rest, share) } : {}),
    isRest: true,
  };
  const all = more > 0 ? [...rows, others] : rows;
  const heads = [dimensionTitle(dimension, question), measureTitle(measure, question)] as const;
  return {
    picture: {
      ...{
        layout: 'list',
        heads,
        rows: all.map((row) => ({ ...row, name: cutName(row.name, LONGEST_NAME) })),
      },
      ...(least < 0 ? { zero: share(0) } : {}),
    },
    marks: [...listed, ...(more > 0 ? [{ name: others.name, numbers: [rest ?? null] }] : [])],
    numbers: {
      heads: [
        { title: heads[0] },
        { title: heads[1], isNumber: true },
        ...(whole ? [{ title: 'Share', isNumber: true as const }] : []),
      ],
      rows: all.map(({ name, href, value, share, bar }) => ({
        cells: [name, value, ...(whole ? [share ?? ''] : [])],
        ...linked(href),
        ...(bar === undefined ? {} : { bar }),
      })),
      ...(least < 0 ? { zero: share(0) } : {}),
    },
  };
}

function captionOf(drawn: Bars): Words[] {
  const { question, measure, bars, more, rest, whole, numbers } = drawn;
  const { answer, known } = question;
  const told = bars.filter((bar): bar is Bar & { value: number } => bar.value !== null);
  const most = told.reduce((a, b) => (b.value > a.value ? b : a));
  const least = told.reduce((a, b) => (b.value < a.value ? b : a));
  const isSorted = told.every(
    ({ value }, i) => i === 0 || value <= (told[i - 1] as Bar & { value: number }).value,
  );
  const among = isSorted || more === 0 ? '' : `Of the ${countText(bars.length)} shown, `;
  const isCount = measure.of === 'count';
  const isRest = rest !== undefined && whole !== undefined && whole > 0;
  const blank = bars.length - told.length;
  return [
    most.value === least.value && told.length > 1
      ? words(
          `All ${countText(told.length)} ${more > 0 ? 'shown ' : ''}have `,
          [numbers.spoken(most.value)],
          '.',
        )
      : isCount && whole
        ? words(
            ...[among, [most.name] as const, ' is the most frequent: '],
            `${numbers.whole(most.value)} of ${countText(whole)} ${known.noun}, ${percent(most.value / whole)}.`,
          )
        : words(
            ...[
              among,
              [most.name] as const,
              ' has the most, ',
              [numbers.spoken(most.value)] as const,
            ],
            ...(more > 0 || told.length === 1
              ? ['.']
              : [
                  ', ',
                  [least.name] as const,
                  ' the least, ',
                  [numbers.spoken(least.value)] as const,
                  '.',
                ]),
          ),
    ...(more === 0
      ? []
      : isRest
        ? [
            words(
              `The ${countText(bars.length)} shown make up ${percent((whole - rest) / whole)}; `,
              `${countText(more)} more share the other ${percent(rest / whole)} (${numbers.whole(rest)}${isCount ? ` ${known.noun}` : ''}).`,
            ),
          ]
        : [words(`${countText(more)} more are not shown.`)]),
    ...(blank === 0
      ? []
      : [words(`${countText(blank)} of them ${blank === 1 ? 'has' : 'have'} no number.`)]),
    ...(answer.isFiltered ? [words('Filters on groups leave some out.')] : []),
    ...countsSentence(measure, question),
  ];
}
