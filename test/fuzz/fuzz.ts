import path from 'node:path';
import fc from 'fast-check';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { serveValue } from '../../src/http/served-block.ts';
import type { Service } from '../../src/http/service.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { localService } from '../../src/local/local-server.ts';
import { fingerprintOf, queryOf } from '../../src/query/run.ts';
import { ampleBudget, SETTINGS } from '../support/ample.ts';
import { importDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { requestOf } from '../support/request-of.ts';
import { ROOT } from '../support/service.ts';
import { faultOfAnswer } from './check-answer.ts';
import { type FuzzedBlock, fuzzRequest } from './requests.ts';

/** The three blocks in process, from memory: no socket between the generator and the line. */
export async function fuzzedService(): Promise<{ service: Service; blocks: FuzzedBlock[] }> {
  const seedData = path.join(ROOT, 'seed-data');
  const loaded = await loadBlocks(path.join(ROOT, 'functions'));
  const served = await Promise.all(
    loaded.map(async (entry) => {
      if (entry.kind === 'value') return serveValue(entry.block, entry.createRun(seedData));
      const { block } = entry;
      const { manifest, rows } = await importDataset(block, entry.dataset, seedData);
      const store = memoryRows(block.fields, rows);
      return serveDataset({ block, manifest, store });
    }),
  );
  const service = localService(served, SETTINGS);
  const blocks = served.map(({ block, manifest }) => {
    if (block.answers === 'value' || manifest === undefined) return { block };
    const fingerprint = fingerprintOf(block, queryOf({ block, manifest }, {}, ampleBudget()));
    return { block, place: { fingerprint, version: manifest.version } };
  });
  return { service, blocks };
}

/** Sends generated requests; throws fast-check's report of the first answer that is not as documented. */
export async function fuzz(runs: number, seed: number): Promise<Record<number, number>> {
  const { service, blocks } = await fuzzedService();
  const ask = requestOf(service);
  const statuses: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(fuzzRequest(blocks), async (request) => {
      const { method, headers, body } = request;
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      const response = await ask(request.path, init);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      const fault = await faultOfAnswer(request, response);
      if (fault !== undefined) throw new Error(fault);
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
  return statuses;
}
