import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CellType } from '../../src/files/source-table.ts';
import { ColumnEvidence } from '../../src/recipe/evidence/column.ts';
import type { ColumnDecision, GivenOfColumn } from '../../src/recipe/evidence/column-decision.ts';
import type { Field, FieldTypeName } from '../../src/values/field-types.ts';
import { cellReader, type Spelling } from '../../src/values/spelling.ts';
import { MONTH_LANGUAGES, monthAt, monthsOf, timeParser } from '../../src/values/written-time.ts';
import { IDS, NUMBERS, TIMES } from '../files/made-up-columns.ts';
import { randomOf } from '../tape/requests.ts';

/** What is decided of a column with these cells, the first of them in line 2. */
function decide(
  cells: readonly string[],
  wishes: GivenOfColumn = {},
  header = 'x',
): ColumnDecision {
  const evidence = new ColumnEvidence(header);
  for (const [i, cell] of cells.entries()) evidence.add(cell, i + 2);
  return evidence.decide(wishes);
}

/** The values of a column's cells, read as was decided. */
function valuesOf(decision: ColumnDecision, cells: readonly string[]) {
  const { type, spelling, unit, local } = decision;
  const field: Field = {
    ...{ type, name: 'x', title: 'X' },
    ...(unit === undefined ? {} : { unit }),
    ...(local === undefined ? {} : { local }),
  };
  return cells.map(cellReader(field, spelling));
}

/** Digits with the one that makes their weighed sum a multiple of ten, the weights from the left. */
function withDigit(digits: string, weights: readonly number[]): string {
  const sum = [...digits].reduce(
    (all, digit, i) => all + Number(digit) * (weights[i % 2] as number),
    0,
  );
  return digits + ((10 - (sum % 10)) % 10);
}

function isbn10(digits: string): string {
  const sum = [...digits].reduce((all, digit, i) => all + Number(digit) * (10 - i), 0);
  const last = (11 - (sum % 11)) % 11;
  return last === 10 ? isbn10(String(Number(digits) + 1)) : digits + last;
}

/** With Luhn's digit: every second one from the right is doubled, beginning with the last. */
function luhn(digits: string): string {
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

function grouped(digits: string): string {
  return digits.replace(/\d(?=(?:\d{3})+$)/g, '$& ');
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));

describe('what importers have been blamed for:', () => {
  test('a blank, or one space, among numbers', () => {
    const cells = ['5', '', '7', ' ', '\u00a0'];
    const decision = decide(cells);
    expect(decision).toMatchObject({ type: 'integer', blanks: 3, filled: 2 });
    expect(valuesOf(decision, cells)).toEqual([5, null, 7, null, null]);
  });

  test('a letter in row 30,001', () => {
    const cells = [...numbersTo(30_000), 'A1', ...numbersTo(9)];
    expect(decide(cells)).toMatchObject({
      type: 'text',
      why: 'has whole numbers in 30,009 of 30,010 cells',
      deciding: [{ cell: 'A1', line: 30_002 }],
    });
  });

  test.each([
    ['t', ['t', 't']],
    ['weekdays', ['Monday', 'Tue', 'Wednesday']],
    ['times', ['00:10', '12:30']],
    ['fractions', ['0/ 0', '1/ 2', '1/2']],
    ['months', ['2020-05', 'May 2020']],
    ['numbers with a point', ['5.2020', '1.1']],
  ])('%s taken for dates', (_, cells) => {
    expect(decide(cells).type).not.toMatch(/^date/);
    expect(decide(cells).readings).toBeUndefined();
  });

  test('decimal commas', () => {
    const cells = ['1,5', '12,25', '-3', '1.234,5'];
    const decision = decide(cells);
    expect(decision).toMatchObject({
      type: 'number',
      spelling: { decimalChar: ',', groupChar: '.' },
      why: 'has numbers with a decimal comma',
      deciding: [{ cell: '1,5', line: 2 }],
      range: { min: -3, max: 1234.5 },
    });
    expect(valuesOf(decision, cells)).toEqual([1.5, 12.25, -3, 1234.5]);
  });

  test('leading zeros', () => {
    const cells = ['11231', '02134', '10001'];
    const decision = decide(cells);
    expect(decision).toMatchObject({
      type: 'text',
      why: 'has leading zeros',
      deciding: [{ cell: '02134', line: 3 }],
    });
    expect(valuesOf(decision, cells)).toEqual(cells);
  });

  test('ids of 20 digits', () => {
    const cells = ['12345678901234567890', '5'];
    expect(decide(cells)).toMatchObject({
      type: 'text',
      why: 'has more than 15 digits',
      deciding: [{ cell: '12345678901234567890', line: 2 }],
    });
  });
});

