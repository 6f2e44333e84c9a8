import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Shape } from '../../src/figure/shape.ts';
import {
  captionIn,
  dayText,
  FIELDS,
  figure,
  linksIn,
  ofKind,
  questionOf,
  rowOf,
  seenIn,
  shapesIn,
  textsIn,
} from './questions.ts';

const days = (values: readonly (number | null)[], step = 1) =>
  values.map((load, i) => rowOf({ day: dayText(i * step), load }));
const PER_DAY = { _group: 'day.day', _measure: 'avg:load' };
const curvesIn = (shapes: readonly Shape[]) => ofKind(shapes, 'curve');
const pieces = (shapes: readonly Shape[]) =>
  curvesIn(shapes).map(({ points }) =>
    points.map((point) => (point === null ? '-' : 'o')).join(''),
  );
const looks = (shapes: readonly Shape[], look: string) =>
  shapes.filter((shape) => 'look' in shape && shape.look?.split(' ').includes(look));

describe('a line over time', () => {
  test('writes its last value, its highest and its lowest', () => {
    const drawn = figure(questionOf(days([4, 9, 1, 6]), PER_DAY));
    expect(drawn.mark).toBe('line');
    const texts = textsIn(seenIn(drawn));
    expect(texts).toEqual(
      expect.arrayContaining(['6Last,4 Jan 2024', 'Lowest 1 3 Jan 2024', 'Highest 9 2 Jan 2024']),
    );
    expect(captionIn(drawn)).toContain(
      'From 4 on 1 January 2024 to 6 on 4 January 2024. Highest 9, on 2 January 2024. Lowest 1, on 3 January 2024. The greatest change is −8, from 2 January 2024 to 3 January 2024.',
    );
  });

  test('names a last value that is the highest once', () => {
    const drawn = figure(questionOf(days([4, 1, 9]), PER_DAY));
    expect(textsIn(seenIn(drawn))).toContain('9Highest,3 Jan 2024');
    expect(textsIn(seenIn(drawn)).join()).not.toContain('Highest 9');
    expect(captionIn(drawn)).toContain('to 9 on 3 January 2024, the highest of 3 days.');
  });

  test('breaks at gaps, and gives a lone value a square', () => {
    const rows = [0, 1, 4, 6, 7].map((day) => rowOf({ day: dayText(day), load: 5 + day }));
    const shapes = seenIn(figure(questionOf(rows, PER_DAY)));
    expect(pieces(shapes)).toEqual(['oo-o-oo']);
    expect(looks(shapes, 'lone')).toHaveLength(1);
  });

  test('joins dates that are all as far apart, and breaks where one of them lacks', () => {
    const rows = days([4, 9, 1, 3], 5);
    const drawn = figure(questionOf(rows, PER_DAY));
    expect(pieces(seenIn(drawn))).toEqual(['oooo']);
    expect(looks(seenIn(drawn), 'lone')).toHaveLength(0);
    expect(captionIn(drawn)).toContain(
      'The greatest change is −8, from 6 January 2024 to 11 January 2024.',
    );
    expect(drawn.numbers?.rows.map(({ cells }) => cells[2])).toEqual([
      '',
      '+125 %',
      '−89 %',
      '+200 %',
    ]);
    const [first, , third, fourth] = rows;
    const broken = [first, third, fourth].map((row) => row as (typeof rows)[number]);
    expect(pieces(seenIn(figure(questionOf(broken, PER_DAY))))).toEqual(['o-oo']);
    const lone = figure(questionOf(days([4, 9], 5), PER_DAY));
    expect(looks(seenIn(lone), 'lone')).toHaveLength(2);
  });

  test('is 0 for counts of rows where no row is, up to the ends of the data', () => {
    const rows = [0, 1, 5].map((day) => rowOf({ day: dayText(day), kind: day === 5 ? 'b' : 'a' }));
    const matching = rows.filter(({ kind }) => kind === 'a');
    const drawn = figure(questionOf(rows, { _group: 'day.day', matching }));
    expect(drawn.marks.map(({ numbers }) => numbers[0])).toEqual([1, 1, 0, 0, 0, 0]);
    expect(pieces(seenIn(drawn))).toEqual(['oooooo']);
  });

  test('is cut to the filter: dates outside of it are neither 0 nor drawn', () => {
    const rows = [0, 1, 5].map((day) => rowOf({ day: dayText(day) }));
    const key = Date.parse(dayText(3)) / 86_400_000;
    const question = questionOf(rows, {
      ...{ _group: 'day.day', matching: rows.slice(0, 2) },
      cuts: { day: { max: key } },
    });
    expect(figure(question).marks).toHaveLength(4);
  });

  test('has gaps, not zeros, if a filter on groups left some out', () => {
    const question = questionOf(
      [0, 1, 5].map((day) => rowOf({ day: dayText(day) })),
      { _group: 'day.day' },
    );
    const answer = { ...question.answer, isFiltered: true as const };
    expect(figure({ ...question, answer }).marks).toHaveLength(3);
  });

  test('goes below a zero line that is drawn', () => {
    const drawn = figure(questionOf(days([-8, 3, -5]), PER_DAY));
    const [zero] = ofKind(looks(seenIn(drawn), 'base'), 'line');
    expect(zero?.y[0]).toBeGreaterThan(0);
    expect(zero?.y[0]).toBeLessThan(1);
    expect(textsIn(seenIn(drawn))).toContain('−10');
    expect(textsIn(seenIn(drawn))).toContain('−5Last,3 Jan 2024');
  });

  test('of one point stands in the middle, with its value', () => {
    const drawn = figure(questionOf(days([14]), PER_DAY));
    const [point] = curvesIn(seenIn(drawn)).flatMap(({ points }) => points);
    expect(point?.[0]).toBe(0.5);
    expect(textsIn(seenIn(drawn))).toContain('14Only one,1 Jan 2024');
    expect(captionIn(drawn)).toContain('There is one value: 14 on 1 January 2024.');
    expect(linksIn(drawn).filter(({ look }) => look === 'h')).toHaveLength(1);
  });

  test('of equal values says so, and names no extremes', () => {
    const drawn = figure(questionOf(days([7, 7, 7]), PER_DAY));
    expect(textsIn(seenIn(drawn))).toContain('7All equal,3 Jan 2024');
    expect(textsIn(seenIn(drawn)).join()).not.toMatch(/Highest|Lowest/);
    expect(captionIn(drawn)).toContain('All 3 values are 7.');
  });

  test('of blank values alone is no picture, but a sentence', () => {
    const drawn = figure(questionOf(days([null, null]), PER_DAY));
    expect(drawn.picture).toBeUndefined();
    expect(captionIn(drawn)).toBe('Load: all 2 values are blank.');
  });

  test('of no rows says so', () => {
    const drawn = figure(questionOf(days([1, 2]), { ...PER_DAY, matching: [] }));
    expect(captionIn(drawn)).toBe('No loads match.');
  });

  test('tells rows without a date', () => {
    const rows = [...days([1, 2]), rowOf({ load: 3 })];
    expect(captionIn(figure(questionOf(rows, PER_DAY)))).toContain('1 of the loads has no “Day”.');
  });

  test('starts near its values if the least is over 70 % of the greatest, and says so', () => {
    const ticks = (values: number[], _measure = 'avg:load') => {
      const drawn = figure(questionOf(days(values), { _group: 'day.day', _measure }));
      const [start = ''] = /The axis starts at [\d.,]+, not at 0\./.exec(captionIn(drawn)) ?? [];
      const texts = looks(seenIn(drawn), 'tick').filter(({ shape }) => shape === 'text');
      return [textsIn(texts)[0], start];
    };
    expect(ticks([1003, 1008, 995])).toEqual(['995', 'The axis starts at 995, not at 0.']);
    expect(ticks([316, 390, 411])).toEqual(['300', 'The axis starts at 300, not at 0.']);
    expect(ticks([70, 80, 100])).toEqual(['0', '']);
    expect(ticks([71, 80, 100])).toEqual(['70', 'The axis starts at 70, not at 0.']);
    // Sums are as large as they are high; of equal numbers there is nothing to tell apart.
    expect(ticks([1003, 1008, 995], 'sum:load')).toEqual(['0', '']);
    expect(ticks([995, 995])).toEqual(['0', '']);
    expect(ticks([-995, -1008])[1]).toBe('');
  });

  test('ends at its greatest value if the next tick is more than a third of a step above', () => {
    const axis = (values: number[]) => {
      const drawn = seenIn(figure(questionOf(days(values), PER_DAY)));
      const texts = looks(drawn, 'tick').filter(({ shape }) => shape === 'text');
      return textsIn(texts).filter((text) => /^\d$/.test(text));
    };
    expect(axis([1, 7.9, 3])).toEqual(['0', '2', '4', '6', '8']);
    expect(axis([1, 7.2, 3])).toEqual(['0', '2', '4', '6']);
  });

  test('has notes of its extremes that stand beside the line, or none', () => {
    const notes = (values: readonly number[]) =>
      textsIn(looks(seenIn(figure(questionOf(days(values), PER_DAY))), 'note'));
    // Spikes on both sides of the foot leave nothing free; its mark stays.
    const flat = Array.from({ length: 61 }, (_, i) => (i === 30 ? 0 : i % 4 === 3 ? 500 : 3));
    expect(notes(flat)).toEqual(['Highest 500 29 Feb 2024']);
    expect(looks(seenIn(figure(questionOf(days(flat), PER_DAY))), 'mark')).toHaveLength(3);
    expect(notes([9, 4, 9, 12, 9])).toEqual(['Lowest 4 2 Jan 2024', 'Highest 12 4 Jan 2024']);
  });

  test('carries the counts of averages', () => {
    const rows = [...days([1, 2]), rowOf({ day: dayText(1), load: 6 })];
    const drawn = figure(questionOf(rows, PER_DAY));
    expect(captionIn(drawn)).toContain('Each is the average of 1 to 2 loads.');
    expect(drawn.numbers.heads.at(-1)?.title).toBe('Loads');
    expect(drawn.numbers.rows.at(-1)?.cells.at(-1)).toBe('2');
  });
});

