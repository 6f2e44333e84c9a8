import { expect, test } from '@jest/globals';
import { FILE_FORMATS, FORMAT_NAMES } from '../../src/files/formats.ts';
import { headingsOf, readDocument } from './markdown.ts';

test('docs/own-data.md names every format that is read', () => {
  const section = headingsOf(readDocument('docs/own-data.md')).find(
    ({ text }) => text === 'What is read',
  );
  const named = new Set<string>(section?.body.match(/[.\w]+/g));
  const titles = FORMAT_NAMES.map((name) => FILE_FORMATS[name].title);
  expect(titles.filter((title) => !named.has(title))).toEqual([]);
});
