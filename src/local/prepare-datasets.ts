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
  /**
   * Empties a damaged store, if this process alone uses it. Rejects if the error does not show
   * damage.
   */
  readonly renew?: (damage: Error) => Promise<void>;
};

type PrepareSettings = {
  /** The clients of the store, once it is open. They are new ones after it was emptied. */
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
  const shared = { cache: new ColumnCache(settings.cacheBytes), inTurn: inTurn() };
  return fewAtOnce(read, BLOCKS_AT_ONCE, async (entry) => {
    if (entry.kind === 'dataset') return prepareDataset(entry, settings, shared);
    const served = serveValue(entry.block, entry.run);
    return { served, report: [`${entry.block.name}: computed, no table`] };
  });
}

/**
 * Blocks that `npm start` reads, or makes tables of, at once. While one waits for its table, others
 * are read; more would only fill the memory.
 */
const BLOCKS_AT_ONCE = 8;

/** The cache and the queue that all datasets of a process share. */
type Shared = { readonly cache: ColumnCache; readonly inTurn: ReturnType<typeof inTurn> };

/**
 * Runs one piece of work after another, because each import while serving holds a dataset in
 * memory.
 */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

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
    if (imported && (await onStore(clients, isThere(imported)))) return { hash, imported };
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

function isThere({ manifest }: KeptImport): (client: DynamoDBClient) => Promise<boolean> {
  return (client) => hasColumns(client, tableName(manifest));
}

/** Does work with a store. If the store is damaged, empties it and does the work again. */
async function onStore<T>(
  clients: PrepareSettings['clients'],
  work: (client: DynamoDBClient) => Promise<T>,
): Promise<T> {
  const { client, renew } = await clients();
  try {
    return await work(client);
  } catch (error) {
    if (renew === undefined) throw error;
    await renew(error as Error);
    return work((await clients()).client);
  }
}

async function prepareDataset(
  entry: ToImport & ReadDataset,
  settings: PrepareSettings,
  { cache, inTurn }: Shared,
): Promise<PreparedBlock> {
  const { clients, kept, onProgress } = settings;
  const { block, dataset, hash, imported, items } = entry;
  const { fields } = block;
  const { manifest, notes, profile, boundaries, hashes } = imported;
  const name = tableName(manifest);
  let writtenTo = await clients();
  const isOwn = writtenTo.renew !== undefined;
  const write = (items: readonly Item[]) =>
    onStore(clients, (client) => writeColumns(client, { manifest, fields, items }));
  const keep = async (known: KeptImport) =>
    kept && hash && (await keepImport(kept, hash, block.name, known));
  let outcome = 'already there';
  let unkept: string | undefined;
  // If the store is not ours, others may use it, so a complete table there stays.
  if (items !== undefined && (isOwn || !(await onStore(clients, isThere(imported))))) {
    await write(items);
    writtenTo = await clients();
    unkept = await keep(imported);
    if (kept) await removeColumns(kept, block.name);
    outcome = 'seeded';
  }
  const reader: TableReads = {
    query: async (...asked) => (await clients()).reader.query(...asked),
    batchGetItem: async (...asked) => (await clients()).reader.batchGetItem(...asked),
  };
  const table = { client: reader, name, block, fields, manifest };
  // Items of rows are for functions in the cloud, which have less memory and start often.
  const { rows: _, ...columns } = tableColumns(table);
  const importAgain = async (damage: Error, times: number) => {
    const again = await importDataset(block, dataset, settings.seedData, DYNAMODB, settings);
    if (again.manifest.version !== manifest.version) {
      throw new Error(`seed-data/${dataset.file} has other rows now; start blockyard again`);
    }
    // If the store lost what was written again, empty it, unless that was done since.
    if (times > 1) await writtenTo.renew?.(damage);
    await write(itemsBesideRows(again));
    writtenTo = await clients();
    const known = await toKeep(again);
    await keep(known);
    return known.hashes;
  };
  const verified = verifiedColumns(columns, {
    block: block.name,
    hashes,
    importAgain: (...damage) => inTurn(() => importAgain(...damage)),
    onProgress,
  });
  const store = datasetStore(table, cache, isOwn ? verified : columns);
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
    ...(isOwn ? { finish: (signal) => deleteOthers(settings, manifest, signal) } : {}),
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
    const [reason] = (error as Error).message.split('\n');
    onProgress(
      `${manifest.block}: older data are still in the store (${reason}); the next start tries again`,
    );
  }
}

type ImportedColumns = {
  readonly block: string;
  readonly hashes: ColumnHashes;
  /** Imports the dataset again and writes it into the store. `times` counts from 1. */
  readonly importAgain: (damage: Error, times: number) => Promise<ColumnHashes>;
  readonly onProgress: OnProgress;
};

/**
 * Imports of a dataset whose stored data are damaged, in a run of the server. Then 503 and a line:
 * a person is needed. One dataset is imported at a time; the second and third import go into an
 * emptied store.
 */
const MOST_TIMES = 3;

/**
 * A store's columns, each directory and chunk of which is compared with its hash at every read. If
 * one was changed, is missing or cannot be read, the dataset is imported again, once for all
 * waiting requests, and they read again. Rejects if that does not help, or if the store does not
 * answer.
 */
function verifiedColumns(
  source: ColumnSource,
  { block, hashes: imported, importAgain, onProgress }: ImportedColumns,
): ColumnSource {
  let hashes = new Map(imported);
  let times = 0;
  let importing: Promise<void> | undefined;
  const mend = async (damage: Error) => {
    if (times > MOST_TIMES) throw damage;
    const reason = firstLine(damage);
    if (times++ === MOST_TIMES) {
      onProgress(
        `${block}: what is stored of it is damaged after ${MOST_TIMES} imports (${reason}). Check the disk and the file, then start blockyard again.`,
      );
      throw damage;
    }
    onProgress(`${block}: what is stored of it is damaged (${reason}); it is imported again.`);
    try {
      hashes = new Map(await importAgain(damage, times));
    } catch (cause) {
      onProgress(`${block}: it cannot be imported again (${firstLine(cause as Error)}).`);
      throw cause;
    }
  };
  const verified = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      const before = times;
      try {
        return await read();
      } catch (cause) {
        const damage = cause as Error;
        if (isPassing(damage)) throw damage;
        // Another request has imported it since this one read.
        if (importing === undefined && before !== times) continue;
        importing ??= mend(damage).finally(() => {
          importing = undefined;
        });
        try {
          await importing;
        } catch (cause) {
          throw new Error('What is stored is damaged.', { cause });
        }
      }
    }
  };
  const check = (what: string, hash: string, expected: string | undefined) => {
    if (hash !== expected) throw new Error(`${what} is not the one that was imported`);
  };
  const checkChunk = (field: string, chunk: number, bytes: Uint8Array) =>
    check(`chunk ${chunk} of ${field}`, hashOf(bytes), hashes.get(field)?.chunks[chunk]);
  return {
    directory: (field, reads) =>
      verified(async () => {
        const found = await source.directory(field, reads);
        const hash = hashOfDirectory(found.directory);
        check(`the directory of ${field}`, hash, hashes.get(field)?.directory);
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