describe('time', () => {
  test('has days of the zone of the field', () => {
    const at = ['09T23:30:00-05:00', '10T23:30:00-04:00', '11T23:30:00-04:00'];
    const drawn = figure(
      questionOf(
        at.map((time) => rowOf({ at: `2024-03-${time}` })),
        { _group: 'at.day' },
      ),
    );
    expect(drawn.marks.map(({ name }) => name)).toEqual([
      '9 Mar 2024',
      '10 Mar 2024',
      '11 Mar 2024',
    ]);
    expect(drawn.marks.map(({ numbers }) => numbers[0])).toEqual([1, 1, 1]);
  });

  test('has weeks of years with 53, in order and evenly apart', () => {
    const monday = Date.UTC(2020, 11, 14);
    const rows = [0, 1, 2, 3, 4].map((i) =>
      rowOf({ day: new Date(monday + i * 7 * 86_400_000).toISOString().slice(0, 10) }),
    );
    const drawn = figure(questionOf(rows, { _group: 'day.week' }));
    const names = ['2020-W51', '2020-W52', '2020-W53', '2021-W01', '2021-W02'];
    expect(drawn.marks.map(({ name }) => name)).toEqual(names);
    const xs = curvesIn(seenIn(drawn)).flatMap(({ points }) =>
      points.map((point) => point?.[0] ?? 0),
    );
    expect(xs.map((x) => Math.round(x * 100))).toEqual([0, 25, 50, 75, 100]);
  });

  test.each(['year', 'built'])('is of whole numbers that are years: %s', (name) => {
    const rows = [1952, 1957, 1962].map((year) => rowOf({ [name]: year, load: year - 1950 }));
    const drawn = figure(questionOf(rows, { _group: name, _measure: 'avg:load' }));
    expect(drawn.mark).toBe('line');
    expect(drawn.marks.map((mark) => mark.name)).toEqual(['1952', '1957', '1962']);
  });

  test('is not of whole numbers that are no years', () => {
    const rows = [3, 57, 1962].map((built) => rowOf({ built }));
    expect(figure(questionOf(rows, { _group: 'built' })).mark).toBe('bars');
  });

  test('marks a last period that the data do not fill, by the grain of the dates', () => {
    const daily = (count: number) => days(Array.from({ length: count }, () => 1));
    const sum = { _group: 'day.month', _measure: 'sum:load' };
    const short = figure(questionOf(daily(45), sum));
    expect(captionIn(short)).toContain('February 2024 has data up to 14 February 2024 only.');
    expect(looks(seenIn(short), 'open')).toHaveLength(2);
    expect(textsIn(seenIn(short))).toContain('14So far,Feb 2024');
    const full = figure(questionOf(daily(60), sum));
    expect(captionIn(full)).not.toContain('has data');
    expect(looks(seenIn(full), 'open')).toEqual([]);
  });

  test('does not mark a month whose only date is its first, if all have one', () => {
    const rows = ['2024-01-01', '2024-02-01', '2024-03-01'].map((day) => rowOf({ day, load: 1 }));
    const drawn = figure(questionOf(rows, { _group: 'day.month', _measure: 'sum:load' }));
    expect(captionIn(drawn)).not.toContain('has data');
  });

  test('does not call a month that is not full the lowest sum', () => {
    const rows = days(Array.from({ length: 65 }, () => 1));
    const drawn = figure(questionOf(rows, { _group: 'day.month', _measure: 'sum:load' }));
    expect(captionIn(drawn)).toContain(
      'From 31 in January 2024, the highest, to 29 in February 2024',
    );
  });

  test.each(['avg:load', 'sum:load', 'max:load', 'count'])(
    'dots a first and a last month that are not full, which are no extremes and no change: %s',
    (_measure) => {
      // From 30 January to 3 May: the ends are far higher than what is between them.
      const rows = Array.from({ length: 95 }, (_, i) => i + 29).flatMap((day) => {
        const isEnd = day < 31 || day > 120;
        return Array.from({ length: isEnd ? 50 : 1 + (day % 2) }, () =>
          rowOf({ day: dayText(day), load: isEnd ? 900 : Math.floor(day / 31) }),
        );
      });
      const drawn = figure(questionOf(rows, { _group: 'day.month', _measure }));
      expect(drawn.marks).toHaveLength(5);
      const caption = captionIn(drawn);
      expect(caption).toMatch(/^From [\d.]+ in February 2024.* to [\d.]+ in April 2024/);
      expect(caption).not.toMatch(/(?:Highest|Lowest|change)[^.]*(?:January|May)/);
      expect(caption).toContain('January 2024 has data from 30 January 2024 on.');
      expect(caption).toContain('May 2024 has data up to 3 May 2024 only.');
      const open = looks(seenIn(drawn), 'open').filter(({ shape }) => shape === 'curve');
      expect(ofKind(open, 'curve').map(({ points }) => points.map((point) => point?.[0]))).toEqual([
        [0, expect.any(Number)],
        [expect.any(Number), 1],
      ]);
      expect(textsIn(seenIn(drawn)).join()).not.toMatch(/(?:Highest|Lowest)[^,]*(?:Jan|May)/);
    },
  );
});

