import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SourceRecord } from '../../src/files/source-table.ts';
import { judgeTotals, TotalsApart } from '../../src/recipe/find-totals.ts';

/** What is found of the rows of a table that are called totals, by their words. */
async function judge(header: string, lines: readonly string[]) {
  const headers = header.split('|');
  const records = lines.map((line, i): SourceRecord => ({ cells: line.split('|'), line: i + 2 }));
  const apart = new TotalsApart();
  for (const record of records) apart.add(record);
  const source = (async function* () {
    yield* records;
  })();
  const found = await judgeTotals(apart.take(), headers, async () => ({ records: source }));
  return found.map(({ is, stands, addsUp, rows }) => [is, stands, addsUp, rows.length]);
}

describe('a row that is called a total at the end', () => {
  test.each([
    ['of whole numbers', ['a|1|', 'b|2|', 'Total|3|'], 'all'],
    ['in the second column', ['2024|x|1', '2024|y|2', '2024|Total|3'], 'all'],
    ['of a column and of shares', ['a|1|50%', 'b|2|70%', 'Total|3|60%'], 'all'],
    ['of a column and not of another', ['a|1|5', 'b|2|7', 'Total|3|13'], 'some'],
    ['beside a blank and a word for nothing', ['a|1|', 'b||', 'c|N/A|', 'd|2|', 'Total|3|'], 'all'],
    ['of thousands with a unit', ['a|1,000 kg|', 'b|2,500 kg|', 'Total|3,500 kg|'], 'all'],
    ['of decimal commas', ['a|1.000,5|', 'b|-2,25|', 'Summe|998,25|'], 'all'],
    ['that is rounded', ['a|1.26|', 'b|2.26|', 'Total|3.5|'], 'all'],
    ['of tenths, in decimals', [...Array(10).fill('a|0.1|'), 'Total|1|'], 'all'],
    ['that a program added in binary', ['a|0.1|', 'b|0.2|', 'Total|0.30000000000000004|'], 'all'],
    ['of bookkeepers', ['a|$5.00|', 'b|($7.50)|', 'Total|($2.50)|'], 'all'],
    ['with a minus behind', ['a|5,00|', 'b|7,50-|', 'Summe|2,50-|'], 'all'],
    ['that does not add up', ['a|1|', 'b|2|', 'Total|4|'], 'none'],
    ['of one number', ['a|2|', 'b||', 'Total|2|'], 'none'],
    ['of zeros alone', ['a|0|', 'b|0|', 'Total|0|'], 'none'],
    ['of two notations', ['a|1,5|', 'b|1.5|', 'c|2|', 'Total|3.5|'], 'none'],
    ['that is less by a cent', ['a|1.01|', 'b|2.02|', 'Total|3.02|'], 'none'],
  ])('%s', async (_, lines, addsUp) => {
    const [[, stands, found, count] = []] = await judge('name|n|m', lines);
    expect([stands, found, count]).toEqual(['end', addsUp, 1]);
  });

  test.each(['Total', 'GRAND TOTAL', 'Summe:', 'Gesamtergebnis', 'Total général', 'Итого', '合計'])(
    'may be called %s',
    async (word) => {
      expect(await judge('name|n', ['a|1', 'b|2', `${word}|3`])).toEqual([[word, 'end', 'all', 1]]);
    },
  );

  test('is none if that is part of a name, or nothing stands beside it', async () => {
    expect(await judge('name|n', ['a|1', 'b|2', 'Totals|', 'Totally Wine|3'])).toEqual([]);
  });

  test('adds neither years nor rates', async () => {
    const lines = ['a|2020|1|10.5', 'b|2021|2|11.5', 'Total|2021|3|11.2'];
    expect(await judge('k|year|n|average', lines)).toEqual([['Total', 'end', 'all', 1]]);
  });
});

