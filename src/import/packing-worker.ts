import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { CHUNK_ROWS } from '../columns/chunk.ts';
import type { PackedColumn } from '../columns/encode-chunk.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { propose } from '../recipe/propose.ts';
import { takeSafest } from '../recipe/questions.ts';
import { declarationOf } from '../recipe/recipe.ts';
import {
  type ColumnMessage,
  type OrdersMessage,
  type PackedMessage,
  type PackingTask,
  readingOf,
} from './pack-ahead.ts';
import { GivenToOther } from './pack-for-other.ts';
import { packRows } from './pack-rows.ts';
import { sha256Of } from './seed-files.ts';
import { inOrders, storedOrders } from './stored-orders.ts';

/** The thread of `packAhead`. It sends how it reads the file, then the rows, then what finds them. */
async function pack({ at, given, beginning, folder, other }: PackingTask): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, at.file), beginning);
  const draft = await propose({ folder, file: at.file }, given, takeSafest, () => {});
  const declared = declarationOf(draft.block, draft.name);
  const { fields } = declared;
  const source = JSON.parse(JSON.stringify({ ...draft.block, file: at.file }));
  // A person, or the whole file, decides about bad rows.
  if (source.dialect?.badRows !== undefined) return;
  parentPort?.postMessage(readingOf(source));
  const before = await timesOf(at);
  const { columns: packed, ...told } = await packRows(
    fields,
    source,
    at.folder,
    CHUNK_ROWS,
    other && new GivenToOther(other),
  );
  const hash = `sha256:${await sha256Of(at.folder, at.file)}`;
  if ((await timesOf(at)) !== before) return;
  const { columns, ...others } = packed;
  // One at a time, so that they are not copied all at once.
  for (const column of columns) {
    const message = columnMessage(column);
    parentPort?.postMessage(message, [message.bytes.buffer]);
  }
  const message: PackedMessage = { ...told, ...others, hash };
  parentPort?.postMessage(message);
  const orders = storedOrders(declared);
  const added = [...inOrders(packed, orders).columns].flatMap(
    ([field, column]): OrdersMessage['columns'][number][] => {
      const before = columns.get(field);
      if (before === column) return [];
      const { directory } = column;
      return [before === undefined ? columnMessage([field, column]) : { field, directory }];
    },
  );
  const last: OrdersMessage = { orders, columns: added };
  const buffers = added.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes.buffer]));
  parentPort?.postMessage(last, buffers as ArrayBuffer[]);
}

function columnMessage([field, { directory, chunks }]: readonly [string, PackedColumn]) {
  return { field, directory, bytes: joined(chunks) } satisfies ColumnMessage;
}

/** Joins bytes in a buffer of their own, which is handed to another thread without a copy. */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The size and the times of a file, which another program may change meanwhile. */
async function timesOf({ folder, file }: FileIn): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path.join(folder, file));
  return [size, mtimeMs, ino].join(' ');
}

await pack(workerData);
