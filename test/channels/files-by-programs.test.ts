import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { datasetOf } from '../../src/block/block.ts';
import { commandThatWorks } from '../support/command.ts';
import { startForPortals } from '../support/portals-service.ts';
import { randomBlocks } from '../support/random-blocks.ts';
import { ROOT } from '../support/service.ts';
import { toolPython } from '../support/tools.ts';

let service: Awaited<ReturnType<typeof startForPortals>>;
beforeAll(async () => {
  service = await startForPortals({}, randomBlocks(12, 61));
});
afterAll(() => service.close());

test('pyarrow and openpyxl read the values of 17 blocks as JSON has them', async () => {
  const blocks = service.blocks.filter(({ block }) => datasetOf(block) !== undefined);
  const names = blocks.map(({ block }) => block.name);
  expect(names).toHaveLength(17);
  const script = path.join(import.meta.dirname, 'compare_files.py');
  const args = [script, `${service.url}/api_v2/blocks`, ...names];
  const options = { cwd: ROOT, env: process.env };
  const compared = JSON.parse(await commandThatWorks(toolPython(), args, options));
  for (const name of names) {
    const rows = expect.any(Number);
    expect({ [name]: compared[name] }).toEqual({ [name]: { rows, parquet: [], xlsx: [] } });
  }
});
