import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileIn } from '../files/read-bytes.ts';
import { propose } from '../recipe/propose.ts';
import { takeSafest } from '../recipe/questions.ts';
import { declarationOf } from '../recipe/recipe.ts';
import { type PackedMessage, type PackingTask, readingOf } from './pack-ahead.ts';
import { packRows } from './pack-rows.ts';
import { sha256Of } from './seed-files.ts';

/** The thread of `packAhead`. It sends how it reads the file, and then the rows. */
async function pack({ at, given, beginning, folder }: PackingTask): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, at.file), beginning);
  const draft = await propose({ folder, file: at.file }, given, takeSafest, () => {});
  const { fields } = declarationOf(draft.block, draft.name);
  const source = JSON.parse(JSON.stringify({ ...draft.block, file: at.file }));
  // A person, or the whole file, decides about bad rows.
  if (source.dialect?.badRows !== undefined) return;
  parentPort?.postMessage(readingOf(source));
  const before = await timesOf(at);
  const { columns: packed, ...told } = await packRows(fields, source, at.folder);
  const hash = `sha256:${await sha256Of(at.folder, at.file)}`;
  if ((await timesOf(at)) !== before) return;
  const { columns, ...others } = packed;
  const all = Buffer.concat([...columns.values()].flatMap(({ chunks }) => chunks));
  // Of a size of its own, so that it is handed over and not copied.
  const bytes = all.buffer.byteLength === all.length ? all : new Uint8Array(all);
  const directories = Array.from(columns, ([field, { directory }]) => [field, directory] as const);
  const message: PackedMessage = { ...told, ...others, directories, bytes, hash };
  parentPort?.postMessage(message, [bytes.buffer as ArrayBuffer]);
}

/** The size and the times of a file, which another program may change meanwhile. */
async function timesOf({ folder, file }: FileIn): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path.join(folder, file));
  return [size, mtimeMs, ino].join(' ');
}

await pack(workerData);