describe('a column is', () => {
  test.each<[FieldTypeName, readonly string[], Spelling & { unit?: string; local?: true }]>([
    ['integer', ['2019', '2020'], {}],
    ['integer', ['0', '1', '0'], {}],
    ['integer', ['-1', '0', '12345678'], {}],
    ['integer', ['1,234', '1,234,567'], { groupChar: ',' }],
    ['integer', ['1.234', '1.234.567'], { decimalChar: ',', groupChar: '.' }],
    ['integer', ['1 234', '12'], { groupChar: ' ' }],
    ['integer', ["1'234", '12'], { groupChar: "'" }],
    ['integer', ['12,34,567', '1,234', '99'], { groupChar: ',', indianGroups: true }],
    ['number', ['1', '2.5'], {}],
    ['number', ['1,234', '2.5'], { groupChar: ',' }],
    ['number', ['1,234', '0.5'], { groupChar: ',' }],
    ['number', ['1,234', '0,5'], { decimalChar: ',' }],
    ['number', ['0,123', '0,456'], { decimalChar: ',' }],
    ['number', ['1e-05', '1.5E+3', '2'], {}],
    // An exponent is no other version of a number.
    ['number', ['0.00000198', '1.98e-6', '0.5'], {}],
    // Fortran writes numbers of double precision so.
    ['number', ['1.5D+03', '-0.25D-01', '0.7d+00'], {}],
    ['number', ['40.67888888888889', '-73.98765432101234'], {}],
    [
      'number',
      ['\u20b91,00,000.50', '\u20b912,000'],
      { groupChar: ',', indianGroups: true, bareNumber: false, unit: '\u20b9' },
    ],
    ['number', ['5%', '7.5 %'], { bareNumber: false, unit: '%' }],
    ['integer', ['$5', '-$1,200', '$1,200,000'], { groupChar: ',', bareNumber: false, unit: '$' }],
    [
      'number',
      ['5,50 \u20ac', '12 \u20ac'],
      { decimalChar: ',', bareNumber: false, unit: '\u20ac' },
    ],
    ['boolean', ['true', 'FALSE'], {}],
    ['boolean', ['Y', 'N', 'y'], { trueValues: ['Y', 'y'], falseValues: ['N'] }],
    ['boolean', ['no', 's\u00ed'], { trueValues: ['s\u00ed'], falseValues: ['no'] }],
    ['boolean', ['Ja', 'Nein'], { trueValues: ['Ja'], falseValues: ['Nein'] }],
    ['boolean', ['f', 't'], { trueValues: ['t'], falseValues: ['f'] }],
    ['date', ['2020-05-17', '2021-01-01'], {}],
    ['date', ['2020-05-17', '2020-5-7'], { format: '%Y-%m-%d' }],
    ['date', ['2020/05/17'], { format: '%Y/%m/%d' }],
    ['date', ['07/12/2020', '17/12/2020'], { format: '%d/%m/%Y' }],
    ['date', ['07/12/2020', '12/17/2020'], { format: '%m/%d/%Y' }],
    ['date', ['17.5.2020', '1.12.2020'], { format: '%d.%m.%Y' }],
    ['date', ['2020年5月17日', '2020年12月01日'], { format: '%Y年%m月%d日' }],
    ['date', ['2020년 5월 17일', '2020년 12월 1일'], { format: '%Y년 %m월 %d일' }],
    ['date', ['20200517', '20210101'], { format: '%Y%m%d' }],
    ['date', ['05172020', '01012021'], { format: '%m%d%Y' }],
    ['date', ['17052020', '01012021'], { format: '%d%m%Y' }],
    ['date', ['17-May-2020', '01-DEC-2020'], { format: '%d-%b-%Y' }],
    ['date', ['May 1, 2020', 'June 2, 2020'], { format: '%B %d, %Y' }],
    ['date', ['1er janvier 2020', '14 JUIL. 2020'], { format: '%d %b %Y', monthLanguage: 'fr' }],
    ['date', ['3. Mrz 2021', '17. September 2021'], { format: '%d. %b %Y', monthLanguage: 'de' }],
    ['date', ['3 mrt 2021', '17 mei 2021'], { format: '%d %b %Y', monthLanguage: 'nl' }],
    ['date', ['5 de mayo de 2020'], { format: '%d de %b de %Y', monthLanguage: 'es' }],
    ['date', ['1 fevrier 2020', '2 août 2020'], { format: '%d %b %Y', monthLanguage: 'fr' }],
    ['date', ['5 April 2020', '6 August 2020'], { format: '%d %B %Y' }],
    [
      'datetime',
      ['17. Mai 2020 10:30', '1. Okt. 2020 9:05'],
      { format: '%d. %b %Y %H:%M', monthLanguage: 'de', local: true },
    ],
    ['datetime', ['2020-05-17T10:30:00Z', '2020-05-17 10:30+02:00'], {}],
    ['datetime', ['2020-05-17 10:30', '2020-05-17T10:30:00.250'], { local: true }],
    ['datetime', ['5/17/2020 9:05 PM'], { format: '%m/%d/%Y %I:%M %p', local: true }],
    [
      'datetime',
      ['/Date(1234567890000)/', '/Date(1334567890000+0200)/', '/Date(-5)/'],
      { format: '/Date(%Q)/' },
    ],
    ['datetime', ['17.05.2020, 10:30'], { format: '%d.%m.%Y, %H:%M', local: true }],
    ['link', ['https://example.org', 'http://example.org/a'], {}],
    ['phone', ['(718) 624-7581', '+49 30 1234567'], {}],
    ['phone', ['718-624-7581', '718.624.7582', '1-718-624-7583'], {}],
  ])('%s: %j', (type, cells, { unit, local, ...spelling }) => {
    const decision = decide(cells);
    expect(decision.readings).toBeUndefined();
    expect([decision.type, decision.spelling, decision.unit, decision.local]).toEqual([
      type,
      spelling,
      unit,
      local,
    ]);
    expect(valuesOf(decision, cells)).not.toContain(undefined);
  });

  test.each<[string, readonly string[], line: number]>([
    ['has words', ['Court St', 'x'], 2],
    ['has letters beside digits', ['12 Main St', 'T0'], 2],
    ['has digits other than 0 to 9', ['٢٠٢٠', '٢٠٢١'], 2],
    ['has times of day or durations', ['09:00:00 AM', '27:15:00'], 2],
    ['has dates in a pattern that --format may give', ['1/Nov/20 8:17', '2/Nov/20 9:17'], 2],
    ['has dates in a pattern that --format may give', ['2020-11-01 00:30:00 EDT', 'x'], 2],
    ['has signs between digits', ['10.1.2.3', '192.168.1.1'], 2],
    ['has signs, no digits', ['§', '—'], 2],
    ['"soon" is no date written as others are', ['2020-05-17', 'soon'], 3],
    ['"2020-05-17 10:30" is no date written as others are', ['2020-05-17', '2020-05-17 10:30'], 3],
    ['"05/17/2020" is no date written as others are', ['17/05/2020', '05/17/2020'], 3],
    ['"31/02/2020" is no date written as others are', ['17/05/2020', '31/02/2020'], 3],
    ['"\u20ac6" is not in $ as others are', ['$5', '\u20ac6'], 3],
    ['"7" is not in % as others are', ['5%', '7'], 3],
    ['"7%" has a unit, and others have none', ['5', '7%'], 3],
    ['"1,23,45" is no number', ['5', '1,23,45'], 3],
    ['"12,34,567" is not grouped as others are', ['1,234,567', '12,34,567'], 3],
    ['"1,234,567" is not grouped as others are', ['12,34,567', '1,234,567'], 3],
    ['"123,456" is not grouped as others are', ['12,34,567', '123,456'], 3],
    ['"5 (est.)" is no number', ['5', '7', '5 (est.)'], 4],
    [
      '"3 février 2020" is no date written as others are',
      ['5 Oktober 2020', '7 Mai 2020', '3 février 2020'],
      4,
    ],
    ['"5 jui 2020" is no date written as others are', ['3 mars 2020', '5 jui 2020'], 3],
    ['looks like a code', ['12E5', '13E5'], 2],
    ['has letters beside digits', ['12D3', '1.5D3', '12D+03'], 2],
    ['has letters beside digits', ['/Date(12a)/', '/Date(13)'], 2],
    ['begins with a plus, as phone numbers do', ['+4930123456', '+493012345678', '+5'], 2],
    ['has a word for yes or no alone, without its counterpart', ['yes', 'yes', ''], 2],
    ['"0x10" is no number', ['1', '1', '0x10'], 4],
    ['"maybe" is neither true nor false', ['yes', 'no', 'maybe'], 4],
    ['has signs between digits', ['2019-2020', '2020-2021'], 2],
    ['has words', ['example.org', 'www.example.org'], 2],
    ['"1e200" is too large or too small', ['1.5e+3', '1e200'], 3],
  ])('text, which %s: %j', (why, cells, line) => {
    const decision = decide(cells);
    expect(decision).toMatchObject({
      ...{ type: 'text', spelling: {}, why, missing: [] },
      deciding: [{ cell: cells[line - 2], line }],
    });
    expect(decision.readings).toBeUndefined();
  });

  test('text, which has no values', () => {
    expect(decide(['', ' '])).toMatchObject({ type: 'text', why: 'has no values', deciding: [] });
    expect(decide([])).toMatchObject({ type: 'text', why: 'has no values', filled: 0 });
    expect(decide(['', ' ']).distinct.count).toBe(0);
  });

  test('text of nothing but words for nothing, which are its values unless they are none', () => {
    expect(decide(['', '-', '-'])).toMatchObject({
      ...{ type: 'text', why: 'has words for nothing alone', blanks: 1, filled: 2 },
      ...{ deciding: [{ cell: '-', line: 3 }], distinct: { count: 1 } },
    });
    expect(decide(['', 'N/A', 'N/A'])).toMatchObject({
      ...{ type: 'text', blanks: 1, filled: 0, distinct: { count: 0 } },
    });
    expect(decide(['N/A'], { type: 'date' })).toMatchObject({
      ...{ type: 'date', why: 'has no values', filled: 0, distinct: { count: 0 } },
    });
  });

  test('of dates whose order a later cell settles, which is told', () => {
    expect(decide(['07/12/2020', '05/06/2020', '17/12/2020'])).toMatchObject({
      why: 'has dates with the day before the month',
      deciding: [{ cell: '17/12/2020', line: 4 }],
    });
    expect(decide(['07/12/2020', '12/17/2020'])).toMatchObject({
      why: 'has dates with the month before the day',
      deciding: [{ cell: '12/17/2020', line: 3 }],
    });
  });

  test('of phone numbers without signs, if it is named so', () => {
    const cells = ['7186247581', '2125551234'];
    expect(decide(cells).type).toBe('integer');
    for (const header of ['Phone', 'phone_number', 'TEL', 'T\u00e9l\u00e9phone', 'ownerFax']) {
      expect([header, decide(cells, {}, header).type]).toEqual([header, 'phone']);
    }
    expect(decide(cells, {}, 'telescope').type).toBe('integer');
  });

  test('text, if it is of codes by its header', () => {
    const cells = ['11231', '11201'];
    expect(decide(cells, {}, 'zip_code')).toMatchObject({
      ...{ type: 'text', why: 'has whole numbers below a header that is of codes' },
      deciding: [{ cell: '11231', line: 2 }],
    });
    expect(decide(cells, {}, 'PLZ').type).toBe('text');
    expect(decide(cells, {}, 'zipped files').type).toBe('integer');
    expect(decide(cells, { type: 'integer' }, 'zip').type).toBe('integer');
    expect(decide(['1.5'], {}, 'zip').type).toBe('number');
  });

  test.each<[string, FieldTypeName, mayBeNames: number | undefined]>([
    ['sales', 'integer', undefined],
    ['Total population', 'integer', undefined],
    ['Umsatz', 'integer', undefined],
    ['area (m2)', 'integer', undefined],
    ['price_usd', 'integer', undefined],
    ['no_of_people', 'integer', undefined],
    ['Number of visits', 'integer', undefined],
    ['x', 'integer', 6],
    ['buses', 'integer', 6],
    ['num_buses', 'integer', 6],
    ['permit', 'text', undefined],
    ['permit_no', 'text', undefined],
    ['sales_id', 'text', undefined],
    ['population code', 'text', undefined],
    ['zip', 'text', undefined],
    ['Código', 'text', undefined],
    ['Konto', 'text', undefined],
  ])('six digits in every cell below %s: %s', (header, type, digits) => {
    const decision = decide(['100234', '100235'], {}, header);
    expect([decision.type, decision.mayBeNames]).toEqual([type, digits]);
  });

  test.each([
    ['GTIN', (i: number) => withDigit(`4006381${String(33_300 + 7 * i)}`, [1, 3])],
    ['ISBN of ten digits', (i: number) => isbn10(String(123_456_700 + 13 * i))],
    ['Luhn', (i: number) => luhn(String(55_210_055 + 31 * i))],
    ['SIREN, in groups', (i: number) => grouped(luhn(String(55_210_055 + 31 * i)))],
  ])('text, if the digits of ten cells or more say that they are names: %s', (_, make) => {
    const cells = Array.from({ length: 12 }, (_, i) => make(i));
    expect(decide(cells).type).toBe('text');
    expect(decide(cells).why).toMatch(/^is a.* in every cell$/);
    expect(decide(cells.slice(0, 9)).type).toBe('integer');
    const wrong = cells.with(
      5,
      cells[5]?.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) as string,
    );
    expect(decide(wrong).type).toBe('integer');
    expect(decide(cells, {}, 'population').type).toBe('integer');
  });

  test('of flags 1 and 0, if its header asks', () => {
    for (const header of ['is_open', 'Has garden', 'isOpen']) {
      expect(decide(['1', '0'], {}, header).type).toBe('boolean');
    }
    expect(decide(['1', '0'], {}, 'island').type).toBe('integer');
    expect(decide(['1', '1'], {}, 'is_open').type).toBe('integer');
  });
});

