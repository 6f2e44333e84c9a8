import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { ROOT } from '../support/service.ts';
import { fencesOf, readDocument, tableOf } from './markdown.ts';

const document = readDocument('seed-data/README.md');
const folder = path.join(ROOT, 'seed-data');
const files = (readdirSync(folder, { recursive: true }) as string[])
  .filter((name) => /\.(?:csv|geojson|txt)$/.test(name))
  .sort();

/** What the blocks say of their files. */
const rowCounts = new Map(
  (await loadBlocks(path.join(ROOT, 'functions'))).flatMap((loaded) => {
    const { file, rows, boundaries } = loaded.kind === 'dataset' ? loaded.dataset : {};
    return [
      [file, rows],
      [boundaries?.file, boundaries?.rows],
    ];
  }),
);

test('seed-data/README.md has the checksum of every file', () => {
  const [sums] = fencesOf(document).filter(({ lang }) => lang === 'text');
  const lines = files.map((name) => {
    const sha256 = createHash('sha256').update(readFileSync(path.join(folder, name)));
    return `${sha256.digest('hex')}  ${name}`;
  });
  expect(sums?.text.split('\n')).toEqual(lines);
});

test('seed-data/README.md lists every file with its row count, date and licence', () => {
  const rows = tableOf(document, ['file', 'block', 'rows', 'date', 'licence']) ?? [];
  expect(rows.map(([file, , count]) => [file, count])).toEqual(
    files.map((name) => [`[${name}](${name})`, rowsOf(name).toLocaleString('en-US')]),
  );
  for (const cells of rows) expect(cells.filter((cell) => cell === '')).toEqual([]);
});

function rowsOf(name: string): number {
  if (name.endsWith('.txt')) {
    return readFileSync(path.join(folder, name), 'utf8').split('\n').length - 1;
  }
  return rowCounts.get(name) as number;
}
