import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkExamples } from '../block/check-examples.ts';
import { ColumnCache } from '../columns/column-cache.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import type { TableReads } from '../dynamodb/read-client.ts';
import { deleteOtherVersions, seedTable, tableName } from '../dynamodb/seed-table.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { serveDataset, serveValue } from '../http/served-block.ts';
import { importDataset } from '../importer/import-dataset.ts';
import type { LoadedBlock } from '../importer/load-blocks.ts';

export type PrepareSettings = {
  /** Writes tables. */
  readonly client: DynamoDBClient;
  /** Reads them. */
  readonly reader: TableReads;
  readonly seedData: string;
  /** What may be held in memory of all datasets. */
  readonly cacheBytes: number;
  /** For tests: chunks of fewer rows than usual. */
  readonly rowsPerChunk?: number;
  /** Whether only this process uses the store, so that other versions may be deleted. */
  readonly ownsStore: boolean;
};

/** A block that is ready to be served, and lines that report what was done for it. */
export type PreparedBlock = { readonly served: ServedBlock; readonly report: readonly string[] };

/** Reads all seed data first, so that a corrupt file stops the start before any table changes. */
export async function prepareBlocks(
  loaded: readonly LoadedBlock[],
  settings: PrepareSettings,
): Promise<PreparedBlock[]> {
  const { client, reader, seedData, cacheBytes, ownsStore } = settings;
  const imported = await Promise.all(
    loaded.map(async (entry) => {
      checkExamples(entry.block);
      if (entry.kind === 'dataset') {
        return {
          ...entry,
          seed: await importDataset(entry.block, entry.dataset, seedData, settings.rowsPerChunk),
        };
      }
      entry.checkSeedData?.(seedData);
      return { ...entry, run: entry.createRun(seedData) };
    }),
  );
  const cache = new ColumnCache(cacheBytes);
  const prepared: PreparedBlock[] = [];
  for (const entry of imported) {
    const { block } = entry;
    if (entry.kind === 'value') {
      const served = serveValue(block, entry.run);
      prepared.push({ served, report: [`${block.name}: computed, no table`] });
      continue;
    }
    const { manifest, items, notes, profile, boundaries } = entry.seed;
    const outcome = await seedTable(client, { manifest, fields: entry.block.fields, items });
    if (ownsStore) await deleteOtherVersions(client, manifest);
    const table = { client: reader, name: tableName(manifest), block: entry.block, manifest };
    const store = datasetStore(table, cache);
    prepared.push({
      served: serveDataset(
        { block: entry.block, manifest, store },
        {
          profile: () => profile,
          ...(boundaries === undefined ? {} : { boundaries: () => boundaries }),
        },
      ),
      report: [
        `${block.name}: ${manifest.rows} rows of seed-data/${entry.dataset.file}, version ${manifest.version}, ${outcome}`,
        ...notes.map((note) => `  ${note}`),
      ],
    });
  }
  return prepared;
}