describe('numbers with more digits than binary64 holds', () => {
  const cells = ['-73.986710000000002', '0.10000000000000001', '5', '7.3000000000000004e-05'];

  test('are the nearest ones, and the largest difference is told', () => {
    const decision = decide(cells);
    expect(decision).toMatchObject({
      ...{ type: 'number', spelling: { nearestNumber: true } },
      rounded: { cell: '-73.986710000000002', line: 2, rounding: 2e-15 },
    });
    expect(valuesOf(decision, cells)).toEqual([-73.98671, 0.1, 5, 7.3e-5]);
    expect(decide(['0.5', '0.25']).rounded).toBeUndefined();
    expect(valuesOf(decide(['0,5', '0,10000000000000001']), ['0,10000000000000001'])).toEqual([
      0.1,
    ]);
  });

  test.each([
    ['price', ['0.5', '0.10000000000000001']],
    ['Betrag (EUR)', ['0.10000000000000001']],
    ['x', ['$0.10000000000000001', '$5']],
  ])('stay texts if they are money, unless a number is wished for: %s', (header, money) => {
    expect(decide(money, {}, header)).toMatchObject({
      ...{ type: 'text', why: 'is money, with more digits than a number holds' },
    });
    const chosen = decide(money, { type: 'number' }, header);
    expect(chosen.type).toBe('number');
    expect(valuesOf(chosen, money)).toContain(0.1);
  });

  test('are ids if they are whole', () => {
    expect(decide(['12345678901234567890'], { type: 'number' }).unfit).toBeDefined();
    expect(decide(['12345678901234567890.5', '1']).type).toBe('text');
  });
});

