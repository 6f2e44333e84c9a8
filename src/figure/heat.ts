import type { Dimension, Measure } from '../block/grouping.ts';
import type { Language } from '../languages/language.ts';
import { setApart } from '../text/wording.ts';
import type { Row, Value } from '../values/field-type.ts';
import { cellNumbers } from './cell-numbers.ts';
import { classesOfCells } from './classes.ts';
import { inOrderOfGroups } from './heat-order.ts';
import { sumsOfRows } from './heat-sums.ts';
import {
  type Drawn,
  emptyFigure,
  type Fewer,
  type MarkKind,
  MOST_HEAT_COLUMNS,
  MOST_HEAT_PERIODS,
  MOST_HEAT_ROWS,
} from './mark.ts';
import { extremesOf, numberWords } from './numbers.ts';
import {
  coarserThan,
  type Extent,
  extentOf,
  isUnfilled,
  type Periods,
  yearStepsOf,
} from './periods.ts';
import {
  drawnMeasure,
  type GroupsQuestion,
  isAmount,
  isShare,
  nameOf,
  numberIn,
  periodsIn,
  rowsIn,
  valueIn,
  valuesOf,
} from './question.ts';
import { stepOf } from './series.ts';
import { type At, cutName, type Shape } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  noValues,
  partWords,
  rowsText,
  sentence,
  sentenceCase,
  titleOf,
  unfilledSentences,
  unitText,
  type Words,
} from './words.ts';

/** A cell for each group of two dimensions, shaded by its number. Time goes across. */
export const heat: MarkKind = {
  title: 'heat table',
  of: 'two',
  fits: ({ answer }) =>
    answer?.grouping.dimensions.every(({ cells }) => cells === undefined) === true,
  fewer: (question) => longerPeriods(columnsOf(question as GroupsQuestion)),
  draw: (question) => drawHeat(question as GroupsQuestion),
};

/** The rows or the columns of a heat table. */
type Side = {
  readonly dimension: Dimension;
  /** Set if they follow each other in time. */
  readonly time: Time | undefined;
  readonly lines: readonly {
    readonly value: Value;
    readonly name: string;
    /** Set if the data do not fill this period. */
    readonly isUnfilled?: true;
  }[];
  /** How many there are that are not shown. */
  readonly more: number;
};

/** Periods, or years in steps. */
type Time = Pick<Periods, 'keyOf' | 'short'> & {
  readonly extent?: Extent | undefined;
  /** Longer periods, if there are any. */
  readonly longer: Fewer | undefined;
  /** What they are called in a sentence: `quarter`. */
  readonly noun: string;
  /** What is said of a first and a last period that the data do not fill. */
  unfilled(isDrawn: (key: number) => boolean): readonly Words[];
};

/** What goes across: time, or else the second dimension. */
function columnsOf(question: GroupsQuestion): Side {
  const { dimensions } = question.answer.grouping;
  const isAcross = (one: Dimension) => timeIn(question, one) !== undefined;
  const across = dimensions.find(isAcross) ?? (dimensions[1] as Dimension);
  return sideOf(question, across, MOST_HEAT_COLUMNS);
}

/** Longer periods, if there are too many columns. */
function longerPeriods({ time, lines }: Side): Fewer | undefined {
  return lines.length > MOST_HEAT_PERIODS ? time?.longer : undefined;
}

