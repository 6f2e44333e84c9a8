import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LIGHT } from '../../src/figure/colours.ts';
import { drawPicture } from '../../src/figure/draw.ts';
import { drawFile } from '../../src/figure/draw-file.ts';
import type { Figure } from '../../src/figure/figure.ts';
import type { Picks } from '../../src/figure/question.ts';
import { clipped, type Shape } from '../../src/figure/shape.ts';
import type { Row } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
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
  textsIn,
} from './questions.ts';

const looks = (shapes: readonly Shape[], look: string) =>
  shapes.filter((shape) => 'look' in shape && shape.look?.split(' ').includes(look));
const KIND = FIELDS.find(({ name }) => name === 'kind') as Field;
const SPLIT = { _group: 'day.day,kind', _measure: 'avg:load' };

/** A row for each kind and day, of the load that `loadOf` says. */
function kinds(names: readonly string[], loadOf: (kind: number, day: number) => number): Row[] {
  return names.flatMap((kind, k) =>
    [0, 1, 2].map((day) => rowOf({ kind, day: dayText(day), load: loadOf(k, day) })),
  );
}

const NAMES = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh', 'ii', 'jj', 'kk', 'll'];

/** The figure of what a filter names of the kinds, beside the groups of the others. */
function picked(rows: readonly Row[], values: readonly string[]): Figure {
  const picks: Picks = { field: KIND, values };
  const isPicked = ({ kind }: Row) => values.includes(String(kind));
  const others = questionOf(
    rows.filter((row) => !isPicked(row)),
    SPLIT,
  ).answer.groups;
  return figure(
    questionOf(rows, {
      ...SPLIT,
      matching: rows.filter(isPicked),
      picks,
      others: { groups: others },
    }),
  );
}