describe('cells that are not of the type of nearly all:', () => {
  const near = (cells: readonly string[], header = 'x') => decide(cells, {}, header).near;

  test.each<[string, readonly string[], FieldTypeName, fit: number, isSafe: boolean | undefined]>([
    ['a word for nothing, also as the first', ['k. A.', '1,5', '2,5', 'k. A.'], 'number', 2, true],
    ['a word among dates', ['2020-01-01', 'offen', '2020-01-03'], 'date', 2, true],
    ['a letter, which may be a class', ['1', '2', 'X', '3'], 'integer', 3, false],
    ['a total, which names its row', ['2020-01-01', '2020-01-02', 'Total'], 'date', 2, false],
    ['a second header', ['datum', '2020-01-01', '2020-01-02'], 'date', 2, false],
    ['numbers with marks', ['7*', '5', '<5', '6', '9*'], 'integer', 2, false],
    ['a word with a digit', ['5', '6', '2 od. 3', '2 od. 3'], 'integer', 2, false],
    [
      'one wrong date in ten',
      [...numbersTo(9).map((n) => `2020-01-0${n}`), '2020-13-01'],
      'date',
      9,
      undefined,
    ],
    [
      'one written otherwise, as the first',
      ['2020-01-31', ...numbersTo(9).map((n) => `1${n}.02.2020`)],
      'date',
      9,
      undefined,
    ],
    [
      'one with a comma, as the first',
      ['12,5', ...numbersTo(9).map((n) => `${n}.5`)],
      'number',
      9,
      undefined,
    ],
    ['one with a unit, as the first', ['5 kg', ...numbersTo(9)], 'integer', 9, undefined],
  ])('%s', (_, cells, type, fit, isSafe) => {
    const found = near(cells);
    expect([found?.reading.type, found?.fit, found?.of]).toEqual([type, fit, cells.length]);
    expect(found?.asks?.isSafe).toBe(isSafe);
  });

  test.each<[string, readonly string[]]>([
    ['texts', ['Main St', '5', 'Elm', 'Oak']],
    ['one number', ['5', 'k. A.', 'k. A.']],
    ['more of a word than numbers', [...Array(9).fill('k. A.'), '1', '2']],
    ['ids', ['007', '008', 'k. A.']],
    ['two wrong dates in ten', [...numbersTo(8).map((n) => `2020-01-0${n}`), 'x1', 'y2']],
  ])('not among %s', (_, cells) => {
    expect(near(cells)).toBeUndefined();
    expect(decide(cells)).toMatchObject({ type: 'text', missing: [] });
  });

  test('are counted, however many texts there are between them', () => {
    const cells = Array.from({ length: 30_000 }, (_, i) => (i % 100 === 7 ? 'k. A.' : String(i)));
    const { near, why } = decide(cells);
    expect(near).toMatchObject({ fit: 29_700, of: 30_000, odd: { count: 300 } });
    expect(near?.asks).toEqual({ word: { cell: 'k. A.', line: 9, count: 300 }, isSafe: true });
    expect(why).toBe('has whole numbers in 29,700 of 30,000 cells');
    const { type, missing, filled } = decide(cells, { nothing: ['k. A.'] });
    expect([type, missing[0]?.count, filled]).toEqual(['integer', 300, 29_700]);
  });

  test('are counted as they are, by a count of all', () => {
    const cell = fc.oneof(
      fc.integer({ min: 0, max: 700 }).map(String),
      fc.constantFrom('k. A.', '7*', 'x'),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 2000 }), (cells) => {
        const { near } = decide(cells);
        const fit = cells.filter((one) => /^\d+$/.test(one)).length;
        if (near !== undefined) expect([near.fit, near.of]).toEqual([fit, cells.length]);
        else if (fit * 10 >= cells.length * 9 && fit < cells.length) {
          expect(new Set(cells.filter((one) => /^\d+$/.test(one))).size).toBeLessThan(2);
        }
      }),
      { seed: 26, numRuns: 200 },
    );
  });

  test('are blank where the type is wished for, if they are fewer than half', () => {
    const cells = ['2020-01-01', 'soon', '2020-01-03', '2020-31-12', '2020-01-04'];
    const decision = decide(cells, { type: 'date' });
    expect(decision).toMatchObject({
      ...{ type: 'date', spelling: { oddCells: 2 }, filled: 3 },
      why: 'has dates in 3 of 5 cells',
      odd: {
        count: 2,
        first: [
          { cell: 'soon', line: 3 },
          { cell: '2020-31-12', line: 5 },
        ],
      },
    });
    expect(valuesOf(decision, cells)).toEqual([
      '2020-01-01',
      null,
      '2020-01-03',
      null,
      '2020-01-04',
    ]);
    expect(decide(['2020-01-01', 'soon', 'later'], { type: 'date' }).unfit?.cell).toBe('soon');
  });

  test('N/A is a blank in a text too, None and - are not, and any word is a value if that is said', () => {
    const cells = ['one', 'N/A', 'None', '-', 'NULL', 'Null'];
    const decision = decide(cells);
    expect(valuesOf(decision, cells)).toEqual(['one', null, 'None', '-', null, 'Null']);
    expect(decision).toMatchObject({ type: 'text', filled: 4, distinct: { count: 4 } });
    expect(valuesOf(decide(cells, { nothing: [''] }), cells)).toEqual(cells);
    expect(decide(['5', '6', 'N/A'], { nothing: [''] }).type).toBe('text');
  });
});

