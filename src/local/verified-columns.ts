import { createHash } from 'node:crypto';
import type { ColumnDirectory } from '../columns/chunk.ts';
import type { ColumnSource } from '../columns/column-store.ts';
import type { PackedColumns } from '../columns/encode-chunk.ts';
import { isPassing } from '../dynamodb/read-client.ts';

/** Hashes of what an import made: of each column's directory, and of the packed bytes of its chunks. */
export type ColumnHashes = readonly (readonly [
  field: string,
  hashes: { readonly directory: string; readonly chunks: readonly string[] },
])[];

export function hashesOf({ columns }: Pick<PackedColumns, 'columns'>): ColumnHashes {
  return Array.from(columns, ([field, { directory, chunks }]) => [
    field,
    { directory: hashOfDirectory(directory), chunks: chunks.map(hashOf) },
  ]);
}

export type ImportedColumns = {
  readonly block: string;
  readonly hashes: ColumnHashes;
  /** Imports the dataset once more, and writes it into the store. `times` is 1 at the first time. */
  readonly importAgain: (damage: Error, times: number) => Promise<ColumnHashes>;
  /** Tells the person who started the server a line. */
  readonly tell: (line: string) => void;
};

/** How often a run may import a dataset again. If it is damaged once more, a person is needed. */
const MOST_TIMES = 3;

/**
 * A store's columns. Each directory and chunk is compared with its hash whenever it is read. If it
 * was changed, is missing or cannot be read, the dataset is imported again, once for all requests
 * that wait, and they read again. Rejects if that does not help, or if the store does not answer.
 */
export function verifiedColumns(
  source: ColumnSource,
  { block, hashes: imported, importAgain, tell }: ImportedColumns,
): ColumnSource {
  let hashes = new Map(imported);
  let times = 0;
  let importing: Promise<void> | undefined;
  const mend = async (damage: Error) => {
    if (times > MOST_TIMES) throw damage;
    const reason = firstLine(damage);
    if (times++ === MOST_TIMES) {
      tell(
        `${block}: what is stored of it is damaged after ${MOST_TIMES} imports (${reason}). Check the disk and the file, then start blockyard again.`,
      );
      throw damage;
    }
    tell(`${block}: what is stored of it is damaged (${reason}); it is imported again.`);
    try {
      hashes = new Map(await importAgain(damage, times));
    } catch (cause) {
      tell(`${block}: it cannot be imported again (${firstLine(cause as Error)}).`);
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
        // It was imported again since it was read.
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

/** JSON that was parsed is written as it was: what is compared is what readers get, not its spelling. */
function hashOfDirectory(directory: ColumnDirectory): string {
  return hashOf(JSON.stringify(directory));
}

function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0] as string;
}
