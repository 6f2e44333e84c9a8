import { readArgumentsOf } from '../arguments/arguments.ts';
import type { ReadArguments } from '../arguments/given.ts';
import { type KnownNames, knownNamesOf } from '../arguments/names.ts';
import type { Block, DatasetBlock } from '../block/block.ts';
import { describeBlock } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import { oneRowOf } from '../block/row-key.ts';
import type { Dataset, RunValue } from '../query/run.ts';
import type { Boundaries } from '../values/places.ts';

/** A block with all that is needed to answer its requests. */
export type ServedBlock = {
  readonly block: Block;
  /** The names that its requests may have. */
  readonly known: KnownNames;
  readonly readArguments: ReadArguments;
  /** Where its answers come from. */
  readonly source: Dataset | RunValue;
  /** The block's description as JSON text, made on first use. */
  readonly description: () => string;
  /** The manifest of its dataset, if it answers with rows. */
  readonly manifest?: Manifest;
  /** The dataset's profile, for the block's page. */
  readonly profile?: () => DatasetProfile;
  /** The shapes of the regions that its rows are about. */
  readonly boundaries?: () => Boundaries;
  /** HTML that is the same on all of its pages, by name: each part of the form once it was rendered. */
  readonly kept: Map<string, string>;
};

/** A block whose answers have rows. */
export type ServedDataset = ServedBlock & {
  readonly block: DatasetBlock;
  readonly source: Dataset;
};

export function isOfDataset(served: ServedBlock): served is ServedDataset {
  return typeof served.source !== 'function';
}

/** How a block takes arguments. */
type Asked = Pick<ServedBlock, 'block' | 'known' | 'readArguments'>;

function askedOf<T extends Block>(block: T, atBlock?: KnownNames): Asked & { readonly block: T } {
  const known = knownNamesOf(block, atBlock);
  return { block, known, readArguments: readArgumentsOf(block, known) };
}

export function serveDataset(
  dataset: Dataset,
  more: Pick<ServedBlock, 'boundaries' | 'profile'> = {},
): ServedBlock {
  const { block, manifest } = dataset;
  const description = once(() => describeBlock(block, manifest));
  return { ...askedOf(block), manifest, ...more, source: dataset, description, kept: new Map() };
}

export function serveValue(block: Block, run: RunValue): ServedBlock {
  return {
    ...askedOf(block),
    source: run,
    description: once(() => describeBlock(block)),
    kept: new Map(),
  };
}

/** A served dataset as the addresses of its rows take arguments. */
export function serveOneRow(served: ServedDataset): ServedDataset {
  return { ...served, ...askedOf(oneRowOf(served.block), served.known) };
}

/** Calls `make` on first use and keeps the result. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
