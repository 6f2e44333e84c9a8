import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { CHUNK_ROWS } from '../columns/chunk.ts';
import type { PackedColumn } from '../columns/encode-chunk.ts';
import type { FileIn } from '../files/read-bytes.ts';
import type { ColumnMessage, OrdersMessage, PackedMessage, PackingTask } from './pack-ahead.ts';
import { GivenToOther } from './pack-for-other.ts';
import { packRows } from './pack-rows.ts';
import { sha256Of } from './seed-files.ts';
import { inOrders } from './stored-orders.ts';

/** The thread of `whilePackingAhead`. It sends the rows, then what finds them. */
async function pack({ folder, source, fields, orders, other }: PackingTask): Promise<void> {
  const at = { folder, file: source.file };
  const before = await timesOf(at);
  const aside = other && new GivenToOther(other);
  const { columns: packed, ...told } = await packRows(fields, source, folder, CHUNK_ROWS, aside);
  const hash = `sha256:${await sha256Of(folder, source.file)}`;
  if ((await timesOf(at)) !== before) return;
  const { columns, ...others } = packed;
  // One at a time, so that they are not copied all at once.
  for (const column of columns) {
    const message = columnMessage(column);
    parentPort?.postMessage(message, [message.bytes.buffer]);
  }
  const message: PackedMessage = { ...told, ...others, hash };
  parentPort?.postMessage(message);
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

const [task] = await once(parentPort as MessagePort, 'message');
await pack(task);
