import { expect, test } from '@jest/globals';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serveDataset } from '../../src/http/served-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

const COUNT = 1500;
const { manifest, rows } = makeDataset(
  tinyBlock,
  Array.from({ length: COUNT }, (_, number) => ({ street: 'High Street', number })),
  { file: 'tiny.csv' } as never,
);
const store = memoryRows(tinyBlock.fields, rows);

/** All rows as lines, from a store that loses those that `isLost` says. */
async function linesOf(isLost: (row: string) => boolean, query = '') {
  const runs: RunRecord[] = [];
  const losing: RowStore = {
    read: (...asked) => store.read(...asked),
    group: (...asked) => store.group(...asked),
    async *rest(...asked) {
      for await (const batch of store.rest(...asked)) yield batch.filter((row) => !isLost(row));
    },
  };
  const routes = blockRoutes(serveDataset({ block: tinyBlock, manifest, store: losing }));
  const service = serviceOf(routes, { build: 'test', record: (run) => runs.push(run) });
  const request = requestOf(service);
  const text = request(`/api_v2/blocks/tiny?_format=ndjson${query}`).then((answer) =>
    answer.text(),
  );
  return { text, runs };
}

test('a whole result that lacks a row breaks off: it is never taken for whole', async () => {
  const { text, runs } = await linesOf((row) => row.includes(':777'));
  await expect(text).rejects.toThrow(`A whole result has ${COUNT - 1} rows; ${COUNT} match.`);
  expect(runs).toMatchObject([{ status: 200, code: 'internal-error', rows: COUNT - 1 }]);
});

test('one that begins behind a cursor has the rows behind it', async () => {
  const all = (await (await linesOf(() => false)).text).split('\n');
  expect(all).toHaveLength(COUNT + 1);
  const first = await requestOf(
    serviceOf(blockRoutes(serveDataset({ block: tinyBlock, manifest, store })), {
      build: 'test',
      record: () => {},
    }),
  )('/api_v2/blocks/tiny?_limit=100');
  const { params } = (await first.json()) as { params: { next: string } };
  const rest = await (await linesOf(() => false, `&_cursor=${params.next}`)).text;
  expect(rest.split('\n')).toEqual(all.slice(100));
});
