import { expect, test } from '@jest/globals';
import { FILE_FORMAT_NAMES, FILE_FORMATS } from '../../src/files/file-formats.ts';
import { headingsOf, readDocument } from './markdown.ts';

test('docs/own-data.md names every format that is read', () => {
  const section = headingsOf(readDocument('docs/own-data.md')).find(
    ({ text }) => text === 'What is read',
  );
  const named = new Set<string>(section?.body.match(/[.\w]+/g));
  const titles = FILE_FORMAT_NAMES.map((name) => FILE_FORMATS[name].title);
  expect(titles.filter((title) => !named.has(title))).toEqual([]);
});
