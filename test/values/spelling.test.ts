import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimalText } from '../../src/text/decimal.ts';
import type { Value } from '../../src/values/field-type.ts';
import type { Field, FieldTypeName } from '../../src/values/field-types.ts';
import { isUnitOfCells } from '../../src/values/spelled-number.ts';
import { cellReader, type Spelling } from '../../src/values/spelling.ts';
import { timeParser } from '../../src/values/written-time.ts';

const field = (type: FieldTypeName, more: Partial<Field> = {}): Field => {
  return { type, name: 'f', title: 'F', ...more };
};
const read = (type: FieldTypeName, spelling: Spelling, cell: string, more: Partial<Field> = {}) =>
  cellReader(field(type, more), spelling)(cell);

describe('a number is read', () => {
  test.each<[string, Spelling, number]>([
    ['1234.5', {}, 1234.5],
    ['  7 ', {}, 7],
    ['-0', {}, 0],
    ['.5', {}, 0.5],
    ['+3', {}, 3],
    ['\u22125', {}, -5],
    ['1.5e-3', {}, 0.0015],
    ['40.67888888888889', {}, 40.67888888888889],
    ['12,5', { decimalChar: ',' }, 12.5],
    ['1.234,50', { decimalChar: ',', groupChar: '.' }, 1234.5],
    ['1,234,567', { groupChar: ',' }, 1234567],
    ['1234567', { groupChar: ',' }, 1234567],
    ['-1,00,00,000.5', { groupChar: ',', indianGroups: true }, -10000000.5],
    ['12,345', { groupChar: ',', indianGroups: true }, 12345],
    ['1 234', { groupChar: ' ' }, 1234],
    ['1\u00a0234,5', { decimalChar: ',', groupChar: ' ' }, 1234.5],
    ['1\u202f234', { groupChar: ' ' }, 1234],
    ["1'234.05", { groupChar: "'" }, 1234.05],
    ['1\u2019234', { groupChar: "'" }, 1234],
    ['5%', { bareNumber: false }, 5],
    ['5 %', { bareNumber: false }, 5],
    ['-$1,200.50', { bareNumber: false, groupChar: ',' }, -1200.5],
    ['$-3', { bareNumber: false }, -3],
    ['1.234,50 \u20ac', { bareNumber: false, decimalChar: ',', groupChar: '.' }, 1234.5],
    ['EUR 12', { bareNumber: false }, 12],
    ['12 CHF', { bareNumber: false }, 12],
  ])('%j, spelled %j: %d', (cell, spelling, value) => {
    expect(read('number', spelling, cell)).toBe(value);
  });

  test.each<[string, Spelling]>([
    ['1,234', {}],
    ['1,23', { groupChar: ',' }],
    ['1,2345', { groupChar: ',' }],
    ['12,34,567', { groupChar: ',' }],
    ['123,456', { groupChar: ',', indianGroups: true }],
    ['1,234,567', { groupChar: ',', indianGroups: true }],
    ['0,12,345', { groupChar: ',', indianGroups: true }],
    ['123,45,678', { groupChar: ',', indianGroups: true }],
    ['0,123', { groupChar: ',' }],
    ['1,234 567', { groupChar: ',' }],
    ['1\n234', { groupChar: ' ' }],
    ['$\n5', { bareNumber: false }],
    ['5%', {}],
    ['5', { bareNumber: false }],
    ['$5 %', { bareNumber: false }],
    ['-$-5', { bareNumber: false }],
    ['5.', {}],
    ['.', {}],
    ['-', {}],
    ['0x1f', {}],
    ['Infinity', {}],
    ['1e999', {}],
    ['0.1234567890123456789', {}],
    ['12345678901234567890', {}],
    ['9007199254740993', {}],
  ])('%j, spelled %j, is none', (cell, spelling) => {
    expect(read('number', spelling, cell)).toBeUndefined();
  });

  test('as a whole one, if it is', () => {
    expect(read('integer', { groupChar: '.', decimalChar: ',' }, '1.234')).toBe(1234);
    expect(read('integer', { decimalChar: ',' }, '1,5')).toBeUndefined();
  });

  test('in one currency: that of the field, or of the first cell', () => {
    const reader = cellReader(field('number'), { bareNumber: false });
    expect(['$5', '\u20ac5', '$6'].map(reader)).toEqual([5, undefined, 6]);
    expect(read('number', { bareNumber: false }, '$5', { unit: '\u20ac' })).toBeUndefined();
    // A unit in words says nothing of what stands in the cells.
    expect(read('number', { bareNumber: false }, '$5', { unit: 'dollars' })).toBe(5);
    expect(['%', 'US$', 'kg', 'dollars'].map(isUnitOfCells)).toEqual([true, true, false, false]);
  });
});

