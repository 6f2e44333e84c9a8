import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp } from '../support/process.ts';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});
afterAll(cleanUp);

let count = 0;

/** Adds a file, and returns its rows and what was printed. */
async function added(content: string, ...options: string[]) {
  const name = `n${count++}`;
  const path = await blocks.file('n.csv', content);
  const { code, out, err } = await blocks.run('add', path, '--name', name, ...options);
  return { rows: code === 0 ? await blocks.rows(name) : [], out, err, name };
}

/** The values of a column in a file of two, whose other column counts the rows. */
async function columnOf(header: string, cells: readonly string[], ...options: string[]) {
  const lines = cells.map((cell, row) => `r${row};${cell}`);
  const read = await added(`row;${header}\n${lines.join('\n')}\n`, ...options);
  return { ...read, values: read.rows.map((row) => Object.values(row)[1]) };
}

describe('digits that are no numbers stay as they are written', () => {
  test.each([
    ['codes for phones', 'dial_code', ['+1', '+44', '+358']],
    ['codes for phones', 'Indicatif', ['+33', '+32', '+41']],
    ['days with months', 'Datum', ['3.2', '14.11', '1.10']],
    ['months with days', 'date', ['2.3', '11.14', '10.1']],
    ['years with months', 'Date', ['1871.01', '1871.09', '1871.1']],
    ['months of a period', 'Period', ['2019.09', '2019.10', '2019.11']],
    ['countries', 'iso2', ['NO', 'SI', 'NO']],
    ['countries', 'Land', ['SI', 'NO', 'NO']],
    ['parts of continents', 'continent code', ['NO', 'SI', 'NO']],
    ['languages', 'lang', ['no', 'si', 'no']],
    ['ids in exponents', 'EAN', ['4,00630E+12', '4,00631E+12', '7,61200E+12']],
    ['ids, one in exponents', 'id', ['204472098', '2.2E+11', '204472099']],
    ['ids in exponents', 'customer id', ['1.2e+7', '3.4e+7', '5.6e+7']],
    ['names of rooms', 'room', ['1e5', '101', '1e3', '2e4']],
  ])('%s below %s', async (_, header, cells) => {
    const { values, err } = await columnOf(header, cells);
    expect([values, err]).toEqual([cells, '']);
  });

  test.each([
    ['differences', 'change', ['+1', '+44', '+358'], [1, 44, 358]],
    ['numbers with a zero', 'x', ['+1', '0', '+358'], [1, 0, 358]],
    ['numbers with a minus', 'x', ['+1', '-44', '+358'], [1, -44, 358]],
    ['half years', 'date', ['1700.5', '1701.5', '1702.5'], [1700.5, 1701.5, 1702.5]],
    ['fractions of years', 'date', ['1958.04', '1958.13', '1958.21'], [1958.04, 1958.13, 1958.21]],
    ['tenths of a period', 'period', ['2.1', '3.4', '9.9'], [2.1, 3.4, 9.9]],
    ['answers', 'respuesta', ['NO', 'SI', 'NO'], [false, true, false]],
    ['amounts in exponents', 'Umsatz', ['1,00E+06', '1,10E+06'], [1_000_000, 1_100_000]],
  ])('but %s below %s are none of these', async (_, header, cells, expected) => {
    const { values, err } = await columnOf(header, cells);
    expect([values, err]).toEqual([expected, '']);
  });

  test('a plus before each number is asked about if no header tells, and is a text by --yes', async () => {
    const { err } = await columnOf('x', ['+1', '+44', '+358']);
    expect(err).toMatch(
      /has a plus before each number.*\n {2}--type x=text .*\n {2}--type x=integer/,
    );
    expect((await columnOf('x', ['+1', '+44', '+358'], '--yes')).values).toEqual([
      '+1',
      '+44',
      '+358',
    ]);
  });

  test.each(['EAN', 'x'])(
    'digits that an exponent stands for are told to be lost below %s',
    async (header) => {
      const { out } = await columnOf(header, ['4.00630E+12', '4.00631E+12']);
      expect(out).toContain(
        'exponents stand for digits that are lost, such as "4.00630E+12" in line 2',
      );
    },
  );

  test('but not of the mass of a star, nor of an amount', async () => {
    expect((await columnOf('mass', ['1.98900E+30', '3.97800E+29'])).out).not.toContain('are lost');
    expect((await columnOf('Umsatz', ['1.23E+06', '4.56E+06'])).out).not.toContain('are lost');
  });

  test('R writes a round number among others with an exponent', async () => {
    const cells = Array.from({ length: 20 }, (_, row) => (row === 9 ? '1e5' : `${99_991 + row}`));
    const { values, name } = await columnOf('population', cells);
    expect(values[9]).toBe(100_000);
    expect(blocks.blockFile(name).fields[1]?.type).toBe('integer');
    const codes = cells.map((cell, row) => (row > 9 && row % 3 === 0 ? '2e4' : cell));
    expect((await columnOf('x', [...codes, '3e4', '4e4'])).values).toContain('1e5');
  });
});

