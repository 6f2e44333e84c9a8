import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Value } from '../values/field-type.ts';
import { heightOf } from './heat-picture.ts';
import { type Drawn, emptyFigure, type MarkKind, MOST_HEAT_ROWS, MOST_LINES } from './mark.ts';
import { numberWords, percent } from './numbers.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  nameOf,
  numberIn,
  periodsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { cutName, type Shape } from './shape.ts';
import { dimensionTitle, noValues, sentence, sentenceCase, titleOf, type Words } from './words.ts';

/** Parts of 100 %: a bar for each value of one dimension, divided by the other. */
export const parts: MarkKind = {
  title: 'parts of 100 %',
  of: 'two',
  fits: (question) => {
    const { answer } = question;
    if (answer === undefined) return false;
    const measure = drawnMeasure({ answer });
    // Only counts, and sums without negatives, are parts of a whole.
    if (measure?.of !== 'count' && measure?.of !== 'sum') return false;
    if (answer.isFiltered || answer.groups.length < answer.total) return false;
    return answer.groups.every((group) => (numberIn(group, measure) ?? 0) >= 0);
  },
  draw: (question) => drawParts(question as GroupsQuestion),
};

type Share = { readonly name: string; readonly value: number; readonly href?: string };
type Whole = { readonly name: string; readonly parts: readonly Share[]; readonly sum: number };

function drawParts(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const [first, second] = answer.grouping.dimensions as readonly [Dimension, Dimension];
  const measure = drawnMeasure(question) as Measure;
  const title = language.say('{title}, as parts of 100 %', { title: titleOf(measure, question) });
  // The others of too many parts are one.
  const others = language.say('others');
  const names = partNames(question, second, measure);
  const all = wholesOf(question, { first, second, measure, names, others }).filter(
    ({ sum }) => sum > 0,
  );
  if (all.length === 0) return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const wholes = all.slice(0, MOST_HEAT_ROWS);
  const values = wholes.flatMap(({ parts }) => parts.map(({ value }) => value));
  const numbers = numberWords({ language, field: measure.column, values });
  const hasOthers = all.some(({ parts }) => parts.some(({ name }) => name === others));
  const named = [
    ...names.map((value) => nameOf(value, second, language)),
    ...(hasOthers ? [others] : []),
  ];
  const lookOf = (name: string) => (name === others ? 'others' : `c${named.indexOf(name) + 1}`);
  const height = heightOf(wholes.length);
  return {
    title,
    form: language.say('Bars of 100 %'),
    extent: language.say('in {count} bars', { count: wholes.length }),
    key: named.map((name) => ({ look: lookOf(name), text: cutName(name, 30) })),
    caption: captionOf(
      { shown: wholes, more: all.length - wholes.length, named, hasOthers },
      language,
    ),
    picture: {
      layout: 'grid',
      height: wholes.length * height,
      shapes: [
        ...wholes.flatMap((whole, i) => barOf(whole, { i, height, lookOf, language })),
        ...[0, 0.25, 0.5, 0.75, 1].map(
          (at): Shape => ({
            shape: 'text',
            look: at % 0.5 === 0 ? 'tick' : 'tick wide',
            down: 1.3,
            x: at,
            anchor: at === 0 ? 'start' : at === 1 ? 'end' : 'middle',
            y: [0, wholes.length * height],
            runs: [{ text: percent(at, language) }],
          }),
        ),
      ],
    },
    marks: wholes.flatMap(({ name, parts }) =>
      parts.map((part) => ({
        name: `${name}, ${part.name}`,
        numbers: [part.value],
        href: part.href,
      })),
    ),
    numbers: {
      heads: [
        { title: sentenceCase(dimensionTitle(first, question)) },
        ...named.flatMap((name) => [
          { title: name, isNumber: true as const },
          { title: '%', isNumber: true as const },
        ]),
      ],
      rows: wholes.map(({ name, parts, sum }) => ({
        cells: [
          name,
          ...named.flatMap((one) => {
            const value = parts.find((part) => part.name === one)?.value;
            return value === undefined
              ? ['–', '']
              : [numbers.whole(value), percent(value / sum, language)];
          }),
        ],
      })),
    },
  };
}

