import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/check-examples.ts';
import { type DatasetDeclaration, datasetBlock } from '../../src/block/block.ts';
import { firstOf, firstQuestionOf } from '../../src/first/first-question.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { dayText } from '../figure/questions.ts';
import { importDataset, makeDataset } from '../support/datasets.ts';
import { ROOT } from '../support/service.ts';

/** A field, and its value in each row, by the row's number. */
type Column = readonly [
  field: Omit<Field, 'title'> & { title?: string },
  of: (row: number) => Value,
];

const column = (
  type: Field['type'],
  name: string,
  of: (row: number) => Value,
  more: Partial<Field> = {},
): Column => [{ type, name, title: `The ${name}`, ...more }, of];

/** The dataset of a made-up block. */
function made(rows: number, columns: readonly Column[], more: Partial<DatasetDeclaration> = {}) {
  const block = datasetBlock({
    ...{ id: 'b', name: 'b', title: 'B', description: '', noun: 'things', examples: [] },
    fields: columns.map(([field]) => field as Field),
    ...more,
  });
  const all = Array.from({ length: rows }, (_, row): Row => {
    return Object.fromEntries(columns.map(([{ name }, of]) => [name, of(row)]));
  });
  return makeDataset(block, all, { title: 'Made' });
}

/** The first question of a made-up block, which the block itself accepts. */
function opens(rows: number, columns: readonly Column[], more: Partial<DatasetDeclaration> = {}) {
  const { block, manifest, profile } = made(rows, columns, more);
  const { arguments: given, reason } = firstQuestionOf(block, manifest, profile);
  checkExamples({ ...block, examples: [{ title: 'First', arguments: given }] });
  const { _view, _group, _measure } = given as Record<string, readonly string[] | undefined>;
  const texts = [_view, _group?.join(' '), _measure?.join(' ')];
  return { asked: texts.filter((text) => text !== undefined).join(' | '), reason, given };
}

const asked = (...given: Parameters<typeof opens>) => opens(...given).asked;

/** Numbers that look random and are the same each time, from 0 to below 1. */
const chance = (row: number, salt = 0): number => {
  const x = Math.sin(row * 12.9898 + salt * 78.233) * 43_758.5453;
  return x - Math.floor(x);
};

const day = (days = (row: number) => row, name = 'date') =>
  column('date', name, (row) => dayText(days(row)));
const kind = (of: (row: number) => string = (row) => 'aaabbc'.charAt(row % 6).repeat(5)) =>
  column('text', 'kind', of);
const price = (name = 'price', of = (row: number): Value => 10 + 90 * chance(row)) =>
  column('number', name, of);
/** More on some days than on others. */
const anyDay = (span: number) => (row: number) => Math.floor(span * chance(row, 1) ** 2);

const POINTS = { kind: 'points', longitude: 'lon', latitude: 'lat' } as const;
const places = [
  column('number', 'lon', (row) => 8 + chance(row, 2)),
  column('number', 'lat', (row) => 47 + chance(row, 3)),
];

