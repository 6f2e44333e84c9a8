import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BarRow } from '../../src/figure/shape.ts';
import {
  captionIn,
  dayText,
  figure,
  linksIn,
  ofKind,
  questionOf,
  rowOf,
  seenIn,
  textsIn,
} from './questions.ts';

const rowsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => rowOf({ kind, load: 1 })),
  );
const many = rowsOf(Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`k${i}`, 22 - i])));
const BY_KIND = { _group: 'kind', sort: 'count' };
const listOf = (of: ReturnType<typeof figure>): readonly BarRow[] =>
  of.picture?.layout === 'list' ? of.picture.rows : [];

describe('bars', () => {
  test('name the measures that were asked for and are not drawn', () => {
    const rows = rowsOf({ k0: 2, k1: 1 });
    const drawn = figure(
      questionOf(rows, { _group: 'kind', _measure: 'avg:load,sum:load,max:load' }),
    );
    expect(captionIn(drawn)).toMatch(
      /Not drawn, but in the table: Sum of Load and Greatest Load\.$/,
    );
    const alone = figure(questionOf(rows, { _group: 'kind', _measure: 'avg:load,count' }));
    expect(captionIn(alone)).not.toContain('Not drawn');
  });

  test('are ten of the order asked for, and the rest as one, with its share', () => {
    const drawn = figure(questionOf(many, BY_KIND));
    const rows = listOf(drawn);
    expect(rows).toHaveLength(11);
    expect(rows[0]).toMatchObject({ name: 'k0', value: '22', share: '9 %', bar: [0, 1] });
    expect(rows[10]).toMatchObject({
      name: 'and 12 more',
      value: '78',
      share: '31 %',
      isRest: true,
    });
    expect(captionIn(drawn)).toBe(
      'k0 is the most frequent: 22 of 253 loads, 9 %. The 10 shown make up 69 %; 12 more share the other 31 % (78 loads).',
    );
  });

  test('a rest that is longer than all bars has its number, but no bar', () => {
    expect(listOf(figure(questionOf(many, BY_KIND)))[10]?.bar).toBeUndefined();
    const few = rowsOf({
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`a${i}`, 9])),
      b: 2,
      c: 1,
    });
    expect(listOf(figure(questionOf(few, BY_KIND)))[10]?.bar).toEqual([0, 3 / 9]);
  });

  test('may be asked for, up to 50', () => {
    const names = Array.from({ length: 60 }, (_, i) => [`k${i}`, 1]);
    const question = questionOf(rowsOf(Object.fromEntries(names)), { ...BY_KIND, bars: 70 });
    expect(listOf(figure(question))).toHaveLength(51);
  });

  test('that are the shortest together are counted', () => {
    const rows = [12, 7, 0, 0].map((load, i) => rowOf({ kind: `k${i}`, load }));
    const drawn = figure(questionOf(rows, { _group: 'kind', _measure: 'sum:load' }));
    expect(captionIn(drawn)).toContain('k0 has the most, 12. 2 have the least, 0.');
  });

  test('go to both sides of a drawn zero line if some are negative', () => {
    const rows = [12, 7, 0, -4, -15].map((load, i) => rowOf({ kind: `k${i}`, load }));
    const drawn = figure(
      questionOf(rows, { _group: 'kind', _measure: 'sum:load', sort: 'sum_load' }),
    );
    const { picture } = drawn;
    if (picture?.layout !== 'list') throw new TypeError('Bars are a list.');
    expect(picture.zero).toBeCloseTo(15 / 27);
    expect(picture.rows.map(({ bar }) => bar?.map((at) => Math.round(at * 27)))).toEqual([
      ...[
        [15, 27],
        [15, 22],
        [15, 15],
      ],
      ...[
        [11, 15],
        [0, 15],
      ],
    ]);
    expect(picture.rows.every(({ share }) => share === undefined)).toBe(true);
    expect(captionIn(drawn)).toContain('k0 has the most, 12, k4 the least, −15.');
  });

  test('have shares of counts and of sums without negatives only', () => {
    const rows = [3, 5].map((load, i) => rowOf({ kind: `k${i}`, load }));
    const shares = (question: Parameters<typeof figure>[0]) =>
      listOf(figure(question)).map(({ share }) => share);
    expect(shares(questionOf(rows, { _group: 'kind', _measure: 'sum:load' }))).toEqual([
      '38 %',
      '63 %',
    ]);
    expect(shares(questionOf(rows, { _group: 'kind', _measure: 'avg:load' }))).toEqual([
      undefined,
      undefined,
    ]);
    // Of a sum, the whole is not known if groups are missing.
    const some = questionOf(rows, { _group: 'kind', _measure: 'sum:load', limit: 1 });
    expect(shares(some)).toEqual([undefined, undefined]);
    const question = questionOf(rows, { _group: 'kind' });
    const answer = { ...question.answer, isFiltered: true as const };
    expect(shares({ ...question, answer })).toEqual([undefined, undefined]);
  });

  test('an average carries its counts', () => {
    const rows = [...rowsOf({ a: 3, b: 1 })];
    expect(captionIn(figure(questionOf(rows, { _group: 'kind', _measure: 'avg:load' })))).toContain(
      'Each is the average of 1 to 3 loads.',
    );
  });

  test('a blank value, yes and no, and parts that recur have their names', () => {
    const rows = [rowOf({ day: dayText(0) }), rowOf({ day: dayText(1) }), rowOf({})];
    const names = listOf(figure(questionOf(rows, { _group: 'day.weekday' }))).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Monday', 'Tuesday', 'blank']);
  });

  test('of time has its periods in words, more than ten', () => {
    const rows = Array.from({ length: 14 }, (_, i) => rowOf({ day: dayText(31 * i) }));
    const names = listOf(figure(questionOf(rows, { _group: 'day.month' }), 'bars')).map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(14);
    expect(names[1]).toBe('Feb 2024');
  });

  test('long names are cut, and whole in the table', () => {
    const name = 'Department of Housing and Community Development, Office of Vacant Buildings';
    const drawn = figure(questionOf(rowsOf({ [name]: 2, b: 1 }), BY_KIND));
    expect(listOf(drawn)[0]?.name).toHaveLength(40);
    expect(drawn.numbers.rows[0]?.cells[0]).toBe(name);
  });

  test('all blank is a sentence', () => {
    const rows = ['a', 'b'].map((kind) => rowOf({ kind }));
    const drawn = figure(questionOf(rows, { _group: 'kind', _measure: 'sum:load' }));
    expect(drawn.picture).toBeUndefined();
    expect(captionIn(drawn)).toContain('all 2 values are blank');
  });

  test('all equal says so', () => {
    expect(captionIn(figure(questionOf(rowsOf({ a: 2, b: 2 }), BY_KIND)))).toContain(
      'All 2 have 2.',
    );
  });

  test('and the rest add up to all rows, and each bar is in the table', () => {
    const counts = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 30 }),
      {
        ...{ minKeys: 1, maxKeys: 30 },
      },
    );
    fc.assert(
      fc.property(counts, (all) => {
        const rows = rowsOf(all);
        const drawn = figure(questionOf(rows, BY_KIND));
        const numbers = drawn.marks.map(({ numbers: [number] }) => number ?? 0);
        expect(numbers.reduce((a, b) => a + b, 0)).toBe(rows.length);
        expect(
          drawn.numbers.rows.map(({ cells }) => Number(cells[1]?.replaceAll(',', ''))),
        ).toEqual(numbers);
      }),
      { seed: 41, numRuns: 100 },
    );
  });
});

