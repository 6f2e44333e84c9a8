import { describe, expect, test } from '@jest/globals';
import type { AxisName } from '../../src/block/views.ts';
import { marksFor } from '../../src/figure/figure.ts';
import { plainText } from '../../src/figure/words.ts';
import type { Row } from '../../src/values/field-type.ts';
import { dayText, figure, questionOf, rowOf } from './questions.ts';

const ASKED = { _group: 'day.month,kind', _measure: 'sum:load' };

const MONTHS = ['2024-01-01', '2024-02-01', '2024-03-01'];

function rowsOf(loads: Readonly<Record<string, readonly (number | null)[]>>): Row[] {
  return Object.entries(loads).flatMap(([kind, numbers]) =>
    numbers.map((load, i) => rowOf({ kind, load, day: MONTHS[i] as string })),
  );
}

function drawn(rows: readonly Row[], axis: AxisName, given = {}) {
  return figure(questionOf(rows, { ...ASKED, axis, ...given }), 'areas');
}

function layersOf(one: ReturnType<typeof figure>) {
  if (one.picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
  return one.picture.shapes.flatMap((shape) => (shape.shape === 'curve' ? [shape] : []));
}

describe('stacked areas', () => {
  const rows = rowsOf({ small: [1, 1, 2], large: [6, 7, 8], middle: [3, 2, 0] });

  test('as shares add up to 100 % in each month, the largest at the bottom', () => {
    const shares = drawn(rows, 'share');
    expect(shares).toMatchObject({
      mark: 'areas',
      axis: 'share',
      title: 'Load, by month of Day and Kind, as shares',
    });
    expect(shares.marks.map(({ numbers }) => numbers)).toEqual([
      [0.6, 0.3, 0.1],
      [0.7, 0.2, 0.1],
      [0.8, 0, 0.2],
    ]);
    expect(plainText(shares.caption)).toBe(
      'In March 2024 large has the largest share, 80 %. large rose most: from 60 % in January 2024 to 80 % in March 2024. Each month adds up to 100 %, of 10 in January 2024 and 10 in March 2024.',
    );
    // From its own top, to where the layer below ends.
    const [, middle] = layersOf(shares);
    expect(middle?.look).toBe('layer c2');
    const heights = middle?.points.map((point) => Number(point?.[1].toFixed(3)));
    expect(heights).toEqual(
      [0.1, 0.1, 0.2, 0.2, 0.3, 0.4].map((height) => expect.closeTo(height, 3)),
    );
  });

  test('say nothing of a rise up to a month that the data do not fill', () => {
    const cut = [...rows, rowOf({ kind: 'small', load: 0, day: '2024-01-02' })];
    const said = plainText(drawn(cut, 'zero').caption);
    expect(said).toContain('In March 2024 large has the most, 8.');
    expect(said).not.toContain('rose most');
  });

  test.each([
    ['of all rows, of all', rows, 'of all loads', 'share of all'],
    ['of some rows, of those values', rows.slice(3), 'of the 2', 'share of the 2'],
    ['of some rows of each value, too', rows.slice(1), 'of the 3', 'share of the 3'],
  ])('as shares of counts are %s', (_, matching, unit, title) => {
    const shares = drawn(rows, 'share', { _measure: 'count', matching });
    const { shapes } = shares.picture as Extract<typeof shares.picture, { layout: 'plot' }>;
    const texts = shapes.flatMap((one) => (one.shape === 'text' ? one.runs : []));
    expect(texts.map(({ text }) => text)).toContain(unit);
    expect(shares.axes.map((one) => one.title)).toContain(title);
  });

  test('have the numbers that were asked for in the table, and beside them the shares', () => {
    const { heads, rows: lines } = drawn(rows, 'share').numbers;
    expect(heads.map(({ title }) => title)).toEqual([
      'Month',
      'large',
      'middle',
      'small',
      'large, share',
      'middle, share',
      'small, share',
    ]);
    expect(lines[0]?.cells).toEqual(['Jan 2024', '6', '3', '1', '60 %', '30 %', '10 %']);
    expect(drawn(rows, 'zero').numbers.rows[0]?.cells).toEqual(['Jan 2024', '6', '3', '1']);
  });

  test('read out a month with its shares, the greatest first, and lead to its rows', () => {
    const { picture } = drawn(rows, 'share');
    if (picture?.layout !== 'plot') throw new TypeError('No plot is drawn.');
    expect(picture.readouts.map(({ title, href }) => [title, href])).toEqual([
      ['Jan 2024: large 60 %, middle 30 %, small 10 %', '?day_month=2024-01'],
      ['Feb 2024: large 70 %, middle 20 %, small 10 %', '?day_month=2024-02'],
      ['Mar 2024: large 80 %, small 20 %, middle 0 %', '?day_month=2024-03'],
    ]);
  });

  test('from 0 are as high as their sums', () => {
    const plain = drawn(rows, 'zero');
    expect(plain).toMatchObject({ axis: 'zero', title: 'Load, by month of Day and Kind' });
    expect(plain.marks[2]?.numbers).toEqual([8, 0, 2]);
    expect(plainText(plain.caption)).toContain('Together they are 10 in January 2024');
  });

  test('of more than eight values name the seven largest, and make one of all others', () => {
    const many = Object.fromEntries(
      Array.from({ length: 14 }, (_, i) => [
        `kind ${String(i).padStart(2, '0')}`,
        [20 - i, 20 - i, 20 - i],
      ]),
    );
    const shares = drawn(rowsOf(many), 'share');
    expect(layersOf(shares).map(({ look }) => look)).toEqual([
      ...['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'].map((look) => `layer ${look}`),
      'layer others',
    ]);
    expect(shares.numbers.heads[8]?.title).toBe('7 more');
    expect(shares.numbers.rows[0]?.cells[8]).toBe(String(13 + 12 + 11 + 10 + 9 + 8 + 7));
    expect(plainText(shares.caption)).toContain(
      'The 7 largest of 14 are named; the 7 others are grey together.',
    );
    // Nothing asks for this mark but the axis.
    expect(figure(questionOf(rowsOf(many), { ...ASKED, axis: 'share' })).mark).toBe('areas');
    expect(figure(questionOf(rowsOf(many), ASKED)).mark).toBe('line');
  });

  test('break where a period is missing, and leave out one that has nothing to share', () => {
    const at = (month: number, load: number) =>
      ['a', 'b'].map((kind) =>
        rowOf({ kind, load, day: `2024-${String(month).padStart(2, '0')}-01` }),
      );
    const gap = drawn(
      [1, 2, 3, 6, 7].flatMap((month) => at(month, 1)),
      'share',
    );
    expect(layersOf(gap).filter(({ look }) => look === 'layer c1').length).toBe(2);
    const nothing = drawn([...at(1, 1), ...at(2, 0), ...at(3, 1)], 'share');
    expect(nothing.marks.map(({ name }) => name)).toEqual(['Jan 2024', 'Mar 2024']);
    expect(layersOf(nothing).filter(({ look }) => look === 'layer c1').length).toBe(2);
  });

  test('count a value that is blank as a layer, and say how many rows have no date', () => {
    const blank = [rowOf({ load: 5, day: MONTHS[0] as string }), rowOf({ kind: 'a', load: 9 })];
    const shares = drawn([...rows, ...blank], 'share');
    expect(shares.numbers.heads.map(({ title }) => title)).toContain('blank');
    expect(plainText(shares.caption)).toContain('1 of the loads has no “Day”.');
  });

  test('are of counts and of sums that are not negative, over time and by one more field', () => {
    const fits = (some: readonly Row[], given = {}) =>
      marksFor(questionOf(some, { ...ASKED, ...given })).includes('areas');
    expect(fits(rows)).toBe(true);
    expect(fits(rows, { _measure: 'count' })).toBe(true);
    expect(fits(rows, { _measure: 'avg:load' })).toBe(false);
    expect(fits(rows, { _measure: 'distinct:load' })).toBe(false);
    expect(fits(rows, { _group: 'day.month' })).toBe(false);
    expect(fits(rows, { _group: 'kind,area' })).toBe(false);
    expect(fits(rows, { _group: 'day.month_of_year,day.year' })).toBe(false);
    expect(fits(rows, { _group: 'day.month,day.weekend' })).toBe(true);
    expect(fits(rowsOf({ a: [1, -1, 1], b: [1, 1, 1] }))).toBe(false);
    expect(fits(rowsOf({ a: [1, null, 1], b: [1, 1, 1] }))).toBe(true);
  });

  test('take longer periods, if there would be too many points', () => {
    const daily = Array.from({ length: 1001 }, (_, i) =>
      ['a', 'b'].map((kind) => rowOf({ kind, load: 1, day: dayText(i) })),
    ).flat();
    const asked = { _group: 'day.day,kind' };
    expect(drawn(daily, 'share', asked).fewer).toEqual({ part: 'week' });
    expect(drawn(daily.slice(0, 2000), 'share', asked).fewer).toBeUndefined();
  });
});