describe('time is a line', () => {
  test.each<[string, number, number, string]>([
    ['days of a quarter by day', 92, 1, 'date.day'],
    ['days of a year by week', 365, 1, 'date.week'],
    ['days of five years by month', 1706, 1, 'date.month'],
    ['months of 16 years by month', 190, 30.44, 'date.month'],
    ['months of 40 years by quarter', 480, 30.44, 'date.quarter'],
    ['quarters of ten years by quarter', 40, 91.32, 'date.quarter'],
    ['years by year', 30, 365.25, 'date.year'],
  ])('%s', (_, rows, step, group) => {
    const date = day((row) => Math.ceil(row * step));
    expect(asked(rows, [date, price()])).toBe(`chart | ${group} | avg:price count`);
  });

  test('whole numbers that are years are time; other whole numbers are none', () => {
    const year = (from: number) => column('integer', 'year', (row) => from + row);
    expect(asked(40, [year(1980), price()])).toBe('chart | year | avg:price count');
    const built = column('integer', 'built', (row) => 1900 + (row % 60));
    expect(asked(300, [built])).toBe('chart | built | count');
    const size = column('integer', 'size', (row) => 300 + (row % 60));
    expect(asked(300, [size])).toMatch(/^chart \| size\.\d+ \| count$/);
  });

  test.each<[string, (row: number) => number]>([
    ['a 0 for a year that is not known', (row) => (row === 0 ? 0 : 1990 + (row % 30))],
    ['a thousand years', (row) => 1000 + ((7 * row) % 1000)],
    ['years without their century', (row) => 70 + (row % 13)],
  ])('%s makes no line', (_, of) => {
    expect(asked(3000, [column('integer', 'year', of), kind()])).toBe('chart | kind | count');
  });

  test('rows that are events are counted; by a longer part where they are few', () => {
    expect(asked(3000, [day(anyDay(700)), kind(), price()])).toBe('chart | date.week | count');
    expect(asked(60, [day(anyDay(700)), day(anyDay(9), 'seen'), kind()])).toBe(
      'chart | date.month | count',
    );
  });

  test('of times, those at even steps are measurements, and others events', () => {
    const at = (of: (row: number) => number) =>
      column('datetime', 'at', (row) => new Date(Date.UTC(2024, 0, 1) + of(row)).toISOString());
    const text = column('text', 'note', (row) => `Note ${row}`);
    const every = at((row) => row * 900_000);
    expect(asked(2000, [every, price(), text])).toBe('chart | at.day | avg:price count');
    const any = at((row) => Math.floor(20 * 86_400_000 * chance(row)));
    expect(asked(2000, [any, price(), text])).toBe('chart | at.hour | avg:price count');
    const more = at((row) => Math.floor(20 * 86_400_000 * chance(row) ** 2));
    expect(asked(2000, [more, price(), text])).toBe('chart | at.day | count');
    expect(asked(2000, [any, price()])).toBe('chart | at.day | avg:price count');
    // At midnight of the first of each month.
    const monthly = at((row) => Date.UTC(0, row) - Date.UTC(0, 0));
    expect(asked(150, [monthly, price(), text])).toBe('chart | at.month | avg:price count');
  });

  test('a row for each series and date is a measurement, with a line for each of a few', () => {
    const city = (count: number) =>
      column('text', 'city', (row) => `City ${row % count}`, { title: 'City' });
    const date = (count: number) => day((row) => Math.floor(row / count));
    const of = (count: number) => opens(300 * count, [date(count), city(count), price()]);
    expect(of(4).asked).toBe('chart | date.week city | avg:price count');
    expect(of(8).asked).toBe('chart | date.week city | avg:price count');
    // More lines are quiet, or a table of shades.
    expect(of(41).asked).toBe('chart | date.week city | avg:price count');
    expect(of(101).asked).toBe('chart | date.week | avg:price count');
    expect(of(4).reason).toContain('by week and City, because');
  });

  test('a row for each of two series and date is a measurement too', () => {
    const columns = [
      day((row) => Math.floor(row / 12)),
      column('text', 'city', (row) => `City ${row % 4}`),
      column('text', 'gas', (row) => `Gas ${Math.floor(row / 4) % 3}`),
      price('level'),
    ];
    expect(asked(3600, columns)).toBe('chart | date.week | avg:level count');
  });

  test('series may be whole numbers, if a row is there for each of them and each time', () => {
    const columns = [
      column('integer', 'year', (row) => 1990 + Math.floor(row / 19)),
      column('integer', 'age', (row) => 5 * (row % 19)),
      price('people'),
    ];
    expect(asked(19 * 15, columns)).toBe('chart | year | sum:people count');
    const some = columns.map(([field, of]): Column => [field, (row) => of(row + (row >> 1))]);
    expect(asked(190, some)).toBe('chart | people.5 | count');
  });

  test('rates of many series are quiet lines, of as many points as there are: every fifth year', () => {
    const countries = (count: number) => [
      column('integer', 'year', (row) => 1955 + 5 * Math.floor(row / count)),
      column('text', 'country', (row) => `Country ${row % count}`),
      price('life_expect'),
    ];
    const of = (count: number) => asked(11 * count, countries(count));
    expect(of(62)).toBe('chart | year country | avg:life_expect count');
    expect(of(101)).toBe('chart | year | avg:life_expect count');
  });

  test('lines of all series together have 2,000 points at most', () => {
    const columns = (count: number) => [
      column('integer', 'year', (row) => 1500 + Math.floor(row / count)),
      column('text', 'city', (row) => `City ${row % count}`),
      price(),
    ];
    expect(asked(300 * 6, columns(6))).toBe('chart | year city | avg:price count');
    expect(asked(300 * 7, columns(7))).toBe('chart | year | avg:price count');
  });

  test('events are no series, though few of each kind are on a day', () => {
    const date = day((row) => anyDay(300)(row));
    const uneven = kind((row) => `Kind ${'aaabbcd'.charAt(row % 7)}`);
    expect(asked(800, [date, uneven, price()])).toBe('chart | date.week | count');
    const sparse = kind((row) => (row % 3 ? `Kind ${row % 31}` : 'Kind'));
    expect(asked(900, [day((row) => Math.floor(row / 3)), sparse, price()])).toBe(
      'chart | date.weekday | avg:price count',
    );
    // Of a table with one number a row, that number is what was measured.
    expect(asked(800, [date, uneven, price('value')])).toBe('chart | date.week | avg:value count');
  });

  test('one row for each day, and no number, is no line of ones', () => {
    expect(asked(400, [day(), kind()])).toBe('chart | kind | count');
    expect(asked(100, [day((row) => row * row), kind()])).toBe('chart | date.year | count');
  });

  test('a row for most days is a measurement, whatever names it', () => {
    const note = column('text', 'note', (row) => `Note ${row}`, { main: true });
    const trade = day((row) => row + 2 * Math.floor(row / 5));
    expect(asked(500, [note, trade, kind(), price()])).toBe('chart | date.week | avg:price count');
  });

  test('a primary key with the date says that rows are measurements', () => {
    const columns = [day((row) => Math.floor(row / 3)), column('text', 'id', (row) => `${row}`)];
    const all = [...columns, price()];
    expect(asked(600, all)).toBe('chart | date.weekday | avg:price count');
    expect(asked(600, all, { primaryKey: ['date', 'id'] })).toBe(
      'chart | date.week | avg:price count',
    );
  });

  test('a date that is often blank, the same in nearly all rows, or of two days is no time', () => {
    const blank = column('date', 'date', (row) => (row % 3 ? dayText(anyDay(90)(row)) : null));
    const stray = day((row) => (row === 0 ? -30_000 : row % 40));
    const two = day((row) => row % 2);
    for (const date of [blank, stray, two]) {
      expect(asked(600, [date, kind()])).toBe('chart | kind | count');
    }
  });

  test.each(['updated_at', 'last_modified', 'date_closed', 'date_of_birth'])(
    'a better date comes before %s, wherever it stands',
    (name) => {
      const other = day((row) => row % 400, name);
      const columns = [other, day(anyDay(700), 'reported'), kind()];
      expect(asked(2000, columns)).toBe('chart | reported.week | count');
    },
  );

  test('a date comes before a year beside it, and a full one before one with blanks', () => {
    const year = column('integer', 'year', (row) => 2010 + (row % 12));
    const date = day(anyDay(700));
    expect(asked(900, [year, date, kind()])).toBe('chart | date.week | count');
    const part = column('date', 'part', (row) => (row % 10 ? dayText(anyDay(700)(row)) : null));
    expect(asked(900, [part, date, kind()])).toBe('chart | date.week | count');
    expect(asked(900, [part, kind()])).toBe('chart | part.week | count');
  });

  test('a date of the record alone comes after places and categories', () => {
    const updated = day(anyDay(700), 'updated');
    expect(asked(600, [updated, kind()])).toBe('chart | kind | count');
    expect(asked(600, [updated, ...places], { geometry: POINTS })).toBe('map');
    expect(asked(600, [updated])).toBe('chart | updated.week | count');
    const flat = kind((row) => `Kind ${row % 5}`);
    expect(asked(600, [updated, flat])).toBe('chart | updated.week | count');
  });

  test('of two dates alike, the first of the key fields, and then of the fields', () => {
    const columns = [day(anyDay(700), 'one'), day(anyDay(700), 'two'), kind()];
    expect(asked(2000, columns)).toBe('chart | one.week | count');
    expect(asked(2000, columns, { keyFields: ['two'] })).toBe('chart | two.week | count');
  });
});

