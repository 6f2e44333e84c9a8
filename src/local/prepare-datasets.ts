import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkExamples } from '../arguments/arguments.ts';
import type { Manifest } from '../block/manifest.ts';
import { ColumnCache } from '../columns/column-cache.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import { deleteOtherVersions, hasColumns, tableName, writeColumns } from '../dynamodb/client.ts';
import { itemsBesideRows, tableColumns } from '../dynamodb/column-items.ts';
import { datasetStore } from '../dynamodb/dataset-store.ts';
import type { Item } from '../dynamodb/item.ts';
import { isPassing, type TableReads } from '../dynamodb/read-client.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { serveDataset } from '../http/serve-dataset.ts';
import { type ServedBlock, serveValue } from '../http/served-block.ts';
import { importDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import type { OnProgress } from '../recipe/gather-evidence.ts';
import { numberText } from '../text/wording.ts';
import { fewAtOnce } from '../work/waiting.ts';
import {
  type ColumnHashes,
  hashOf,
  hashOfDirectory,
  hashOfImport,
  type KeptImport,
  type KeptImports,
  keepImport,
  keptColumns,
  keptImport,
  removeColumns,
  type ToImport,
  toKeep,
} from './kept-imports.ts';

/** The clients that write and read the store's tables. */
export type Clients = {
  readonly client: DynamoDBClient;
  readonly reader: TableReads;
  /** Of a store that this process alone uses: makes the next start import everything anew. */
  readonly markDamaged?: () => Promise<void>;
};

type PrepareSettings = {
  /** The clients of the store, once it is open. */
  readonly clients: () => Promise<Clients>;
  readonly seedData: string;
  /** The most bytes of all datasets that are held in memory. */
  readonly cacheBytes: number;
  /** For tests: makes chunks of fewer rows than usual. */
  readonly rowsPerChunk?: number;
  /** Where imports of earlier starts are kept. If absent, every start imports. */
  readonly kept?: KeptImports;
  readonly onProgress: OnProgress;
};

/** A block that is ready to be served, and lines that report what was done for it. */
export type PreparedBlock = {
  readonly served: ServedBlock;
  readonly report: readonly string[];
  /**
   * Deletes the tables of the dataset's other versions. Reports a failure and does not throw it.
   */
  readonly finish?: (signal: AbortSignal) => Promise<void>;
};

/** Reads all seed data before any table changes, so that a corrupt file stops the start first. */
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

/**
 * Blocks that `npm start` reads, or makes tables of, at once. While one waits for its table, others
 * are read; more would only fill the memory.
 */
const BLOCKS_AT_ONCE = 8;

/** A dataset's import: of an earlier start, or a new one with the items for its table. */
type ReadDataset = {
  readonly hash?: string;
  readonly imported: KeptImport;
  readonly items?: readonly Item[];
};

async function readDataset(
  entry: ToImport,
  { clients, seedData, rowsPerChunk, kept }: PrepareSettings,
): Promise<ReadDataset> {
  const hash = kept && (await hashOfImport(kept, entry, rowsPerChunk));
  if (kept !== undefined && hash !== undefined) {
    const imported = await keptImport(kept, entry, hash);
    if (imported && (await isThere(clients, imported))) return { hash, imported };
    // `add` has made this import, and no start has written it into the store yet.
    const columns = imported && (await keptColumns(kept, entry.block.name, imported.hashes));
    if (columns) {
      const { manifest } = imported;
      return {
        hash,
        imported,
        items: itemsBesideRows({ block: entry.block, manifest, columns: { columns } }),
      };
    }
  }
  // A kept import was made with these same examples, so only a new one checks them.
  checkExamples(entry.block);
  const seed = await importDataset(entry.block, entry.dataset, seedData, DYNAMODB, {
    ...(rowsPerChunk === undefined ? {} : { rowsPerChunk }),
    ...(kept === undefined ? {} : { hashOfFile: kept.hashOfFile }),
  });
  const imported = await toKeep(seed);
  return { imported, items: itemsBesideRows(seed), ...(hash === undefined ? {} : { hash }) };
}

async function isThere(
  clients: PrepareSettings['clients'],
  { manifest }: KeptImport,
): Promise<boolean> {
  return hasColumns((await clients()).client, tableName(manifest));
}

async function prepareDataset(
  entry: ToImport & ReadDataset,
  settings: PrepareSettings,
  cache: ColumnCache,
): Promise<PreparedBlock> {
  const { clients, kept, onProgress } = settings;
  const { block, dataset, hash, imported, items } = entry;
  const { fields } = block;
  const { manifest, notes, profile, boundaries, hashes } = imported;
  const { client, reader, markDamaged } = await clients();
  let outcome = 'already there';
  let unkept: string | undefined;
  // If the store is not ours, others may use it, so a complete table there stays.
  if (items !== undefined && (markDamaged || !(await isThere(clients, imported)))) {
    await writeColumns(client, { manifest, fields, items });
    unkept = kept && hash && (await keepImport(kept, hash, block.name, imported));
    if (kept) await removeColumns(kept, block.name);
    outcome = 'seeded';
  }
  const table = { client: reader, name: tableName(manifest), block, fields, manifest };
  // Items of rows are for functions in the cloud, which have less memory and start often.
  const { rows: _, ...columns } = tableColumns(table);
  const source =
    markDamaged === undefined
      ? columns
      : verifiedColumns(columns, hashes, (damage) => {
          onProgress(
            `${block.name}: what is stored of it is damaged (${firstLine(damage)}). Start blockyard again: that imports it anew.`,
          );
          return markDamaged();
        });
  return {
    served: serveDataset(
      { block, manifest, store: datasetStore(table, cache, source) },
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
    ...(markDamaged && { finish: (signal) => deleteOthers(settings, manifest, signal) }),
  };
}

async function deleteOthers(
  { clients, onProgress }: PrepareSettings,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { client } = await clients();
    await deleteOtherVersions(client, manifest, signal);
  } catch (error) {
    if (signal.aborted) return;
    onProgress(
      `${manifest.block}: older data are still in the store (${firstLine(error as Error)}); the next start tries again`,
    );
  }
}

/**
 * A store's columns, each directory and chunk of which is compared with its hash at every read.
 * Rejects if one was changed, is missing or cannot be read, and reports that once; or if the store
 * does not answer.
 */
function verifiedColumns(
  source: ColumnSource,
  hashes: ColumnHashes,
  report: (damage: Error) => Promise<void>,
): ColumnSource {
  const hashesOf = new Map(hashes);
  let reported: Promise<void> | undefined;
  const verified = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (cause) {
      const damage = cause as Error;
      if (isPassing(damage)) throw damage;
      // A start finds the damage too, if it cannot be noted.
      reported ??= report(damage).catch(() => {});
      await reported;
      throw new Error('What is stored is damaged.', { cause });
    }
  };
  const check = (what: string, hash: string, expected: string | undefined) => {
    if (hash !== expected) throw new Error(`${what} is not the one that was imported`);
  };
  const checkChunk = (field: string, chunk: number, bytes: Uint8Array) =>
    check(`chunk ${chunk} of ${field}`, hashOf(bytes), hashesOf.get(field)?.chunks[chunk]);
  return {
    directory: (field, reads) =>
      verified(async () => {
        const found = await source.directory(field, reads);
        const hash = hashOfDirectory(found.directory);
        check(`the directory of ${field}`, hash, hashesOf.get(field)?.directory);
        if (found.beside !== undefined) checkChunk(field, 0, found.beside);
        return found;
      }),
    chunk: (field, chunk, directory, reads) =>
      verified(async () => {
        const bytes = await source.chunk(field, chunk, directory, reads);
        checkChunk(field, chunk, bytes);
        return bytes;
      }),
  };
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0] as string;
}
