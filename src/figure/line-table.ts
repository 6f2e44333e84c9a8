import type { Language } from '../languages/language.ts';
import { setApart } from '../text/wording.ts';
import type { Drawn, Mark } from './mark.ts';
import { extremesOf, percent, signed } from './numbers.ts';
import { rowsIn } from './question.ts';
import { hrefOf, keysIn, type Lines, type Time, valuesIn, writingOf } from './series.ts';
import { barOf, linked } from './shape.ts';
import { measureTitle, partWords, sentenceCase } from './words.ts';

/** The numbers of lines over time, as a table. */

/** The numbers that were asked for, and beside them those that are drawn, by their titles. */
export function withDrawn(
  asked: LinesTable,
  drawn: LinesTable,
  titled: (name: string) => string,
): LinesTable {
  const heads = drawn.numbers.heads.slice(1);
  const rows = asked.numbers.rows.map((row, i) => ({
    ...row,
    cells: [...row.cells, ...(drawn.numbers.rows[i]?.cells.slice(1) ?? [])],
  }));
  return {
    marks: drawn.marks,
    numbers: {
      heads: [
        ...asked.numbers.heads,
        ...heads.map(({ title }) => ({ title: titled(title), isNumber: true as const })),
      ],
      rows,
    },
  };
}

export type LinesTable = Pick<Drawn, 'marks' | 'numbers'>;

export function tableOf(panels: readonly Lines[]): LinesTable {
  const [first] = panels as [Lines];
  const { question, measure, time, areEnds } = first;
  const columns = panels.flatMap((panel) => {
    const { series, quiet } = panel;
    const numbers = writingOf(panel);
    const unit = panels.length > 1 ? panel.measure.column.unit : undefined;
    return (areEnds ? [...series, ...quiet] : series).map(({ name, title = name, points }) => ({
      title: unit === undefined ? title : `${setApart(title)}, ${unit}`,
      points,
      byKey: new Map(points.map((point) => [point.key, point])),
      written: (value: number) => numbers.whole(value),
    }));
  });
  const { periods } = time;
  const { language } = question.known;
  const keys = keysIn(columns);
  const hrefs = keys.map((key) => {
    const groups = columns.map(({ byKey }) => byKey.get(key)?.group);
    return hrefOf(question, time, groups);
  });
  const marks = keys.map(
    (key, i): Mark => ({
      name: periods.short(key),
      numbers: columns.map(({ byKey }) => byKey.get(key)?.value ?? null),
      ...linked(hrefs[i]),
    }),
  );
  if (areEnds) return { marks, numbers: numbersOfMany(first) };
  const before = new Map(columns[0]?.points.map(({ key }, i, all) => [key, all[i - 1]?.value]));
  const isOne = columns.length === 1;
  const [least, most] = extremesOf([0, ...valuesIn(columns)]) ?? [0, 1];
  const share = (value: number) => (value - least) / (most - least || 1);
  const hasCounts =
    isOne &&
    measure.of !== 'count' &&
    question.answer.groups.some((group) => rowsIn(group) !== undefined);
  const rows = keys.map((key, i) => {
    const points = columns.map(({ byKey }) => byKey.get(key));
    const value = points[0]?.value ?? null;
    const cells = [
      periods.short(key),
      ...points.map((point, k) =>
        point?.value == null ? '–' : (columns[k]?.written(point.value) ?? ''),
      ),
      ...(isOne ? [i === 0 ? '' : changeText(before.get(key) ?? null, value, language)] : []),
      ...(hasCounts ? [language.number(rowsIn(points[0]?.group ?? {}) ?? 0)] : []),
    ];
    return {
      cells,
      ...linked(hrefs[i]),
      ...(isOne && value !== null ? { bar: barOf(value, share) } : {}),
    };
  });
  const heads = [
    { title: periodsTitle(time, language) },
    ...columns.map(({ title }) => ({
      title: isOne ? measureTitle(measure, question) : title,
      isNumber: true as const,
    })),
    ...(isOne ? [{ title: language.say('Change'), isNumber: true as const }] : []),
    ...(hasCounts ? [{ title: sentenceCase(question.known.noun), isNumber: true as const }] : []),
  ];
  return {
    marks,
    numbers: isOne && least < 0 ? { heads, rows, zero: share(0) } : { heads, rows },
  };
}

function periodsTitle({ dimension: { partName, field } }: Time, language: Language): string {
  return sentenceCase(partName === undefined ? field.title : partWords(partName, language));
}

/** Columns of the numbers of many lines; of more periods, the first, the middle and the last. */
const MOST_COLUMNS = 12;

/** The numbers of many lines: a row for each, those with the most at the end on top. */
export function numbersOfMany(lines: Lines): Drawn['numbers'] {
  const { question, time, series, quiet } = lines;
  const all = [...series, ...quiet];
  const numbers = writingOf({ ...lines, series: all });
  const keys = keysIn(all);
  const { length } = keys;
  const shown =
    length <= MOST_COLUMNS ? keys : [0, length >> 1, length - 1].map((i) => keys[i] as number);
  const last = keys.at(-1);
  const rows = all.map(({ name, value, points }) => {
    const byKey = new Map(points.map((point) => [point.key, point.value]));
    const cells = shown.map((key) => {
      const number = byKey.get(key);
      return number == null ? '–' : numbers.whole(number);
    });
    const href =
      value === undefined || time.other === undefined
        ? undefined
        : question.linkOf({ [time.other.column.name]: value });
    const end = byKey.get(last as number) ?? Number.NEGATIVE_INFINITY;
    return { end, row: { cells: [name, ...cells], ...linked(href) } };
  });
  return {
    heads: [
      { title: time.other?.field.title ?? '' },
      ...shown.map((key) => ({ title: time.periods.short(key), isNumber: true as const })),
    ],
    rows: rows.sort((a, b) => b.end - a.end).map(({ row }) => row),
  };
}

/** The change to the period before, in per cent; nothing if that is no part of anything. */
function changeText(before: number | null, value: number | null, language: Language): string {
  if (before === null || value === null || before <= 0 || value < 0) return '';
  const change = Math.round((value / before - 1) * 100);
  return signed(change, { spoken: (number) => percent(number / 100, language) });
}