describe('amounts are summed and rates are not', () => {
  const months = (count: number) =>
    column('date', 'month', (row) => dayText(Math.ceil(30.44 * Math.floor(row / count))));
  const industry = (count: number) =>
    column('text', 'industry', (row) => `Industry ${row % count}`, { title: 'Industry' });
  const cases = column('integer', 'cases', (row) => 3 + Math.floor(900 * chance(row)));

  test('of many series, amounts are added up in each of their own periods', () => {
    const { asked, reason } = opens(60 * 14, [months(14), industry(14), cases]);
    expect(asked).toBe('chart | month.month | sum:cases count');
    expect(reason).toContain('It opens with the sum of The cases by month, because');
    const daily = day((row) => Math.floor(row / 14));
    expect(opens(700 * 14, [daily, industry(14), cases]).asked).toBe(
      'chart | date.day | sum:cases count',
    );
  });

  test('of one series, or of few, longer periods are averages', () => {
    expect(asked(1700, [day(), cases])).toBe('chart | date.month | avg:cases count');
    const daily = day((row) => Math.floor(row / 4));
    expect(asked(300 * 4, [daily, industry(4), cases])).toBe(
      'chart | date.week industry | avg:cases count',
    );
  });

  test.each<[string, string, Column]>([
    ['whole numbers', 'sum', column('integer', 'forms', (row) => row % 90)],
    ['people', 'sum', price('people')],
    ['whole prices', 'avg', column('integer', 'price', (row) => 50 + (row % 90))],
    ['a rate of deaths', 'avg', column('integer', 'death_rate', (row) => row % 90)],
    ['an average age', 'avg', column('integer', 'average_age', (row) => 9 + (row % 90))],
    ['whole numbers below 0', 'avg', column('integer', 'change', (row) => (row % 90) - 45)],
  ])('%s: %s', (_, of, number) => {
    const given = asked(24 * 14, [months(14), industry(14), number]);
    expect(given).toContain(`${of}:${number[0].name}`);
  });

  const named = (total: string, of: (others: number, row: number) => number) => [
    months(12),
    column('text', 'cause', (row) => (row % 12 ? `Cause ${row % 12}` : total)),
    column('integer', 'deaths', (row) => {
      const own = (at: number) => 5 + Math.floor(99 * chance(at));
      const others = Array.from({ length: 11 }, (_, i) => own(row + 1 + i));
      return row % 12
        ? own(row)
        : of(
            others.reduce((sum, one) => sum + one),
            row,
          );
    }),
  ];

  test('what is the total of the others is left out of a sum, and the reason says so', () => {
    const { given, reason } = opens(
      12 * 40,
      named('Anything', (others) => others),
    );
    expect(given).toMatchObject({
      ...{ _group: ['month.month'], _measure: ['sum:deaths', 'count'] },
      '_not.cause': ['Anything'],
    });
    expect(reason).toContain('by month without Anything, the total of the others, because');
  });

  test('so is one that is the total in nine of ten periods; in fewer, it is a cause like others', () => {
    const often = (every: number) =>
      named('Anything', (others, row) => others + (Math.floor(row / 12) % every ? 0 : 9));
    expect(opens(12 * 40, often(10)).given).toHaveProperty(['_not.cause']);
    expect(opens(12 * 40, often(9)).given).not.toHaveProperty(['_not.cause']);
  });

  test('what is called the whole, and is more than each, is summed alone: others overlap', () => {
    const twice = (word: string) => named(word, (others) => 2 * others);
    const { given, reason } = opens(12 * 40, twice('World'));
    expect(given).toMatchObject({ cause: ['World'], _measure: ['sum:deaths', 'count'] });
    expect(reason).toContain('by month for World, which counts the others, because');
    expect(opens(12 * 40, twice('Much')).given).not.toHaveProperty('cause');
  });

  test('small whole numbers add up by chance', () => {
    const small = (times: number) =>
      opens(6 * 3, [
        column('text', 'shop', (row) => `Shop ${'abcdef'[Math.floor(row / 3)]}`),
        column('text', 'kind', (row) => ['Cats', 'Dogs', 'Birds'][row % 3] as string),
        column('integer', 'sold', (row) => times * ([5, 3, 2][row % 3] as number)),
      ]).given;
    expect(small(1)).not.toHaveProperty(['_not.kind']);
    expect(small(100)).toHaveProperty(['_not.kind'], ['Cats']);
  });

  test('a row that is the total of the others is no bar beside them', () => {
    const people = (row: number) => 1000 + 37 * row;
    const total = Array.from({ length: 30 }, (_, row) => people(row)).reduce((a, b) => a + b);
    const columns = (sum: number) => [
      column(
        'text',
        'state',
        (row) => `State of ${'abcdefghij'[row % 10]}${'klmn'[row % 4]}${row}`,
      ),
      column('integer', 'people', (row) => (row === 30 ? sum : people(row))),
    ];
    const state = `State of a${'klmn'[30 % 4]}30`;
    expect(opens(31, columns(total)).given).toMatchObject({
      ...{ _group: ['state'], '_not.state': [state] },
    });
    expect(opens(31, columns(total + 5000)).given).not.toHaveProperty(['_not.state']);
  });

  /** People of four regions by year, sex and age, with what all of a sex or of an age are. */
  const cube = (years: number, number = 'people', all = (sum: number) => sum) => {
    const own = (row: number, sex: number, age: number) =>
      Math.floor(1000 + 8000 * chance(Math.floor(row / 12), 3 * age + sex));
    const of = (row: number) => {
      const [sexes, ages] = [row % 3 ? [row % 3] : [1, 2], row % 12 < 3 ? [1, 2, 3] : [0]];
      const some = row % 12 < 3 ? ages : [Math.floor((row % 12) / 3)];
      const sum = sexes.flatMap((sex) => some.map((age) => own(row, sex, age)));
      const isWhole = sexes.length > 1 || some.length > 1;
      return sum.reduce((a, b) => a + b) + (isWhole ? all(0) : 0);
    };
    return [
      ...(years > 1 ? [column('integer', 'year', (row) => 2015 + Math.floor(row / 48))] : []),
      column('text', 'region', (row) => `Region ${'NESW'[Math.floor(row / 12) % 4]}`),
      column('text', 'sex', (row) => ['Persons', 'Women', 'Men'][row % 3] as string),
      column(
        'text',
        'age',
        (row) => ['Any age', 'Young', 'Adult', 'Old'][Math.floor((row % 12) / 3)] as string,
      ),
      column(number === 'people' ? 'integer' : 'number', number, of),
    ];
  };

  test('what all of a sex and of an age are is left out of a sum by year, whatever it is called', () => {
    const { given, reason } = opens(8 * 48, cube(8));
    expect(given).toMatchObject({
      ...{ _group: ['year'], _measure: ['sum:people', 'count'] },
      ...{ '_not.sex': ['Persons'], '_not.age': ['Any age'] },
    });
    expect(reason).toContain(
      'by year without Persons in The sex and Any age in The age, the totals of the others, because',
    );
    // Where they are no sums, they are values like the others.
    expect(
      opens(
        8 * 48,
        cube(8, 'people', () => 500),
      ).given,
    ).not.toHaveProperty(['_not.sex']);
  });

  test('and of an average, and of a sum by category where there is no time', () => {
    expect(opens(8 * 48, cube(8, 'rainfall')).given).toMatchObject({
      ...{ _group: ['year'], _measure: ['avg:rainfall', 'count'] },
      ...{ '_not.sex': ['Persons'], '_not.age': ['Any age'] },
    });
    expect(opens(48, cube(1)).given).toMatchObject({
      ...{ _group: ['region'], _measure: ['sum:people'], _sort: ['-sum_people'] },
      ...{ '_not.sex': ['Persons'], '_not.age': ['Any age'] },
    });
  });

  test('what is measured by the month and by the year again is of one frequency', () => {
    const often = (name: string, values: readonly string[], number = price()) => [
      column('text', name, (row) => values[row % 13 ? 0 : 1] as string),
      column('text', 'place', (row) => `Place ${'abcde'[Math.floor(row / 13)]}`),
      number,
    ];
    const { given, reason } = opens(65, often('freq', ['M', 'A']));
    expect(given).toMatchObject({ _group: ['place'], _measure: ['avg:price'], freq: ['M'] });
    expect(reason).toContain('by The place for M alone in The freq, because');
    expect(opens(65, often('freq', ['M', 'Other'])).given).not.toHaveProperty('freq');
    expect(opens(65, often('visits', ['M', 'A'])).given).not.toHaveProperty('visits');
    const counted = often('freq', ['M', 'A'], kind());
    expect(opens(65, counted).given).not.toHaveProperty('freq');
  });

  test('the least and the greatest of a thing are two lines', () => {
    const bounds = [
      price('rain', (row) => (row % 9 ? 0 : row)),
      price('temp_max'),
      price('temp_min'),
    ];
    expect(asked(1000, [day(), ...bounds])).toBe(
      'chart | date.month | avg:temp_min avg:temp_max count',
    );
    expect(asked(1000, [day(), price('temp_max'), price('rain_min')])).toBe(
      'chart | date.month | avg:temp_max count',
    );
  });
});