describe('more than 2,000 points', () => {
  test('want the next coarser part, and none before', () => {
    const rows = (count: number) => days(Array.from({ length: count }, (_, i) => i));
    const { fewer, picture, caption } = figure(questionOf(rows(2001), PER_DAY));
    expect(fewer).toEqual({ part: 'week' });
    expect(picture).toBeUndefined();
    expect(caption.join()).toContain('more than 2,000 points');
    expect(figure(questionOf(rows(2000), PER_DAY)).fewer).toBeUndefined();
  });

  test('are counted of all series together', () => {
    const rows = Array.from({ length: 2100 }, (_, i) =>
      rowOf({ day: dayText(Math.floor(i / 3)), kind: `k${i % 3}` }),
    );
    expect(figure(questionOf(rows, { _group: 'day.day,kind' })).fewer).toEqual({ part: 'week' });
  });

  test('what was asked for is said of the longer periods', () => {
    const drawn = figure(questionOf(days([1, 2], 7), { _group: 'day.week', instead: 'day' }));
    expect(captionIn(drawn)).toContain('By day there would be too many points, so it is by week.');
  });

  test('of years, which have no coarser part, are the last ones, and the earlier are told', () => {
    const rows = Array.from({ length: 2100 }, (_, i) => rowOf({ year: i + 1, load: i }));
    const drawn = figure(questionOf(rows, { _group: 'year', _measure: 'avg:load' }));
    expect(drawn.marks).toHaveLength(2000);
    expect(captionIn(drawn)).toContain('100 earlier years are not drawn.');
  });

  test('groups that are not in the answer want a coarser part too', () => {
    const question = questionOf(days([1, 2, 3]), { ...PER_DAY, limit: 2 });
    expect(figure(question).fewer).toEqual({ part: 'week' });
  });
});

