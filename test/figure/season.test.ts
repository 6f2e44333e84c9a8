import { describe, expect, test } from '@jest/globals';
import { figureOf, marksFor } from '../../src/figure/figure.ts';
import { plainText } from '../../src/figure/words.ts';
import type { Row } from '../../src/values/field-type.ts';
import { questionOf, rowOf } from './questions.ts';

/** A load for each month of some years, from a month on, up to another one. */
function loads(from: number, to: number): Row[] {
  const of = (month: number) => 1000 + 10 * Math.round(9 * Math.sin(month)) + month;
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const [year, month] = [Math.floor((from + i) / 12), (from + i) % 12];
    const day = `${year}-${String(month + 1).padStart(2, '0')}-01`;
    return rowOf({ day, load: of(from + i) });
  });
}

const months = (year: number, month: number) => 12 * year + month - 1;
const ASKED = { _group: 'day.month_of_year,day.year', _measure: 'avg:load' };

function drawn(rows: readonly Row[], _group = ASKED._group) {
  const figure = figureOf(questionOf(rows, { ...ASKED, _group }));
  if (figure?.picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
  const curves = figure.picture.shapes.filter(({ shape }) => shape === 'curve');
  return { ...figure, curves, said: plainText(figure.caption) };
}

describe('a season', () => {
  test('is the usual figure of a month of the year and its year, in any order', () => {
    const rows = loads(months(2001, 1), months(2006, 12));
    for (const group of [ASKED._group, 'day.year,day.month_of_year']) {
      expect(drawn(rows, group)).toMatchObject({
        mark: 'season',
        name: expect.stringMatching(/^6 lines: /),
      });
    }
    expect(
      marksFor(questionOf(rows, { ...ASKED, _group: 'day.month_of_year,kind' })),
    ).not.toContain('season');
  });

  test('has a line a year, of which the last is marked, and says until when', () => {
    const { curves, said } = drawn(loads(months(2001, 1), months(2004, 4)));
    expect(curves.map(({ look }) => look)).toEqual(['l old', 'l old', 'l old', 'l']);
    expect(said).toContain('2004 ends in April 2004. Coloured: 2004, the last year.');
    const whole = drawn(loads(months(2001, 1), months(2004, 12))).said;
    expect(whole).not.toContain('ends in');
    expect(whole).toContain('Coloured: 2004, the last year.');
    const many = drawn(loads(months(1961, 1), months(2020, 12))).curves;
    const tenths = [1970, 1980, 1990, 2000, 2010].map((year) => year - 1961);
    expect(many.slice(0, -1).map(({ look }) => look)).toEqual(
      Array.from({ length: 59 }, (_, i) => (tenths.includes(i) ? 'l old' : 'l old faint')),
    );
  });

  test('has each number in its table, a row a year and a column a month', () => {
    const rows = loads(months(2001, 3), months(2003, 10));
    const { numbers, marks } = drawn(rows);
    expect(numbers.heads.map(({ title }) => title).slice(0, 3)).toEqual(['Year', 'Jan', 'Feb']);
    expect(numbers.rows.map(({ cells: [year] }) => year)).toEqual(['2001', '2002', '2003']);
    const told = marks.flatMap((mark) => mark.numbers.filter((number) => number !== null));
    expect(told.toSorted()).toEqual(rows.map(({ load }) => load as number).toSorted());
    expect(numbers.rows[0]?.cells.slice(1, 3)).toEqual(['–', '–']);
  });

  test('reads out a month of each line that has a name, and leads to that month of the last year', () => {
    const { picture } = drawn([
      ...loads(months(2001, 1), months(2002, 12)),
      rowOf({ day: '2003-01-01', load: 20_000 }),
    ]);
    if (picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
    const [january, february] = picture.readouts;
    expect(january).toMatchObject({
      title: 'Jan: 2002 25.0k, 2001 24.9k, 2003 20.0k',
      href: '?day_month_of_year=1&day_year=2003',
    });
    // 2003 has no February.
    expect(february).toMatchObject({ href: '?day_month_of_year=2&day_year=2002' });
    expect(february?.title).not.toContain('2003');
  });

  test('names all years up to twelve, and of more the last and each tenth', () => {
    const namesIn = (from: number, to: number) => {
      const { picture } = drawn(loads(months(from, 1), months(to, 12)));
      if (picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
      return picture.shapes.flatMap((shape) =>
        shape.shape === 'text' && shape.look === 'end' ? shape.runs.map(({ text }) => text) : [],
      );
    };
    expect(namesIn(1999, 2010).length).toBe(12);
    expect(namesIn(1998, 2021)).toEqual(['2000', '2010', '2020', '2021']);
  });

  test('tells the highest and the lowest of all months, with their years', () => {
    const rows = loads(months(2001, 1), months(2003, 12));
    const numbers = rows.map(({ load }) => load as number);
    const name = (value: number) => {
      const [year = '', month = ''] = String(rows[numbers.indexOf(value)]?.day).split('-');
      return `${new Date(`${year}-${month}-01`).toLocaleString('en', { month: 'long', timeZone: 'UTC' })} ${year}`;
    };
    const { said } = drawn(rows);
    expect(said).toContain(`in ${name(Math.max(...numbers))}. Lowest`);
    expect(said).toContain(`in ${name(Math.min(...numbers))}.`);
  });

  test('of a month that the data do not fill: it is told, and no extreme', () => {
    const daily = Array.from({ length: 425 }, (_, i) =>
      rowOf({ day: new Date(Date.UTC(2022, 0, 1 + i)).toISOString().slice(0, 10), load: i }),
    );
    const { said } = drawn([...daily, rowOf({ day: '2023-03-02', load: 9999 })]);
    expect(said).toContain('March 2023 has data up to 2 March 2023 only.');
    expect(said).toContain('in February 2023. Lowest');
  });
});
