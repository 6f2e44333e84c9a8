import { type FileHandle, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetBlock } from '../block/block.ts';
import type { ColumnCache } from '../columns/column-cache.ts';
import { packedRows } from '../columns/memory-rows.ts';
import { removeLeftBehind } from '../commands/workspace.ts';
import type { ImportedDataset } from '../import/import-dataset.ts';
import { type HashOfFile, hashesOnce } from '../import/seed-files.ts';
import type { OnProgress } from '../recipe/gather-evidence.ts';
import { profileWithPicture } from '../views/draw-picture.ts';
import { codeOf, type ImportedBy, importHash } from './import-hash.ts';
import {
  DESCRIPTION,
  fileSource,
  readVersion,
  type StoredVersion,
  writeVersion,
} from './version-files.ts';
import { columnRows, type OpenVersion, type ToImport, type VersionStore } from './version-store.ts';

/** Where versions are kept, in a folder of blocks. */
export const DATA_FOLDER = '.blockyard';

/** What versions in folders are opened and read by. */
export type FolderSettings = {
  /** The data folder; versions are below it. */
  readonly folder: string;
  readonly importedBy: ImportedBy;
  readonly cache: ColumnCache;
  readonly onProgress: OnProgress;
};

/**
 * Versions as folders, each with a file of all its columns and one that describes them. A folder is
 * written beside the others and then renamed, and never changes after that. A server holds the files
 * that it reads open, so that it can go on if another start removes their folders.
 */
export class VersionFolders implements VersionStore {
  readonly #settings: FolderSettings;
  readonly #versions: string;
  readonly #files = new Map<string, FileHandle>();
  /** What an earlier blockyard left in the data folder. */
  #earlier: readonly string[] = [];
  #isClosed = false;

  private constructor(settings: FolderSettings) {
    this.#settings = settings;
    this.#versions = versionsIn(settings.folder);
  }

  /** Makes the data folder if there is none. Tells if an earlier blockyard has left its data there. */
  static async in(settings: FolderSettings): Promise<VersionFolders> {
    const { folder, onProgress } = settings;
    const folders = new VersionFolders(settings);
    try {
      await mkdir(folders.#versions, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new Error(`${folder} cannot be a folder for data; set DATA_DIR to another`, { cause });
    }
    folders.#earlier = await earlierData(folder);
    if (folders.#earlier.length > 0) {
      onProgress(`The data in ${folder} are of an earlier blockyard: they are imported again.`);
    }
    return folders;
  }

  async open(entry: ToImport, make: () => Promise<ImportedDataset>): Promise<OpenVersion> {
    const { block } = entry;
    const hash = await importHash(this.#settings.importedBy, entry);
    const name = nameOf(block.name, hash);
    const folder = path.join(this.#versions, name);
    const stored = await readVersion(folder, hash).catch((damage) => {
      this.#tellDamage(block.name, damage, 'It is imported again.');
      return undefined;
    });
    if (stored !== undefined) return this.#serve(block, name, stored, 'already there');
    await writeVersion(this.#versions, name, hash, await make());
    const written = await readVersion(folder, hash);
    if (written === undefined) throw new Error(`${folder} was removed; start blockyard again`);
    return this.#serve(block, name, written, 'imported');
  }

  /** Removes other versions, what killed processes left, and data of an earlier blockyard. */
  async removeOthers(): Promise<void> {
    await removeLeftBehind(this.#versions);
    const isOther = (name: string) => VERSION_NAME.test(name) && !this.#files.has(name);
    const others = (await readdir(this.#versions)).filter(isOther);
    const removed = [...others.map((name) => path.join(this.#versions, name)), ...this.#earlier];
    for (const one of removed) await rm(one, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#files.values(), (file) => file.close()));
  }

  async #serve(
    block: DatasetBlock,
    name: string,
    { version, columns, file }: StoredVersion,
    outcome: OpenVersion['outcome'],
  ): Promise<OpenVersion> {
    // Another block may have stopped the start.
    if (this.#isClosed) await file.close();
    this.#files.set(name, file);
    let isNoted = false;
    const source = fileSource(columns, file, async (damage) => {
      if (isNoted || this.#isClosed) return;
      isNoted = true;
      this.#tellDamage(block.name, damage, 'Start blockyard again: that imports it anew.');
      // Then the next start imports it. If this fails, that one finds the damage too.
      await rm(path.join(this.#versions, name, DESCRIPTION), { force: true }).catch(() => {});
    });
    const rows = columnRows(block, version.manifest, source, this.#settings.cache);
    return { version, rows, outcome };
  }

  #tellDamage(block: string, { message }: Error, next: string): void {
    const [reason] = message.split('\n', 1);
    this.#settings.onProgress(`${block}: what is stored of it is damaged (${reason}). ${next}`);
  }
}

/**
 * Keeps an import of `add` or `refresh` for the next start, which would make the same one. A start
 * can do without it, so failures are ignored.
 */
export async function keepForStart(
  root: string,
  blocks: string,
  entry: ToImport,
  imported: ImportedDataset,
): Promise<void> {
  const { block, dataset } = entry;
  const { file, hash: known, toRows } = dataset;
  // A block's own code may depend on anything.
  if (toRows !== undefined) return;
  try {
    const read = hashesOnce(path.join(blocks, 'seed-data'));
    // The import has compared the file with this hash.
    const hashOfFile: HashOfFile = async (name) =>
      name === file && known !== undefined ? known.replace('sha256:', '') : read(name);
    const importedBy = { code: await codeOf(root, blocks), build: '', hashOfFile };
    const hash = await importHash(importedBy, entry);
    const versions = versionsIn(path.join(blocks, DATA_FOLDER));
    await writeVersion(versions, nameOf(block.name, hash), hash, await withPicture(imported));
  } catch {}
}

/** Draws the picture of all rows of an import, for its profile. */
export async function withPicture(imported: ImportedDataset): Promise<ImportedDataset> {
  const rows = packedRows(imported.block.fields, imported.columns);
  return { ...imported, profile: await profileWithPicture(imported, rows) };
}

function versionsIn(folder: string): string {
  return path.join(folder, 'versions');
}

/** The name of a version's folder: its block, and the beginning of its import's hash. */
function nameOf(block: string, hash: string): string {
  return `${block}-${hash.slice(0, 20)}`;
}

export const VERSION_NAME = /^[a-z0-9-]+-[0-9a-f]{20}$/;

/** What an earlier blockyard called its files: of LevelDB, and its own. */
const OF_EARLIER =
  /^(?:CURRENT|LOCK|LOG(?:\.old)?|MANIFEST-\d+|\d+\.(?:ldb|log|sst|dbtmp)|imports|store\.json|store-\d+)$/;

/**
 * Finds the database of an earlier blockyard in a data folder, or in `dynamodb`, where it was unless
 * DATA_DIR named another. Other files stay.
 */
async function earlierData(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const place of [folder, path.join(folder, 'dynamodb')]) {
    const names = await readdir(place).catch((): string[] => []);
    if (!names.includes('CURRENT') && !names.includes('store.json')) continue;
    found.push(
      ...names.filter((name) => OF_EARLIER.test(name)).map((name) => path.join(place, name)),
    );
  }
  return found;
}
