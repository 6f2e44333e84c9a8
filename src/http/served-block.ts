import type { Block } from '../block/block.ts';
import { describeBlock } from '../block/describe-block.ts';
import type { Boundaries } from '../block/geometry.ts';
import type { Manifest } from '../block/manifest.ts';
import type { DatasetProfile } from '../page/dataset-profile.ts';
import type { Dataset } from '../query/run-dataset.ts';
import type { RunValue } from '../query/run-value.ts';

/** A block with all that it needs to be answered. */
export type ServedBlock = {
  readonly block: Block;
  /** Where its answers are from. */
  readonly source: Dataset | RunValue;
  /** The block's description, as JSON text; made when it is first asked for. */
  readonly description: () => string;
  /** Of the dataset that its rows are of. */
  readonly manifest?: Manifest;
  /** For its page. */
  readonly profile?: () => DatasetProfile;
  /** The shapes of its rows' regions. */
  readonly boundaries?: () => Boundaries;
};

export function serveDataset(
  dataset: Dataset,
  more: Pick<ServedBlock, 'boundaries' | 'profile'> = {},
): ServedBlock {
  const { block, manifest } = dataset;
  const description = once(() => describeBlock(block, manifest));
  return { block, manifest, ...more, source: dataset, description };
}

export function serveValue(block: Block, run: RunValue): ServedBlock {
  return { block, source: run, description: once(() => describeBlock(block)) };
}

/** Makes a thing when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
