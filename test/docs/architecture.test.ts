import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../support/service.ts';
import { readDocument } from './markdown.ts';

const document = readDocument('docs/architecture.md');

/** The folders of src/ that hold files. */
const rooms = readdirSync(path.join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(ROOT, entry.parentPath));

describe('the architecture page', () => {
  test('leads from an address to an answer in ten files', () => {
    const steps = [...document.matchAll(/^(\d+)\. \[([^\]]+)\]\(\.\.\/([^)]+)\)/gm)];
    expect(steps.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const [, , label, file] of steps) {
      expect(label).toBe(file);
      expect([file, existsSync(path.join(ROOT, file ?? ''))]).toEqual([file, true]);
    }
  });

  test.each([...new Set(rooms)])('says what lives in %s', (room) => {
    const named = [...document.matchAll(/^\| ((?:`[\w/]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
      [...(names ?? '').matchAll(/`([\w/]+)`/g)].map(([, name]) => name),
    );
    const isNamed = (folder: string) => named.includes(folder);
    expect([room, isNamed(room) || isNamed(path.dirname(room))]).toEqual([room, true]);
  });

  test('can be read in ten minutes', () => {
    const words = document.split(/\s+/).filter((word) => /\w/.test(word));
    expect(words.length).toBeLessThanOrEqual(1500);
  });
});
