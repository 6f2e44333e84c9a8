import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileNameOf } from '../../src/fetch/fetch-file.ts';
import { anyCharacter } from '../support/any-character.ts';

const nameOf = (disposition: string | undefined, address = 'https://data.test/') =>
  fileNameOf(
    disposition === undefined ? {} : { 'content-disposition': disposition },
    new URL(address),
  );

test.each([
  ['attachment; filename=a.csv', 'a.csv'],
  ['attachment; filename="a b;c.csv"', 'a b;c.csv'],
  ['attachment;FILENAME="a.csv"; size=3', 'a.csv'],
  [String.raw`attachment; filename="a \"b\".csv"`, 'a b.csv'],
  ['attachment; filename="e.csv"; filename*=UTF-8\'\'%C3%A9.csv', 'é.csv'],
  ["attachment; filename*=utf-8'de'stra%C3%9Fen.csv; filename=x.csv", 'straßen.csv'],
  ["attachment; filename*=UTF-8''%FF.csv; filename=x.csv", 'x.csv'],
  [Buffer.from('attachment; filename="é.csv"').toString('latin1'), 'é.csv'],
  ['attachment; filename="\u00e9.csv"', 'é.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  [String.raw`attachment; filename="C:\\data\\a.csv"`, 'a.csv'],
  ["attachment; filename*=UTF-8''..%2F..%2Fa.csv", 'a.csv'],
  ['attachment; filename=".htaccess"', 'htaccess'],
  ["attachment; filename*=UTF-8''a%E2%80%AEvsc.csv%07%20.", 'avsc.csv'],
  ['attachment; filename=".."', 'file'],
  ['attachment; filename=""', 'file'],
  ['attachment; notfilename=a.csv', 'file'],
  ['inline', 'file'],
  [undefined, 'file'],
])('%j names %j', (disposition, name) => {
  expect(nameOf(disposition)).toBe(name);
});

test.each([
  ['https://data.test/', 'file'],
  ['https://data.test/a/rows.csv?accessType=DOWNLOAD', 'rows.csv'],
  ['https://data.test/a/rows/', 'rows'],
  ['https://data.test/stra%C3%9Fen.csv', 'straßen.csv'],
  ['https://data.test/%FF.csv', 'file'],
  ['https://data.test/a%2F..%2Fb.csv', 'b.csv'],
])('%s names %j', (address, name) => {
  expect(nameOf(undefined, address)).toBe(name);
});

test('a long name keeps its ending', () => {
  expect(nameOf(`attachment; filename="${'a'.repeat(300)}.geojson"`)).toBe(
    `${'a'.repeat(92)}.geojson`,
  );
});

test('any name is one of one folder, short and printable', () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });
  const marks = fc.string({
    unit: fc.constantFrom(...'./\\ :"\'*;=%2F\u202e\u0000a'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(anyText, marks), fc.boolean(), (text, isExtended) => {
      const name = nameOf(
        isExtended
          ? `attachment; filename*=UTF-8''${encodeURIComponent(text.toWellFormed())}`
          : `attachment; filename="${text}"`,
      );
      expect(name).toMatch(/^[^\s./\\][^/\\:*?"<>|\p{C}]*$/u);
      expect([...name].length).toBeLessThanOrEqual(100);
      expect(name).not.toMatch(/[\s.]$/);
    }),
    { seed: 33, numRuns: 3000 },
  );
});