function drawHeat(question: GroupsQuestion): Drawn {
  const { answer, known } = question;
  const { language } = known;
  const { dimensions } = answer.grouping;
  const measure = drawnMeasure(question) as Measure;
  const title = titleOf(measure, question);
  const columns = columnsOf(question);
  const across = columns.dimension;
  const down = dimensions.find((one) => one !== across) as Dimension;
  const { time } = columns;
  const rows = sideOf(question, down, MOST_HEAT_ROWS);
  if (longerPeriods(columns) !== undefined) {
    const caption = sentence(
      language,
      'There are more than {count} periods: too many for a heat table.',
      { count: MOST_HEAT_PERIODS },
    );
    return { ...emptyFigure(language), title, caption: [caption] };
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
  const inCells = cellNumbers(values, numbers, isShare(measure));
  const classes = classesOfCells(values.map(inCells.shown), numbers);
  const lookOf = (value: number) => classes.lookOf(inCells.shown(value));
  const unit = unitText(measure, question);
  const said = (value: number) =>
    unit === undefined ? inCells.text(value) : `${inCells.text(value)} ${unit}`;
  const hasRoom =
    columns.lines.length <= MOST_WITH_NUMBERS && heightOf(rows.lines.length) >= LEAST_WITH_NUMBERS;
  const shapes = cells.map((cell): Shape => {
    const { rows: counted, value, href, name } = cell;
    const count =
      counted === undefined || measure.of === 'count'
        ? ''
        : `, ${ofRows(counted, measure, question)}`;
    const look = lookOf(value);
    const rect = cellRect(cell, columns.lines.length, rows.lines.length);
    return {
      shape: 'link',
      title: `${name}: ${said(value)}${count}`,
      href,
      // A page has a table instead, with the same numbers.
      shapes: [{ ...rect, look }, ...(hasRoom ? [numberOn(rect, look, inCells.text(value))] : [])],
    };
  });
  const byPlace = new Map(cells.map((cell, i) => [`${cell.row} ${cell.column}`, i]));
  const told = rows.lines.map((_, row) =>
    columns.lines.map((_, column) => byPlace.get(`${row} ${column}`)),
  );
  const sums = sumsOfRows(question, measure, { ...columns, isTime: time !== undefined }, rows);
  const sumNumbers = numberWords({
    language,
    field: measure.column,
    values: [...(sums?.values() ?? [])],
  });
  const all = language.say('All #periods');
  const sumOf = ({ value }: { readonly value: Value }) => sums?.get(value);
  const sumTexts = sums && rows.lines.map((row) => textOrDash(sumOf(row), sumNumbers.aligned));
  const names = new Set(columns.lines.map(({ name }) => name));
  const isDrawn = (key: number) => names.has(time?.short(key) ?? '');
  const heads = columns.lines.map(({ name, isUnfilled }) => (isUnfilled ? `${name}*` : name));
  return {
    title,
    form: language.say('Heat table'),
    key: classes.key,
    keyUnit: unit,
    extent: language.say('in {count} cells', { count: cells.length }),
    caption: [
      ...(question.instead === undefined || time === undefined
        ? []
        : [
            sentence(language, 'By {part} there would be too many columns, so it is by {other}.', {
              part: partWords(question.instead, language),
              other: time.noun,
            }),
          ]),
      extremesSentence(
        question,
        measure,
        [columns, rows],
        measure.column.unit ? said : inCells.text,
      ),
      ...(classes.areByTen ? [sentence(language, 'Steps of colour are ten times.')] : []),
      ...(cells.length < rows.lines.length * columns.lines.length
        ? [sentence(language, 'Cells without a number are empty.')]
        : []),
      ...(time?.unfilled(isDrawn) ?? []).map((words): Words => ['* ', ...words]),
      ...moreSentence(rows, 'rows', language),
      ...moreSentence(columns, 'columns', language),
      ...countsSentence(measure, question),
    ],
    picture: {
      layout: 'grid',
      height: rows.lines.length * heightOf(rows.lines.length),
      shapes: [
        ...namesOf(columns, rows),
        ...shapes,
        ...(sumTexts === undefined ? [] : sumShapes(all, sumTexts)),
      ],
      hasSums: sums !== undefined,
      table: {
        corner: sentenceCase(dimensionTitle(down, question)),
        heads,
        sums: sums && all,
        rows: rows.lines.map(({ name }, row) => ({
          name,
          sum: sumTexts?.[row],
          cells: (told[row] ?? []).map((i) => {
            const [cell, shape] = i === undefined ? [] : [cells[i], shapes[i]];
            if (cell === undefined || shape?.shape !== 'link') return undefined;
            const { title = '', href } = shape;
            const look = lookOf(cell.value);
            return { look, text: inCells.text(cell.value), title, href };
          }),
        })),
      },
    },
    marks: cells.map(({ name, value, href }) => ({ name, numbers: [value], href })),
    numbers: {
      heads: [
        { title: sentenceCase(dimensionTitle(down, question)) },
        ...[...heads, ...(sums === undefined ? [] : [all])].map((title) => ({
          title,
          isNumber: true as const,
        })),
      ],
      rows: rows.lines.map((line, row) => ({
        cells: [
          line.name,
          ...(told[row] ?? []).map((i) => {
            const cell = i === undefined ? undefined : cells[i];
            return cell === undefined ? '–' : numbers.whole(cell.value);
          }),
          ...(sums === undefined ? [] : [textOrDash(sumOf(line), sumNumbers.whole)]),
        ],
      })),
    },
  };
}

/** The sums of the rows to the right of their cells, in a file. */
function sumShapes(head: string, texts: readonly string[]): Shape[] {
  const height = heightOf(texts.length);
  const text = (text: string, y: At, look: string): Shape => ({
    shape: 'text',
    look,
    x: [1, SUM_END],
    y,
    down: 0.35,
    anchor: 'end',
    runs: [{ text }],
  });
  return [
    ...texts.map((sum, i) => text(sum, [0, (i + 0.5) * height - 1], 'tick')),
    text(head, [0, texts.length * height + height / 2], 'tick'),
  ];
}

/** Where the sums end, in pixels beyond the cells. */
const SUM_END = 58;

function textOrDash(number: number | undefined, written: (number: number) => string): string {
  return number === undefined ? '–' : written(number);
}

/**
 * Of all cells, also of those for which there is no room. An amount of a period that is not full is
 * less for that alone, and not told.
 */
function extremesSentence(
  question: GroupsQuestion,
  measure: Measure,
  sides: readonly [columns: Side, rows: Side],
  text: (value: number) => string,
): Words {
  const { language } = question.known;
  const all = question.answer.groups.flatMap((group) => {
    const value = numberIn(group, measure);
    const values = sides.map(({ dimension }) => valueIn(group, dimension));
    const isDated = sides.every(({ time }, i) => time === undefined || values[i] !== null);
    return value === null || !isDated ? [] : [{ value, values }];
  });
  const full = all.filter(({ values }) =>
    sides.every(({ time }, i) => !time || !isUnfilled(time.extent, time.keyOf(values[i] as Value))),
  );
  const some = full.length === 0 || !isAmount(measure) ? all : full;
  const most = some.reduce((a, b) => (b.value > a.value ? b : a));
  const least = some.reduce((a, b) => (b.value < a.value ? b : a));
  const say = ({ value }: { readonly value: number }): [string] => [text(value)];
  const name = ({ values }: { readonly values: readonly Value[] }) =>
    sides
      .map((side, i) => nameIn(side, values[i] as Value, language))
      .toReversed()
      .join(', ');
  return most.value === least.value
    ? sentence(language, 'All {count} cells have {value}.', {
        count: some.length,
        value: say(most),
      })
    : sentence(language, 'Highest {most}, {mostOf}. Lowest {least}, {leastOf}.', {
        most: say(most),
        mostOf: name(most),
        least: say(least),
        leastOf: name(least),
      });
}

function nameIn(
  { dimension, time }: Omit<Side, 'lines' | 'more'>,
  value: Value,
  language: Language,
) {
  return time === undefined ? nameOf(value, dimension, language) : time.short(time.keyOf(value));
}

/** The time that a dimension is. Undefined if its values do not follow each other. */
function timeIn(question: GroupsQuestion, dimension: Dimension): Time | undefined {
  const { known, cuts = {} } = question;
  const { language } = known;
  const { name, type } = dimension.field;
  const statistics = known.statistics[name] ?? {};
  const steps = yearStepsOf(dimension, language, statistics, cuts[name]);
  if (steps !== undefined) {
    const { extent, width } = steps;
    return {
      ...steps,
      longer: width < LONGEST_YEARS ? { years: LONGEST_YEARS } : undefined,
      noun: width === 10 ? language.say('decade') : language.say('century'),
      unfilled: (isDrawn) =>
        unfilledSentences({ extent, isDrawn, long: steps.short }, language, [
          'The {period} have data from {day} on.',
          'The {period} have data up to {day} only.',
        ]),
    };
  }
  const periods = periodsIn(question, dimension);
  if (periods === undefined) return undefined;
  const extent = extentOf(dimension, periods, language, statistics, cuts[name]);
  const part = coarserThan(periods.part);
  return {
    keyOf: periods.keyOf,
    short: periods.short,
    extent,
    // Only whole numbers are put into steps.
    longer: type === 'integer' ? { years: 10 } : part && { part },
    noun: partWords(periods.part, language),
    unfilled: (isDrawn) => unfilledSentences({ extent, isDrawn, long: periods.long }, language),
  };
}

/** Years are put into decades, and these into centuries. */
const LONGEST_YEARS = 100;

function moreSentence({ more }: Side, what: 'rows' | 'columns', language: Language): Words[] {
  if (more === 0) return [];
  return [
    what === 'rows'
      ? sentence(language, '{count} more rows are not shown; {most} are the most.', {
          count: more,
          most: MOST_HEAT_ROWS,
        })
      : sentence(language, '{count} more columns are not shown; {most} are the most.', {
          count: more,
          most: MOST_HEAT_COLUMNS,
        }),
  ];
}

/** The values of a side in their order; of too many, those with the most rows. */
function sideOf(question: GroupsQuestion, dimension: Dimension, most: number): Side {
  const { groups } = question.answer;
  const time = timeIn(question, dimension);
  const rows = new Map<Value, number>();
  for (const group of groups) {
    const value = valueIn(group, dimension);
    rows.set(value, (rows.get(value) ?? 0) + (rowsIn(group) ?? 0));
  }
  if (time !== undefined) return sideOfTime(dimension, time, [...rows.keys()], most);
  const values = valuesOf(groups, dimension);
  const kept = new Set(
    values.toSorted((a, b) => (rows.get(b) ?? 0) - (rows.get(a) ?? 0)).slice(0, most),
  );
  const lines = inOrderOfGroups(values, dimension, question)
    .filter((value) => kept.has(value))
    .map((value) => ({ value, name: nameOf(value, dimension, question.known.language) }));
  return { dimension, time, lines, more: values.length - lines.length };
}

/**
 * All periods from the first to the last, with those that have no rows, but of every fifth year only
 * these; of too many, the last.
 */
function sideOfTime(
  dimension: Dimension,
  time: Time,
  values: readonly Value[],
  most: number,
): Side {
  const dated = values.filter((value) => value !== null);
  const byKey = new Map(dated.map((value) => [time.keyOf(value), value]));
  const [first, last] = extremesOf(byKey.keys()) ?? [1, 0];
  const step = stepOf([...byKey.keys()]);
  const count = (last - first) / step + 1;
  const more = Math.max(0, count - most);
  const keys = Array.from({ length: count - more }, (_, i) => first + (more + i) * step);
  return {
    dimension,
    time,
    more,
    lines: keys.map((key) => ({
      value: byKey.get(key) ?? null,
      name: time.short(key),
      isUnfilled: isUnfilled(time.extent, key) ? true : undefined,
    })),
  };
}

type Cell = {
  readonly row: number;
  readonly column: number;
  /** Of its row and of its column. */
  readonly name: string;
  readonly value: number;
  readonly rows: number | undefined;
  readonly href: string | undefined;
};

function cellsOf(question: GroupsQuestion, measure: Measure, columns: Side, rows: Side): Cell[] {
  const placeIn = ({ lines, time }: Side) =>
    new Map(lines.flatMap(({ value }, i) => (time && value === null ? [] : [[value, i] as const])));
  const [columnOf, rowOf] = [placeIn(columns), placeIn(rows)];
  return question.answer.groups.flatMap((group: Row): Cell[] => {
    const row = rowOf.get(valueIn(group, rows.dimension));
    const column = columnOf.get(valueIn(group, columns.dimension));
    const value = numberIn(group, measure);
    if (row === undefined || column === undefined || value === null) return [];
    const sides = [rows.lines[row]?.name, columns.lines[column]?.name];
    const name = sides.map((side = '') => setApart(side)).join(', ');
    return [{ row, column, name, value, rows: rowsIn(group), href: question.linkOf(group) }];
  });
}

/** `average of 2 months`, `2 months` */
function ofRows(rows: number, { of }: Measure, question: GroupsQuestion): string {
  const said = rowsText(rows, question);
  return of === 'avg' ? question.known.language.say('average of {rows}', { rows: said }) : said;
}

/** More columns, and lower rows, have no room for numbers in a file. */
const MOST_WITH_NUMBERS = 14;
const LEAST_WITH_NUMBERS = 20;

/** A number in the middle of its cell. */
function numberOn(rect: ReturnType<typeof cellRect>, look: string, text: string): Shape {
  const [width, gap] = rect.width;
  return {
    shape: 'text',
    look: `on ${look}`,
    x: [rect.x + width / 2, gap / 2],
    down: 0.35,
    y: [0, rect.y[1] + rect.height[1] / 2],
    anchor: 'middle',
    runs: [{ text }],
  };
}

/** The height of a row, in pixels: many rows are lower. */
export function heightOf(rows: number): number {
  return rows <= 12 ? 26 : rows <= 24 ? 20 : 16;
}

/** The room between two cells, in pixels. */
const GAP = 2;

function cellRect({ row, column }: Cell, columns: number, rows: number) {
  const height = heightOf(rows);
  return {
    shape: 'rect' as const,
    x: column / columns,
    y: [0, row * height] as const,
    width: [1 / columns, -GAP] as const,
    height: [0, height - GAP] as const,
  };
}

/** The room of names below a plot on a phone and on a desk, and of a letter, in pixels. */
const ROOM = { phone: 230, desk: 600, letter: 7.5, gap: 8 } as const;

/** Names to the left have so many letters. */
const LONGEST_NAME = 18;
const LONGEST_BELOW = 12;

function namesOf(columns: Side, rows: Side): Shape[] {
  const height = heightOf(rows.lines.length);
  const below = columns.lines.map(({ name, isUnfilled }) =>
    cutName(isUnfilled ? `${name}*` : name, LONGEST_BELOW),
  );
  const longest = Math.max(...below.map(({ length }) => length)) * ROOM.letter + ROOM.gap;
  const every = (room: number) => Math.ceil((below.length * longest) / room);
  const [onPhone, onDesk] = [every(ROOM.phone), every(ROOM.desk)];
  // What a phone shows, a desk shows too.
  const step = Math.ceil(onPhone / onDesk);
  return [
    ...rows.lines.map(
      ({ name }, i): Shape => ({
        shape: 'text',
        look: 'tick',
        x: [0, -8],
        down: 0.35,
        anchor: 'end',
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
          shape: 'text',
          look: isOnPhone ? 'tick' : 'tick wide',
          x,
          down: 1.3,
          y: [0, rows.lines.length * height],
          anchor: onDesk === 1 ? 'middle' : 'start',
          runs: [{ text }],
        },
      ];
    }),
  ];
}