describe('where the cells allow two readings, all are told, and a text is decided:', () => {
  test.each<[string, readonly string[], unknown[]]>([
    [
      'day or month first',
      ['01/02/2020', '03/04/2020'],
      [
        { type: 'date', spelling: { format: '%d/%m/%Y' }, given: { dates: 'dmy' } },
        { type: 'date', spelling: { format: '%m/%d/%Y' }, given: { dates: 'mdy' } },
      ],
    ],
    [
      'a decimal or a thousands comma',
      ['12', '1,234'],
      [
        { type: 'integer', spelling: { groupChar: ',' }, given: { decimal: '.' } },
        { type: 'number', spelling: { decimalChar: ',' }, given: { decimal: ',' } },
      ],
    ],
    [
      'a decimal or a thousands point',
      ['1.234'],
      [
        { type: 'number', spelling: {}, given: { decimal: '.' } },
        {
          type: 'integer',
          spelling: { decimalChar: ',', groupChar: '.' },
          given: { decimal: ',' },
        },
      ],
    ],
    [
      'years of two digits',
      ['17/05/69'],
      [{ type: 'date', spelling: { format: '%d/%m/%y' }, given: { type: 'date', dates: 'dmy' } }],
    ],
    [
      'eight digits, the same in each cell',
      ['20200517', '20200517'],
      [{ type: 'date', spelling: { format: '%Y%m%d' }, given: { type: 'date' } }],
    ],
  ])('%s', (_, cells, readings) => {
    const decision = decide(cells);
    expect(decision).toMatchObject({ type: 'text', spelling: {} });
    expect(decision.readings).toMatchObject([
      ...readings,
      { type: 'text', given: { type: 'text' } },
    ]);
    expect(cells).toContain(decision.deciding[0]?.cell);
    // Each given leads to its reading.
    for (const { given, type, spelling } of decision.readings ?? []) {
      const decided = decide(cells, given);
      expect([decided.type, decided.spelling, decided.readings]).toEqual([
        type,
        spelling,
        undefined,
      ]);
    }
  });

  test('digits alone: the order of day and month, and whether they are ids', () => {
    const wishes = (cells: readonly string[], header?: string) =>
      decide(cells, {}, header).readings?.map(({ given }) => given);
    expect(wishes(['01022020', '03042020'])).toEqual([
      ...[{ dates: 'dmy' }, { dates: 'mdy' }, { type: 'text' }],
    ]);
    expect(wishes(['20200517', '20210101'], 'permit_id')).toEqual([
      ...[{ type: 'date' }, { type: 'text' }],
    ]);
  });

  test('with what a cell is in each', () => {
    const valuesIn = (cells: readonly string[]) => {
      const { deciding, readings = [] } = decide(cells);
      return [deciding[0]?.cell, ...readings.map(({ value }) => value)];
    };
    expect(valuesIn(['05/05/2020', '01/02/2020'])).toEqual([
      ...['01/02/2020', '2020-02-01', '2020-01-02', '01/02/2020'],
    ]);
    expect(valuesIn(['$1,234'])).toEqual(['$1,234', 1234, 1.234, '$1,234']);
    expect(valuesIn(['12', '1,234'])).toEqual(['1,234', 1234, 1.234, '1,234']);
  });

  test('eight digits that are not all days are numbers, without a question', () => {
    expect(decide(['20200517', '20201301'])).toMatchObject({ type: 'integer', mayBeNames: 8 });
    expect(decide(['20200517', '20201301']).readings).toBeUndefined();
  });
});

describe('a given', () => {
  test('for an order or a decimal character settles no column that its cells settle', () => {
    expect(decide(['17/05/2020'], { dates: 'mdy' }).spelling).toEqual({ format: '%d/%m/%Y' });
    expect(decide(['12.5'], { decimal: ',' }).spelling).toEqual({});
  });

  test.each<[FieldTypeName, readonly string[], unknown[]]>([
    ['text', ['1', '2'], ['1', '2']],
    ['number', ['1', '2'], [1, 2]],
    ['integer', ['01', '02'], [1, 2]],
    ['integer', ['100234', '100235'], [100234, 100235]],
    ['integer', ['1,234'], [1234]],
    ['number', ['12E5'], [1_200_000]],
    ['boolean', ['1', '0'], [true, false]],
    ['boolean', ['Y', 'y'], [true, true]],
    ['phone', ['411', 'none given'], ['411', 'none given']],
    ['date', ['17/05/20'], ['2020-05-17']],
  ])('for %s is granted to %j', (type, cells, values) => {
    const decision = decide(cells, { type });
    expect([decision.type, decision.unfit]).toEqual([type, undefined]);
    expect(valuesOf(decision, cells)).toEqual(values);
  });

  test.each<[FieldTypeName, readonly string[], cell: string, because: string]>([
    ['integer', ['1', '2.5'], '2.5', 'is not a whole number'],
    ['number', ['1', 'x'], 'x', 'is no number'],
    ['integer', ['12345678901234567890'], '12345678901234567890', 'has more than 15 digits'],
    ['date', ['2020-05-17', 'x'], 'x', 'is no date written as others are'],
    ['datetime', ['2020-05-17'], '2020-05-17', 'is not a time such as 2020-05-17T10:30:00Z'],
    ['link', ['https://example.org', 'x'], 'x', 'is no web address'],
    ['boolean', ['yes', 'wahr'], 'yes', 'is not true or false'],
  ])('for %s is refused to %j, with the cell', (type, cells, cell, because) => {
    const line = cells.indexOf(cell) + 2;
    expect(decide(cells, { type })).toMatchObject({
      ...{ type: 'text', why: `"${cell}" ${because}` },
      unfit: { cell, line, because },
    });
  });
});

