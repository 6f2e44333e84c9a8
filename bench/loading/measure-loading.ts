import { memoryRows } from '../../src/columns/memory-rows.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { datasetStore } from '../../src/dynamodb/dataset-store.ts';
import { seedTable, tableName } from '../../src/dynamodb/seed-table.ts';
import { type ImportedDataset, makeDataset } from '../../src/importer/import-dataset.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { generatedSet, type SetName } from '../data/generated-set.ts';
import { GENERATED_SOURCE } from '../data/generated-source.ts';
import type { Effort } from '../effort.ts';

export type LoadingResult = {
  readonly step: string;
  readonly set: SetName;
  readonly rowsPerSecond: number;
};

const KINDS = ['directory', 'census'] as const;

/** Rows a second through each step between a parsed row and one that is held in memory. */
export async function measureLoading(effort: Effort): Promise<LoadingResult[]> {
  const results: LoadingResult[] = [];
  const add = async <T>(step: string, set: SetName, work: () => T | Promise<T>): Promise<T> => {
    const began = performance.now();
    const made = await work();
    results.push({ step, set, rowsPerSecond: (set.size / (performance.now() - began)) * 1000 });
    return made;
  };
  for (const kind of KINDS) {
    for (const size of effort.loadingRows) {
      const set = { kind, size };
      const { block, rows } = generatedSet(set);
      const imported = await add('import: rows → items, manifest, version', set, () =>
        makeDataset(block, rows, GENERATED_SOURCE),
      );
      await add('hold in memory: rows → columns', set, () =>
        memoryRows(block.fields, imported.rows),
      );
    }
    await measureTable({ kind, size: effort.seededRows }, add);
  }
  return results;
}

type Add = <T>(step: string, set: SetName, work: () => T | Promise<T>) => Promise<T>;

/** Into the embedded DynamoDB (dynalite, in memory) and back out of it. */
async function measureTable(set: SetName, add: Add): Promise<void> {
  const { block, rows } = generatedSet(set);
  const { manifest, items }: ImportedDataset = makeDataset(block, rows, GENERATED_SOURCE);
  const dynamodb = await startEmbeddedDynamodb();
  const client = createClient({ endpoint: dynamodb.endpoint });
  try {
    await add('seed: items → table (dynalite, BatchWriteItem)', set, () =>
      seedTable(client, { manifest, fields: block.fields, items }),
    );
    const store = datasetStore({ client, name: tableName(manifest), block, manifest });
    await add('load: table → memory (dynalite, Query)', set, () => store.load());
  } finally {
    client.destroy();
    await dynamodb.stop();
  }
}
