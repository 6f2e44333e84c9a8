import { expect, test } from '@jest/globals';
import { wideBlock, wideRows } from '../../bench/hostile/wide-set.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Page } from '../../src/page/page.ts';
import { renderBlockPage, type Shown } from '../../src/views/block-page.tsx';
import { table } from '../../src/views/table.tsx';
import type { TableRead } from '../../src/views/table-read.ts';
import type { Door } from '../../src/views/view.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';

const rows = wideRows(50);
const { manifest, profile } = makeDataset(wideBlock, rows, { title: 'Made' });

/** A table as it was read, on a page whose parts are told to `turn`. */
function shownBy(turn: Page['turn'], kept = new Map<string, string>()): Shown {
  const address = { url: 'http://localhost/api_v2/blocks/wide', toRoot: '../../' };
  const links = { address, state: [], sent: [], added: [], view: 'table' as const };
  const page = {
    ...{ block: wideBlock, language: ENGLISH, manifest, profile, turn, kept, values: {} },
    ...{ today: '2026-11-28', links: { ...links, canonical: address.url, mayBeFramed: true } },
  };
  const read: TableRead = {
    ...{ rows, columns: wideBlock.fields, summaries: {}, limit: 40, isShort: false },
    ...{ matching: 50, total: 50, next: null, warnings: [], body: '<tbody></tbody>' },
    table: {
      columns: wideBlock.fields.slice(0, 14).map((field) => ({ field, fits: 20 })),
      ...{ inUse: wideBlock.fields, empty: 0, isChosen: false },
    },
  };
  const door = { ...page, kinds: [], unused: [] } as unknown as Door;
  return { door, page, view: table, read, budget: ampleBudget() };
}

test('the parts of a page of 401 columns are rendered in turns, so that others wait a moment only', async () => {
  const pieces: number[] = [];
  const turn = async (steps: number) => {
    pieces.push(steps);
  };
  const kept = new Map<string, string>();
  const first = await renderBlockPage(shownBy(turn, kept));
  // Each column has a box of the form at least, and one among those that can be chosen.
  expect(pieces.length).toBeGreaterThan(2 * wideBlock.fields.length);
  // 200,000 steps are a turn, and 2 ms.
  expect(Math.max(...pieces)).toBeLessThanOrEqual(200_000);
  expect(pieces.reduce((sum, steps) => sum + steps)).toBeGreaterThan(4 * first.length);
  pieces.length = 0;
  // The second time, the choices are taken as they were rendered.
  expect(await renderBlockPage(shownBy(turn, kept))).toBe(first);
  expect(pieces.length).toBeLessThan(3 * wideBlock.fields.length);
});

test('no more of a page is rendered once nobody waits for it', async () => {
  const gone = new Error('gone');
  const kept = new Map<string, string>();
  const page = renderBlockPage(shownBy(() => Promise.reject(gone), kept));
  await expect(page).rejects.toBe(gone);
  expect(kept.size).toBeLessThan(5);
});
