import { ColumnCache, DEFAULT_CACHE_BYTES } from '../../src/columns/column-cache.ts';
import { hashesOnce } from '../../src/import/seed-files.ts';
import { VersionFolders } from '../../src/local/version-folders.ts';

export type FolderStoreSettings = {
  readonly cacheBytes?: number;
  readonly rowsPerChunk?: number;
  readonly code?: string;
  readonly build?: string;
  readonly onProgress?: (line: string) => void;
};

/** A server's store in a folder, as a start of some code opens it. */
export function folderStore(
  folder: string,
  seedData: string,
  { rowsPerChunk, ...more }: FolderStoreSettings = {},
): Promise<VersionFolders> {
  const { cacheBytes = DEFAULT_CACHE_BYTES, code = 'some code', build = 'a build' } = more;
  const { onProgress = () => {} } = more;
  return VersionFolders.in({
    folder,
    importedBy: { code, build, hashOfFile: hashesOnce(seedData), rowsPerChunk },
    cache: new ColumnCache(cacheBytes),
    onProgress,
  });
}