describe('a date or time is read', () => {
  test.each<[string, string, string]>([
    ['%d/%m/%Y', '7/12/2020', '2020-12-07'],
    ['%m/%d/%Y', '12/07/2020', '2020-12-07'],
    ['%d.%m.%Y', '29.02.2020', '2020-02-29'],
    ['%d-%b-%Y', '17-MAY-2020', '2020-05-17'],
    ['%B %d, %Y', 'September 1, 2020', '2020-09-01'],
    ['%Y%m%d', '20200517', '2020-05-17'],
    ['%d/%m/%y', '17/05/69', '1969-05-17'],
    ['%d/%m/%y', '17/05/68', '2068-05-17'],
    ['%d/%m/%Y %H:%M', '17/05/2020 9:05', '2020-05-17T09:05:00'],
    ['%m/%d/%Y %I:%M:%S %p', '05/17/2020 12:00:00 AM', '2020-05-17T00:00:00'],
    ['%m/%d/%Y %I:%M %p', '05/17/2020 12:30 pm', '2020-05-17T12:30:00'],
    ['%d.%m.%Y %H:%M:%S.%f', '17.05.2020 10:30:00.25', '2020-05-17T10:30:00.25'],
    ['%d.%m.%Y %H:%M%z', '17.05.2020 10:30+0200', '2020-05-17T10:30:00+02:00'],
    ['%d.%m.%Y %H:%M%z', '17.05.2020 10:30-05', '2020-05-17T10:30:00-05:00'],
    ['%d.%m.%Y %H:%M%z', '17.05.2020 10:30Z', '2020-05-17T10:30:00Z'],
    ['100%% %Y-%m-%d', '100% 2020-05-17', '2020-05-17'],
    ['%Y%j', '2020136', '2020-05-15'],
    ['%Y-%j %H:%M', '2020-366 10:30', '2020-12-31T10:30:00'],
    ['%G-W%V', '2021-W01', '2021-01-04'],
    ['%G-W%V-%u', '2020-W53-5', '2021-01-01'],
    ['%GW%V%u', '2020W011', '2019-12-30'],
  ])('%s: %s', (format, text, iso) => {
    expect(timeParser(format)(text)).toBe(iso);
  });

  test.each<[string, string]>([
    ['%d/%m/%Y', '31/04/2020'],
    ['%d/%m/%Y', '29/02/2021'],
    ['%d/%m/%Y', '29/02/1900'],
    ['%d/%m/%Y', '0/1/2020'],
    ['%d/%m/%Y', '1/13/2020'],
    ['%d/%m/%Y', '1/1/0000'],
    ['%d/%m/%Y', '1/1/20'],
    ['%d/%m/%Y', '1/1/2020 '],
    ['%d/%m/%Y', '0/ 0'],
    ['%d %b %Y', '1 Mai 2020'],
    ['%d/%m/%Y %H:%M', '1/1/2020 24:01'],
    ['%d/%m/%Y %H:%M', '1/1/2020 23:60'],
    ['%m/%d/%Y %I:%M %p', '05/17/2020 13:00 PM'],
    ['%m/%d/%Y %I:%M %p', '05/17/2020 0:30 AM'],
    ['%Y-%j', '2021-366'],
    ['%Y-%j', '2021-000'],
    ['%Y%j', '202036'],
    ['%G-W%V', '2021-W53'],
    ['%G-W%V', '2021-W00'],
    ['%G-W%V-%u', '2021-W10-0'],
    ['%G-W%V-%u', '2021-W10-8'],
  ])('%s is not the form of %j', (format, text) => {
    expect(timeParser(format)(text)).toBeUndefined();
  });

  test('as its field has it', () => {
    expect(read('date', { format: '%d/%m/%Y' }, '17/5/2020')).toBe('2020-05-17');
    const format = '%d/%m/%Y %H:%M';
    expect(read('datetime', { format }, '17/5/2020 9:30', { local: true })).toBe(
      '2020-05-17T09:30:00',
    );
    // A time without an offset is no instant.
    expect(read('datetime', { format }, '17/5/2020 9:30')).toBeUndefined();
    expect(read('datetime', { format: `${format}%z` }, '17/5/2020 9:30-04:00')).toBe(
      '2020-05-17T13:30:00Z',
    );
  });

  test('an unknown part is refused', () => {
    expect(() => timeParser('%d/%x')).toThrow('%x is not a part of a date or time');
  });

  test('every day from 1600 to 2400, and no other', () => {
    const parse = timeParser('%d.%m.%Y');
    const written = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    for (let year = 1600; year <= 2400; year++) {
      for (let month = 1; month <= 12; month++) {
        for (let day = 28; day <= 31; day++) {
          const iso = written(Date.UTC(year, month - 1, day));
          const isThere = Number(iso.slice(5, 7)) === month;
          if (parse(`${day}.${month}.${year}`) !== (isThere ? iso : undefined)) {
            throw new Error(`${day}.${month}.${year}`);
          }
        }
      }
    }
  });
});

