import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from '../../src/files/csv/read-csv.ts';
import { linesOf, recordsIn } from '../../src/files/csv/records-in.ts';
import { sniffCsv } from '../../src/files/csv/sniff-csv.ts';
import { findTable } from '../../src/files/several-tables.ts';
import { pieces as bytePieces } from '../support/pieces.ts';

const TOWNS = 'name,people\nBern,5\nChur,6\n';
const SHOPS = 'id,town,score\n1,Bern,5\n2,Chur,6\n3,"x\n\ny",7\n';

async function choices(text: string) {
  const source = { readBytes: () => [Buffer.from(text)], file: 'f.csv', encoding: 'utf-8' };
  const { tables } = await sniffCsv(source);
  return tables?.map(({ table, line, rows, header }) => [table, line, rows, header.join(' ')]);
}

describe('several tables are seen', () => {
  test.each<[string, string, unknown]>([
    [
      'of other columns',
      `${TOWNS}\n${SHOPS}`,
      [
        [2, 5, 3, 'id town score'],
        [1, 1, 2, 'name people'],
      ],
    ],
    [
      'below lines of delimiters',
      `${TOWNS},\n,,\n${SHOPS}`,
      [
        [2, 6, 3, 'id town score'],
        [1, 1, 2, 'name people'],
      ],
    ],
    [
      'with a title each',
      `A: towns\n${TOWNS}\n\nB: shops\n${SHOPS}`,
      [
        [2, 7, 3, 'id town score'],
        [1, 1, 2, 'name people'],
      ],
    ],
    [
      'below names and values that are more lines, but fewer cells',
      'Of,May\nBy,me\nIn,kg\nAt,Bern\nTo,you\n\nid,a,b,c\n1,x,2,3\n2,y,2,3\n3,z,2,3\n',
      [
        [2, 7, 3, 'id a b c'],
        [1, 1, 4, 'Of May'],
      ],
    ],
    [
      'of texts alone, but wider',
      'Of,May\nBy,me\n\na,b,c\nx,y,z\nu,v,w\n',
      [
        [2, 4, 2, 'a b c'],
        [1, 1, 1, 'Of May'],
      ],
    ],
    [
      'of as many columns',
      `${TOWNS}\ntown,shops\nBern,1\n`,
      [
        [1, 1, 2, 'name people'],
        [2, 5, 1, 'town shops'],
      ],
    ],
  ])('%s', async (_, text, expected) => {
    expect(await choices(text)).toEqual(expected);
  });

  test.each([
    ['a blank line within a table', TOWNS.replace('Chur', '\nChur')],
    ['its header again, on another page', `${TOWNS}\n${TOWNS}`],
    ['titles and notes', `Towns\nof 2026\n\n${TOWNS}\nSource: us\n`],
    [
      'names and values above the header',
      'Source,us\nDate,2026-11-01\n\nid,a,b,c\n1,x,2,3\n2,y,2,3\n',
    ],
    ['blank lines in a cell', SHOPS],
  ])('but not for %s', async (_, text) => {
    expect(await choices(text)).toBeUndefined();
  });
});

test('each of random tables is read by its number, as it is alone, with the lines of the file', async () => {
  const cell = fc.constantFrom('a', 'b c', '1', '2.5', 'x, "y"', 'two\n\nlines', "it's");
  const table = fc
    .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 6 }))
    .chain(([width, rows]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: rows + 1,
        maxLength: rows + 1,
      }),
    );
  const written = (rows: readonly (readonly string[])[]) =>
    rows
      .map((cells) =>
        cells.map((one) => (/[",\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(','),
      )
      .map((line) => `${line}\n`)
      .join('');
  await fc.assert(
    fc.asyncProperty(
      fc.array(table, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (tables, length) => {
        const texts = tables.map(written);
        const whole = texts.join('\n\n');
        for (const [i, text] of texts.entries()) {
          const found = await findTable(recordsIn(pieces(whole, length), {}), i + 1);
          if (found === undefined) throw new Error('not found');
          let lines = '';
          for await (const piece of linesOf(pieces(whole, length), found)) lines += piece;
          expect(lines.trimEnd()).toBe(text.trimEnd());
          const dialect = { table: i + 1, keepsRepeatedHeaders: true } as const;
          const readBytes = bytePieces(whole, length);
          const read = await readCsv({ readBytes, file: 'f.csv', encoding: 'utf-8' }, { dialect });
          const rows: (readonly string[])[] = [];
          const first = whole.slice(0, texts.slice(0, i).join('\n\n').length).split('\n').length;
          expect(read.headerLine).toBe(i === 0 ? 1 : first + 2);
          for await (const { cells } of read.records) rows.push(cells);
          expect(rows).toEqual((tables[i] as string[][]).slice(1));
        }
        const records = recordsIn(pieces(whole, length), {});
        expect(await findTable(records, texts.length + 1)).toBeUndefined();
      },
    ),
    { seed: 26, numRuns: 100 },
  );
});

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
