import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { inDraftFolder, removeLeftBehind } from '../commands/workspace.ts';
import type { FileKind, FileOfVersion, VersionFiles, WriteFile } from '../formats/files.ts';
import { nameOf, writeVersionFile } from '../import/write-version-file.ts';
import { storeUnavailable } from '../problem/errors.ts';
import { Budget } from '../work/budget.ts';
import type { Scheduler } from '../work/scheduler.ts';
import { VERSION_NAME } from './version-folders.ts';

/**
 * Files of versions on the disk, together. Then those that were not asked for for longest are
 * removed; they are written again when somebody asks. A single file of more is refused.
 *
 * Ten million rows of 250 bytes have 2.5 GB as NDJSON, and some 6 GB in all formats together.
 */
export const KEPT_BYTES = 2 ** 34;

/** The writing of a file. Then 503. */
const WRITE_WITHIN_MS = 60 * 60_000;

/** How often a file is written anew if it was removed just when it was to be read. Then 503. */
const MOST_TRIES = 3;

/** Bytes of a file that are in memory at once for each of its readers. */
const READ_BYTES = 2 ** 18;

type KeptFilesSettings = {
  /** The folder in which they are. */
  readonly folder: string;
  /** Identifies the code that writes them. */
  readonly code: string;
  readonly mostBytes?: number;
};

type KeptFile = {
  readonly place: string;
  readonly bytes: number;
  readonly hash: string;
  /** When it was last changed, by the file system: never since it was written. */
  readonly changedAt: number;
};

/** What was asked for. */
type AskedFile = {
  /** The folder of its version's files. */
  readonly version: string;
  readonly kind: FileKind;
  readonly write: WriteFile;
  readonly scheduler: Scheduler;
};

/**
 * Files of versions in a folder, each written at its first request. A file is written elsewhere and
 * then renamed, and its name has the hash of its bytes: so what is found there is whole. A file's
 * folder is named by all that its bytes depend on.
 */
export class KeptFiles {
  readonly #settings: Required<KeptFilesSettings>;
  readonly #versions = new Set<string>();
  /** The files that are there or are being written, by their version's folder and their kind. */
  readonly #files = new Map<string, Promise<KeptFile>>();
  /** The bytes of the files that are there, by the same. */
  readonly #bytes = new Map<string, number>();
  /** The places of the files that were asked for since the start, the last one last. */
  readonly #asked = new Set<string>();
  #isClosed = false;

  constructor(settings: KeptFilesSettings) {
    this.#settings = { mostBytes: KEPT_BYTES, ...settings };
  }

