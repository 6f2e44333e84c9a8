import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FileKind, fileKindsOf, type ListedFile } from '../formats/files.ts';
import { holds } from '../formats/formats.ts';
import { piecesOfVersion } from '../http/present-data.ts';
import type { ServedDataset } from '../http/served-block.ts';
import { writeVersionFile } from '../import/write-version-file.ts';
import type { PlacedFiles } from '../lambda/bucket-files.ts';
import { Problem } from '../problem/errors.ts';
import { Budget } from '../work/budget.ts';
import { Scheduler } from '../work/scheduler.ts';

/** The files that programs open in place, as a stack deploys them. */
export type BuiltFiles = {
  /** Identifies their bytes, and all that the bucket tells of them. */
  readonly hash: string;
  /** What they are saved as, without their endings. */
  readonly named: string;
  readonly files: readonly BuiltFile[];
  /** The most bytes of those that are not written because they are longer, by their endings. */
  readonly tooLong: PlacedFiles['tooLong'];
};

/** A file on this machine, and what it is in the bucket. */
export type BuiltFile = FileKind & {
  readonly file: string;
  readonly bytes: number;
  readonly key: string;
};

/** A file of a version that is deployed: S3 copies 5 GB at once. A longer one is refused: 400. */
const FILE_BYTES = 5_000_000_000;

/** A GeoJSON file of a version that is deployed. A longer one is refused: 400. */
const GEOJSON_BYTES = 1_000_000_000;

const mostBytesOf = ({ format }: FileKind) => (format === 'geojson' ? GEOJSON_BYTES : FILE_BYTES);

/** The writing of a file by the build. Then the build fails. */
const WRITTEN_WITHIN_MS = 6 * 60 * 60_000;

/**
 * Writes the files of a version into a folder, Excel too: a function has no time to. `mostOf` is how
 * many bytes a file may have.
 */
export async function buildFiles(
  served: ServedDataset,
  folder: string,
  mostOf: (kind: FileKind) => number = mostBytesOf,
): Promise<BuiltFiles> {
  const { block, manifest } = served;
  const named = `${block.name}-${manifest.version}`;
  const all = createHash('sha256').update(named);
  const written: Omit<BuiltFile, 'key'>[] = [];
  const tooLong: Record<string, number> = {};
  for (const kind of fileKindsOf(block.formats)) {
    const { format, extension, contentType } = kind;
    if (!holds(format, manifest.rows)) continue;
    const file = path.join(folder, `${named}.${extension}`);
    const most = mostOf(kind);
    const budget = new Budget(new Scheduler(), Number.POSITIVE_INFINITY, WRITTEN_WITHIN_MS);
    try {
      const pieces = piecesOfVersion(served, format, budget);
      const hash = await writeVersionFile(file, kind, pieces, most);
      all.update(`\n${extension} ${contentType} ${hash}`);
      const { size: bytes } = await stat(file);
      written.push({ ...kind, file, bytes });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'result-too-large') throw error;
      await rm(file, { force: true });
      tooLong[extension] = most;
    }
  }
  const hash = all.digest('hex').slice(0, 20);
  const keyOf = (extension: string) => `${block.name}/${hash}/${named}.${extension}`;
  const files = written.map((one) => ({ ...one, key: keyOf(one.extension) }));
  return { hash, named, files, tooLong };
}

/** The same as documents and pages name them. */
export function listedFiles({ files }: BuiltFiles): ListedFile[] {
  return files.map(({ file: _file, key: _key, ...listed }) => listed);
}

/** The same as a function knows them. */
export function placedFiles({ files, tooLong }: BuiltFiles): PlacedFiles {
  const placed = files.map(({ extension, key, bytes }) => [extension, { key, bytes }] as const);
  return { files: Object.fromEntries(placed), tooLong };
}
