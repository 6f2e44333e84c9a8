import { expect, test } from '@jest/globals';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import { renderBlockPage } from '../../src/page/block-page.tsx';
import type { BlockView } from '../../src/page/block-view.ts';
import { makeDataset } from '../support/datasets.ts';

const rows = wideRows(50);
const { manifest, profile } = makeDataset(wideBlock, rows, { title: 'Made' });

const viewOf = (turn: BlockView['turn'], kept = new Map<string, string>()): BlockView => ({
  block: wideBlock,
  language: ENGLISH,
  manifest,
  profile,
  given: [],
  unused: [],
  opened: 'table',
  mayBeFramed: true,
  today: '2026-11-28',
  values: {},
  address: { url: 'http://localhost/api_v2/blocks/wide', toRoot: '../../' },
  outcome: {
    kind: 'rows',
    rows,
    columns: wideBlock.fields,
    table: {
      columns: wideBlock.fields.slice(0, 14).map((field) => ({ field, fits: 20 })),
      ...{ inUse: wideBlock.fields, empty: 0, isChosen: false },
    },
    summaries: {},
    limit: 40,
    isShort: false,
    body: '<tbody></tbody>',
    total: 50,
    next: null,
    warnings: [],
  },
  turn,
  kept,
});

test('the parts of a page of 401 columns are rendered in turns, so that others wait a moment only', async () => {
  const pieces: number[] = [];
  const turn = async (steps: number) => {
    pieces.push(steps);
  };
  const kept = new Map<string, string>();
  const first = await renderBlockPage(viewOf(turn, kept));
  // Each column has a box of the form at least, and one among those that can be chosen.
  expect(pieces.length).toBeGreaterThan(2 * wideBlock.fields.length);
  // 200,000 steps are a turn, and 2 ms.
  expect(Math.max(...pieces)).toBeLessThanOrEqual(200_000);
  expect(pieces.reduce((sum, steps) => sum + steps)).toBeGreaterThan(4 * first.length);
  pieces.length = 0;
  // The second time, the choices are taken as they were rendered.
  expect(await renderBlockPage(viewOf(turn, kept))).toBe(first);
  expect(pieces.length).toBeLessThan(3 * wideBlock.fields.length);
});

test('no more of a page is rendered once nobody waits for it', async () => {
  const gone = new Error('gone');
  const kept = new Map<string, string>();
  const page = renderBlockPage(viewOf(() => Promise.reject(gone), kept));
  await expect(page).rejects.toBe(gone);
  expect(kept.size).toBeLessThan(5);
});
