import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import type { Row, Value } from '../values/field-type.ts';
import { classesOf } from './classes.ts';
import {
  type Drawn,
  emptyFigure,
  type MarkKind,
  MOST_HEAT_COLUMNS,
  MOST_HEAT_ROWS,
} from './mark.ts';
import { numberWords } from './numbers.ts';
import { coarserThan, type Periods } from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  rowsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { cutName, linked, type Shape } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  noValues,
  partWords,
  rowsText,
  sentence,
  sentenceCase,
  titleOf,
  unitText,
  type Words,
} from './words.ts';

/** A cell for each group of two dimensions, shaded by its number. Time goes across. */
export const heat: MarkKind = {
  title: 'heat table',
  fits: ({ answer }) => {
    const { dimensions = [] } = answer?.grouping ?? {};
    return dimensions.length === 2 && dimensions.every(({ cells }) => cells === undefined);
  },
  draw: (question) => drawHeat(question as GroupsQuestion),
};

/** The rows or the columns of a heat table. */
type Side = {
  readonly dimension: Dimension;
  readonly periods: Periods | undefined;
  readonly lines: readonly { readonly value: Value; readonly name: string }[];
  /** How many there are that are not shown. */
  readonly more: number;
};

function drawHeat(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const { dimensions } = answer.grouping;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const isAcross = (one: Dimension) => periodsIn(question, one) !== undefined;
  const across = dimensions.find(isAcross) ?? (dimensions[1] as Dimension);
  const down = dimensions.find((one) => one !== across) as Dimension;
  const columns = sideOf(question, across, MOST_HEAT_COLUMNS);
  const rows = sideOf(question, down, MOST_HEAT_ROWS);
  const part = columns.periods && coarserThan(columns.periods.part);
  if (columns.more > 0 && part !== undefined && across.field.type !== 'integer') {
    const caption = sentence(
      language,
      'There are more than {count} periods: too many for a heat table.',
      { count: MOST_HEAT_COLUMNS },
    );
    return { ...emptyFigure(language), title, caption: [caption], wants: { part } };
  }
  if (answer.total > answer.groups.length) {
    const caption = sentence(language, 'There are {count} groups: too many for a heat table.', {
      count: answer.total,
    });
    return { ...emptyFigure(language), title, caption: [caption] };
  }
  const cells = cellsOf(question, measure, columns, rows);
  if (cells.length === 0) return { ...emptyFigure(language), title, caption: [noValues(question)] };
  const values = cells.map(({ value }) => value);
  const column = { field: measure.column, values, isShare: isShare(measure) };
  const numbers = numberWords({ language, ...column });
  const classes = classesOf(values, numbers);
  const unit = unitText(measure, question);
  const name = ({ row, column }: Cell) =>
    `${rows.lines[row]?.name}, ${columns.lines[column]?.name}`;
  const shapes = cells.map((cell): Shape => {
    const { rows: counted } = cell;
    const count =
      counted === undefined || measure.of === 'count' ? '' : `, ${rowsText(counted, question)}`;
    const text = `${name(cell)}: ${numbers.short(cell.value)}${count}`;
    const rect = cellRect(cell, columns.lines.length, rows.lines.length);
    return {
      ...{ shape: 'link', title: text, ...linked(cell.href) },
      shapes: [{ ...rect, look: classes.lookOf(cell.value) }],
    };
  });
  const placeOf = ({ row, column }: Pick<Cell, 'row' | 'column'>) =>
    column * rows.lines.length + row;
  const byPlace = new Map(cells.map((cell) => [placeOf(cell), cell]));
  const most = cells.reduce((a, b) => (b.value > a.value ? b : a));
  const least = cells.reduce((a, b) => (b.value < a.value ? b : a));
  const say = ({ value }: Cell): [string] => [numbers.short(value)];
  return {
    ...{ title, form: language.say('Heat table'), key: classes.key },
    ...(unit === undefined ? {} : { keyUnit: unit }),
    extent: language.say('in {count} cells', { count: cells.length }),
    caption: [
      ...(question.instead === undefined || columns.periods === undefined
        ? []
        : [
            sentence(language, 'By {part} there would be too many columns, so it is by {other}.', {
              part: partWords(question.instead, language),
              other: partWords(columns.periods.part, language),
            }),
          ]),
      most.value === least.value
        ? sentence(language, 'All {count} cells have {value}.', {
            ...{ count: cells.length, value: say(most) },
          })
        : sentence(language, 'Highest {most}, {mostOf}. Lowest {least}, {leastOf}.', {
            ...{ most: say(most), mostOf: name(most), least: say(least), leastOf: name(least) },
          }),
      ...(cells.length < rows.lines.length * columns.lines.length
        ? [sentence(language, 'Cells without a number are empty.')]
        : []),
      ...moreSentence(rows, 'rows', language),
      ...moreSentence(columns, 'columns', language),
      ...countsSentence(measure, question),
    ],
    picture: {
      layout: 'grid',
      height: rows.lines.length * heightOf(rows.lines.length),
      shapes: [...namesOf(columns, rows), ...shapes],
    },
    marks: cells.map((cell) => ({ name: name(cell), numbers: [cell.value], ...linked(cell.href) })),
    numbers: {
      heads: [
        { title: sentenceCase(dimensionTitle(columns.dimension, question)) },
        ...rows.lines.map(({ name }) => ({ title: name, isNumber: true as const })),
      ],
      rows: columns.lines.map(({ name }, column) => ({
        cells: [
          name,
          ...rows.lines.map((_, row) => {
            const cell = byPlace.get(placeOf({ row, column }));
            return cell === undefined ? '–' : numbers.whole(cell.value);
          }),
        ],
      })),
    },
  };
}

