import { mkdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { PackedColumn, PackedColumns } from '../columns/encode-chunk.ts';
import { detectFormat } from '../files/detect-format.ts';
import { type FileIn, firstBytes } from '../files/read-bytes.ts';
import type { Given } from '../recipe/given.ts';
import { propose } from '../recipe/propose.ts';
import { takeSafest } from '../recipe/questions.ts';
import { declarationOf, type FileField } from '../recipe/recipe.ts';
import type { Field } from '../values/field-types.ts';
import { runningFile } from './own-code.ts';
import { packForOther } from './pack-for-other.ts';
import type { PackedRows, RowsAhead } from './pack-rows.ts';
import type { DatasetSource } from './seed-files.ts';
import { type StoredOrders, storedOrders } from './stored-orders.ts';

/**
 * While a file's every cell is read to decide what its columns are, another core packs its rows as
 * its beginning suggests. Where the whole file decides the same, as most do, they need not be read
 * again. Otherwise they are.
 */

/** A smaller file is packed sooner than another thread has started. */
const LEAST_BYTES = 8 * 2 ** 20;

/** The beginning of a file, which suggests what the columns are. */
const BEGINNING_BYTES = 2 ** 20;

/** What the worker gets: the folder of a file, and how its rows are read and packed. */
export type PackingTask = {
  readonly folder: string;
  readonly source: DatasetSource;
  readonly fields: readonly Field[];
  readonly orders: StoredOrders;
  /** Where the worker gives columns to be packed, once this thread waits for it. */
  readonly other?: MessagePort;
};

/** A column, with all of its chunks in the order of its directory. */
export type ColumnMessage = {
  readonly field: string;
  readonly directory: ColumnDirectory;
  readonly bytes: Uint8Array;
};

/** What the worker sends after a message for each column. */
export type PackedMessage = Omit<PackedRows, 'columns' | 'inOrders'> &
  Omit<PackedRows['columns'], 'columns'> & {
    /** The hash of the file's bytes, as in `block.json`. */
    readonly hash: string;
  };

/** What it sends last: the columns that the orders add, and the directories that they change. */
export type OrdersMessage = {
  readonly orders: StoredOrders;
  readonly columns: readonly (Omit<ColumnMessage, 'bytes'> & Partial<ColumnMessage>)[];
};

/** Packing that goes on in another thread. */
type Packing = { readonly rows: RowsAhead; stop(): Promise<unknown> };

/**
 * Runs what decides about a file while a large CSV file is packed, and gives it the rows. The
 * beginning of the file is written to `folder`.
 */
export async function whilePackingAhead<T>(
  at: FileIn,
  given: Given,
  folder: string,
  run: (rowsAhead: RowsAhead | undefined) => Promise<T>,
): Promise<T> {
  const packing = await beginPacking(at, given, folder);
  try {
    return await run(packing?.rows);
  } finally {
    await packing?.stop();
  }
}

/** Undefined if there is nothing to gain. */
async function beginPacking(
  at: FileIn,
  given: Given,
  folder: string,
): Promise<Packing | undefined> {
  const worker = runningFile('src/import/packing-worker.ts');
  // A loader that compiles sources is not in other threads.
  if (worker === undefined || worker.endsWith('.ts') || os.availableParallelism() < 2) return;
  const found = await stat(path.join(at.folder, at.file)).catch(() => undefined);
  if (!found?.isFile() || found.size < LEAST_BYTES) return;
  const bytes = await firstBytes(at, BEGINNING_BYTES);
  const beginning = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  if (beginning.length === 0 || !isDelimited(beginning, at.file, given)) return;
  const { port1, port2 } = new MessageChannel();
  // What it prints is kept from the terminal: it has nothing to tell that the import does not.
  const aside = { stdout: true, stderr: true };
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
  const started = new Worker(worker, { ...aside, resourceLimits });
  // While it starts, this thread compiles code that it needs for the whole file too.
  const task = await taskOf(beginning, at, given, folder).catch(() => undefined);
  const packing = follow(started, port1, task?.source);
  if (task === undefined) await packing.stop();
  else started.postMessage({ ...task, other: port2 } satisfies PackingTask, [port2]);
  return packing;
}

/** How to pack a file's rows if it goes on as it begins. Undefined if that is left open. */
async function taskOf(
  beginning: Uint8Array,
  { folder, file }: FileIn,
  given: Given,
  aside: string,
): Promise<PackingTask | undefined> {
  await mkdir(aside, { recursive: true });
  await writeFile(path.join(aside, file), beginning);
  const { block, name } = await propose({ folder: aside, file }, given, takeSafest, () => {});
  const declared = declarationOf(block, name);
  const source: DatasetSource = JSON.parse(JSON.stringify({ ...block, file }));
  // A person, or the whole file, decides about bad rows.
  if (source.dialect?.badRows !== undefined) return undefined;
  return { folder, source, fields: declared.fields, orders: storedOrders(declared) };
}

/** New objects of the worker: a third of Node's own limit saves 40 MB and takes hardly longer. */
const YOUNG_MEGABYTES = 16;

const NEWLINE = 0x0a;

function isDelimited(beginning: Uint8Array, file: string, { badBytes }: Given): boolean {
  try {
    return DELIMITED.includes(detectFormat(beginning, file, badBytes));
  } catch {
    return false;
  }
}

const DELIMITED: readonly string[] = ['csv', 'tsv'];

/** Takes what a worker sends. One that fails has nothing to give. */
function follow(worker: Worker, port: MessagePort, packed: DatasetSource | undefined): Packing {
  const messages: unknown[] = [];
  let isOver = false;
  let wake = () => {};
  worker.on('message', (message) => {
    messages.push(message);
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  worker.on('error', end);
  worker.on('exit', end);
  const message = async (number: number) => {
    while (messages[number] === undefined && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return messages[number];
  };
  const stop = () => worker.terminate();
  return {
    stop,
    rows: async (source) => {
      if (packed === undefined || !isDeepStrictEqual(readingOf(packed), readingOf(source))) {
        await stop();
        return undefined;
      }
      packForOther(port, stop);
      const columns = new Map<string, PackedColumn>();
      const next = () =>
        message(columns.size) as Promise<ColumnMessage | PackedMessage | undefined>;
      let sent = await next();
      for (; sent !== undefined && 'field' in sent; sent = await next()) {
        columns.set(sent.field, columnOf(sent));
      }
      if (sent === undefined || sent.hash !== source.hash) return undefined;
      const { rows, rowsPerChunk, hashes, hash: _, ...told } = sent;
      const whole: PackedColumns = { rows, rowsPerChunk, hashes, columns };
      const last = columns.size + 1;
      return {
        ...told,
        columns: whole,
        inOrders: async (orders) => {
          const found = (await message(last)) as OrdersMessage | undefined;
          if (found === undefined || !isDeepStrictEqual(found.orders, orders)) return undefined;
          return withOrders(whole, found);
        },
      };
    },
  };
}

function withOrders(packed: PackedColumns, { columns }: OrdersMessage): PackedColumns {
  const all = new Map(packed.columns);
  for (const { field, directory, bytes } of columns) {
    const chunks = all.get(field)?.chunks ?? [];
    all.set(field, bytes === undefined ? { directory, chunks } : columnOf({ directory, bytes }));
  }
  return { ...packed, columns: all };
}

function columnOf({ directory, bytes }: Pick<ColumnMessage, 'directory' | 'bytes'>): PackedColumn {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = 0;
  const chunks = directory.chunks.map((entry) => {
    end += entry.bytes;
    return all.subarray(end - entry.bytes, end);
  });
  return { directory, chunks };
}

/** The members of a field that say nothing about how its cells are read and packed. */
const WORDS = ['title', 'description', 'alias', 'theme', 'indexed', 'main', 'label', 'filterable'];

/** What the rows of a source depend on beside the bytes of its file. */
function readingOf(source: DatasetSource): unknown {
  const { format, encoding, dialect, missingValues, badRows, fields = [] } = source;
  const bare = ({ ...field }: FileField) =>
    Object.fromEntries(Object.entries(field).filter(([member]) => !WORDS.includes(member)));
  const reading = { format, encoding, dialect, missingValues, badRows, fields: fields.map(bare) };
  return JSON.parse(JSON.stringify(reading));
}