  /** The files of a version of a block. */
  of(block: DatasetBlock, manifest: Manifest): VersionFiles {
    // A workbook has the titles too, which are no part of the version.
    const by = [this.#settings.code, process.versions, block, manifest];
    const hash = createHash('sha256').update(JSON.stringify(by)).digest('hex');
    const version = `${block.name}-${hash.slice(0, 20)}`;
    this.#versions.add(version);
    return {
      bytesOf: (kind) => this.#bytes.get(keyOf({ version, kind })),
      open: (kind, write, scheduler) => this.#open({ version, kind, write, scheduler }),
    };
  }

  /** Removes the files of other versions, and what killed processes left. */
  async removeOthers(): Promise<void> {
    const { folder } = this.#settings;
    await removeLeftBehind(folder);
    for (const name of await namesIn(folder)) {
      if (!VERSION_NAME.test(name) || this.#versions.has(name)) continue;
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }

  /** Ends what is being written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#files.values());
  }

  async #open(asked: AskedFile): Promise<FileOfVersion> {
    const key = keyOf(asked);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      let making = this.#files.get(key);
      if (making === undefined) {
        making = this.#find(asked).then((found) => found ?? this.#write(asked));
        this.#files.set(key, making);
      }
      try {
        const file = await making;
        this.#bytes.set(key, file.bytes);
        this.#asked.delete(file.place);
        this.#asked.add(file.place);
        if (await isUnchanged(file)) return opened(file);
      } catch (error) {
        this.#forget(key, making);
        // A disk that is full, or a folder that may not be written, is no fault of the request.
        throw storeUnavailable(error);
      }
      // A person or another start has removed or changed it, or it had to make room.
      this.#forget(key, making);
    }
    throw storeUnavailable(new Error(`${key} is removed again and again`));
  }

  #forget(key: string, making: Promise<KeptFile>): void {
    if (this.#files.get(key) === making) this.#files.delete(key);
  }

  async #find({ version, kind }: AskedFile): Promise<KeptFile | undefined> {
    const folder = path.join(this.#settings.folder, version);
    for (const name of await namesIn(folder)) {
      const [, hash, extension] = FILE_NAME.exec(name) ?? [];
      if (hash === undefined || extension !== kind.extension) continue;
      const file = await keptAt(path.join(folder, name), hash);
      // Read once in each start: what a person or a broken disk has changed is never served.
      if ((await hashOf(file)) === hash) return file;
      await rm(file.place, { force: true });
    }
    return undefined;
  }

  async #write({ version, kind, write, scheduler }: AskedFile): Promise<KeptFile> {
    const { folder, mostBytes } = this.#settings;
    // Those who ask may leave: the file is for later requests too.
    const caller = { isDownload: true, isGone: () => this.#isClosed };
    const budget = new Budget(scheduler, Number.POSITIVE_INFINITY, WRITE_WITHIN_MS, caller);
    return budget.inSlot('writeFile', async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${version}-${kind.extension.replaceAll('.', '-')}`;
      return inDraftFolder(folder, name, async (draft) => {
        const written = path.join(draft, 'file');
        const hash = await writeVersionFile(written, kind, write(budget), mostBytes);
        await mkdir(path.join(folder, version), { recursive: true, mode: 0o700 });
        const place = path.join(folder, version, `${hash}.${kind.extension}`);
        await rename(written, place);
        await this.#makeRoom(place);
        return keptAt(place, hash);
      });
    });
  }

  /** Removes the files that were not asked for for longest, until the others may stay. */
  async #makeRoom(written: string): Promise<void> {
    const { folder, mostBytes } = this.#settings;
    const all = await filesBelow(folder);
    let bytes = all.reduce((sum, file) => sum + file.bytes, 0);
    const order = new Map([...this.#asked].map((place, i) => [place, i]));
    const askedAt = ({ place }: (typeof all)[number]) => order.get(place) ?? -1;
    all.sort((a, b) => askedAt(a) - askedAt(b) || a.writtenAt - b.writtenAt);
    for (const file of all) {
      if (bytes <= mostBytes) return;
      if (file.place === written) continue;
      // Who reads it has it open.
      await rm(file.place, { force: true });
      this.#asked.delete(file.place);
      bytes -= file.bytes;
    }
  }
}

function keyOf({ version, kind }: Pick<AskedFile, 'version' | 'kind'>): string {
  return `${version}/${kind.extension}`;
}

/** The hash of a file's bytes, and its kind. */
const FILE_NAME = /^([0-9a-f]{64})\.([a-z.]+)$/;

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

async function filesBelow(folder: string) {
  const found: { place: string; bytes: number; writtenAt: number }[] = [];
  for (const version of await namesIn(folder)) {
    if (!VERSION_NAME.test(version)) continue;
    for (const name of await namesIn(path.join(folder, version))) {
      const place = path.join(folder, version, name);
      const known = await stat(place).catch(() => undefined);
      if (known !== undefined) found.push({ place, bytes: known.size, writtenAt: known.mtimeMs });
    }
  }
  return found;
}

async function keptAt(place: string, hash: string): Promise<KeptFile> {
  const { size, mtimeMs } = await stat(place);
  return { place, bytes: size, hash, changedAt: mtimeMs };
}

async function isUnchanged({ place, hash, bytes, changedAt }: KeptFile): Promise<boolean> {
  const now = await keptAt(place, hash).catch(() => undefined);
  return now?.bytes === bytes && now.changedAt === changedAt;
}

async function hashOf({ place, bytes }: KeptFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readFrom(place, 0, bytes)) hash.update(piece);
  return nameOf(hash);
}

function opened({ place, bytes, hash }: KeptFile): FileOfVersion {
  return { bytes, etag: `"${hash}"`, read: (from, to) => readFrom(place, from, to) };
}

async function* readFrom(place: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  const file = await open(place);
  try {
    for (let at = from; at < to; ) {
      const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, to - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error(`${place} has fewer bytes than it had`);
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
