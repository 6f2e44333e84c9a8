import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../support/service.ts';
import { readDocument } from './markdown.ts';

const document = readDocument('docs/security.md');

test("each of OWASP's ten has a line, and a test that holds it", () => {
  const lines = [...document.matchAll(/^\| API(\d+) .+? \| (.+) \| (.+) \|$/gm)];
  expect(lines.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const [line, , said = '', tests = ''] of lines) {
    const files = [...tests.matchAll(/\]\(\.\.\/(test\/[\w./-]+\.test\.ts)\)/g)];
    expect([line, files.length > 0, said.length > 20]).toEqual([line, true, true]);
    for (const [, file = ''] of files) {
      expect(readFileSync(path.join(ROOT, file), 'utf8')).toMatch(/\btest\b/);
    }
  }
});

test('is two pages', () => {
  expect(document.split(/\s+/).length).toBeLessThan(1200);
});
