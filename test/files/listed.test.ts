import { expect, test } from '@jest/globals';
import { readJson } from '../../src/files/json/read-json.ts';
import { listed } from '../../src/files/source-table.ts';
import { pieces } from '../support/pieces.ts';

test('names from a file are shown ten at most, short, and without what a terminal obeys', async () => {
  expect(listed(['a', 'b'])).toBe('a, b');
  expect(listed(Array.from({ length: 12 }, (_, i) => `${i}`))).toBe(
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more',
  );
  expect(listed(['\x1b[31m\nred\u202e', 'x'.repeat(101)])).toBe(` [31m red , ${'x'.repeat(100)}…`);
  const name = `\\u001b${'x'.repeat(100)}`;
  await expect(readJson(pieces(`[{"${name}":1,"${name}":1}]`), 'f.json')).rejects.toThrow(
    `f.json, line 1, column 114: the member " ${'x'.repeat(99)}…" is there twice in one object`,
  );
});
