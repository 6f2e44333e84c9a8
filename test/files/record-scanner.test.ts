import { describe, expect, test } from '@jest/globals';
import type { Dialect } from '../../src/block/declaration.ts';
import { RecordScanner } from '../../src/files/read-csv.ts';

/** What is known of a text that comes in pieces of so many characters. */
const scan = (text: string, dialect: Dialect, length: number) => {
  const scanner = new RecordScanner('f.csv', dialect);
  for (let at = 0; at < text.length; at += length) scanner.add(text.slice(at, at + length));
  scanner.end();
  const { records, last, lineOfFault, lineOfOpening, hasQuotedCell, isOpen } = scanner;
  return { records, last, lineOfFault, lineOfOpening, hasQuotedCell, isOpen };
};

describe('a scan finds how quotes are used', () => {
  test.each<[string, string, Dialect, object]>([
    [
      'around cells',
      'a,b\n1,"x\n""y"""\n',
      {},
      { records: 2, hasQuotedCell: true, lineOfFault: undefined },
    ],
    [
      'within cells',
      'a,b\n5" x,1\n6" y,2\n',
      {},
      { records: 3, hasQuotedCell: false, lineOfFault: 2 },
    ],
    [
      'before text',
      'a,b\n"x" y,1\n2,3\n',
      {},
      { records: 3, hasQuotedCell: false, lineOfFault: 2 },
    ],
    ['unclosed', 'a,b\n"x",1\n\n2,"y\n3,4\n', {}, { records: 3, isOpen: true, lineOfOpening: 4 }],
    ['not at all', 'a,b\n"x,1\n', { quoteChar: null }, { records: 2, isOpen: false }],
    [
      'with spaces beside',
      'a, "b" ,c\n',
      { skipInitialSpace: true },
      { hasQuotedCell: true, lineOfFault: undefined },
    ],
    ['with spaces that are no cell of theirs', 'a, "b" ,c\n', {}, { lineOfFault: 1 }],
    [
      'behind backslashes',
      '"a\\"\n\\\\",1\n',
      { escapeChar: '\\' },
      { records: 1, lineOfFault: undefined },
    ],
    ['where a backslash escapes none', '1\n"c:\\d"\n', { escapeChar: '\\' }, { lineOfFault: 2 }],
  ])('%s', (_, text, dialect, found) => {
    for (const length of [1, 2, 1000]) expect(scan(text, dialect, length)).toMatchObject(found);
  });
});

test('the last records are kept, and no more', () => {
  const text = Array.from({ length: 100 }, (_, i) => `${i},"\n"\n\n`).join('');
  const { records, last } = scan(text, {}, 7);
  expect(records).toBe(100);
  expect(last).toEqual(Array.from({ length: 20 }, (_, i) => `${80 + i},"\n"`));
});