describe('columns beside one settle which character is before its decimals', () => {
  test.each([
    ['groups and a point', 'k;v;w;x', ['a;2,263;2,001,233;9.7', 'b;2,274;2,008;9.8'], 2263],
    ['decimal commas', 'k;v;w', ['a;1.234;1,5', 'b;5.678;2,25'], 1234],
    ['decimal commas', 'k;v;w', ['a;1,234;1,5', 'b;5,678;2,25'], 1.234],
    ['money', 'k;v;w', ['a;1,234;$9.70', 'b;5,678;$2.25'], 1234],
    ['commas between cells', 'k,v', ['a,1.234', 'b,5.678'], 1.234],
  ])('%s', async (_, header, lines, first) => {
    const content = `${[header, ...lines].join('\n')}\n`;
    const { rows, out, err } = await added(content);
    expect([rows[0]?.v, err]).toEqual([first, '']);
    const [, other = ''] =
      /v: a (?:point|comma) is before decimals, .*: --decimal ([.,])/.exec(out) ?? [];
    const { rows: otherwise } = await added(content, '--decimal', other);
    expect(otherwise[0]?.v).toBe(first === 2263 ? 2.263 : first === 1234 ? 1.234 : 1234);
  });

  test.each([
    ['they differ', 'k;v;w;x', ['a;1,234;1,5;1.5', 'b;5,678;2,5;2.5']],
    ['they are places alone', 'k;v;lat;lon', ['a;1.234;47.25;8.5', 'b;5.678;47.5;8.75']],
    ['commas between cells are all, and cells have commas', 'k,v', ['a,"1,234"', 'b,"5,678"']],
    ['commas between cells are all, and people are counted', 'k,people', ['a,1.234', 'b,5.678']],
    ['there are none', 'k;v', ['a;1.234', 'b;5.678']],
  ])('but it is asked if %s', async (_, header, lines) => {
    const { err } = await added(`${[header, ...lines].join('\n')}\n`);
    expect(err).toMatch(/can be read in two ways\n.*\n {2}--decimal ,.*\n {2}--decimal \./);
  });
});

test('one digit, a comma and one digit may be two values where commas separate cells', async () => {
  const lines = ['Haiti,"2,2"', 'Chile,0', 'Peru,2'];
  const { out } = await added(`country,digits\n${lines.join('\n')}\n`);
  expect(out).toContain(
    'digits: "2,2" in line 2 is read as one number; if it is two: --type digits=text',
  );
  const money = lines.map((line) => line.replace('"2,2"', '"2,20"'));
  expect((await added(`country,price\n${money.join('\n')}\n`)).out).not.toContain('if it is two');
});

describe('signs and marks beside numbers', () => {
  test('a sign may be apart from its number, and is told', async () => {
    const { values, out, name } = await columnOf('mV', ['- 0.081', '+ 0.091', '+  96.6', '0']);
    expect(values).toEqual([-0.081, 0.091, 96.6, 0]);
    expect(out).toContain('such as "- 0.081" in line 2; if these are no numbers: --type mv=text');
    expect(blocks.blockFile(name).fields[1]?.minus).toBe('apart');
  });

  test('beside numbers with a minus before them it is asked about', async () => {
    const { err } = await columnOf('v', ['-1', '-2', '-3', '- 4', '-5']);
    expect(err).toMatch(/--type v=text .*\n {2}--type v=integer /);
  });

  test("a spreadsheet's apostrophe before codes is left out, and told", async () => {
    const { values, out, name } = await columnOf('code', ["'0111", "'01290.90", "'F1801"]);
    expect(values).toEqual(['0111', '01290.90', 'F1801']);
    expect(out).toMatch(
      /apostrophe before its codes, such as "'0111" in line 2, .*: --type code=text/,
    );
    for (const { arguments: of } of blocks.blockFile(name).examples ?? []) {
      expect(JSON.stringify(of)).not.toContain("'");
    }
    const kept = await columnOf('code', ["'0111", "'0112"], '--type', 'code=text');
    expect(kept.values).toEqual(["'0111", "'0112"]);
  });

  test.each([
    ['years', ["'97", "'98"]],
    ['names', ["'t Hooft", "'s-Gravenhage 1"]],
    ['some cells alone', ["'0111", '0112', "'0113"]],
  ])('but it stays before %s', async (_, cells) => {
    expect((await columnOf('x', cells)).values).toEqual(cells);
  });
});
