import { fileURLToPath } from 'node:url';
import { block as colorBlock } from '../../functions/rgb-to-color-name/block.ts';
import { createRun } from '../../functions/rgb-to-color-name/run.ts';
import { packedRows } from '../../src/columns/memory-rows.ts';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { localServer } from '../../src/local/local-server.ts';
import { makeDataset } from '../../test/support/datasets.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { announce } from '../servers/announce.ts';
import { wideBlock, wideRows } from './wide-set.ts';

/** A block of 401 columns beside the colours, as `npm start` has them: packed, without their rows. */
function servedWide(rows: number) {
  const { manifest, columns, profile } = makeDataset(wideBlock, wideRows(rows), GENERATED_SOURCE);
  const store = packedRows(wideBlock.fields, columns);
  return serveDataset({ block: wideBlock, manifest, store }, { profile: () => profile });
}

const seedData = fileURLToPath(new URL('../../seed-data', import.meta.url));

announce(
  localServer([servedWide(Number(process.argv[2])), serveValue(colorBlock, createRun(seedData))], {
    build: 'bench',
    record: ({ cause }) => {
      if (cause !== undefined) console.error(cause);
    },
  }),
);