describe('a histogram', () => {
  const load = (...loads: (number | null)[]) => loads.map((one) => rowOf({ load: one }));

  test('has all steps between its first and its last', () => {
    const drawn = figure(questionOf(load(0, 5, 35), { _group: 'load.10' }));
    expect(drawn.mark).toBe('histogram');
    expect(drawn.marks.map(({ name, numbers }) => [name, numbers[0]])).toEqual([
      ...[
        ['0 to 10', 2],
        ['10 to 20', 0],
      ],
      ...[
        ['20 to 30', 0],
        ['30 to 40', 1],
      ],
    ]);
  });

  test('of whole numbers names the last one in each step', () => {
    const built = (...years: number[]) => years.map((year) => rowOf({ built: year }));
    const names = (years: number[], width: string) =>
      figure(questionOf(built(...years), { _group: `built.${width}` })).marks.map(
        ({ name, numbers }) => [name, numbers[0]],
      );
    expect(names([0, 0, 1, 3], '1')).toEqual([
      ...[['0', 2] as const, ['1', 1] as const],
      ...[['2', 0] as const, ['3', 1] as const],
    ]);
    expect(names([-3, 0, 4, 5], '5')).toEqual([
      ['−5 to −1', 1],
      ['0 to 4', 2],
      ['5 to 9', 1],
    ]);
    expect(names([1, 2], '2.5')).toEqual([['0 to 2.5', 2]]);
    expect(names([12_310, 12_345], '10').map(([name]) => name)).toEqual([
      ...['12,310 to 12,319', '12,320 to 12,329', '12,330 to 12,339', '12,340 to 12,349'],
    ]);
    expect(names([0, 29_999], '10000').map(([name]) => name)).toEqual([
      ...['0 to 10k', '10k to 20k', '20k to 30k'],
    ]);
    expect(names([2 ** 40, 2 ** 40 + 1], '1').map(([name]) => name)).toEqual([
      ...['1,099,511,627,776', '1,099,511,627,777'],
    ]);
    const drawn = figure({ ...questionOf(built(0, 0, 1), { _group: 'built.1' }), median: 0 });
    expect(captionIn(drawn)).toBe('The fullest step is 0: 2 loads. The median is 0.');
    const tied = figure(questionOf(built(0, 0, 1, 3, 3), { _group: 'built.1' }));
    expect(captionIn(tied)).toContain('The most in a step is 2, in 2 of 4 steps.');
    const texts = ofKind(seenIn(drawn), 'text').filter(
      ({ x, y }) => typeof x === 'number' && y === 1,
    );
    expect(texts.map(({ x, runs }) => [x, runs[0]?.text])).toEqual([
      [0.25, '0'],
      [0.75, '1'],
    ]);
    const median = ofKind(seenIn(drawn), 'line').find(({ look }) => look === 'med');
    expect(median?.x).toEqual([0.25, 0.25]);
    const bars = figure(questionOf(built(0, 12), { _group: 'built.10' }), 'bars');
    expect(bars.marks.map(({ name }) => name)).toEqual(['0 to 9', '10 to 19']);
    const close = load(0.1234, 0.1235);
    expect(
      figure(questionOf(close, { _group: 'load.0.0001' })).marks.map(({ name }) => name),
    ).toEqual([...['0.1234 to 0.1235', '0.1235 to 0.1236']]);
  });

  test('marks the median, tells blanks, and outlines all rows', () => {
    const all = load(1, 12, 15, 38, null);
    const question = questionOf(all, {
      _group: 'load.10',
      matching: [all[1], all[2], all[4]] as never,
    });
    const drawn = figure({
      ...question,
      all: questionOf(all, { _group: 'load.10' }).answer.groups,
      median: 13.5,
    });
    expect(textsIn(seenIn(drawn))).toContain('Median 13.5');
    expect(ofKind(seenIn(drawn), 'curve').map(({ look }) => look)).toEqual(['outline']);
    expect(drawn.marks.map(({ numbers }) => numbers[0])).toEqual([0, 2, 0, 0]);
    expect(captionIn(drawn)).toBe(
      'The fullest step is 10 to 20 t: 2 loads. The median is 13.5 t. Filled: the 3 loads chosen. Outlined: all 5. 1 of the loads has no “Load”.',
    );
  });

  test('keeps its columns below the note of the median, and uses the height where none is beside', () => {
    const topsOf = (median: number) => {
      const drawn = figure({ ...questionOf(load(1, 12, 15, 38), { _group: 'load.10' }), median });
      const columns = ofKind(seenIn(drawn), 'rect').filter(({ look }) => look === 'col');
      return columns.map(({ y }) => Number(y)).toSorted((a, b) => a - b);
    };
    expect(topsOf(22)[0]).toBeGreaterThan(0.099);
    expect(topsOf(39)[0]).toBe(0);
  });

  test('of negative numbers has steps below 0', () => {
    const drawn = figure(questionOf(load(-15, -3, 4), { _group: 'load.10' }));
    expect(drawn.marks.map(({ name }) => name)).toEqual(['−20 to −10', '−10 to 0', '0 to 10']);
  });

  test('of more than 50 steps wants wider ones', () => {
    expect(figure(questionOf(load(0, 499), { _group: 'load.10' })).fewer).toBeUndefined();
    const drawn = figure(questionOf(load(0, 500), { _group: 'load.10' }));
    expect(drawn.fewer).toEqual({ width: '20' });
    expect(figure(questionOf(load(0, 1e6), { _group: 'load.0.1' })).fewer).toEqual({
      width: '25000',
    });
  });

  test('of one value is one step', () => {
    expect(figure(questionOf(load(3, 3), { _group: 'load.10' })).marks).toHaveLength(1);
  });
});

