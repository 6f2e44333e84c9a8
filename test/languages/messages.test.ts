import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import german from '../../src/languages/german.json' with { type: 'json' };
import spanish from '../../src/languages/spanish.json' with { type: 'json' };

const MESSAGES = Object.keys(german);
const TRANSLATIONS = { German: german, Spanish: spanish } as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** A message of pages that nothing says yet. */
const UNUSED: readonly string[] = [];

const SOURCE = path.resolve(import.meta.dirname, '../../src');
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(path.join(SOURCE, file), 'utf8'))
  .join('\n')
  .replace(/\\(['"`])/g, '$1');

const isSaid = (message: string) =>
  ["'", '"', '`'].some((quote) => sources.includes(quote + message + quote));

const slotsIn = (text: string) => [...text.matchAll(/\{(\w*)\}/g)].map(([, name]) => name).sort();

describe.each(Object.entries(TRANSLATIONS))('%s', (_, translation) => {
  test('has the same messages, each with the same slots', () => {
    expect(Object.keys(translation).sort()).toEqual([...MESSAGES].sort());
    const others = MESSAGES.filter((message) => {
      return String(slotsIn(translation[message] ?? '')) !== String(slotsIn(message));
    });
    expect(others).toEqual([]);
  });

  test('has no slot that is not closed, no context, and spaces at the ends only as English', () => {
    const wrong = MESSAGES.filter((message) => {
      const text = translation[message] ?? '';
      const isTorn = /[{}]/.test(text.replace(/\{\w+\}/g, ''));
      return text === '' || isTorn || / #\w+$/.test(text) || /\s$/.test(text);
    });
    expect(wrong).toEqual([]);
  });
});

test('every message is said somewhere', () => {
  expect(MESSAGES.filter((message) => !isSaid(message))).toEqual(UNUSED);
});

test('a sentence ends as in English', () => {
  const ends = (text: string) => text.replace(/ #\w+$/, '').at(-1) === '.';
  const other = Object.entries(TRANSLATIONS).flatMap(([name, translation]) =>
    MESSAGES.filter((message) => ends(message) && !ends(translation[message] ?? '')).map(
      (message) => `${name}: ${message}`,
    ),
  );
  expect(other).toEqual([]);
});
