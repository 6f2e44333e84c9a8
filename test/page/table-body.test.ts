import { expect, test } from '@jest/globals';
import { datasetBlock } from '../../src/block/block.ts';
import { writeTableBody } from '../../src/page/table-body.ts';

const NAMES = Array.from({ length: 40 }, (_, i) => `n${i}`);
const block = datasetBlock({
  id: 'wide',
  name: 'wide',
  title: 'Wide',
  description: 'Forty columns.',
  fields: NAMES.map((name) => ({ type: 'number', name, title: name })),
  examples: [],
});
const rows = Array.from({ length: 1000 }, (_, row) =>
  Object.fromEntries(NAMES.map((name, i) => [name, row + i / 8])),
);

test('writes a large page in pieces and tells the steps of each, so that others wait a moment only', async () => {
  const pieces: number[] = [];
  const turn = async (steps: number) => {
    pieces.push(steps);
  };
  const body = await writeTableBody({ block, given: [] }, { columns: block.fields, rows }, turn);
  expect(body.match(/<tr>/g)).toHaveLength(1000);
  expect(body.match(/<td /g)).toHaveLength(39_000);
  // 200,000 steps are a turn, and 2 ms.
  expect(Math.max(...pieces)).toBeLessThanOrEqual(200_000);
  expect(pieces.reduce((sum, steps) => sum + steps)).toBeGreaterThan(10_000_000);
});

test('does not write the rest once a turn rejects, since nobody waits any more', async () => {
  const gone = new Error('gone');
  const writing = writeTableBody({ block, given: [] }, { columns: block.fields, rows }, () =>
    Promise.reject(gone),
  );
  await expect(writing).rejects.toBe(gone);
});