describe('a heat table', () => {
  const rows = Array.from({ length: 90 }, (_, i) =>
    rowOf({ day: dayText(31 * (i % 9)), kind: `k${Math.floor(i / 9) % 10}`, load: i }),
  );

  test('has time across, and a key without gaps', () => {
    const drawn = figure(
      questionOf(rows, { _group: 'day.month,kind', _measure: 'sum:load' }),
      'heat',
    );
    expect(drawn.numbers.heads.map(({ title }) => title).slice(0, 3)).toEqual([
      'Kind',
      'Jan 2024',
      'Feb 2024',
    ]);
    expect(drawn.numbers.rows).toHaveLength(10);
    expect(drawn.key?.map(({ look }) => look)).toEqual(['s1', 's2', 's3', 's4', 's5']);
    expect(captionIn(drawn)).toMatch(/^Highest 89 t, k9, Sep 2024\. Lowest 0 t, k0, Jan 2024\./);
  });

  test('each cell is a link, says its number, and is in the table', () => {
    const drawn = figure(
      questionOf(rows, { _group: 'kind,day.month', _measure: 'sum:load' }),
      'heat',
    );
    expect(linksIn(drawn)).toHaveLength(90);
    expect(linksIn(drawn)[0]?.title).toBe('k0, Jan 2024: 0 t, 1 of the loads');
    expect(drawn.marks).toHaveLength(90);
    const cells = drawn.numbers.rows.flatMap(({ cells }) => cells.slice(1, -1));
    // Counts of periods add up, and the last column has their sum.
    for (const { cells } of drawn.numbers.rows) {
      const sum = cells.slice(1, -1).reduce((sum, text) => sum + (Number(text) || 0), 0);
      expect(Number(cells.at(-1))).toBe(sum);
    }
    expect(cells.map(Number).sort((a, b) => a - b)).toEqual(
      drawn.marks.map(({ numbers }) => numbers[0]).sort((a, b) => Number(a) - Number(b)),
    );
  });

  test('has 40 rows at most, those with the most rows, and says so', () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      rowOf({ kind: `k${i % 45}`, area: `a${i % 2}` }),
    );
    const drawn = figure(questionOf(many, { _group: 'kind,area' }));
    expect(drawn.numbers.rows).toHaveLength(40);
    expect(captionIn(drawn)).toContain('5 more rows are not shown; 40 are the most.');
  });

  test('of more than 24 periods wants a coarser part: from days to years, and then decades', () => {
    const wanted = (step: number, part: string, count = 25) => {
      const many = Array.from({ length: 2 * count }, (_, i) =>
        rowOf({ day: dayText((i % count) * step), year: 1900 + (i % count), kind: `k${i % 9}` }),
      );
      const group = part === 'year' ? 'year' : `day.${part}`;
      return figure(questionOf(many, { _group: `${group},kind` }), 'heat').fewer;
    };
    expect(wanted(1, 'day')).toEqual({ part: 'week' });
    expect(wanted(7, 'week')).toEqual({ part: 'month' });
    expect(wanted(31, 'month')).toEqual({ part: 'quarter' });
    expect(wanted(92, 'quarter')).toEqual({ part: 'year' });
    expect(wanted(1, 'year')).toEqual({ years: 10 });
    expect(wanted(1, 'day', 24)).toBeUndefined();
    expect(wanted(1, 'year', 24)).toBeUndefined();
  });

  test('of every fifth year has a column for each, also where there is a gap', () => {
    const years = [1955, 1960, 1965, 1985, 2005];
    const some = years.flatMap((year) => ['a', 'b'].map((kind) => rowOf({ year, kind, load: 1 })));
    const drawn = figure(questionOf(some, { _group: 'year,kind' }), 'heat');
    expect(drawn.fewer).toBeUndefined();
    expect(drawn.numbers.heads).toHaveLength(13);
  });

  test('of decades says which the data do not fill, and takes no extreme of amounts from them', () => {
    // From 1901 to 2017, of which the first and the last decade have the most and the least.
    const some = Array.from({ length: 117 }, (_, i) => 1901 + i).flatMap((year) =>
      ['a', 'b'].map((kind) =>
        rowOf({ year, kind, load: year < 1910 ? 900 : year >= 2010 ? 0 : year - 1900 }),
      ),
    );
    const asked = { _group: 'year.10,kind', instead: 'year' as const };
    const drawn = figure(questionOf(some, { ...asked, _measure: 'sum:load' }), 'heat');
    const heads = drawn.numbers.heads.map(({ title }) => title);
    expect([heads[1], heads[2], ...heads.slice(-2), heads.length]).toEqual([
      ...['1900s*', '1910s', '2010s*', 'All', 14],
    ]);
    // Averages do not add up.
    const ofAverages = figure(questionOf(some, { ...asked, _measure: 'avg:load' }), 'heat');
    expect(ofAverages.numbers.heads.at(-1)?.title).toBe('2010s*');
    const caption = captionIn(drawn);
    expect(caption).toContain(
      'so it is by decade. Highest 1,045 t, a, 2000s. Lowest 145 t, a, 1910s.',
    );
    expect(caption).toContain('* The 1900s have data from 1901 on.');
    expect(caption).toContain('* The 2010s have data up to 2017 only.');
    // An average of some years is not less for that.
    const averages = figure(questionOf(some, { ...asked, _measure: 'avg:load' }), 'heat');
    expect(captionIn(averages)).toContain('Highest 900 t, a, 1900s. Lowest 0 t, a, 2010s.');
  });

  test('has its rows by their sums, if these are drawn, else by the greatest number of each', () => {
    // One has the greatest year, another the most in all.
    const loads = { all: [50, 60, 70], once: [0, 0, 99], least: [1, 1, 1] };
    const some = Object.entries(loads).flatMap(([kind, years]) =>
      years.map((load, i) => rowOf({ kind, year: 2001 + i, load })),
    );
    const rowsOf = (_measure: string, ...order: string[]) => {
      const question = questionOf(some, { _group: 'kind,year', _measure, order });
      return figure(question, 'heat').numbers.rows.map(({ cells: [name] }) => name);
    };
    expect(rowsOf('sum:load')).toEqual(['all', 'least', 'once']);
    expect(rowsOf('sum:load', '-sum_load')).toEqual(['all', 'once', 'least']);
    expect(rowsOf('sum:load', 'sum_load')).toEqual(['least', 'once', 'all']);
    expect(rowsOf('sum:load', '-year', '-sum_load')).toEqual(['once', 'all', 'least']);
    expect(rowsOf('avg:load', '-avg_load')).toEqual(['once', 'all', 'least']);
  });

  test('tells the extremes of all cells, also of rows for which there is no room', () => {
    const many = Array.from({ length: 45 * 3 }, (_, i) =>
      rowOf({ kind: `k${i % 45}`, area: 'a', load: 5 }),
    );
    const some = [...many, rowOf({ kind: 'rare', area: 'a', load: 1 })];
    const drawn = figure(questionOf(some, { _group: 'kind,area', _measure: 'sum:load' }), 'heat');
    expect(drawn.numbers.rows.map(({ cells }) => cells[0])).not.toContain('rare');
    expect(captionIn(drawn)).toContain('Lowest 1 t, rare, a.');
  });
});

