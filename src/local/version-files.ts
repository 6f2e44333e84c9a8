import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import { inDraftFolder } from '../commands/workspace.ts';
import type { Version } from './version-store.ts';

/** The files of a version. */
export const DESCRIPTION = 'version.json';
const COLUMNS = 'columns';

/** A column as the description has it. Its chunks follow each other in the file of all columns. */
type StoredColumn = {
  readonly field: string;
  readonly directory: ColumnDirectory;
  /** The hash of each chunk. */
  readonly hashes: readonly string[];
};

/** A version that was read, and the open file of its columns. */
export type StoredVersion = {
  readonly version: Version;
  readonly columns: readonly StoredColumn[];
  readonly file: FileHandle;
};

/** Writes a version beside the others, and then renames its folder. A kill leaves it whole or absent. */
export async function writeVersion(
  versions: string,
  name: string,
  hash: string,
  {
    boundaries,
    manifest,
    notes,
    profile,
    columns: { columns },
  }: Version & { columns: PackedColumns },
): Promise<void> {
  const stored = Array.from(columns, ([field, { directory, chunks }]): StoredColumn => {
    return { field, directory, hashes: chunks.map(hashOf) };
  });
  const version: Version = {
    ...{ manifest, notes, profile },
    ...(boundaries === undefined ? {} : { boundaries }),
  };
  const text = JSON.stringify({ version, columns: stored });
  const folder = path.join(versions, name);
  await inDraftFolder(versions, name, async (draft) => {
    const chunks = [...columns.values()].flatMap((column) => column.chunks);
    await writeFile(path.join(draft, COLUMNS), chunks);
    await writeFile(path.join(draft, DESCRIPTION), sealed(hash, text));
    await rename(draft, folder).catch(async () => {
      // What is there is damaged, or another process was quicker; a server that reads it goes on.
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
  let description: string;
  try {
    description = await readFile(path.join(folder, DESCRIPTION), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const text = description.slice(description.indexOf('\n') + 1);
  if (description !== sealed(hash, text)) throw new Error(`${DESCRIPTION} was changed`);
  const { version, columns } = JSON.parse(text) as Omit<StoredVersion, 'file'>;
  const file = await open(path.join(folder, COLUMNS));
  const { size } = await file.stat();
  if (size === bytesOf(columns)) return { version, columns, file };
  await file.close();
  throw new Error(`${COLUMNS} has ${size} bytes`);
}

function bytesOf(columns: readonly StoredColumn[]): number {
  const chunks = columns.flatMap(({ directory }) => directory.chunks);
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads chunks from the file of a version, and compares each with its hash. */
export function fileSource(
  columns: readonly StoredColumn[],
  file: FileHandle,
  onDamage: (damage: Error) => Promise<void>,
): ColumnSource {
  const byField = new Map<string, StoredColumn & { readonly starts: readonly number[] }>();
  let start = 0;
  for (const column of columns) {
    const starts = column.directory.chunks.map(({ bytes }) => {
      start += bytes;
      return start - bytes;
    });
    byField.set(column.field, { ...column, starts });
  }
  const columnOf = (field: string) => {
    const column = byField.get(field);
    if (column === undefined) throw new Error(`There is no column ${field}.`);
    return column;
  };
  const readChunk = async (field: string, chunk: number) => {
    const { directory, hashes, starts } = columnOf(field);
    const bytes = Buffer.allocUnsafe(directory.chunks[chunk]?.bytes ?? 0);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, starts[chunk] as number);
    if (bytesRead === bytes.length && hashOf(bytes) === hashes[chunk]) return bytes;
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
