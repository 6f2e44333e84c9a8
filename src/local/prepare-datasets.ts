import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkExamples } from '../block/check-examples.ts';
import type { Manifest } from '../block/manifest.ts';
import { ColumnCache } from '../columns/column-cache.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import type { TableReads } from '../dynamodb/read-client.ts';
import { hasColumns } from '../dynamodb/seals.ts';
import { deleteOtherVersions, tableName, writeColumns } from '../dynamodb/seed-table.ts';
import { tableColumns } from '../dynamodb/table-columns.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { serveDataset, serveValue } from '../http/served-block.ts';
import { type ImportedDataset, importDataset } from '../importer/import-dataset.ts';
import type { LoadedBlock } from '../importer/load-blocks.ts';
import { fewAtOnce } from '../waiting/few-at-once.ts';
import { numberText } from '../words/number-text.ts';
import {
  hashOfImport,
  type KeptImport,
  type KeptImports,
  keepImport,
  keptImport,
  type ToImport,
} from './kept-import.ts';

/** Tells the person who started the server a line. */
export type Tell = (line: string) => void;

/** What writes the store's tables, and what reads them. */
export type Clients = { readonly client: DynamoDBClient; readonly reader: TableReads };

export type PrepareSettings = {
  /** Perhaps still to come: files are read in the meantime. */
  readonly clients: Clients | Promise<Clients>;
  readonly seedData: string;
  /** What may be held in memory of all datasets. */
  readonly cacheBytes: number;
  /** For tests: chunks of fewer rows than usual. */
  readonly rowsPerChunk?: number;
  /** Whether only this process uses the store, so that other versions may be deleted. */
  readonly ownsStore: boolean;
  /** Where to find imports of earlier starts; every start imports if absent. */
  readonly kept?: KeptImports;
};

/** A block that is ready to be served, and lines that report what was done for it. */
export type PreparedBlock = {
  readonly served: ServedBlock;
  readonly report: readonly string[];
  /** Deletes the tables of its other versions. A failure is told, not thrown. */
  readonly finish?: (tell: Tell, signal: AbortSignal) => Promise<void>;
};

/** Reads all seed data first, so that a corrupt file stops the start before any table changes. */
export async function prepareBlocks(
  loaded: readonly LoadedBlock[],
  settings: PrepareSettings,
): Promise<PreparedBlock[]> {
  const read = await fewAtOnce(loaded, BLOCKS_AT_ONCE, async (entry) => {
    if (entry.kind === 'dataset') return { ...entry, ...(await readDataset(entry, settings)) };
    checkExamples(entry.block);
    entry.checkSeedData?.(settings.seedData);
    return { ...entry, run: entry.createRun(settings.seedData) };
  });
  const cache = new ColumnCache(settings.cacheBytes);
  return fewAtOnce(read, BLOCKS_AT_ONCE, async (entry) => {
    if (entry.kind === 'dataset') return prepareDataset(entry, settings, cache);
    const served = serveValue(entry.block, entry.run);
    return { served, report: [`${entry.block.name}: computed, no table`] };
  });
}

/** While one waits for its table, others are read; more only fill the memory. */
const BLOCKS_AT_ONCE = 8;

/** A dataset that an earlier start has imported, or a new import. */
type ReadDataset = { readonly hash?: string } & (
  | { readonly known: KeptImport }
  | { readonly seed: ImportedDataset }
);

async function readDataset(
  entry: ToImport,
  { clients, seedData, rowsPerChunk, kept }: PrepareSettings,
): Promise<ReadDataset> {
  const hash = kept && (await hashOfImport(kept, entry, seedData, rowsPerChunk));
  if (kept !== undefined && hash !== undefined) {
    const known = await keptImport(kept, entry, hash);
    if (known && (await hasColumns((await clients).client, tableName(known.manifest)))) {
      return { known };
    }
  }
  // An import that is kept was made with these same examples.
  checkExamples(entry.block);
  const seed = await importDataset(entry.block, entry.dataset, seedData, rowsPerChunk);
  return { seed, ...(hash === undefined ? {} : { hash }) };
}

async function prepareDataset(
  entry: ToImport & ReadDataset,
  { clients, ownsStore, kept }: PrepareSettings,
  cache: ColumnCache,
): Promise<PreparedBlock> {
  const { client, reader } = await clients;
  const { block, dataset, hash } = entry;
  const { fields } = block;
  const { manifest, notes, profile, boundaries } = 'known' in entry ? entry.known : entry.seed;
  const name = tableName(manifest);
  let outcome = 'already there';
  let unkept: string | undefined;
  // Others may use a store that is not ours, so that what is complete there stays.
  if ('seed' in entry && (ownsStore || !(await hasColumns(client, name)))) {
    await writeColumns(client, { manifest, fields, items: entry.seed.items });
    if (kept !== undefined && hash !== undefined) unkept = await keepImport(kept, hash, entry.seed);
    outcome = 'seeded';
  }
  const table = { client: reader, name, block, fields, manifest };
  // Rows' items are for functions in the cloud, which have less memory and start often.
  const { rows: _, ...columns } = tableColumns(table);
  const store = datasetStore(table, cache, columns);
  return {
    served: serveDataset(
      { block, manifest, store },
      {
        profile: () => profile,
        ...(boundaries === undefined ? {} : { boundaries: () => boundaries }),
      },
    ),
    report: [
      `${block.name}: ${numberText(manifest.rows)} rows of seed-data/${dataset.file}, version ${manifest.version}, ${outcome}`,
      ...(unkept === undefined ? [] : [`  the next start imports it again (${unkept})`]),
      ...notes.map((note) => `  ${note}`),
    ],
    ...(ownsStore
      ? { finish: (tell, signal) => deleteOthers(client, manifest, tell, signal) }
      : {}),
  };
}

async function deleteOthers(
  client: DynamoDBClient,
  manifest: Manifest,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  try {
    await deleteOtherVersions(client, manifest, signal);
  } catch (error) {
    if (signal.aborted) return;
    const [reason] = (error as Error).message.split('\n');
    tell(
      `${manifest.block}: older data are still in the store (${reason}); the next start tries again`,
    );
  }
}