describe('several series', () => {
  const series = (count: number, length = 4) =>
    Array.from({ length: count * length }, (_, i) =>
      rowOf({ day: dayText(Math.floor(i / count)), kind: `k${i % count}`, load: 1 + (i % count) }),
    );
  const split = { _group: 'day.day,kind', _measure: 'avg:load' };

  test('eight are lines, each named at its end; nine become a heat table', () => {
    const eight = figure(questionOf(series(8), split));
    expect(eight.mark).toBe('line');
    expect(curvesIn(seenIn(eight))).toHaveLength(8);
    for (let k = 0; k < 8; k++) expect(textsIn(seenIn(eight))).toContain(`k${k}`);
  });

  test('nine and more are quiet, but for the highest and the lowest at the end', () => {
    const drawn = figure(questionOf(series(12), split));
    expect(drawn.mark).toBe('line');
    expect(textsIn(looks(seenIn(drawn), 'end'))).toEqual(expect.arrayContaining(['k0', 'k11']));
    expect(looks(seenIn(drawn), 'quiet')).toHaveLength(1);
    expect(drawn.toPick).toHaveLength(5);
    expect(figure(questionOf(series(101), split)).mark).toBe('heat');
  });

  test('labels do not cover one another, and stay inside', () => {
    const rows = series(8).map((row) => ({ ...row, load: 5 }));
    const names = ofKind(looks(seenIn(figure(questionOf(rows, split))), 'end'), 'text');
    const places = names.filter(({ anchor }) => anchor === undefined).map(({ y }) => y as number);
    const sorted = places.toSorted((a, b) => a - b);
    for (const [i, y] of sorted.entries()) {
      if (i > 0) expect(y - (sorted[i - 1] as number)).toBeGreaterThan(0.06);
      expect(y).toBeLessThan(1.02);
      expect(y).toBeGreaterThanOrEqual(0);
    }
  });

  test('one that ends early is named where it ended', () => {
    const rows = series(2).filter(({ day, kind }) => kind !== 'k1' || day !== dayText(3));
    const drawn = figure(questionOf(rows, split));
    expect(captionIn(drawn)).toContain('k1 ends on 3 January 2024.');
    expect(pieces(seenIn(drawn))).toEqual(['oooo', 'ooo']);
  });

  test('long names are cut beside the line, and whole in the table', () => {
    const name = 'Department of Housing and Community Development';
    const rows = series(2).map((row) => ({ ...row, kind: row.kind === 'k1' ? name : 'k0' }));
    const drawn = figure(questionOf(rows, split));
    expect(textsIn(seenIn(drawn)).every((text) => text.length < 40)).toBe(true);
    expect(drawn.numbers.heads.map(({ title }) => title)).toContain(name);
  });

  test('are of several measures in one unit', () => {
    const fields = [
      ...FIELDS,
      { type: 'number' as const, name: 'weight', title: 'Weight', unit: 't' },
    ];
    const rows = days([1, 2, 3]).map((row) => ({ ...row, weight: 5 }));
    const drawn = figure(
      questionOf(rows, { fields, _group: 'day.day', _measure: 'avg:load,avg:weight' }),
    );
    expect(drawn.numbers.heads.map(({ title }) => title)).toEqual(['Day', 'Load', 'Weight']);
  });
});

