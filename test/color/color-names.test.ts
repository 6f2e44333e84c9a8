import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseColorList } from '../../functions/rgb-to-color-name/color-list.ts';
import { colorListText, colorNameFiles } from '../../functions/rgb-to-color-name/color-names.ts';
import { LIST_IDS, readList } from './named-lists.ts';

const readFromCheckout = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('seed-data/color-names', () => {
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

test('the lists of a package are written in its order, with its version, counts and licence', () => {
  const files: Record<string, string> = {
    'package.json': '{"version":"1.2.3"}',
    LICENSE: 'MIT',
    'dist/colornames.json': '[{"name":"X","hex":"#000001"},{"name":"A","hex":"#000000"}]',
    'dist/colornames.bestof.json': '[{"name":"X","hex":"#000001"}]',
    'dist/colornames.short.json': '[]',
  };
  const made = colorNameFiles((file) => files[file] as string);
  const written = Object.fromEntries(
    made.map(({ path, text }) => [path.replace('seed-data/color-names/', ''), text()]),
  );
  const { full, bestof, short } = JSON.parse(written['source.json'] as string);
  expect([written['full.txt'], written['short.txt'], written.LICENSE]).toEqual([
    '000001 X\n000000 A\n',
    '',
    'MIT',
  ]);
  expect([full.version, full.count, bestof.count, short.count]).toEqual(['1.2.3', 2, 1, 0]);
});

describe('colorListText', () => {
  test('writes a line a colour', () => {
    const colors = [
      { name: '100 Mph', hex: '#c93f38' },
      { name: 'X', hex: '#000000' },
    ];
    expect(colorListText(colors)).toBe('c93f38 100 Mph\n000000 X\n');
  });

  test.each([
    ['a colour in capitals', 'Snow', '#FFFAFA'],
    ['a short colour', 'Snow', '#fff'],
    ['a name of two lines', 'Snow\nWhite', '#fffafa'],
    ['a blank name', ' ', '#fffafa'],
    ['a name that ends with a space', 'Snow ', '#fffafa'],
  ])('refuses %s', (_what, name, hex) => {
    expect(() => colorListText([{ name, hex }])).toThrow(hex);
  });
});