describe('a last row without a word', () => {
  test.each([
    ['is a total if it adds up the others', ['a|x|1|0.5', 'b|y|2|0.5', 'c|z|4|1', '||7|2'], 'all'],
    ['in some columns', ['a|x|1|0.5', 'b|y|2|0.5', 'c|z|4|1', '||7|3'], 'some'],
    ['in none', ['a|x|1|0.5', 'b|y|2|0.5', 'c|z|4|1', '||8|3'], 'none'],
    ['of two numbers and zeros', ['a|x|0|0', 'b|y|2|3', 'c|z|1|1', '||3|4'], 'none'],
    ['where another row lacks the same cells', ['a|x|1|2', '||2|3', 'c|z|1|1', '||4|6'], 'none'],
  ])('%s', async (_, lines, addsUp) => {
    expect(await judge('k|w|n|m', lines)).toEqual([['', 'end', addsUp, 1]]);
  });

  test('is none if it has a text', async () => {
    expect(await judge('k|w|n', ['a|x|1', 'b|y|2', 'c|z|4', '|Area 51|7'])).toEqual([]);
  });

  test('is none if it has an id, or a row follows', async () => {
    const lines = ['1|x|1', '2|y|2', '3|z|4', '4||7'];
    expect(await judge('id|w|n', lines)).toEqual([['', 'end', 'none', 1]]);
    expect(await judge('k|w|n', ['a|x|1', 'b|y|2', 'c|z|4', '||7', 'd|z|4'])).toEqual([]);
  });
});

describe('a row that is called by a word for another figure', () => {
  test.each([
    'Average',
    'MINIMUM',
    'Max.',
    'Median:',
    'Mean',
    'Durchschnitt',
    'Moyenne',
    'Promedio',
    'Gemiddelde',
    'Średnia',
    'Среднее',
    '平均値',
  ])('%s, stands at the end', async (word) => {
    const found = await judge('k|n|m', ['a|1|2', 'b|2|3', `${word}|1.5|n/a`]);
    expect(found).toEqual([[word, 'end', 'none', 1]]);
  });

  test('beside the total, which is of the rows alone', async () => {
    const found = await judge('k|n', ['a|1', 'b|2', 'Average|1.5', 'Total|3', 'Max|2']);
    expect(found.map(([is, stands, addsUp]) => `${is} ${stands} ${addsUp}`)).toEqual([
      'Average end none',
      'Total end all',
      'Max end none',
    ]);
  });

  test.each([
    ['where rows follow', ['a|1', 'Average|2', 'b|3']],
    ['where other rows have such a word', ['mean|1', 'n|7', 'mean|2', 'n|5', 'max|3']],
    ['where all rows have one', ['mean|1', 'min|0', 'max|3']],
    ['beside a text', ['a|1', 'b|2', 'Max|Baltimore']],
  ])('is none %s', async (_, lines) => {
    expect(await judge('k|n', lines)).toEqual([]);
  });
});

describe('a total that is called by the name of its group', () => {
  test.each([
    [
      'Total *',
      ['North|a|1', 'North|b|2', 'Total North||3', 'South|c|3', 'South|d|4', 'Total South||7'],
    ],
    [
      '* total',
      ['North|a|1', 'North|b|2', 'North total||3', 'South|c|3', 'South|d|4', 'South total||7'],
    ],
    ['Summe: *', ['Nord|a|1', 'Nord|b|2', 'Summe: Nord||3', 'Ost|c|3', 'Ost|d|4', 'Summe: Ost||7']],
  ])('%s', async (is, lines) => {
    expect(await judge('region|city|n', lines)).toEqual([[is, 'elsewhere', 'all', 2]]);
  });

  test('is none if it adds up nothing', async () => {
    const lines = ['Aldi|1', 'Total Wine|7', 'Lidl|2'];
    expect(await judge('shop|n', lines)).toEqual([['Total *', 'elsewhere', 'none', 1]]);
  });
});