test('any line has all of its groups in the table, inside its frame, with ticks in its domain', () => {
  const value = fc.oneof(
    fc.integer({ min: -1000, max: 1000 }),
    fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 25 }),
      fc.array(value, { minLength: 25, maxLength: 25 }),
      fc.constantFrom('day', 'week', 'month', 'quarter', 'year'),
      fc.constantFrom('count', 'avg:load', 'sum:load'),
      (all, loads, part, measure) => {
        const rows = all.map((day, i) => rowOf({ day: dayText(day), load: loads[i] ?? null }));
        const question = questionOf(rows, { _group: `day.${part}`, _measure: measure });
        const drawn = figure(question);
        const texts = drawn.numbers.rows.map(({ cells }) => cells[0]);
        expect(drawn.marks.map(({ name }) => name)).toEqual(texts);
        const column = measure.replace(':', '_');
        const told = drawn.marks.filter(({ numbers }) => numbers[0] !== 0 || measure !== 'count');
        expect(told.map(({ numbers }) => numbers[0])).toEqual(
          question.answer.groups.map((group) => group[column]),
        );
        for (const point of curvesIn(seenIn(drawn)).flatMap(({ points }) => points)) {
          for (const share of point ?? []) {
            expect(share).toBeGreaterThanOrEqual(-1e-9);
            expect(share).toBeLessThanOrEqual(1 + 1e-9);
          }
        }
        const grid = ofKind(seenIn(drawn), 'line').map(({ y }) => y[0] as number);
        expect(grid.length).toBeGreaterThanOrEqual(2);
        expect(grid.length).toBeLessThanOrEqual(5);
        for (const y of grid) {
          expect(y).toBeGreaterThanOrEqual(-1e-9);
          expect(y).toBeLessThanOrEqual(1 + 1e-9);
        }
        expect(JSON.stringify(shapesIn(drawn))).not.toMatch(/NaN|undefined|null,"y"/);
      },
    ),
    { seed: 41, numRuns: 150 },
  );
});

test('the numbers of the sentence are those of the groups', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -999, max: 999 }), { minLength: 2, maxLength: 30 }),
      (loads) => {
        const caption = captionIn(figure(questionOf(days(loads), PER_DAY))).replaceAll('−', '-');
        const [high, low] = [Math.max(...loads), Math.min(...loads)];
        if (high === low) {
          expect(caption).toContain(`All ${loads.length} values are ${high}.`);
          return;
        }
        expect(caption).toMatch(new RegExp(`^From ${loads[0]} on 1 January 2024`));
        expect(caption).toContain(` to ${loads.at(-1)} on `);
        const said = [...caption.matchAll(/(?:Highest|Lowest) (-?\d+),/g)].map(([, n]) =>
          Number(n),
        );
        for (const number of said) expect([high, low]).toContain(number);
        const [, change] = /The greatest change is \+?(-?[\d,]*\d)/.exec(caption) ?? [];
        if (change === undefined) return;
        const changes = loads.slice(1).map((load, i) => load - (loads[i] as number));
        const greatest = Math.max(...changes.map(Math.abs));
        expect(Math.abs(Number(change.replace(',', '')))).toBe(greatest);
      },
    ),
    { seed: 41, numRuns: 100 },
  );
});
