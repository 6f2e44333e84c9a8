import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localServer } from '../../src/local/local-server.ts';
import { serverErrorLog } from '../../src/local/start.ts';
import { makeDataset } from '../../test/support/datasets.ts';
import { memoryRows } from '../../test/support/memory-rows.ts';
import { generatedSet } from '../data/generated-set.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import { announce, setToServe } from './announce.ts';

/** The product as `npm start` has it, its rows held in memory whatever their size. */
const { block, rows } = generatedSet(setToServe());
const { manifest, rows: keyedRows } = makeDataset(block, rows, GENERATED_SOURCE);
const store = memoryRows(block.fields, keyedRows);
const served = serveDataset({ block, manifest, store });

announce(
  localServer([served], { build: 'bench', record: serverErrorLog((line) => console.error(line)) }),
);