describe('events that are as many at all times', () => {
  const delay = column('integer', 'delay', (row) => (row % 50 ? row % 7 : 900) - 3);
  const at = (span: number) =>
    column('datetime', 'at', (row) =>
      new Date(Date.UTC(2024, 0, 1) + Math.floor(span * 86_400_000 * chance(row))).toISOString(),
    );

  test('show a number by the hour, or of days by the weekday, however far some are', () => {
    const { asked, reason } = opens(3000, [at(60), kind(), delay]);
    expect(asked).toBe('chart | at.hour | avg:delay count');
    expect(reason).toContain('has dates (The at), in which its rows are even, and The delay is');
    const any = day((row) => Math.floor(200 * chance(row)));
    expect(opens(3000, [any, kind(), delay]).asked).toBe('chart | date.weekday | avg:delay count');
  });

  test('are shown by a category if they have no number, or their dates no days', () => {
    expect(asked(3000, [at(60), kind()])).toBe('chart | kind | count');
    const years = day((row) => Math.ceil(365.25 * Math.floor(12 * chance(row))));
    expect(asked(400, [years, kind(), delay])).toBe('chart | kind | count');
  });
});

test('a chart that is asked for is one, wherever a chart can be', () => {
  const chartOf = (rows: number, columns: readonly Column[], more = {}) => {
    const { block, manifest, profile } = made(rows, columns, more);
    return firstQuestionOf(block, manifest, profile, 'chart').arguments;
  };
  const state = column('text', 'state', (row) => `State ${row % 57}`);
  expect(chartOf(3000, [state, ...places], { geometry: POINTS })).toMatchObject({
    ...{ _view: 'chart', _group: ['state'], _measure: ['count'] },
  });
  const most = column('text', 'state', (row) => (row % 40 ? 'Most' : 'Few'));
  expect(chartOf(3000, [most])).toMatchObject({ _view: 'chart', _group: ['state'] });
  const flag = column('integer', 'on', (row) => row % 2);
  expect(chartOf(3000, [flag])).toMatchObject({ _view: 'chart', _group: ['on'] });
  expect(chartOf(1, [day(), price()])).toEqual({ _view: 'table' });
  expect(chartOf(300, [column('text', 'name', (row) => `Name ${row}`)])).toEqual({
    _view: 'table',
  });
});

