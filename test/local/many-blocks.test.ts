import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { start } from '../../src/local/start.ts';
import { AMPLE_MS } from '../support/ample.ts';
import { addBlock } from '../support/checkout.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';

afterAll(cleanUp);

test('a start of many blocks shows how to call ten, and where all are', async () => {
  const blocks = await temporaryFolder();
  for (const folder of ['functions', 'seed-data']) await mkdir(path.join(blocks, folder));
  const fields = [{ type: 'text', name: 'tree', title: 'Tree' }];
  for (let i = 0; i < 12; i++) {
    await addBlock(blocks, { name: `trees-${i}`, fields, csv: 'tree\nelm\n' });
  }
  const started = await start({
    ...{ root: ROOT, blocks, port: 0 },
    ...{ record: () => {}, runWithinMs: AMPLE_MS },
  });
  try {
    const calls = started.report.filter((line) => line.startsWith('curl '));
    expect(calls).toHaveLength(10);
    expect(started.report).toContain(`… and 2 more blocks: ${started.url}/`);
    const answer = await fetch(`${started.url}/api_v2/blocks/trees-11?tree=elm`);
    expect(await answer.json()).toMatchObject({ params: { results: [{ tree: 'elm' }] } });
  } finally {
    await started.stop();
  }
});