function moreSentence({ more }: Side, what: 'rows' | 'columns', language: Language): Words[] {
  if (more === 0) return [];
  return [
    what === 'rows'
      ? sentence(language, '{count} more rows are not shown; {most} are the most.', {
          ...{ count: more, most: MOST_HEAT_ROWS },
        })
      : sentence(language, '{count} more columns are not shown; {most} are the most.', {
          ...{ count: more, most: MOST_HEAT_COLUMNS },
        }),
  ];
}

/** The values of a side in their order; of too many, those with the most rows. */
function sideOf(question: GroupsQuestion, dimension: Dimension, most: number): Side {
  const { groups } = question.answer;
  const periods = periodsIn(question, dimension);
  const rows = new Map<Value, number>();
  for (const group of groups) {
    const value = valueIn(group, dimension);
    rows.set(value, (rows.get(value) ?? 0) + (rowsIn(group) ?? 0));
  }
  if (periods !== undefined) return sideOfTime(dimension, periods, [...rows.keys()], most);
  const values = valuesOf(groups, dimension);
  const kept = new Set(
    values.toSorted((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)).slice(0, most),
  );
  const lines = values
    .filter((value) => kept.has(value))
    .map((value) => ({ value, name: nameOf(value, dimension, question.known.language) }));
  return { dimension, periods, lines, more: values.length - lines.length };
}

/** All periods from the first to the last, with those that have no rows. */
function sideOfTime(
  dimension: Dimension,
  periods: Periods,
  values: readonly Value[],
  most: number,
): Side {
  const dated = values.filter((value) => value !== null);
  const byKey = new Map(dated.map((value) => [periods.keyOf(value), value]));
  const keys = [...byKey.keys()].sort((a, b) => a - b);
  const [first = 0, last = -1] = [keys[0], keys.at(-1)];
  const count = last - first + 1;
  const shown = Array.from({ length: Math.min(count, most) }, (_, i) => first + i);
  return {
    ...{ dimension, periods, more: Math.max(0, count - most) },
    lines: shown.map((key) => ({ value: byKey.get(key) ?? null, name: periods.short(key) })),
  };
}

type Cell = {
  readonly row: number;
  readonly column: number;
  readonly value: number;
  readonly rows: number | undefined;
  readonly href: string | undefined;
};

function cellsOf(question: GroupsQuestion, measure: Measure, columns: Side, rows: Side): Cell[] {
  const placeIn = ({ lines, periods }: Side) =>
    new Map(
      lines.flatMap(({ value }, i) => (periods && value === null ? [] : [[value, i] as const])),
    );
  const [columnOf, rowOf] = [placeIn(columns), placeIn(rows)];
  return question.answer.groups.flatMap((group: Row): Cell[] => {
    const row = rowOf.get(valueIn(group, rows.dimension));
    const column = columnOf.get(valueIn(group, columns.dimension));
    const value = numberIn(group, measure);
    if (row === undefined || column === undefined || value === null) return [];
    return [{ row, column, value, rows: rowsIn(group), href: question.linkOf(group) }];
  });
}

/** The height of a row, in pixels: many rows are lower. */
export function heightOf(rows: number): number {
  return rows <= 12 ? 26 : rows <= 24 ? 20 : 16;
}

function cellRect({ row, column }: Cell, columns: number, rows: number) {
  const height = heightOf(rows);
  return {
    shape: 'rect' as const,
    x: column / columns,
    y: [0, row * height] as const,
    width: (columns > 20 ? 0.9 : 0.96) / columns,
    height: [0, height - 2] as const,
  };
}

/** The room of names below a plot on a phone and on a desk, and of a letter, in pixels. */
const ROOM = { phone: 230, desk: 600, letter: 7.5, gap: 8 } as const;

/** Names to the left have so many letters. */
const LONGEST_NAME = 18;
const LONGEST_BELOW = 12;

function namesOf(columns: Side, rows: Side): Shape[] {
  const height = heightOf(rows.lines.length);
  const below = columns.lines.map(({ name }) => cutName(name, LONGEST_BELOW));
  const longest = Math.max(...below.map(({ length }) => length)) * ROOM.letter + ROOM.gap;
  const every = (room: number) => Math.ceil((below.length * longest) / room);
  const [onPhone, onDesk] = [every(ROOM.phone), every(ROOM.desk)];
  // What a phone shows, a desk shows too.
  const step = Math.ceil(onPhone / onDesk);
  return [
    ...rows.lines.map(
      ({ name }, i): Shape => ({
        ...{ shape: 'text', look: 'tick', x: [0, -8], down: 0.35, anchor: 'end' },
        y: [0, (i + 0.5) * height - 1],
        runs: [{ text: cutName(name, LONGEST_NAME) }],
      }),
    ),
    ...below.flatMap((text, i): Shape[] => {
      if (i % onDesk !== 0) return [];
      const x = onDesk === 1 ? (i + 0.5) / below.length : i / below.length;
      // Names that are thinned out begin at their column, and end inside.
      const fits = (room: number) => onDesk === 1 || x + (longest - ROOM.gap) / room <= 1;
      if (!fits(ROOM.desk)) return [];
      const isOnPhone = i % (onDesk * step) === 0 && fits(ROOM.phone);
      return [
        {
          ...{ shape: 'text', look: isOnPhone ? 'tick' : 'tick wide', x, down: 1.3 },
          y: [0, rows.lines.length * height],
          anchor: onDesk === 1 ? 'middle' : 'start',
          runs: [{ text }],
        },
      ];
    }),
  ];
}
