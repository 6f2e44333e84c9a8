import { afterAll, expect, test } from '@jest/globals';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { KeptFiles } from '../../src/local/kept-files.ts';
import { localService } from '../../src/local/local-server.ts';
import { SETTINGS } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { messageOf } from './send-message.ts';

afterAll(cleanUp);

const ROOT = 'http://localhost/';

test('an answer says where all rows are as files, with the lengths that are known', async () => {
  const { manifest, rows } = makeDataset(tinyBlock, [{ street: 'a', number: 1 }], {
    title: 'Made',
  });
  const files = new KeptFiles({ folder: await temporaryFolder(), code: 'a test' });
  const served = serveDataset(
    { block: tinyBlock, manifest, store: memoryRows(tinyBlock.fields, rows) },
    { files: files.of(tinyBlock, manifest) },
  );
  const publication = { address: () => ROOT };
  const request = requestOf(localService([served], { ...SETTINGS, publication }));
  const lineOf = async () => {
    const call = { method: 'tools/call', params: { name: 'tiny', arguments: {} } };
    const answer = await request('/mcp', { method: 'POST', ...messageOf('2026-07-28', call) });
    const text: string = JSON.parse((await answer.text()).replace(/^[^{]*/, '')).result.content[0]
      .text;
    return text.split('\n').filter((line) => line.includes('as a file'));
  };
  const parquet = `${ROOT}api_v2/blocks/tiny.parquet`;
  expect(await lineOf()).toEqual([
    `All rows as a file: ${parquet}; also .csv, .xlsx, .ndjson, .ndjson.gz.`,
  ]);
  await request('/api_v2/blocks/tiny.csv');
  expect(await lineOf()).toEqual([
    `All rows as a file: ${parquet}; also .csv (20 bytes), .xlsx, .ndjson, .ndjson.gz.`,
  ]);
});