describe('a row that is called a total elsewhere', () => {
  test('above what it adds up', async () => {
    expect(await judge('k|n', ['Total|3', 'a|1', 'b|2'])).toEqual([
      ['Total', 'elsewhere', 'all', 1],
    ]);
  });

  test('below each group, with the grand total of all', async () => {
    const lines = ['a|1', 'b|2', 'Subtotal|3', 'c|4', 'd|5', 'Subtotal|9', 'Total|12'];
    expect(await judge('k|n', lines)).toEqual([
      ['Subtotal', 'elsewhere', 'all', 2],
      ['Total', 'end', 'all', 1],
    ]);
  });

  test('of groups of groups, whose words stand by turns', async () => {
    const lines = [
      ...['a|1', 'b|2', 'Subtotal|3', 'c|4', 'd|5', 'Subtotal|9', 'Total North|12'],
      ...[
        'e|1',
        'f|1',
        'Subtotal|2',
        'g|2',
        'h|2',
        'Subtotal|4',
        'Total South|6',
        'Grand Total|18',
      ],
    ];
    expect(await judge('k|n', lines)).toEqual([
      ['Subtotal', 'elsewhere', 'all', 4],
      ['Total *', 'elsewhere', 'all', 2],
      ['Grand Total', 'end', 'all', 1],
    ]);
  });

  test('above each group', async () => {
    const lines = ['Total|3', 'a|1', 'b|2', 'Total|9', 'c|4', 'd|5'];
    expect(await judge('k|n', lines)).toEqual([['Total', 'elsewhere', 'all', 2]]);
  });

  test('is a name if it adds up nothing', async () => {
    expect(await judge('k|n', ['a|1', 'Total|30', 'b|2'])).toEqual([
      ['Total', 'elsewhere', 'none', 1],
    ]);
  });

  test('is a value if it stands once for each group of the other columns', async () => {
    const lines = ['x|Male|1', 'x|Female|2', 'x|Total|3', 'y|Male|4', 'y|Female|5', 'y|Total|9'];
    expect(await judge('place|sex|n', lines)).toEqual([['Total', 'level', 'none', 2]]);
    const years = ['2020|m|1', '2020|f|2', '2020|Total|3', '2021|m|1', '2021|f|1', '2021|Total|2'];
    expect(await judge('year|sex|n', years)).toEqual([['Total', 'level', 'none', 2]]);
  });
});

test('rows with a word for a total are kept apart up to a thousand: then it is a value', () => {
  const apart = new TotalsApart();
  const record = (cell: string, line: number): SourceRecord => ({ cells: [cell, '1'], line });
  for (let line = 0; line < 1000; line++) apart.add(record('Total', line));
  expect(apart.takeOrdinary()).toHaveLength(0);
  expect(apart.add(record('Total', 1000))).toBe(true);
  expect(apart.takeOrdinary()).toHaveLength(1001);
  expect([apart.add(record('Total', 1001)), apart.take().length]).toEqual([false, 0]);
});

test('rows with such a word in a name are kept apart up to 300, and others further', () => {
  const apart = new TotalsApart();
  const record = (cell: string, line: number): SourceRecord => ({ cells: [cell, '1'], line });
  for (let line = 0; line < 301; line++)
    expect(apart.add(record(`Total ${line}`, line))).toBe(true);
  expect(apart.add(record('Total', 400))).toBe(true);
  expect(apart.takeOrdinary()).toHaveLength(301);
  expect([apart.add(record('Total 5', 401)), apart.take().length]).toEqual([false, 1]);
});

test('a total of random decimals adds up in whole cents, and not by one more', async () => {
  const cents = fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), {
    minLength: 2,
    maxLength: 40,
  });
  const written = (value: bigint) => {
    const digits = String(value < 0n ? -value : value).padStart(3, '0');
    return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  await fc.assert(
    fc.asyncProperty(cents, fc.boolean(), async (all, isOff) => {
      const sum = all.reduce((total, one) => total + BigInt(one), isOff ? 1n : 0n);
      fc.pre(sum !== 0n);
      const lines = all.map((one, i) => `r${i}|${written(BigInt(one))}`);
      const found = await judge('k|n', [...lines, `Total|${written(sum)}`]);
      expect(found).toEqual([['Total', 'end', isOff ? 'none' : 'all', 1]]);
    }),
    { seed: 40, numRuns: 200 },
  );
});