test('words stand for true, false and nothing, as they are spelled', () => {
  const spelling = { trueValues: ['Ja', 'ja'], falseValues: ['Nein'], missingValues: ['k.A.'] };
  expect(
    ['Ja', ' ja ', 'Nein', 'k.A.', '', ' ', 'nein', 'yes'].map((cell) =>
      read('boolean', spelling, cell),
    ),
  ).toEqual([true, true, false, null, null, null, undefined, undefined]);
  // Without them, as every block reads them.
  expect(['TRUE', 'no', '1'].map((cell) => read('boolean', {}, cell))).toEqual([true, false, true]);
});

/** The digits of a decimal without zeros around them, and where its point is: by text alone. */
function digitsOf(decimal: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(decimal) ?? [];
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  return `${sign === '-' ? '-' : ''}0.${trimmed}e${point - (all.length - digits.length)}`;
}

const digits = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most })
    .map((all) => all.join(''));

/** A decimal, and how it is spelled: its digits grouped, its decimals behind a point or a comma. */
const spelled = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits(22),
    fraction: fc.option(digits(22), { nil: '' }),
    exponent: fc.option(fc.integer({ min: -20, max: 20 }), { freq: 5, nil: undefined }),
    decimalChar: fc.constantFrom<'.' | ','>('.', ','),
    groupChar: fc.constantFrom<',' | '.' | ' ' | "'" | undefined>(undefined, ',', '.', ' ', "'"),
    unit: fc.constantFrom('', '$', '\u20ac', '%'),
  })
  .filter(({ decimalChar, groupChar }) => decimalChar !== groupChar)
  .map(({ sign, whole, fraction, exponent, decimalChar, groupChar, unit }) => {
    const grouped =
      groupChar === undefined ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, groupChar);
    const decimals = fraction === '' ? '' : `${decimalChar}${fraction}`;
    const power = exponent === undefined || unit !== '' ? '' : `e${exponent}`;
    const number = `${grouped}${decimals}${power}`;
    return {
      decimal: `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${power}`,
      cell: unit === '%' ? `${sign}${number}%` : `${sign}${unit}${number}`,
      spelling: {
        decimalChar,
        ...(groupChar === undefined ? {} : { groupChar }),
        ...(unit === '' ? {} : { bareNumber: false as const }),
      },
    };
  });

test('over random spellings, what is read has the digits of its cell', () => {
  let found = 0;
  fc.assert(
    fc.property(spelled, ({ decimal, cell, spelling }) => {
      const value: Value | undefined = read('number', spelling, cell);
      if (value === undefined) return;
      found++;
      expect([cell, digitsOf(decimalText(value as number))]).toEqual([cell, digitsOf(decimal)]);
    }),
    { seed: 14, numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(500);
});

test('over random spellings, up to 15 digits are always read', () => {
  const short = spelled.filter(
    ({ decimal }) => decimal.replace(/e.*|\D/g, '').length <= 15 && !/^-?0\d/.test(decimal),
  );
  fc.assert(
    fc.property(short, ({ cell, spelling }) => {
      expect([cell, read('number', spelling, cell) !== undefined]).toEqual([cell, true]);
    }),
    { seed: 15, numRuns: 1000 },
  );
});