describe('words for nothing', () => {
  test('are found in a column that is otherwise of a type, and told', () => {
    const cells = ['5', 'N/A', '-', '', '7', 'n/a', '-', '\u2013'];
    const decision = decide(cells);
    expect(decision).toMatchObject({
      type: 'integer',
      spelling: { missingValues: ['N/A', '-', 'n/a', '\u2013'] },
      missing: [
        { cell: 'N/A', line: 3, count: 1 },
        { cell: '-', line: 4, count: 2 },
        { cell: 'n/a', line: 7, count: 1 },
        { cell: '\u2013', line: 9, count: 1 },
      ],
      ...{ filled: 2, blanks: 1, isUnique: false },
    });
    expect(valuesOf(decision, cells)).toEqual([5, null, null, null, 7, null, null, null]);
  });

  test.each([
    ...['NULL', 'n.d.', '.', '#N/A', 'none', 'nan', 'NaN', '...', '#DIV/0!', '(null)'],
    // What spreadsheets write in other languages.
    ...['#NV', '#N/D', '#VALEUR!', '#\u00a1DIV/0!', '#WAARDE!', '#DZIEL/0!', '#SAKNAS!'],
  ])('%s is one', (word) => {
    expect(decide(['1.5', word])).toMatchObject({ type: 'number', missing: [{ cell: word }] });
    expect(decide(['2020-05-17', word]).type).toBe('date');
  });

  test('stay in a text', () => {
    const cells = ['Court St', 'None', '-'];
    const decision = decide(cells);
    expect(decision).toMatchObject({ type: 'text', spelling: {}, filled: 3, missing: [] });
    expect(decision.distinct).toEqual({ count: 3, isExact: true });
    expect(valuesOf(decision, cells)).toEqual(cells);
  });

  test('in more than 32 spellings are texts', () => {
    const spellings = Array.from({ length: 40 }, (_, i) =>
      [...'unknown'].map((letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
    );
    expect(decide(['5', ...spellings])).toMatchObject({ type: 'text', missing: [] });
  });
});

describe('of a column is known', () => {
  test('how many cells are filled, blank and distinct, and the range', () => {
    expect(decide(['b', 'a', '', 'b'])).toMatchObject({
      ...{ filled: 3, blanks: 1, isUnique: false, longest: 1 },
      distinct: { count: 2, isExact: true },
      samples: [
        { cell: 'b', count: 2 },
        { cell: 'a', count: 1 },
      ],
    });
    expect(decide(['17/05/2020', '01/02/2020']).range).toEqual({
      ...{ min: '2020-02-01', max: '2020-05-17' },
    });
    expect(decide(['2020-05-17T10:30:00Z', '2020-05-17T10:30:00.5Z']).range).toEqual({
      ...{ min: '2020-05-17T10:30:00Z', max: '2020-05-17T10:30:00.500Z' },
    });
  });

  test('whether it is unique, also where it has more distinct cells than are counted', () => {
    expect(['aba', 'ab'].map((cells) => decide([...cells]).isUnique)).toEqual([false, true]);
    const cells = numbersTo(50_000);
    expect(decide(cells)).toMatchObject({
      ...{ isUnique: true, distinct: { count: 50_000, isExact: true } },
    });
    const repeated = decide([...cells, '7', ...numbersTo(9)]);
    expect(repeated).toMatchObject({ isUnique: false, distinct: { isExact: false } });
    expect(repeated.distinct.count).toBeGreaterThan(20_000);
  });

  test('no more than fits in the room that all columns share', () => {
    const room = { slots: 1024 };
    const columns = ['a', 'b'].map((header) => new ColumnEvidence(header, room));
    for (let i = 0; i < 700; i++) for (const column of columns) column.add(String(i), i + 2);
    expect(columns.map((column) => column.decide())).toMatchObject([
      { type: 'integer', range: { min: 0, max: 699 }, isUnique: false },
      { type: 'integer', range: { min: 0, max: 699 }, isUnique: false },
    ]);
    expect(room.slots).toBeGreaterThanOrEqual(0);
  });

  test('its cells, cut to what is shown', () => {
    const [deciding] = decide(['x'.repeat(5000)]).deciding;
    expect(deciding?.cell.length).toBe(101);
  });
});

/** Numbers as texts, and how a file spells them all. */
const numberColumn = fc
  .record({
    cells: fc.array(
      fc.record({
        sign: fc.constantFrom('', '', '-'),
        whole: fc.oneof({ weight: 9, arbitrary: fc.nat(9_999_999) }, fc.maxSafeNat()).map(String),
        fraction: fc.option(
          fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 }),
          { nil: [] },
        ),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    decimalChar: fc.constantFrom('.', ','),
    groupChar: fc.constantFrom('', ',', '.', ' ', "'", 'as in India'),
    before: fc.constantFrom('', '', '$'),
    behind: fc.constantFrom('', '', ' %'),
  })
  .filter(({ decimalChar, groupChar }) => decimalChar !== groupChar)
  .map(({ cells, decimalChar, groupChar, before, behind }) =>
    cells.map(({ sign, whole, fraction }) => {
      const grouped =
        groupChar === 'as in India'
          ? whole.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ',')
          : whole.replace(/\B(?=(?:\d{3})+$)/g, groupChar);
      const decimals = fraction.length === 0 ? '' : `${decimalChar}${fraction.join('')}`;
      const value = Number(`${sign}${whole}.${fraction.join('')}`);
      return {
        cell: `${sign}${before}${grouped}${decimals}${behind}`,
        value: value === 0 ? 0 : value,
      };
    }),
  );

test('over random columns, numbers are those that were written, or texts', () => {
  let found = 0;
  fc.assert(
    fc.property(numberColumn, (column) => {
      const cells = column.map(({ cell }) => cell);
      const decision = decide(cells);
      if (decision.type === 'text') return;
      found++;
      expect([cells, valuesOf(decision, cells)]).toEqual([cells, column.map(({ value }) => value)]);
    }),
    { seed: 141, numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(500);
});

test.each(MONTH_LANGUAGES)('dates as Intl writes them in %s are read', (language) => {
  for (const month of ['long', 'short'] as const) {
    const written = new Intl.DateTimeFormat(language, {
      ...{ day: 'numeric', month, year: 'numeric', timeZone: 'UTC' },
    });
    const days = Array.from({ length: 12 }, (_, i) => new Date(Date.UTC(2020, i, 15 + i)));
    const cells = days.map((day) => written.format(day));
    const decision = decide(cells);
    expect([cells, decision.type]).toEqual([cells, 'date']);
    expect(valuesOf(decision, cells)).toEqual(days.map((day) => day.toISOString().slice(0, 10)));
  }
});

test('a word that is a month in several languages is the same month in all of them', () => {
  const words = MONTH_LANGUAGES.flatMap((language) => [...monthsOf(language).keys()]);
  expect(words.length).toBeGreaterThan(400);
  for (const word of words) {
    const months = MONTH_LANGUAGES.flatMap((one) => monthAt(word, 0, one)?.month ?? []);
    const english = timeParser('%d-%b-%Y')(`01-${word}-2020`)?.slice(5, 7);
    const all = new Set([...months, ...(english === undefined ? [] : [Number(english)])]);
    expect([word, [...all]]).toEqual([word, [months[0]]]);
  }
});

const FORMS: readonly ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${day}/${month}/${year}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day) => `${Number(month)}/${Number(day)}/${year}`,
  (year, month, day) => `${day}.${month}.${year}`,
  (year, month, day) => `${month}-${day}-${year}`,
  (year, month, day) => `${year}/${month}/${day}`,
  (year, month, day) => `${year}-${month}-${day}`,
];

test('over random columns, dates are those that were written, or texts', () => {
  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...FORMS),
      fc.constantFrom('', ' 09:30'),
      (days, written, time) => {
        const cells = days.map((iso) => {
          const [year = '', month = '', ofMonth = ''] = iso.split('-');
          return written(year, month, ofMonth) + time;
        });
        const decision = decide(cells);
        if (decision.type === 'text') {
          // Nothing else is doubtful in these.
          expect(decision.readings).toHaveLength(3);
          return;
        }
        found++;
        const values = days.map((iso) => (time === '' ? iso : `${iso}T09:30:00`));
        expect([cells, valuesOf(decision, cells)]).toEqual([cells, values]);
      },
    ),
    { seed: 142, numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(500);
});

describe('negative numbers as bookkeepers write them', () => {
  test.each([
    ['behind', ['1.234,56-', '7,00', '0,01-'], [-1234.56, 7, -0.01]],
    ['behind', ['€ 5-', '€ 7', '€ 1.000,50-'], [-5, 7, -1000.5]],
    ['behind', ['12 %-', '7 %', '3 %'], [-12, 7, 3]],
    ['brackets', ['(987.65)', '12.00', '(0.50)'], [-987.65, 12, -0.5]],
    ['brackets', ['($987.65)', '$12.00', '($0.50)'], [-987.65, 12, -0.5]],
    ['brackets', ['$(5)', '$7', '$(1,000.25)'], [-5, 7, -1000.25]],
    ['brackets', ['(3.25%)', '7%', '(1.5%)'], [-3.25, 7, -1.5]],
    [undefined, ['-$5', '$7', '-$1,000.25'], [-5, 7, -1000.25]],
    [undefined, ["'-75.63", "'12.5", '7'], [-75.63, 12.5, 7]],
  ])('%s: %j', (minus, cells, values) => {
    const decision = decide(cells);
    expect(decision.type).toMatch(/^(?:number|integer)$/);
    expect(decision.spelling.minus).toBe(minus);
    expect(valuesOf(decision, cells)).toEqual(values);
    expect(decision.range).toEqual({ min: Math.min(...values), max: Math.max(...values) });
  });

  test.each([
    ['(5)', ['(5)', '(7.5)', '(0.1)']],
    ['a minus behind', ['5-', '7-', '9-']],
  ])('in every cell may mean something else: %s', (_, cells) => {
    const { type, readings = [] } = decide(cells);
    expect([type, ...readings.map((reading) => reading.type)]).toEqual([
      'text',
      expect.stringMatching(/^(?:number|integer)$/),
      'text',
    ]);
    const wished = decide(cells, { type: 'number' });
    expect(valuesOf(wished, cells).every((value) => Number(value) < 0)).toBe(true);
  });

  test('in two ways are asked about, and none is blank by a given for numbers', () => {
    const cells = ['-5', '7', '(9)', '3-', "'-1", '12', '13', '14'];
    const { type, near } = decide(cells);
    expect([type, near?.asks]).toEqual(['text', { isSafe: false, areRead: true }]);
    const wished = decide(cells, { type: 'number' });
    expect(valuesOf(wished, cells)).toEqual([-5, 7, -9, -3, -1, 12, 13, 14]);
    expect([wished.odd, wished.range]).toEqual([undefined, { min: -9, max: 14 }]);
  });

  test.each(['--5', '-(5)', '(-5)', '5--', '(5', '5)', '()', "'", "'x", '(a)', '5-7'])(
    'are not %s',
    (cell) => {
      expect(decide([cell, '7', '8', '9', '10']).type).toBe('text');
    },
  );
});

describe('numbers that are none', () => {
  test('versions are asked about, unless the header says so', () => {
    const cells = ['1.4', '1.40', '1.9', '2.1', '2.10'];
    const { type, readings = [] } = decide(cells);
    expect([type, readings.map((reading) => reading.type)]).toEqual(['text', ['number', 'text']]);
    expect(decide(cells, {}, 'version')).toMatchObject({ type: 'text' });
    expect(decide(cells, {}, 'version').readings).toBeUndefined();
    expect(decide(cells, {}, 'price').type).toBe('number');
    expect(decide(['1.4', '1.5', '1.90'], {}, 'x').type).toBe('number');
  });

  test('numbers that are repeated are no versions, however many there are', () => {
    const cells = Array.from({ length: 60_000 }, (_, i) => (40 + (i % 25_000) / 1e6).toFixed(6));
    expect(decide(cells, {}, 'latitude').type).toBe('number');
    // One of them that is spelled in two ways is one, however often it is repeated.
    const spelled = [...cells, ...new Array<string>(1000).fill('40.0001')];
    expect(decide(spelled, {}, 'latitude').type).toBe('number');
  });

  test.each([
    ['9999', ['5', '7', '9999', '9999'], '9999'],
    ['-99.99', ['5.5', '7.25', '-99.99', '-99.99'], '-99.99'],
    ['-99', ['50', '70', '-99', '-99'], '-99'],
    ['once', ['5', '7', '9999'], undefined],
    ['once, if no other is negative', ['5', '7', '-999'], '-999'],
    ['once, and short', ['5', '7', '-99'], undefined],
    ['once, among negative ones', ['5', '-7', '-999'], undefined],
    ['near', ['5000', '7000', '9999', '9999'], undefined],
    ['-99 among negative ones', ['-50', '70', '-99', '-99'], undefined],
  ])('nines that repeat far from the others are told: %s', (_, cells, cell) => {
    const decision = decide(cells);
    expect([decision.type, decision.standIn?.cell]).toEqual([
      expect.stringMatching(/^(?:num|int)/),
      cell,
    ]);
  });

  test.each([
    ['-666666666', ['40100', '40200', '-666666666', '40300', '-666666666'], '-666666666'],
    ['below small ones', ['1', '2', '-9', '1', '-9'], '-9'],
    ['below them, with decimals', ['-5.5', '2.5', '-88.0', '7.5', '-88.0'], '-88.0'],
    ['above them', ['1', '2', '3', '88', '88'], '88'],
    ['nines in every cell', ['-999', '-999', '-999'], '-999'],
    ['an error of Excel, which is told once', ['0.5', '2', '-2146826281', '7'], '-2146826281'],
    ['a great amount', ['1', '2', '3', '25', '25'], undefined],
    ['a flag', ['0', '1', '1', '0'], undefined],
    ['a loss that comes once', ['100', '200', '-900'], undefined],
    ['gains and losses', ['-5', '7', '-30', '-30', '12'], undefined],
    ['thousands in groups', ['1,234', '2,345', '999', '999'], undefined],
  ])(
    'a number that repeats far from the others is told, whatever its digits: %s',
    (_, cells, cell) => {
      expect(decide(cells, { decimal: '.' }).standIn?.cell).toBe(cell);
    },
  );

  test('a column is decided alike however often it is decided', () => {
    const evidence = new ColumnEvidence('x');
    for (const [i, cell] of ['="00810"', '="00487"'].entries()) evidence.add(cell, i + 2);
    const first = evidence.decide();
    expect(first.why).toBe('has formulas of one text, which keep it as it is');
    expect(evidence.decide()).toEqual(first);
  });

  test('formulas of one text are texts, without their signs', () => {
    const cells = ['="00123"', '="00124"', '=" a ""b"""'];
    const decision = decide(cells);
    expect(decision).toMatchObject({ type: 'text', spelling: { textFormulas: true } });
    expect(valuesOf(decision, cells)).toEqual(['00123', '00124', 'a "b"']);
    expect(decide(['="123"', '="124"']).type).toBe('text');
    expect(decide(['=A1', '="x', '="a"b"']).spelling).toEqual({});
  });
});

describe('times as programs write them', () => {
  test.each([
    ['2024-01-02 05:00:00.200007', '2024-01-02T05:00:00.200'],
    ['2024-01-02 05:00:00.200007+00', '2024-01-02T05:00:00.200Z'],
    ['2024-01-02T05:00:00.123456789Z', '2024-01-02T05:00:00.123Z'],
    ['2024-01-02 05:00:00 UTC', '2024-01-02T05:00:00Z'],
    ['2024-01-02 05:00:00 Z', '2024-01-02T05:00:00Z'],
    ['Fri, 11 Oct 2024 14:30:00 +0000', '2024-10-11T14:30:00Z'],
    ['Sat, 12 Oct 2024 14:30:00 GMT', '2024-10-12T14:30:00Z'],
    ['13.08.2020 24:00', '2020-08-14T00:00:00'],
    ['2020-12-31 24:00:00', '2021-01-01T00:00:00'],
    ['2024-02-28T24:00Z', '2024-02-29T00:00:00Z'],
  ])('%s', (cell, value) => {
    const decision = decide([cell]);
    expect(decision.type).toBe('datetime');
    expect(valuesOf(decision, [cell])).toEqual([value]);
    expect(decision.cut?.cell).toBe(/:\d\d\.\d{4}/.test(cell) ? cell : undefined);
  });

  test.each([
    'Mon, 11 Oct 2024 14:30:00 +0000',
    '2020-08-13 24:01',
    '2020-08-13 25:00',
    '9999-12-31 24:00',
  ])('not %s', (cell) => expect(decide([cell]).type).toBe('text'));

  test.each([
    ['%s', 'created', ['1616976024', '1616979624'], 'datetime', '2021-03-29T00:00:24Z'],
    ['%Q', 'timestamp', ['1616976024321', '1616979624321'], 'datetime', '2021-03-29T00:00:24.321Z'],
    ['excel', 'Datum', ['44197', '44198'], 'date', '2021-01-01'],
    ['excel', 'date', ['44197.5', '44198'], 'datetime', '2021-01-01T12:00:00'],
  ])(
    'counted are asked about below a header of times: %s below %s',
    (format, header, cells, type, value) => {
      const open = decide(cells, {}, header);
      const number = cells.some((cell) => cell.includes('.')) ? 'number' : 'integer';
      // The last one is the safest. An amount never has thirteen digits.
      const expected = format === '%Q' ? [number, format] : [format, number];
      expect(open.type).toBe(format === '%Q' ? 'datetime' : number);
      expect(open.readings?.map(({ given }) => given.format ?? given.type)).toEqual(expected);
      const chosen = decide(cells, { format }, header);
      expect([chosen.type, chosen.readings, chosen.spelling.format]).toEqual([
        type,
        undefined,
        format,
      ]);
      expect(valuesOf(chosen, cells)[0]).toBe(value);
      expect(decide(cells, {}, 'x').readings).toBeUndefined();
    },
  );

  test.each([
    ['%Y-%m', ['2016-01', '2016-12'], '2016-01-01'],
    ['Q%q %Y', ['Q3 2016', 'Q4 2016'], '2016-07-01'],
    ['%YM%m', ['2016M02', '2016M03'], '2016-02-01'],
    ['%b-%y', ['Jan-16', 'Feb-16'], '2016-01-01'],
  ])('months and quarters are texts, and days by a pattern: %s', (format, cells, value) => {
    expect(decide(cells)).toMatchObject({ type: 'text', periodFormat: format });
    const evidence = new ColumnEvidence('x', undefined, { format });
    for (const [i, cell] of cells.entries()) evidence.add(cell, i + 2);
    const decision = evidence.decide({ format });
    expect([decision.type, valuesOf(decision, cells)[0]]).toEqual(['date', value]);
  });

  test('a pattern that most cells are not in is refused, with the first of them', () => {
    const evidence = new ColumnEvidence('x', undefined, { format: '%d/%m/%Y' });
    for (const [i, cell] of ['a', 'b', '1/2/2020'].entries()) evidence.add(cell, i + 2);
    expect(evidence.decide({ format: '%d/%m/%Y' }).unfit).toEqual({
      ...{ cell: 'a', line: 2, because: 'is not written as %d/%m/%Y' },
    });
  });
});

describe('what the file has typed', () => {
  /** Cells of a format that has types. */
  function decideTyped(
    cells: readonly [string, CellType][],
    wishes: GivenOfColumn = {},
    header = 'x',
  ) {
    const evidence = new ColumnEvidence(header);
    for (const [i, [cell, type]] of cells.entries()) evidence.add(cell, i + 2, type);
    return evidence.decide(wishes);
  }
  const of = (type: CellType, ...cells: readonly string[]) =>
    cells.map((cell): [string, CellType] => [cell, type]);

  test.each([
    ['six digits', 'x', ['234567', '245317'], 'integer'],
    ['an id', 'zip', ['23456', '24531'], 'integer'],
    ['eight digits of days', 'day', ['20200101', '20200102'], 'integer'],
    ['three decimals', 'x', ['1.234', '5.678'], 'number'],
    ['versions', 'version', ['1.4', '2.10'], 'number'],
  ])('as numbers is numbers: %s', (_, header, cells, type) => {
    const decision = decideTyped(of('number', ...cells), {}, header);
    expect([decision.type, decision.readings]).toEqual([type, undefined]);
    expect(valuesOf(decision, cells)).toEqual(cells.map(Number));
  });

  test('as numbers has a point before decimals, beside words for nothing and other texts too', () => {
    const mixed = [...of('number', '1.234', '5.678'), ...of('text', 'n/a')];
    expect(decideTyped(mixed)).toMatchObject({ type: 'number', missing: [{ cell: 'n/a' }] });
    const commas = [...of('number', '1.234'), ...of('text', '5,5')];
    expect(decideTyped(commas).type).toBe('text');
  });

  test('as numbers stays a text if these are not exact', () => {
    expect(decideTyped(of('number', '12345678901234567890', '5')).type).toBe('text');
  });

  test('as texts is no boolean by letters alone', () => {
    expect(decideTyped(of('text', 't', 'f', 't')).type).toBe('text');
    expect(decideTyped(of('text', 'yes', 'no')).type).toBe('boolean');
    expect(decideTyped(of('text', '2020-01-01')).type).toBe('date');
    expect(decideTyped(of('text', '5')).type).toBe('integer');
    expect(decideTyped(of('boolean', 'true', 'false')).type).toBe('boolean');
  });
});

describe('a column with more distinct texts than are counted', () => {
  test.each([...IDS, ...NUMBERS, ...TIMES])('is what it is without that: %s', (_, make) => {
    for (let seed = 0; seed < 8; seed++) {
      const random = randomOf(seed);
      const { headers, draw, write } = make(random);
      const header = random.one(headers);
      const odd = random.chance(0.5) ? ['n/a', 'closed', '-', '1.2.3', '9999'] : [];
      const cells = Array.from({ length: 120 }, (__, row) =>
        odd.length > 0 && random.chance(0.04) ? random.one(odd) : write(draw(row)),
      );
      // A text that is repeated is taken for a new one where they are not counted.
      const decisions = [undefined, { slots: 0 }].map((room) => {
        const evidence = new ColumnEvidence(header, room);
        for (const [i, cell] of [...cells, ...cells, ...cells].entries()) evidence.add(cell, i + 2);
        const { distinct, isUnique, samples, ...decision } = evidence.decide();
        return decision;
      });
      expect(decisions[1]).toEqual(decisions[0]);
    }
  });
});