/** The values that have parts of their own: those with the most of all. */
function partNames({ answer }: GroupsQuestion, second: Dimension, measure: Measure): Value[] {
  const sums = new Map<Value, number>();
  for (const group of answer.groups) {
    const value = valueIn(group, second);
    sums.set(value, (sums.get(value) ?? 0) + (numberIn(group, measure) ?? 0));
  }
  const values = valuesOf(answer.groups, second);
  if (values.length <= MOST_LINES) return values;
  const most = values.toSorted((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0));
  return most.slice(0, MOST_LINES - 1);
}

type Divided = {
  readonly first: Dimension;
  readonly second: Dimension;
  readonly measure: Measure;
  readonly names: readonly Value[];
  /** What the parts without a name are called together. */
  readonly others: string;
};

function wholesOf(
  question: GroupsQuestion,
  { first, second, measure, names, others }: Divided,
): Whole[] {
  const { language } = question.known;
  const partName = (value: Value) => nameOf(value, second, language);
  const byValue = new Map<Value, Share[]>();
  for (const group of question.answer.groups) {
    const value = numberIn(group, measure);
    if (value === null || value === 0) continue;
    const [whole, part] = [valueIn(group, first), valueIn(group, second)];
    const list = byValue.get(whole) ?? [];
    byValue.set(whole, list);
    const named = names.includes(part);
    const rest = list.findIndex(({ name }) => name === others);
    if (named) list.push({ name: partName(part), value, href: question.linkOf(group) });
    else if (rest < 0) list.push({ name: others, value });
    else list[rest] = { name: others, value: (list[rest] as Share).value + value };
  }
  const order = names.map(partName);
  const rank = ({ name }: Share) => (name === others ? order.length : order.indexOf(name));
  const periods = periodsIn(question, first);
  return [...byValue].map(([value, parts]) => ({
    name:
      periods === undefined || value === null
        ? nameOf(value, first, language)
        : periods.short(periods.keyOf(value)),
    parts: parts.toSorted((a, b) => rank(a) - rank(b)),
    sum: parts.reduce((sum, part) => sum + part.value, 0),
  }));
}

type Bar = {
  readonly i: number;
  readonly height: number;
  readonly lookOf: (name: string) => string;
  readonly language: Language;
};

function barOf({ name, parts, sum }: Whole, { i, height, lookOf, language }: Bar): Shape[] {
  let from = 0;
  const drawn = parts.map((part): Shape => {
    const width = part.value / sum;
    const at = from;
    from += width;
    return {
      shape: 'link',
      href: part.href,
      title: `${name}, ${part.name}: ${percent(width, language)}`,
      shapes: [
        {
          shape: 'rect',
          look: `part ${lookOf(part.name)}`,
          x: at,
          width,
          y: [0, i * height],
          height: [0, height - 4],
        },
      ],
    };
  });
  return [
    {
      shape: 'text',
      look: 'tick',
      x: [0, -8],
      y: [0, (i + 0.5) * height - 2],
      down: 0.35,
      anchor: 'end',
      runs: [{ text: cutName(name, 18) }],
    },
    ...drawn,
  ];
}

type ShownWholes = {
  readonly shown: readonly Whole[];
  /** How many bars are not shown. */
  readonly more: number;
  readonly named: readonly string[];
  readonly hasOthers: boolean;
};

function captionOf({ shown, more, named, hasOthers }: ShownWholes, language: Language): Words[] {
  const [first = ''] = named;
  const shares = shown
    .map(({ name, parts, sum }) => ({
      name,
      share: (parts.find((part) => part.name === first)?.value ?? 0) / sum,
    }))
    .toSorted((a, b) => b.share - a.share);
  const [most, least] = [shares[0], shares.at(-1)] as [(typeof shares)[0], (typeof shares)[0]];
  const greatest = {
    part: [first] as const,
    most: [percent(most.share, language)] as const,
    name: most.name,
  };
  return [
    shares.length === 1
      ? sentence(language, '{part} is {most} of {name}.', greatest)
      : sentence(
          language,
          '{part} is {most} of {name}, the most, and {least} of {other}, the least.',
          { ...greatest, least: percent(least.share, language), other: least.name },
        ),
    ...(hasOthers
      ? [
          sentence(language, 'Only the {count} greatest have a part of their own.', {
            count: MOST_LINES - 1,
          }),
        ]
      : []),
    ...(more > 0 ? [sentence(language, '{count} more bars are not shown.', { count: more })] : []),
  ];
}