describe('the cells of a heat table', () => {
  const cellsOf = (loads: readonly number[], _measure = 'sum:load') => {
    const rows = loads.map((load, i) => rowOf({ kind: `k${i % 5}`, year: 2000 + (i % 20), load }));
    const drawn = figure(questionOf(rows, { _group: 'year,kind', _measure }), 'heat');
    const picture = drawn.picture;
    if (picture?.layout !== 'grid') throw new TypeError('There is no table.');
    const cells = picture.table?.rows.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? []));
    return { drawn, cells: cells ?? [] };
  };

  test('have as many decimals as the greatest needs, and what reads alike is shaded alike', () => {
    const loads = Array.from({ length: 100 }, (_, i) => 3 + ((i % 20) >> 1) - 0.04 * (i % 2));
    const { cells } = cellsOf(loads, 'avg:load');
    expect(cells.every(({ text }) => /^\d+\.\d$/.test(text))).toBe(true);
    const looks = new Map<string, Set<string>>();
    for (const { text, look } of cells) looks.set(text, (looks.get(text) ?? new Set()).add(look));
    expect([...looks.values()].every(({ size }) => size === 1)).toBe(true);
  });

  test('are shaded by powers of ten if 1,000 times apart, and this is said', () => {
    const { drawn, cells } = cellsOf(Array.from({ length: 20 }, (_, i) => 10 ** (i % 7)));
    expect(drawn.key?.map(({ text }) => text)).toEqual([
      'under 1,000',
      '1,000 to 10k',
      '10k to 100k',
      '100k to 1M',
      '1M and over',
    ]);
    expect(cells.find(({ text }) => text === '1.00M')?.look).toBe('s5');
    expect(captionIn(drawn)).toContain('Steps of colour are ten times.');
    expect(captionIn(cellsOf([1, 999]).drawn)).not.toContain('Steps of colour');
  });

  test('say of how many rows an average is', () => {
    const { cells } = cellsOf([2, 4, 6, 8, 10], 'avg:load');
    expect(cells[0]?.title).toBe('k0, 2000: 2 t, average of 1 of the loads');
  });

  test('are in a file with their numbers', () => {
    const { drawn, cells } = cellsOf([2, 4, 6, 8, 10]);
    const texts = textsIn(seenIn(drawn));
    for (const { text } of cells) expect(texts).toContain(text);
  });

  test('come in the order of the groups: by name, by the greatest, or by the last period', () => {
    const rows = [
      ...[rowOf({ kind: 'a', year: 2000, load: 9 }), rowOf({ kind: 'a', year: 2001, load: 1 })],
      ...[rowOf({ kind: 'b', year: 2000, load: 2 }), rowOf({ kind: 'b', year: 2001, load: 5 })],
      ...[rowOf({ kind: 'c', year: 2000, load: 12 }), rowOf({ kind: 'c', year: 2001, load: 3 })],
    ];
    const namesBy = (...order: string[]) =>
      figure(
        questionOf(rows, { _group: 'year,kind', _measure: 'sum:load', order }),
        'heat',
      ).numbers.rows.map(({ cells }) => cells[0]);
    expect(namesBy()).toEqual(['a', 'b', 'c']);
    expect(namesBy('-sum_load')).toEqual(['c', 'a', 'b']);
    expect(namesBy('-year', '-sum_load')).toEqual(['b', 'c', 'a']);
    expect(namesBy('-kind')).toEqual(['c', 'b', 'a']);
  });
});