describe('values that a filter names', () => {
  const rows = kinds(NAMES, (kind, day) => 10 * kind + day);

  test('are lines in the order of the address, before the others, which are one grey path', () => {
    const drawn = picked(rows, ['ll', 'bb']);
    const names = drawn.picture?.layout === 'plot' ? drawn.picture.names : [];
    expect(names).toEqual([
      { look: 'c1', text: 'll' },
      { look: 'c2', text: 'bb' },
    ]);
    const quiet = ofKind(looks(seenIn(drawn), 'quiet'), 'curve');
    expect(quiet).toHaveLength(1);
    expect(quiet[0]?.points.filter((point) => point === null)).toHaveLength(9);
    expect(drawn.numbers.heads.map(({ title }) => title)).toEqual(['Day', 'll', 'bb']);
    expect(captionIn(drawn)).toContain('Grey: the other 10 values of Kind.');
  });

  test('of a rate have the lowest point of all marked and said, unless a line ends with it', () => {
    // The second line dips below the first one for a day.
    const dips = kinds(['aa', 'bb'], (kind, day) =>
      kind === 1 && day === 1 ? 3 : 10 + kind + day,
    );
    const noted = (given: Partial<Parameters<typeof questionOf>[1]>) => {
      const drawn = figure(questionOf(dips, { ...SPLIT, ...given }));
      const isNoted = textsIn(seenIn(drawn)).some((text) => text.startsWith('Lowest'));
      return [isNoted, captionIn(drawn).includes('Lowest of all')];
    };
    const drawn = figure(questionOf(dips, SPLIT));
    expect(textsIn(seenIn(drawn))).toContain('Lowest 3 bb 2 Jan 2024');
    expect(captionIn(drawn)).toContain('Lowest of all: 3, bb on 2 January 2024.');
    expect(noted({ _measure: 'sum:load' })).toEqual([false, false]);
    expect(noted({ axis: 'log' })).toEqual([false, false]);
    expect(noted({ axis: 'index' })).toEqual([false, false]);
    const falls = kinds(['aa', 'bb'], (kind, day) => 10 + kind - day);
    expect(captionIn(figure(questionOf(falls, SPLIT)))).not.toContain('Lowest of all');
  });

  test('of one have its highest and its lowest, with the others grey', () => {
    const drawn = picked(rows, ['kk']);
    expect(textsIn(seenIn(drawn))).toContain('102Highest,3 Jan 2024');
    expect(looks(seenIn(drawn), 'quiet')).toHaveLength(1);
    expect(captionIn(drawn)).toContain('Grey: the other 11 values of Kind.');
  });

  test('nine to 24 are a small plot each, in their order, with one axis', () => {
    const nine = ['ll', ...NAMES.slice(0, 8)];
    const drawn = picked(rows, nine);
    expect(drawn.mark).toBe('plots');
    if (drawn.picture?.layout !== 'plots') throw new TypeError('These are no plots.');
    const { plots } = drawn.picture;
    expect(plots.map(({ name }) => name)).toEqual(nine);
    expect(plots.map(({ value }) => value)).toEqual([
      '112',
      '2',
      '12',
      '22',
      '32',
      '42',
      '52',
      '62',
      '72',
    ]);
    expect(plots[0]?.title).toBe('ll: 110 on 1 January 2024, 112 on 3 January 2024');
    expect(plots[0]?.href).toBe('?kind=ll');
    // The same number is at the same height in each.
    const [first, last] = [plots[0]?.points[0], plots[1]?.points[0]];
    expect(first?.[1]).toBeLessThan(last?.[1] as number);
    expect(captionIn(drawn)).toContain('Each is drawn for itself, all with one axis.');
    expect(drawPicture(drawn).match(/<use /g)).toHaveLength(9);
    // Of two figures on a page, each has lines of its own.
    const idIn = (html: string) => html.match(/<symbol id="([^"]+)"/)?.[1];
    const [one, other] = ['a', 'b'].map((id) => idIn(drawPicture(drawn, id)));
    expect(one).not.toBe(other);
    expect(drawPicture(drawn, 'a')).toContain(`href="#${one}"`);
  });

  test('more than 24 are a heat table', () => {
    const many = Array.from({ length: 26 }, (_, i) => `k${i}`);
    const all = kinds(many, (kind) => kind);
    expect(picked(all, many.slice(0, 24)).mark).toBe('plots');
    expect(picked(all, many.slice(0, 25)).mark).toBe('heat');
  });

  test('have their own axis if the others are far away, which are cut and said to be', () => {
    const far = kinds(NAMES, (kind, day) => (kind === 11 ? 1000 : 10 + kind + day));
    const drawn = picked(far, ['aa', 'bb']);
    const [quiet] = ofKind(looks(seenIn(drawn), 'quiet'), 'curve');
    for (const point of quiet?.points ?? []) {
      expect(point?.[1] ?? 0).toBeGreaterThanOrEqual(0);
      expect(point?.[1] ?? 0).toBeLessThanOrEqual(1);
    }
    expect(captionIn(drawn)).toContain('Some of them go beyond the axis.');
    expect(captionIn(picked(rows.slice(0, 12), ['aa', 'cc']))).not.toContain('beyond the axis');
  });

  test('say which of them rose most, if one did', () => {
    const rising = kinds(NAMES, (kind, day) => 5 + kind * day);
    expect(captionIn(picked(rising, ['bb', 'dd']))).toContain(
      'dd rose most since 1 January 2024, by 6.',
    );
    expect(captionIn(picked(rows, ['bb', 'dd']))).not.toContain('rose most');
  });

  test('say how many others are not drawn, if these are too many', () => {
    const question = questionOf(rows, {
      ...SPLIT,
      matching: rows.filter(({ kind }) => kind === 'aa' || kind === 'bb'),
      picks: { field: KIND, values: ['aa', 'bb'] },
      others: { leftOut: 2000 },
    });
    expect(captionIn(figure(question))).toContain('The other 2,000 values of Kind are not drawn.');
  });
});

