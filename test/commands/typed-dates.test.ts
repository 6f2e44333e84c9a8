import { beforeAll, describe, expect, test } from '@jest/globals';
import { workbookOf } from '../support/workbook-of.ts';
import { OwnBlocks } from './own-blocks.ts';

let blocks: OwnBlocks;
beforeAll(async () => {
  blocks = await OwnBlocks.inNewFolder();
});

/** A sheet of numbers that have the format of a date, and texts. */
function sheet(cells: readonly (number | string)[], format = 14): Buffer {
  const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  const rows = cells.map((cell, i) => {
    const first = typeof cell === 'number' ? `<c s="1"><v>${cell}</v></c>` : text(cell);
    return `<row r="${i + 2}">${first}<c><v>${i}</v></c></row>`;
  });
  const header = `<row r="1">${text('day')}${text('n')}</row>`;
  const styles = `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="${format}"/></cellXfs></styleSheet>`;
  return workbookOf(`<sheetData>${header}${rows.join('')}</sheetData>`, {
    'xl/styles.xml': styles,
  });
}

let count = 0;

async function added(content: Buffer, ...options: string[]) {
  const name = `b${count++}`;
  const path = await blocks.file('s.xlsx', content);
  const { code, out, err } = await blocks.run('add', path, '--name', name, ...options);
  const rows = code === 0 ? await blocks.rows(name) : [];
  return { out, err, name, days: rows.map(({ day }) => day) };
}

describe('dates that a sheet has typed, beside texts that are dates', () => {
  test.each([
    ['first', [45_370, 45_371, '17.03.2024', '05.04.2024'], ['2024-03-19', '2024-03-20']],
    ['last', ['17.03.2024', '05.04.2024', 45_370, 45_371], ['2024-03-17', '2024-04-05']],
  ])('are one column: %s', async (_, cells, start) => {
    const { days, out, name } = await added(sheet(cells));
    expect(days.slice(0, 2)).toEqual(start);
    expect(days).toContain('2024-04-05');
    expect(out).toContain(
      'has dates with the day before the month in texts, beside those that the file has typed',
    );
    expect(blocks.blockFile(name).fields[0]).toMatchObject({
      ...{ type: 'date', format: '%d.%m.%Y', typedTimes: true },
    });
    const next = await blocks.file('next.xlsx', sheet([...cells, '06.04.2024', 45_372]));
    expect((await blocks.run('check', name, next)).out).toContain(`It fits ${name}`);
  });

  test('are one column of times, too', async () => {
    const { days } = await added(sheet([45_370.5, '17.03.2024 08:30'], 22));
    expect(days).toEqual(['2024-03-19T12:00:00', '2024-03-17T08:30:00']);
  });

  test('are asked about if the order of day and month is open', async () => {
    const { err } = await added(sheet([45_370, '03/04/2024']));
    expect(err).toContain('--dates dmy');
    const { days } = await added(sheet([45_370, '03/04/2024']), '--dates', 'mdy');
    expect(days).toEqual(['2024-03-19', '2024-03-04']);
  });

  test('are asked about if a spreadsheet may have exchanged day and month', async () => {
    // The 3rd of April, typed as the 4th of March; and a day that is no month.
    const cells = [45_355, 45_356, '17/03/2024', '25/03/2024'];
    const { err } = await added(sheet(cells));
    expect(err).toContain(
      'has typed dates to the 12th alone, and texts of later days: a spreadsheet may have exchanged day and month',
    );
    const safe = await added(sheet(cells), '--yes');
    expect(safe.days).toEqual(['2024-03-04', '2024-03-05', '17/03/2024', '25/03/2024']);
    const chosen = await added(sheet(cells), '--type', 'day=date');
    expect(chosen.days.slice(2)).toEqual(['2024-03-17', '2024-03-25']);
  });

  test('are texts beside texts that are none', async () => {
    const { days } = await added(sheet([45_370, 45_371, 'at noon', 'later', 'never']), '--yes');
    expect(days[2]).toBe('at noon');
  });
});