describe('bars side by side', () => {
  const counts = { 'a,x': 3, 'a,y': 1, 'b,x': 2, 'b,z': 2 };
  const rows = Object.entries(counts).flatMap(([names, count]) => {
    const [kind = '', area = ''] = names.split(',');
    return Array.from({ length: count }, () => rowOf({ kind, area, load: 1 }));
  });

  test('are of up to twelve groups of two fields; more are a heat table', () => {
    expect(figure(questionOf(rows, { _group: 'kind,area' })).mark).toBe('grouped');
    const many = Array.from({ length: 13 }, (_, i) => rowOf({ kind: `k${i}`, area: 'x' }));
    expect(figure(questionOf(many.slice(1), { _group: 'kind,area' })).mark).toBe('grouped');
    expect(figure(questionOf(many, { _group: 'kind,area' })).mark).toBe('heat');
    expect(figure(questionOf(many, { _group: 'kind,area' }), 'grouped').mark).toBe('heat');
  });

  test('have a colour for each value of the second field, and shares of each of the first', () => {
    const drawn = figure(questionOf(rows, { _group: 'kind,area' }));
    expect(drawn.key).toEqual([
      { look: 'c1', text: 'x' },
      { look: 'c2', text: 'y' },
      { look: 'c3', text: 'z' },
    ]);
    expect(drawn.numbers.rows.map(({ cells }) => cells)).toEqual([
      ['a', 'x', '3', '75 %'],
      ['a', 'y', '1', '25 %'],
      ['b', 'x', '2', '50 %'],
      ['b', 'z', '2', '50 %'],
    ]);
    if (drawn.picture?.layout !== 'list') throw new TypeError('There is no list.');
    expect(drawn.picture.rows.map(({ look, bar }) => [look, bar?.[1]])).toEqual([
      ['c1', 1],
      ['c2', expect.closeTo(1 / 3, 9)],
      ['c1', expect.closeTo(2 / 3, 9)],
      ['c3', expect.closeTo(2 / 3, 9)],
    ]);
    expect(captionIn(drawn)).toBe('Highest 3, a, x. Lowest 1, a, y. Shares are of each Kind.');
    expect(drawn.marks[3]?.href).toContain('kind=b&area=z');
  });

  test('of averages have no shares', () => {
    const drawn = figure(questionOf(rows, { _group: 'kind,area', _measure: 'avg:load' }));
    expect(drawn.numbers.rows[0]?.cells).toHaveLength(3);
    expect(captionIn(drawn)).not.toContain('Shares');
  });
});

describe('parts of 100 %', () => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    rowOf({ kind: `k${i % 3}`, area: `a${i % 10}`, load: 1 }),
  );

  test('add up to each bar, with the others of many as one', () => {
    const drawn = figure(questionOf(rows, { _group: 'kind,area' }), 'parts');
    expect(drawn.mark).toBe('parts');
    const widths = ofKind(seenIn(drawn), 'rect').map(({ width }) => width as number);
    expect(widths.reduce((a, b) => a + b, 0)).toBeCloseTo(3);
    expect(drawn.key).toHaveLength(8);
    expect(drawn.key?.at(-1)?.text).toBe('others');
    const sum = drawn.marks.reduce((all, { numbers }) => all + (numbers[0] ?? 0), 0);
    expect(sum).toBe(60);
  });

  test('are not offered of averages, nor of sums with negatives', () => {
    const negative = rows.map((row, i) => ({ ...row, load: i - 30 }));
    expect(
      figure(questionOf(rows, { _group: 'kind,area', _measure: 'avg:load' }), 'parts').mark,
    ).toBe('heat');
    expect(
      figure(questionOf(negative, { _group: 'kind,area', _measure: 'sum:load' }), 'parts').mark,
    ).toBe('heat');
  });
});