describe('what is measured', () => {
  const best = (...numbers: readonly Column[]) => {
    const { asked, reason } = opens(200, [day(), ...numbers]);
    return [/avg:(\w+)/.exec(asked)?.[1], / is (its .*)\.$/.exec(reason)?.[1]];
  };

  test.each<[string, Column, string]>([
    ['a rate by its name', price('growth_rate'), 'a rate'],
    ['a rate of days', column('integer', 'pct_of_day', (row) => 50 + (row % 40)), 'a rate'],
    ['a rate by its unit', column('number', 'load', chance, { unit: '%' }), 'a rate'],
    ['a margin of error', price('margin_of_error'), 'an error'],
    ['what is often blank', price('c', (row) => (row % 3 ? row : null)), 'often blank'],
    ['what is mostly 0', price('c', (row) => (row % 20 ? 0 : row)), 'mostly near one value'],
    ['what is 50 times the median', price('c', (row) => 9 ** (row % 6)), 'mostly near one value'],
  ])('another number comes before %s', (_, first, not) => {
    expect(best(first, price())).toEqual(['price', `its first number that is not ${not}`]);
    expect(best(first)).toEqual([first[0].name, 'its only number']);
    expect(best(price(), first)).toEqual(['price', 'its first number']);
  });

  test.each<[string, Column]>([
    ['an id', price('store_id')],
    ['a code', price('zip_code')],
    ['a number of a house', price('parsed', chance)],
    ['a year', column('integer', 'built', (row) => 1900 + (row % 90))],
    ['a label', column('integer', 'taken', (row) => 100_000 + 7 * row, { label: true })],
    ['a running number', column('integer', 'n', (row) => row + 1)],
    ['a coordinate', price('latitude')],
    ['a month', column('integer', 'month', (row) => 1 + (row % 12))],
    ['a district', column('integer', 'police_district', (row) => 1 + (row % 17))],
    ['a flag', column('integer', 'on', (row) => row % 2)],
    ['an answer of a survey', column('integer', 'answer_to_7', (row) => 1 + (row % 5))],
    ['the same in all rows', price('c', () => 5)],
    ['what is mostly blank', price('c', (row) => (row % 3 ? null : row))],
  ])('never: %s', (what, [field, of]) => {
    const title = what === 'a number of a house' ? 'House number' : 'It';
    const never: Column = [{ ...field, title }, of];
    expect(best(never, price())[0]).toBe('price');
    expect(asked(200, [day(), never])).not.toMatch(/avg:/);
    expect(asked(200, [never, column('text', 't', (row) => `Text ${row}`)])).not.toMatch(/avg:/);
  });
});