describe('many values that no filter names', () => {
  const rows = kinds(NAMES, (kind, day) => 10 * kind + day);
  const drawn = figure(questionOf(rows, SPLIT));

  test('have names at the highest and the lowest end, and five to begin with', () => {
    expect(drawn.toPick).toEqual(['ll', 'ii', 'ff', 'dd', 'aa']);
    expect(captionIn(drawn)).toContain('On 3 January 2024 ll has the most, 112, aa the least, 2.');
    expect(captionIn(drawn)).toContain('Half of them have more than 52.');
  });

  test('are a row each in the table, the highest at the end on top', () => {
    expect(drawn.numbers.heads.map(({ title }) => title)).toEqual([
      ...['Kind', '1 Jan 2024', '2 Jan 2024', '3 Jan 2024'],
    ]);
    expect(drawn.numbers.rows.map(({ cells }) => cells.join(' ')).slice(0, 2)).toEqual([
      'll 110 111 112',
      'kk 100 101 102',
    ]);
    expect(drawn.numbers.rows).toHaveLength(12);
  });

  test('are a heat table if they are more than 100, or of parts of dates', () => {
    const many = Array.from({ length: 101 }, (_, i) => `k${i}`);
    expect(
      figure(
        questionOf(
          kinds(many.slice(1), (k) => k),
          SPLIT,
        ),
      ).mark,
    ).toBe('line');
    expect(
      figure(
        questionOf(
          kinds(many, (k) => k),
          SPLIT,
        ),
      ).mark,
    ).toBe('heat');
    const hours = Array.from({ length: 24 }, (_, i) =>
      rowOf({ at: new Date(Date.UTC(2024, 0, 1, i)).toISOString() }),
    );
    expect(figure(questionOf(hours, { _group: 'at.day,at.hour' })).mark).toBe('heat');
  });
});

const UNITS: readonly Field[] = [
  ...FIELDS,
  { type: 'number', name: 'temp_min', title: 'Temp min', unit: '°C' },
  { type: 'number', name: 'temp_max', title: 'Temp max', unit: '°C' },
  { type: 'number', name: 'rain', title: 'Rain', unit: 'mm' },
  { type: 'number', name: 'wind', title: 'Wind', unit: 'm/s' },
  { type: 'number', name: 'sun', title: 'Sun', unit: 'h' },
];

