import { checkExamples } from '../arguments/check-examples.ts';
import { DYNAMODB } from '../dynamodb/storage.ts';
import { serveDataset } from '../http/serve-dataset.ts';
import { type ServedBlock, serveValue } from '../http/served-block.ts';
import { importDataset } from '../import/import-dataset.ts';
import type { LoadedBlock } from '../import/load-blocks.ts';
import type { HashOfFile } from '../import/seed-files.ts';
import { numberText } from '../text/wording.ts';
import { fewAtOnce } from '../work/waiting.ts';
import type { KeptFiles } from './kept-files.ts';
import { withPicture } from './version-folders.ts';
import type { ToImport, VersionStore } from './version-store.ts';

type PrepareSettings = {
  readonly store: VersionStore;
  readonly seedData: string;
  /** Known hashes of the files in `seed-data/`. */
  readonly hashOfFile?: HashOfFile;
  /** Where the files of versions are kept; datasets have none if absent. */
  readonly keptFiles?: KeptFiles;
  /** For tests: makes chunks of fewer rows than usual. */
  readonly rowsPerChunk?: number;
};

/** A block that is ready to be served, and lines that report what was done for it. */
export type PreparedBlock = {
  readonly served: ServedBlock;
  readonly report: readonly string[];
};

/**
 * Blocks that `npm start` reads, or imports, at once. While one waits for its file, others are read;
 * more would only fill the memory.
 */
const BLOCKS_AT_ONCE = 8;

/** Opens the version of each dataset, and makes what computes a value. */
export function prepareBlocks(
  loaded: readonly LoadedBlock[],
  settings: PrepareSettings,
): Promise<PreparedBlock[]> {
  const { seedData } = settings;
  return fewAtOnce(loaded, BLOCKS_AT_ONCE, async (entry) => {
    if (entry.kind === 'dataset') return prepareDataset(entry, settings);
    checkExamples(entry.block);
    entry.checkSeedData?.(seedData);
    const served = serveValue(entry.block, entry.createRun(seedData));
    return { served, report: [`${entry.block.name}: computed, no table`] };
  });
}

async function prepareDataset(entry: ToImport, settings: PrepareSettings): Promise<PreparedBlock> {
  const { block, dataset } = entry;
  const { store, seedData, keptFiles, ...given } = settings;
  const { version, rows, outcome } = await store.open(entry, async () => {
    // An earlier import was made with these same examples, so only a new one checks them.
    checkExamples(block);
    return withPicture(await importDataset(block, dataset, seedData, DYNAMODB, given));
  });
  const { manifest, notes, profile, boundaries } = version;
  return {
    served: serveDataset(
      { block, manifest, store: rows },
      {
        profile: () => profile,
        boundaries: boundaries === undefined ? undefined : () => boundaries,
        files: keptFiles?.of(block, manifest),
      },
    ),
    report: [
      `${block.name}: ${numberText(manifest.rows)} rows of seed-data/${dataset.file}, version ${manifest.version}, ${outcome}`,
      ...notes.map((note) => `  ${note}`),
    ],
  };
}
