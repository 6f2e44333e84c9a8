import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { findBlocks, listBlock } from '../../src/page/listed-block.ts';
import { wordsAsked } from '../../src/text/pattern.ts';

const blockOf = (name: string, title: string, column: string) =>
  datasetBlock({
    ...{ id: name, name, title, description: `All of ${title}.`, examples: [] },
    fields: [{ type: 'text', name: 'a', title: column }],
  });

const listed = [
  listBlock(blockOf('trees', 'Street trees', 'Größe in metres')),
  listBlock(blockOf('cafes', 'Cafés', "Owner's name")),
];

test.each([
  ['', ['trees', 'cafes']],
  ['tree', ['trees']],
  ['TREES groß', ['trees']],
  ['grosse', ['trees']],
  ['cafe own', ['cafes']],
  ['all', ['trees', 'cafes']],
  ['tree cafe', []],
  ['ree', []],
  ['metres', ['trees']],
])('“%s” finds the blocks in which each word begins some word', (text, names) => {
  const found = findBlocks(listed, wordsAsked(text));
  expect(found.map(({ summary }) => summary.name)).toEqual(names);
});