test('what a map or a key is made of is not measured; decimals of a day are', () => {
  const columns = [price('a'), price('b', (row) => chance(row, 5)), price('c'), price()];
  const block = {
    ...{ geometry: { kind: 'points', longitude: 'a', latitude: 'b' } as const },
    ...{ primaryKey: ['c'] },
  };
  expect(asked(200, [day(), ...columns], block)).toMatch(/avg:price/);
  expect(asked(200, [day(), price('hours_a_day')])).toMatch(/avg:hours_a_day/);
});

describe('places are a map', () => {
  test('without time', () => {
    const { asked, reason, given } = opens(300, [...places, kind()], { geometry: POINTS });
    expect([asked, given]).toEqual(['map', { _view: 'map' }]);
    expect(reason).toBe('It opens with a map, because its rows have places (The lat and The lon).');
  });

  test('not if most rows have none, or all the same', () => {
    const few = places.map(([field, of]): Column => [field, (row) => (row % 3 ? null : of(row))]);
    expect(asked(300, [...few, kind()], { geometry: POINTS })).toBe('chart | kind | count');
    const same = places.map(([field]): Column => [field, () => 7]);
    expect(asked(300, [...same, kind()], { geometry: POINTS })).toBe('chart | kind | count');
  });

  test('before events, and after measurements', () => {
    const events = [day(anyDay(700)), ...places, kind()];
    expect(asked(900, events, { geometry: POINTS })).toBe('map');
    const station = column('text', 'station', (row) => `Station ${row % 4}`);
    const of = places.map(([field, at]): Column => [field, (row) => at(row % 4)]);
    const measured = [day((row) => Math.floor(row / 4)), station, price('ppm'), ...of];
    expect(asked(800, measured, { geometry: POINTS })).toBe(
      'chart | date.week station | avg:ppm count',
    );
  });

  test('things that are known by a name are no events, whatever their dates', () => {
    const name = column('text', 'business', (row) => `Shop ${row}`, { main: true });
    const licensed = day(anyDay(2000), 'licensed');
    const things = opens(300, [name, kind(), licensed, ...places], { geometry: POINTS });
    expect(things.asked).toBe('map');
    expect(things.reason).toContain('known by a name (The business)');
    expect(asked(300, [name, kind(), licensed])).toBe('chart | kind | count');
    expect(asked(300, [licensed, name, kind()])).toBe('chart | licensed.month | count');
    const species: Column = [{ ...kind()[0], main: true }, kind()[1]];
    expect(asked(300, [species, licensed])).toBe('chart | licensed.month | count');
    // Days that all differ make no measurements of them.
    const other = day((row) => 11 * row + Math.floor(9 * chance(row)), 'licensed');
    expect(asked(100, [name, kind(), other, price('staff')])).toBe('chart | business | avg:staff');
    expect(asked(100, [other, name, kind(), price('staff')])).toBe(
      'chart | licensed.month | avg:staff count',
    );
  });

  describe('of areas', () => {
    const geometry = {
      kind: 'regions',
      region: 'area',
      longitude: 'lon',
      latitude: 'lat',
    } as const;
    const area = (of: (row: number) => number) =>
      column('text', 'area', (row) => `Area ${of(row)}`, { title: 'Area' });
    const people = column('integer', 'people', (row) => Math.floor(1000 * chance(row)));

    test('each with a row are shaded by a rate rather than a count, and by no size of theirs', () => {
      const columns = [area((row) => row), ...places, price('area_acres'), people];
      expect(asked(60, columns, { geometry })).toBe('map | area | avg:people');
      const more = [...columns, price('people_per_acre')];
      const { asked: best, reason } = opens(60, more, { geometry });
      expect(best).toBe('map | area | avg:people_per_acre');
      expect(reason).toMatch(/its rows are areas \(Area\) and .* that is not a count or the size/);
    });

    test('of several rows are shaded by their count', () => {
      const columns = [area((row) => Math.floor(9 * chance(row))), ...places, people];
      expect(asked(300, columns, { geometry })).toBe('map | area | count');
      expect(asked(300, [...columns, day(anyDay(700))], { geometry })).toBe(
        'chart | date.week | count',
      );
    });

    test('that are known are bars by their names, or a map if they are codes or too many', () => {
      const code = column('text', 'county', (row) => String(row).padStart(5, '0'));
      const name = column('text', 'county', (row) => `County ${row}`);
      const more = { areaField: 'county' };
      expect(asked(50, [name, price('rate')], more)).toBe('chart | county | avg:rate');
      expect(asked(50, [code, price('rate')], more)).toBe('map | county | avg:rate');
      expect(asked(3000, [name, price('rate')], more)).toBe('map | county | avg:rate');
      expect(asked(3000, [name, price('rate')])).toMatch(/^chart \| rate\.\d+ \| count$/);
    });

    test('without any number are no map of one colour', () => {
      expect(asked(60, [area((row) => row), ...places, kind()], { geometry })).toBe(
        'chart | kind | count',
      );
    });
  });
});

