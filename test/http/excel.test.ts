import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readXlsx } from '../../src/files/xlsx/read-xlsx.ts';
import { blockRoutes } from '../../src/http/block-routes.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serviceOf } from '../../src/http/service.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import type { Row } from '../../src/values/field-type.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';

afterAll(cleanUp);

const BLOCK = '/api_v2/blocks/tiny';
const COUNT = 2500;
const MOST = 1_048_575;
const { manifest, profile, rows } = makeDataset(
  tinyBlock,
  Array.from({ length: COUNT }, (_, number) => ({ street: `=${number % 3}`, number })),
  { title: 'Made by a test', license: 'CC0-1.0' },
);
const store = memoryRows(tinyBlock.fields, rows);

/** What a service of these rows answers, which says that there are `total` of them. */
async function serving(total = COUNT) {
  const counting: RowStore = {
    read: async (...asked) => ({ ...(await store.read(...asked)), total }),
    group: (...asked) => store.group(...asked),
    rest: (...asked) => store.rest(...asked),
  };
  const ofTotal = { ...manifest, rows: total };
  const files = new KeptFiles({ folder: await temporaryFolder(), code: 'a test' });
  const served = serveDataset(
    { block: tinyBlock, manifest: ofTotal, store: total === COUNT ? store : counting },
    { profile: () => profile, files: files.of(tinyBlock, ofTotal) },
  );
  return requestOf(serviceOf(blockRoutes(served), SETTINGS));
}

/** A sheet of a workbook that was answered, as the reader of people's workbooks reads it. */
async function sheetOf(answer: Response, sheetName: string) {
  const file = path.join(await temporaryFolder(), 'answer.xlsx');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const { headers, records } = await readXlsx(file, 'answer.xlsx', { sheetName });
  const found: string[][] = [];
  for await (const { cells } of records) found.push([...cells]);
  return { headers, rows: found };
}

describe('an answer as a workbook', () => {
  test.each([
    ['all rows', ''],
    ['those of a filter, in an order', '&number_min=100&street=%3D1&_sort=-number'],
    ['a page of them', '&_limit=7'],
    ['the fields that are named', '&_fields=number'],
    ['groups', '&_group=street&_measure=sum:number'],
    ['no row', '&number_min=9999'],
  ])('has %s as CSV has them', async (_, query) => {
    const request = await serving();
    const csv = await (await request(`${BLOCK}?_format=csv&_raw=true${query}`)).text();
    const [head = '', ...lines] = csv.trimEnd().split('\r\n');
    const answer = await request(`${BLOCK}?_format=xlsx${query}`);
    expect(answer.headers.get('content-disposition')).toMatch(/\.xlsx"$/);
    const sheet = await sheetOf(answer, 'Rows');
    expect([sheet.headers.join(','), ...sheet.rows.map((cells) => cells.join(','))]).toEqual([
      head,
      ...lines,
    ]);
  });

  test('tells the source, the licence, and how many of all rows it has', async () => {
    const request = await serving();
    const { rows: facts } = await sheetOf(
      await request(`${BLOCK}?_format=xlsx&number_max=9`),
      'Source',
    );
    expect(facts).toEqual(
      expect.arrayContaining([
        ['Title', tinyBlock.title],
        ['Version', manifest.version],
        ['Rows of this version', '2,500'],
        ['Source', 'Made by a test'],
        ['Licence', 'CC0-1.0'],
        ['Rows in this file', '10'],
      ]),
    );
  });
});

describe('more rows than a sheet has are refused, and none is cut', () => {
  const REFUSAL = `1,048,576 rows match, and a sheet of Excel has at most 1,048,575 below its head. Take CSV (_format=csv)`;

  test('as an answer, and as a file', async () => {
    const request = await serving(MOST + 1);
    for (const address of [`${BLOCK}?_format=xlsx`, `${BLOCK}.xlsx`]) {
      const answer = await request(address);
      const { code, detail } = (await answer.json()) as Row;
      expect([answer.status, code]).toEqual([400, 'result-too-large']);
      expect(detail).toContain(REFUSAL);
    }
    const page = await request(`${BLOCK}?_format=xlsx&_limit=5`);
    expect(page.status).toBe(200);
  });

  test('and are offered as Excel nowhere; the page says why', async () => {
    const offered = async (total: number) => {
      const request = await serving(total);
      const { downloads, files } = (await (await request(BLOCK)).json()) as Record<string, object>;
      const html = { accept: 'text/html' };
      const page = await (await request(`${BLOCK}?number_min=0`, { headers: html })).text();
      return {
        named: [downloads, files].map((one) => Object.keys(one ?? {}).includes('xlsx')),
        isLinked: page.includes('_format=xlsx'),
        says: page.includes('a sheet has at most 1,048,575 rows: take CSV, or filter for fewer'),
      };
    };
    expect(await offered(COUNT)).toEqual({
      named: [true, true],
      isLinked: true,
      says: false,
    });
    expect(await offered(MOST + 1)).toEqual({ named: [false, false], isLinked: false, says: true });
  });
});
