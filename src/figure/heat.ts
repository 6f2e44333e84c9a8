import type { Dimension, Measure } from '../block/grouping.ts';
import type { Value } from '../values/field-type.ts';
import { cellNumbers } from './cell-numbers.ts';
import { classesOfCells } from './classes.ts';
import { cellsOf, columnsOf, longerPeriods, sideOf } from './heat-cells.ts';
import {
  cellRect,
  hasRoomForNumbers,
  heightOf,
  namesOf,
  numberOn,
  sumShapes,
} from './heat-picture.ts';
import { sumsOfRows } from './heat-sums.ts';
import { extremesSentence, moreSentence, ofRows } from './heat-words.ts';
import {
  type Drawn,
  emptyFigure,
  type MarkKind,
  MOST_HEAT_PERIODS,
  MOST_HEAT_ROWS,
} from './mark.ts';
import { numberWords } from './numbers.ts';
import { drawnMeasure, type GroupsQuestion, isShare } from './question.ts';
import type { Shape } from './shape.ts';
import {
  countsSentence,
  dimensionTitle,
  noValues,
  partWords,
  sentence,
  sentenceCase,
  titleOf,
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
  const sums = sumsOfRows(question, measure, { ...columns, isTime: time !== undefined }, down);
  const rows = sideOf(question, down, MOST_HEAT_ROWS, sums);
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
  const hasRoom = hasRoomForNumbers(columns, rows);
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
  const indexOf = new Map(cells.map((cell, i) => [`${cell.row} ${cell.column}`, i]));
  const told = rows.lines.map((_, row) =>
    columns.lines.map((_, column) => indexOf.get(`${row} ${column}`)),
  );
  const sumNumbers = numberWords({
    language,
    field: measure.column,
    values: [...(sums?.of.values() ?? [])],
  });
  const all = language.say('All #periods');
  const sumOf = ({ value }: { readonly value: Value }) => sums?.of.get(value);
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

function textOrDash(number: number | undefined, written: (number: number) => string): string {
  return number === undefined ? '–' : written(number);
}