describe('several measures', () => {
  const rows = [3, 5, 4].map((value, i) => ({
    ...rowOf({ day: dayText(i), load: 7 - value }),
    ...{ temp_min: value, temp_max: value + i + 1, rain: 10 * value, wind: 2, sun: 1 },
  }));
  const of = (_measure: string) =>
    figure(questionOf(rows, { fields: UNITS, _group: 'day.day', _measure }));

  test('of one unit are lines together, and others in plots of their own over the same time', () => {
    const drawn = of('avg:temp_max,avg:rain,avg:wind');
    expect(drawn.mark).toBe('line');
    expect(drawn.numbers.heads.map(({ title }) => title)).toEqual([
      ...['Day', 'Temp max, °C', 'Rain, mm', 'Wind, m/s'],
    ]);
    const units = textsIn(seenIn(drawn)).filter((text) => /^(?:°C|mm|m\/s)$/.test(text));
    expect(units).toEqual(['°C', 'mm', 'm/s']);
    // Each plot is below the one before.
    const curves = ofKind(looks(seenIn(drawn), 'l'), 'curve').map(({ points }) =>
      points.map((point) => point?.[1] ?? 0),
    );
    expect(curves).toHaveLength(3);
    expect(Math.max(...(curves[0] ?? []))).toBeLessThan(Math.min(...(curves[1] ?? [])));
    expect(Math.max(...(curves[1] ?? []))).toBeLessThan(Math.min(...(curves[2] ?? [])));
    // One readout has the numbers of all.
    const [readout] = linksIn(drawn);
    expect(textsIn(readout?.shapes ?? [])).toEqual(['1 Jan 2024', '4', '30', '2']);
  });

  test('with a sum among them have columns for it under the line, as high as its numbers', () => {
    const drawn = of('avg:temp_max,sum:rain');
    const columns = ofKind(looks(seenIn(drawn), 'col'), 'rect');
    expect(columns).toHaveLength(3);
    const heights = columns.map(({ height }) => Number(height));
    expect(heights[1]).toBeCloseTo(((heights[0] as number) * 50) / 30);
    expect(
      new Set(columns.map(({ y, height }) => (Number(y) + Number(height)).toFixed(6))).size,
    ).toBe(1);
    expect(drawn.name).toMatch(/^Line and columns: /);
    expect(captionIn(drawn)).toContain('Rain: highest 50 mm, on 2 January 2024, lowest 30 mm,');
    expect(drawFile(drawn).match(/fill="#e0690c"/g)?.length).toBeGreaterThanOrEqual(3);
    // Alone, and beside another of its unit, it is a line.
    for (const measures of ['sum:rain', 'sum:temp_min,sum:temp_max', 'avg:rain,avg:wind']) {
      expect(looks(seenIn(of(measures)), 'col')).toEqual([]);
    }
  });

  test('without a unit are together if they are about as large', () => {
    const fields: readonly Field[] = [
      ...FIELDS,
      ...['small', 'alike', 'large'].map((name): Field => ({ type: 'number', name, title: name })),
    ];
    const sized = [1, 2, 3].map((value, i) => ({
      ...rowOf({ day: dayText(i) }),
      ...{ small: value, alike: 30 * value, large: 1_000_000 * value },
    }));
    const looksOf = (_measure: string) => {
      const { picture } = figure(questionOf(sized, { fields, _group: 'day.day', _measure }));
      return picture?.layout === 'plot' ? picture.look : undefined;
    };
    expect(looksOf('avg:small,avg:alike')).toBe('line lines');
    expect(looksOf('avg:small,avg:large')).toBe('line lines two');
    expect(looksOf('p10:small,p90:small')).toContain('line lines');
    expect(
      figure(questionOf(sized, { fields, _group: 'day.day', _measure: 'p10:small,p90:small' }))
        .mark,
    ).toBe('band');
  });

  test('more than three units are named, not drawn', () => {
    expect(captionIn(of('avg:temp_max,avg:rain,avg:wind,avg:sun'))).toContain(
      'Not drawn, but in the table: Sun.',
    );
  });

  test('are a band if they are the ends of a range and never cross, in whatever order they come', () => {
    for (const measures of ['avg:temp_min,avg:temp_max', 'avg:temp_max,avg:temp_min']) {
      const drawn = of(measures);
      expect(drawn.mark).toBe('band');
      const [band] = ofKind(looks(seenIn(drawn), 'band'), 'band');
      for (const point of band?.points ?? []) expect(point?.[1]).toBeGreaterThan(point?.[2] ?? 1);
      expect(captionIn(drawn)).toContain(
        'Highest 7, on 2 January 2024. Lowest 3, on 1 January 2024. The band is widest on 3 January 2024: 3.',
      );
    }
    expect(of('min:load,max:load').mark).toBe('band');
    expect(of('p10:load,p90:load').mark).toBe('band');
  });

  test('beside another unit, are a band of their own, and what is said names them', () => {
    const drawn = of('avg:temp_min,avg:temp_max,avg:wind');
    expect(drawn.mark).toBe('band');
    expect(ofKind(looks(seenIn(drawn), 'band'), 'band')).toHaveLength(1);
    expect(captionIn(drawn)).not.toContain('Highest');
  });

  test('in two units are a band only where neither crosses the other', () => {
    const two = ['low', 'high'].map(
      (end): Field => ({ type: 'number', name: `wind_${end}`, title: end, unit: 'km/h' }),
    );
    const crossing = rows.map((row, i) => ({ ...row, wind_low: i === 0 ? 9 : 1, wind_high: 5 }));
    const drawn = figure(
      questionOf(crossing, {
        ...{ fields: [...UNITS, ...two], _group: 'day.day' },
        _measure: 'avg:temp_min,avg:temp_max,avg:wind_low,avg:wind_high',
      }),
    );
    expect(drawn.mark).toBe('band');
    expect(ofKind(looks(seenIn(drawn), 'band'), 'band')).toHaveLength(1);
  });

  test('are two lines and what is between them in a file too', () => {
    const file = drawFile(of('avg:temp_min,avg:temp_max'));
    const paths = [...file.matchAll(/<path fill="([^"]*)"/g)].map(([, fill]) => fill);
    expect(paths).toEqual([LIGHT.tint, 'none', 'none']);
  });

  test('are lines if one crosses the other, or if nothing says that they belong together', () => {
    const crossing = rows.map((row, i) => ({ ...row, temp_max: i === 1 ? 0 : row.temp_max }));
    const question = questionOf(crossing, {
      ...{ fields: UNITS, _group: 'day.day', _measure: 'avg:temp_min,avg:temp_max' },
    });
    expect(figure(question).mark).toBe('line');
    expect(of('sum:temp_min,sum:temp_max').mark).toBe('band');
    expect(of('avg:temp_min,max:temp_max').mark).toBe('line');
    expect(of('avg:rain,avg:wind').mark).toBe('line');
  });

  test('that are no ends of a range have a colour each; sums and averages are apart', () => {
    const drawn = of('avg:temp_max,sum:temp_max');
    const names = drawn.picture?.layout === 'plot' ? drawn.picture.names : [];
    expect(names?.map(({ look }) => look)).toEqual(['c1', 'c2']);
    expect(drawn.picture).toMatchObject({ look: expect.stringContaining('two') });
  });
});

