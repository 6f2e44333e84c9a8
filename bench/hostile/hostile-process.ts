import { fileURLToPath } from 'node:url';
import { block as colorBlock } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import { memoryRows } from '../../src/columns/memory-rows.ts';
import { serveDataset, serveValue } from '../../src/http/served-block.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { localServer } from '../../src/local/local-server.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { announce } from '../servers/announce.ts';
import { hostileBlock, hostileRows, longBlock, longRows } from './hostile-set.ts';

/** The product as `npm start` has it: large blocks in memory beside the colours; it tells of each run. */
const { manifest, rows, profile } = makeDataset(hostileBlock, hostileRows(), GENERATED_SOURCE);
const rowBytes = manifest.bytes / manifest.rows;
const store = memoryRows(hostileBlock.fields, rows, { rowBytes });
const dataset = { block: hostileBlock, manifest, store };
const long = makeDataset(longBlock, longRows(), GENERATED_SOURCE);
const longStore = memoryRows(longBlock.fields, long.rows, {
  rowBytes: long.manifest.bytes / long.manifest.rows,
});
const seedData = fileURLToPath(new URL('../../seed-data', import.meta.url));

announce(
  localServer(
    [
      serveDataset(dataset, { profile: () => profile }),
      serveDataset(
        { block: longBlock, manifest: long.manifest, store: longStore },
        { profile: () => long.profile },
      ),
      serveValue(colorBlock, createRun(seedData)),
    ],
    {
      build: 'bench',
      record: ({ runId, steps, cause }) => {
        if (cause !== undefined) console.error(cause);
        process.send?.({ runId, steps: steps ?? null, memory: process.memoryUsage.rss() });
      },
    },
  ),
);
