import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Block } from '../../src/block/block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { notebookFiles, notebookOf } from '../../src/snippets/notebook-of.ts';
import { ROOT } from '../support/service.ts';

// test/channels/quickstarts.test.ts runs them.

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);
const FOLDER = 'docs/quickstarts/notebooks';

test('every block has its notebook, and nothing else is there', () => {
  const names = notebookFiles(blocks).map((file) => file.path);
  expect(readdirSync(path.join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`)).toEqual(names);
});

test('asks for the first example, in Python', () => {
  const block = {
    ...(blocks[0] as Block),
    name: 'trees',
    examples: [
      { title: 'Old ones', arguments: { kind: ['oak', '"elm"\n'], age_min: 80, _explain: true } },
    ],
  };
  const { cells } = JSON.parse(notebookOf(block));
  expect(cells[0].source.at(-1)).toBe('Old ones:');
  expect(cells[1].source.join('')).toContain(`url = "http://127.0.0.1:8787/api_v2/blocks/trees"
arguments = {
    "kind": ["oak", "\\"elm\\"\\n"],
    "age_min": 80,
    "_explain": True,
}
`);
});