describe('a category is bars', () => {
  const texts = (name: string, of: (row: number) => Value) => column('text', name, of);
  const uneven =
    (count: number, word = 'Value') =>
    (row: number) =>
      `${word} ${Math.floor(count * chance(row) ** 2)}`;

  test.each<[string, Column]>([
    ['codes', texts('land', (row) => ['DE', 'FR', 'FR', 'CH'][row % 4] as string)],
    ['called a code', texts('kind_code', uneven(5))],
    ['often blank', texts('a', (row) => (row % 3 ? uneven(5)(row) : null))],
    ['nearly all the same', texts('a', (row) => (row % 9 ? 'Most' : `Few ${row % 3}`))],
    ['all as common', texts('a', (row) => `Value ${row % 5}`)],
    ['sentences', texts('a', uneven(5, 'It was as it had always been, or nearly so'))],
    ['two values', texts('a', (row) => (row % 3 ? 'One' : 'Two'))],
    ['over thirty values', texts('a', uneven(35))],
  ])('another one comes before %s', (_, first) => {
    expect(asked(400, [first, texts('what', uneven(6))])).toBe('chart | what | count');
    // Alone, it is shown; but bars of one length are not.
    const alone = first[1](7) === 'Value 2' ? 'table' : `chart | ${first[0].name} | count`;
    expect(asked(400, [first])).toBe(alone);
  });

  test.each<[string, Column]>([
    ['one value', texts('a', () => 'Same')],
    ['over forty', texts('a', uneven(90))],
    ['a value for each row', texts('a', (row) => `Value ${row}`)],
    ['mostly blank', texts('a', (row) => (row % 3 ? null : uneven(5)(row)))],
    ['one value in over nine of ten rows', texts('a', (row) => (row % 11 ? 'Most' : 'Few'))],
  ])('never: %s', (_, first) => {
    expect(asked(400, [first])).toBe('table');
  });

  test('texts come before yes and no', () => {
    const [open, size] = [column('boolean', 'open', (row) => row % 3 === 0), uneven(2)];
    expect(asked(400, [open, texts('size', size)])).toBe('chart | size | count');
    expect(asked(400, [open])).toBe('chart | open | count');
  });

  test('never: values of a row or two, and one value, known without a profile', () => {
    expect(asked(60, [texts('a', (row) => `Value ${row % 40}`)])).toBe('table');
    const { block, manifest } = made(60, [texts('a', () => 'Same')]);
    expect(firstQuestionOf(block, manifest).arguments).toEqual({ _view: 'table' });
  });

  test('what is called a kind comes first', () => {
    const columns = [texts('shade', uneven(6)), texts('tree_type', uneven(6))];
    expect(asked(400, columns)).toBe('chart | tree_type | count');
    expect(
      asked(
        400,
        columns.map(([field, of]) => [{ ...field, title: 'T' }, of]),
      ),
    ).toBe('chart | tree_type | count');
  });

  test('where each value has as many rows, a number is averaged', () => {
    const { asked, given } = opens(400, [texts('variety', (row) => `Value ${row % 5}`), price()]);
    expect(asked).toBe('chart | variety | avg:price');
    expect(given._sort).toEqual(['-avg_price']);
  });

  test('of up to 1,000 rows with a name, the numbers are shown by it', () => {
    const name = texts('country', (row) => `Land ${'abcdefgh'.charAt(row % 8)}${row}`);
    const codes = texts(
      'land',
      (row) => `${'ABCDEFGHIJ'[row % 10]}${'KLMNOP'[Math.floor(row / 10)]}`,
    );
    const columns = [codes, name, kind(), price('people')];
    expect(asked(50, columns)).toBe('chart | country | avg:people');
    expect(opens(50, columns).given._sort).toEqual(['-avg_people']);
    const more = [
      texts('town', (row) => `Town ${'abcdefgh'.charAt(row % 8)}${row}`),
      kind(),
      column('integer', 'people', (row) => 900 * (row + 1)),
      price('median_age'),
    ];
    // A rate comes before an amount, which is as large as the town.
    expect(asked(1000, more)).toBe('chart | town | avg:median_age');
    expect(asked(1001, more)).toBe('chart | kind | count');
    const main = texts('capital', (row) => `City ${'abcdefgh'.charAt(row % 8)}${row}`);
    const known: Column = [{ ...main[0], main: true }, main[1]];
    expect(asked(50, [name, known, price('people')])).toBe('chart | capital | avg:people');
    // Digits are no names, and yes or no is no number to compare.
    const digits = texts('gtin', (row) => `${645_155_909_931 + row}`);
    expect(asked(50, [digits, kind(), price('people')])).toBe('chart | kind | count');
    const flag = column('integer', 'on', (row) => row % 2);
    expect(asked(50, [name, flag])).toBe('table');
  });
});