describe('a line that is cut to its plot', () => {
  test('ends where it crosses the border, and comes back there', () => {
    expect(
      clipped([
        [0, 0.5],
        [1, 1.5],
        [2, 0.5],
      ]),
    ).toEqual([[0, 0.5], [0.5, 1], null, [1.5, 1], [2, 0.5]]);
  });

  test('goes through from border to border, and is nothing outside', () => {
    expect(
      clipped([
        [0, -1],
        [1, 2],
      ]),
    ).toEqual(
      [
        [1 / 3, 0],
        [2 / 3, 1],
      ].map(([x, y]) => [expect.closeTo(x as number, 9), expect.closeTo(y as number, 9)]),
    );
    expect(clipped([[0, 2], [1, 3], null, [2, -1]])).toEqual([]);
    expect(clipped([[0, 0.2], null, [1, 0.4], [2, 0.4]])).toEqual([
      [1, 0.4],
      [2, 0.4],
    ]);
  });
});

/** A cell as a number; undefined if it has none. */
const numberOf = (cell: string | undefined) =>
  cell === undefined || cell === '–'
    ? undefined
    : Number(cell.replace('−', '-').replaceAll(',', ''));

test('the numbers of random figures are those of a plain reading of the rows', () => {
  const row = fc.record({
    day: fc.integer({ min: 0, max: 9 }),
    kind: fc.integer({ min: 0, max: 29 }),
    load: fc.integer({ min: -50, max: 50 }),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 3, maxLength: 150, size: 'max' }),
      fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 24, size: 'max' }),
      fc.constantFrom('sum', 'max', 'min'),
      (given, names, of) => {
        const rows = given.map(({ day, kind, load }) =>
          rowOf({ day: dayText(day), kind: `k${kind}`, load }),
        );
        const values = names.map((kind) => `k${kind}`);
        const isPicked = ({ kind }: Row) => values.length === 0 || values.includes(String(kind));
        const matching = rows.filter(isPicked);
        if (matching.length === 0) return;
        const picks = values.length === 0 ? undefined : { field: KIND, values };
        const asked = { _group: 'day.day,kind', _measure: `${of}:load` };
        const { groups } = questionOf(
          rows.filter((one) => !isPicked(one)),
          asked,
        ).answer;
        const question = questionOf(rows, { ...asked, matching, picks, others: { groups } });
        const drawn = figure(question);
        seen.add(drawn.mark);
        const plain = (day: string, kind: string) => {
          const loads = matching
            .filter((one) => one.day === day && one.kind === kind)
            .map(({ load }) => Number(load));
          if (loads.length === 0) return undefined;
          if (of === 'sum') return loads.reduce((a, b) => a + b, 0);
          return of === 'max' ? Math.max(...loads) : Math.min(...loads);
        };
        const found = new Set(matching.map(({ kind }) => String(kind)));
        const days = [...new Set(matching.map(({ day }) => String(day)))].sort();
        const { heads, rows: table } = drawn.numbers;
        const dayOf = (name: string) => dayText(Number(name.split(' ')[0]) - 1);
        if (heads[0]?.title === 'Kind') {
          expect(table.map(({ cells }) => cells[0]).sort()).toEqual([...found].sort());
          for (const { cells } of table) {
            heads.slice(1).forEach(({ title }, i) => {
              expect(numberOf(cells[i + 1])).toBe(plain(dayOf(title), String(cells[0])));
            });
          }
          return;
        }
        expect(table.map(({ cells }) => dayOf(String(cells[0])))).toEqual(days);
        const columns = found.size === 1 ? [...found] : heads.slice(1).map(({ title }) => title);
        expect(new Set(columns)).toEqual(found);
        // Picks are in the order of the address.
        if (picks !== undefined) {
          expect(columns).toEqual(values.filter((value) => found.has(value)));
        }
        for (const { cells } of table) {
          columns.forEach((kind, i) => {
            expect(numberOf(cells[i + 1])).toBe(plain(dayOf(String(cells[0])), kind));
          });
        }
      },
    ),
    { seed: 59, numRuns: 300 },
  );
  expect(seen).toEqual(new Set(['line', 'plots']));
});

