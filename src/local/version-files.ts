import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import { inDraftFolder } from '../commands/workspace.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import type { Version } from './version-store.ts';

/** The files of a version. */
export const DESCRIPTION = 'description';
const COLUMNS = 'columns';

/** A column as the description has it: its directory, and where each chunk begins and its hash. */
type StoredColumn = {
  readonly directory: ColumnDirectory;
  readonly chunks: readonly { readonly start: number; readonly hash: string }[];
};

/** What the description has. */
type Description = {
  readonly version: Version;
  readonly columns: Readonly<Record<string, StoredColumn>>;
  /** The size of the file of all columns, in which their chunks follow each other. */
  readonly bytes: number;
};

/** A version that was read, and the open file of its columns. */
export type StoredVersion = Description & { readonly file: FileHandle };

/** Writes a version beside the others, and then renames its folder. A kill leaves it whole or absent. */
export async function writeVersion(
  versions: string,
  name: string,
  hash: string,
  imported: ImportedDataset,
): Promise<void> {
  const { boundaries, manifest, notes, profile, columns: packed } = imported;
  let bytes = 0;
  const columns = Array.from(packed.columns, ([field, { directory, chunks }]) => {
    const stored = chunks.map((chunk) => {
      const start = bytes;
      bytes += chunk.length;
      return { start, hash: hashOf(chunk) };
    });
    return [field, { directory, chunks: stored }] as const;
  });
  const text = JSON.stringify({
    version: { boundaries, manifest, notes, profile },
    columns: Object.fromEntries(columns),
    bytes,
  });
  const folder = path.join(versions, name);
  await inDraftFolder(versions, name, async (draft) => {
    const chunks = [...packed.columns.values()].flatMap((column) => column.chunks);
    await writeFile(path.join(draft, COLUMNS), chunks);
    await writeFile(path.join(draft, DESCRIPTION), sealed(hash, text));
    await rename(draft, folder).catch(async () => {
      // Another process was quicker, unless what is there is damaged.
      const there = await readVersion(folder, hash).catch(() => undefined);
      if (there !== undefined) return there.file.close();
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    });
  });
}

/** Reads the version of an import. Undefined if there is none. Throws if it was changed. */
export async function readVersion(
  folder: string,
  hash: string,
): Promise<StoredVersion | undefined> {
  const described = await readFile(path.join(folder, DESCRIPTION), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (described === undefined) return undefined;
  const text = described.slice(described.indexOf('\n') + 1);
  if (described !== sealed(hash, text)) throw new Error(`${DESCRIPTION} was changed`);
  const description: Description = JSON.parse(text);
  const file = await open(path.join(folder, COLUMNS));
  if ((await file.stat()).size === description.bytes) return { ...description, file };
  await file.close();
  throw new Error(`${COLUMNS} has another size`);
}

/** Reads chunks from the file of a version, and compares each with its hash. */
export function fileSource(
  columns: Description['columns'],
  file: FileHandle,
  onDamage: (damage: Error) => Promise<void>,
): ColumnSource {
  const columnOf = (field: string) => columns[field] as StoredColumn;
  const readChunk = async (field: string, chunk: number) => {
    const { directory, chunks } = columnOf(field);
    const [entry, stored] = [directory.chunks[chunk], chunks[chunk]];
    const bytes = Buffer.allocUnsafe(entry?.bytes ?? 0);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, stored?.start ?? 0);
    if (bytesRead === bytes.length && hashOf(bytes) === stored?.hash) return bytes;
    throw new Error(`chunk ${chunk} of ${field} is not the one that was imported`);
  };
  return {
    directory: async (field) => ({ directory: columnOf(field).directory }),
    chunk: async (field, chunk, _, reads) => {
      reads.chunksRead++;
      try {
        return await readChunk(field, chunk);
      } catch (cause) {
        await onDamage(cause as Error);
        throw new Error('What is stored is damaged.', { cause });
      }
    },
  };
}

/**
 * Puts a line before a text, to show later which import it belongs to and whether it was changed.
 */
function sealed(hash: string, text: string): string {
  return `${createHash('sha256').update(hash).update(text).digest('hex')}\n${text}`;
}

function hashOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}