describe('a number is a histogram, in round steps of which there are 50 at most', () => {
  test.each<[string, Column, string]>([
    ['decimals', price('size', (row) => chance(row)), 'size.0.05'],
    [
      'whole numbers',
      column('integer', 'size', (row) => Math.floor(1000 * chance(row))),
      'size.50',
    ],
    ['whole numbers in whole steps', column('integer', 'size', (row) => 7 * (row % 7)), 'size.5'],
    ['a few whole numbers', column('integer', 'size', (row) => 8 + (row % 5)), 'size.1'],
    ['negative ones', price('size', (row) => 200 * chance(row) - 100), 'size.10'],
    ['tiny ones', price('size', (row) => chance(row) / 1e6), 'size.0.00000005'],
    ['crowded ones, in narrower steps', price('size', (row) => 1000 * chance(row) ** 6), 'size.25'],
  ])('%s', (_, number, group) => {
    expect(asked(400, [number])).toBe(`chart | ${group} | count`);
  });
});

describe('a table', () => {
  test.each<[string, number, readonly Column[], string]>([
    ['without rows', 0, [day(), price()], 'it has no rows'],
    ['of one row', 1, [day(), price()], 'it has one row'],
    [
      'of names alone',
      400,
      [column('text', 'a', (row) => `Value ${row}`)],
      'it has no column whose figure would show more',
    ],
  ])('%s', (_, rows, columns, why) => {
    const { asked, reason } = opens(rows, columns);
    expect([asked, reason]).toEqual(['table', `It opens with its table, because ${why}.`]);
  });
});

test('the reason says what is shown, of which columns, in one sentence', () => {
  const columns = [
    day((row) => row),
    column('number', 'share', chance, { title: 'Share', unit: '%' }),
    column('integer', 'riders', (row) => Math.floor(9000 * chance(row)), {
      title: 'Subway riders',
    }),
  ];
  expect(opens(1700, columns).reason).toBe(
    'It opens with the average of Subway riders by month, because it has dates (The date) and Subway riders is its first number that is not a rate.',
  );
  expect(opens(3000, [day(anyDay(700)), kind()]).reason).toBe(
    'It opens with the number of things by week, because it has dates (The date) and its rows are events.',
  );
});

test('without a profile, statistics decide', () => {
  const { block, manifest } = made(1700, [day(), kind(), price()]);
  expect(firstQuestionOf(block, manifest).arguments).toEqual({
    ...{ _view: 'chart', _group: ['date.month'], _measure: ['avg:price', 'count'] },
  });
});

describe("a publisher's choice", () => {
  const first = { _view: 'table', _sort: ['-price'] };

  test('comes before what the data suggest, and is no part of the version', () => {
    const plain = made(200, [day(), price()]);
    const chosen = made(200, [day(), price()], { first });
    expect(firstOf(chosen.block, chosen.manifest, chosen.profile)).toEqual({
      arguments: first,
      reason: 'It opens as "first" in its block.json says.',
    });
    expect(firstOf(plain.block, plain.manifest, plain.profile).arguments._view).toBe('chart');
    expect(chosen.manifest.version).toBe(plain.manifest.version);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a view that is none', { _view: 'plot' }, '_view is "plot"; expected one of chart, table'],
    ['a view nearly right', { _view: 'charts' }, 'Did you mean chart?'],
    ['a field that is none', { _view: 'chart', _group: ['dat.month'] }, '_group'],
    [
      'a filter',
      { _view: 'map', price_min: 1 },
      'it has price_min, and a map takes _view, _group,',
    ],
    ['no view', { _group: ['date.month'] }, 'it has no _view: chart, map or table.'],
    ['a view of no figure', { _view: 'api' }, 'a page opens with its chart, map or table.'],
    ['a chart of nothing', { _view: 'chart' }, 'its chart has no _group.'],
    ['three fields', { _view: 'chart', _group: 'a,b,c' }, 'two fields in _group at most.'],
  ])('%s is refused as an example would be', (_, given, message) => {
    const { block } = made(3, [day(), price()], { first: given });
    expect(() => checkExamples(block)).toThrow('Block b: its "first" is refused: ');
    expect(() => checkExamples(block)).toThrow(message);
  });
});

test('the blocks of this repository open with what a publisher would show', async () => {
  const found: Record<string, unknown> = {};
  for (const loaded of await loadBlocks(path.join(ROOT, 'functions'))) {
    if (loaded.kind !== 'dataset') continue;
    const { block, dataset } = loaded;
    const { manifest, profile } = await importDataset(block, dataset, path.join(ROOT, 'seed-data'));
    found[block.name] = firstOf(block, manifest, profile).arguments;
  }
  expect(Object.values(found)).toEqual([
    { _view: 'map' },
    { _view: 'map', _group: ['neighborhood_1'], _measure: ['avg:persons_per_acre'] },
  ]);
});