test('the numbers of random measures are those of a plain reading of the rows', () => {
  const names = ['temp_min', 'temp_max', 'rain', 'wind', 'sun', 'load'] as const;
  const value = fc.integer({ min: -20, max: 20 });
  const row = fc.record({
    day: fc.integer({ min: 0, max: 6 }),
    values: fc.tuple(value, value, value, value, value, value),
  });
  const measure = fc.tuple(fc.constantFrom('sum', 'min', 'max'), fc.constantFrom(...names));
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.uniqueArray(measure, { minLength: 2, maxLength: 6, selector: (one) => one.join(':') }),
      (given, measures) => {
        const rows = given.map(({ day, values }) => ({
          ...rowOf({ day: dayText(day) }),
          ...Object.fromEntries(names.map((name, i) => [name, values[i] as number])),
        }));
        const texts = measures.map((one) => one.join(':'));
        const asked = { fields: UNITS, _group: 'day.day', _measure: texts.join() };
        const drawn = figure(questionOf(rows, asked));
        const { heads, rows: table } = drawn.numbers;
        seen.add(`${drawn.mark} ${drawn.picture?.layout === 'plot' ? drawn.picture.look : ''}`);
        const plain = (day: string, of: string, name: string) => {
          const all = rows
            .filter((one) => one.day === day)
            .map((one) => Number(Reflect.get(one, name)));
          if (of === 'sum') return all.reduce((a, b) => a + b, 0);
          return of === 'max' ? Math.max(...all) : Math.min(...all);
        };
        const dayOf = (name: string) => dayText(Number(name.split(' ')[0]) - 1);
        // Each number of the table is one of its measure; those that are in none are named under it.
        const columns = measures.filter(([of, name]) => {
          return table.every(({ cells }) => {
            const wanted = plain(dayOf(String(cells[0])), of, name);
            return cells.slice(1).some((cell) => numberOf(cell) === wanted);
          });
        });
        const undrawn = /Not drawn, but in the table: (.*?)\.(?: |$)/.exec(captionIn(drawn))?.[1];
        const left = undrawn === undefined ? 0 : undrawn.split(/, | and /).length;
        expect(heads).toHaveLength(1 + measures.length - left);
        expect(columns.length).toBeGreaterThanOrEqual(measures.length - left);
        const days = [...new Set(rows.map(({ day }) => String(day)))].sort();
        expect(table.map(({ cells }) => dayOf(String(cells[0])))).toEqual(days);
      },
    ),
    { seed: 590, numRuns: 200 },
  );
  expect([...seen].some((one) => one.startsWith('band'))).toBe(true);
  expect([...seen].some((one) => one.startsWith('line') && one.includes('three'))).toBe(true);
});

describe('weekdays beside weekends', () => {
  // 1 January 2024 was a Monday.
  const rows = Array.from({ length: 60 }, (_, i) =>
    rowOf({ day: dayText(i), year: i % 7 < 5 ? 100 : i < 31 ? 50 : 60, load: i % 7 }),
  );
  const captionOf = (_measure: string) =>
    captionIn(figure(questionOf(rows, { _group: 'day.month,day.weekend', _measure })));

  test('say what part the one is of the other, now and in the first full month', () => {
    expect(captionOf('avg:year')).toContain('Sat, Sun: 60 % of Mon–Fri; in January 2024 50 %.');
  });

  test('say no part of numbers that do not add up', () => {
    expect(captionOf('avg:load')).not.toContain(' of Mon–Fri');
  });
});
