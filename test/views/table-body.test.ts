import { expect, test } from '@jest/globals';
import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import { type Grouping, groupColumns, groupingOf } from '../../src/block/grouping.ts';
import type { Manifest } from '../../src/block/manifest.ts';
import { ENGLISH } from '../../src/languages/english.ts';
import type { Turn } from '../../src/page/in-turns.ts';
import type { Field } from '../../src/values/field-types.ts';
import { writeTableBody } from '../../src/views/table-body.ts';

const NAMES = Array.from({ length: 40 }, (_, i) => `n${i}`);
const wide = { id: 'wide', name: 'wide', title: 'Wide', description: 'Columns.', examples: [] };
const block = datasetBlock({
  ...wide,
  fields: NAMES.map((name) => ({ type: 'number', name, title: name })),
});
/** Columns of a table, of any width. */
const shownOf = (fields: readonly Field[]) => fields.map((field) => ({ field, fits: 20 }));

const rows = Array.from({ length: 1000 }, (_, row) =>
  Object.fromEntries(NAMES.map((name, i) => [name, row + i / 8])),
);

/** A page of a block without statistics. */
const pageOf = (block: DatasetBlock, turn: Turn = async () => {}) => ({
  ...{ block, turn, language: ENGLISH, links: { state: [] } },
  manifest: { rows: 0, fields: {} } as unknown as Manifest,
});

test('writes a large page in pieces and tells the steps of each, so that others wait a moment only', async () => {
  const pieces: number[] = [];
  const turn = async (steps: number) => {
    pieces.push(steps);
  };
  const body = await writeTableBody(pageOf(block, turn), { columns: shownOf(block.fields), rows });
  expect(body.match(/<tr>/g)).toHaveLength(1000);
  expect(body.match(/<td /g)).toHaveLength(39_000);
  // 200,000 steps are a turn, and 2 ms.
  expect(Math.max(...pieces)).toBeLessThanOrEqual(200_000);
  expect(pieces.reduce((sum, steps) => sum + steps)).toBeGreaterThan(10_000_000);
});

test('does not write the rest once a turn rejects, since nobody waits any more', async () => {
  const gone = new Error('gone');
  const writing = writeTableBody(
    pageOf(block, () => Promise.reject(gone)),
    { columns: shownOf(block.fields), rows },
  );
  await expect(writing).rejects.toBe(gone);
});

test('a row links to its address by its first cell, which may be blank or a link itself', async () => {
  const fields = [
    { type: 'link', name: 'site', title: 'Site' },
    { type: 'text', name: 'name', title: 'Name' },
  ] as const;
  const block = datasetBlock({ ...wide, fields });
  const rows = [
    { site: 'https://example.org', name: 'a' },
    { site: null, name: 'b' },
  ];
  const of = (name: string) => {
    const columns = shownOf(fields.filter((field) => field.name === name));
    return writeTableBody(pageOf(block), { columns, rows }, ['./1', './2']);
  };
  const link = (href: string, text: string) =>
    `<a class="row" href="${href}" aria-label="This row">${text}</a>`;
  expect(await of('name')).toContain('<th scope="row"><a class="row" href="./1">a</a></th>');
  expect(await of('site')).toContain(
    `<th scope="row"><a href="https://example.org">example.org</a> ${link('./1', '#')}</th>`,
  );
  expect(await of('site')).toContain(`<th scope="row">${link('./2', '–')}</th>`);
});

test('groups by a part of dates that recurs show its name, and keep its number', async () => {
  const opened = { type: 'date', name: 'opened', title: 'Opened' } as const;
  const block = datasetBlock({ ...wide, fields: [opened] });
  const grouping = groupingOf(block, { _group: ['opened.weekday'] }) as Grouping;
  const rows = [
    { opened_weekday: 1, count: 3 },
    { opened_weekday: null, count: 1 },
  ];
  const groups = { grouping, matching: 4 };
  const body = await writeTableBody(pageOf(block), {
    columns: shownOf(groupColumns(grouping)),
    rows,
    groups,
  });
  expect(body).toContain('<th scope="row"><data value="1">Monday</data></th>');
  expect(body).toContain('<span class="quiet">no value</span>');
});
