import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseColorList } from '../../src/color/color-list.ts';
import { type NamedColor, packColors } from '../../src/importer/color-names.ts';
import { LIST_IDS, readList } from './named-lists.ts';

const readFromCheckout = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const readPackageFile = (path: string) => readFromCheckout(`node_modules/color-name-list/${path}`);

describe('seed-data/color-names', () => {
  test.each([
    ['full', 'dist/colornames.json'],
    ['bestof', 'dist/colornames.bestof.json'],
    ['short', 'dist/colornames.short.json'],
  ])('%s.txt has the names and colours of %s, in its order', (id, path) => {
    const list = parseColorList(readFromCheckout(`seed-data/color-names/${id}.txt`));
    const unpacked = Array.from({ length: list.count }, (_, i) => ({
      name: list.name(i),
      hex: list.hex(i),
    }));
    expect(unpacked).toEqual(JSON.parse(readPackageFile(path)) as NamedColor[]);
  });

  test('source.json has the count and the SHA-256 of each list', () => {
    const sources = JSON.parse(readFromCheckout('seed-data/color-names/source.json'));
    expect(Object.keys(sources).sort()).toEqual([...LIST_IDS]);
    for (const id of LIST_IDS) {
      const text = readFromCheckout(`seed-data/color-names/${id}.txt`);
      expect(sources[id].count).toBe(parseColorList(text).count);
      expect(sources[id].sha256).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});

test('the named colours of CSS are 148, in alphabetical order, of 139 colours', () => {
  const list = readList('css');
  const names = Array.from({ length: list.count }, (_, i) => list.name(i));
  expect(names).toHaveLength(148);
  expect(names).toEqual(names.toSorted());
  expect(new Set(names.map((_, i) => list.hex(i))).size).toBe(139);
});

describe('packColors', () => {
  test('writes a line a colour', () => {
    const colors = [
      { name: '100 Mph', hex: '#c93f38' },
      { name: 'X', hex: '#000000' },
    ];
    expect(packColors(colors)).toBe('c93f38 100 Mph\n000000 X\n');
  });

  test.each([
    ['a colour in capitals', 'Snow', '#FFFAFA'],
    ['a short colour', 'Snow', '#fff'],
    ['a name of two lines', 'Snow\nWhite', '#fffafa'],
    ['a blank name', ' ', '#fffafa'],
    ['a name that ends with a space', 'Snow ', '#fffafa'],
  ])('refuses %s', (_what, name, hex) => {
    expect(() => packColors([{ name, hex }])).toThrow(hex);
  });
});
