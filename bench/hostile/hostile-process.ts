import { fileURLToPath } from 'node:url';
import { block as colorBlock } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import type { DatasetBlock } from '../../src/block/block.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { type ServedBlock, serveValue } from '../../src/http/served-block.ts';
import { localServer } from '../../src/local/local-server.ts';
import type { Row } from '../../src/values/field-type.ts';
import { makeDataset } from '../../test/support/datasets.ts';
import { memoryRows } from '../../test/support/memory-rows.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { announce } from '../servers/announce.ts';
import { hostileBlock, hostileRows, longBlock, longRows } from './hostile-set.ts';

/** A block in memory. Its rows as objects are not: collecting garbage would take long beside them. */
function served(block: DatasetBlock, made: Row[]): ServedBlock {
  const { manifest, rows, profile } = makeDataset(block, made, GENERATED_SOURCE);
  const rowBytes = manifest.bytes / manifest.rows;
  const store = memoryRows(block.fields, rows, { rowBytes });
  return serveDataset({ block, manifest, store }, { profile: () => profile });
}

const seedData = fileURLToPath(new URL('../../seed-data', import.meta.url));

const [rows, longTexts] = process.argv.slice(2).map(Number) as [number, number];

/** The product as `npm start` has it: large blocks in memory beside the colours; it tells of each run. */
announce(
  localServer(
    [
      served(hostileBlock, hostileRows(rows)),
      served(longBlock, longRows(longTexts)),
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
