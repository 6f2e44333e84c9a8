import type { Block } from '../core/block.ts';
import { describeBlock } from '../core/describe-block.ts';
import { type Dataset, prepareDatasetRun } from '../core/run-dataset.ts';
import { prepareValueRun, type RunValue } from '../core/run-value.ts';
import type { ServedBlock } from './served-block.ts';

export function serveDataset(
  dataset: Dataset,
  more: Pick<ServedBlock, 'boundaries' | 'profile'> = {},
): ServedBlock {
  const { block, facts } = dataset;
  return {
    block,
    facts,
    ...more,
    prepare: (values, budget) => prepareDatasetRun(dataset, values, budget),
    description: once(() => describeBlock(block, facts)),
  };
}

export function serveValue(block: Block, run: RunValue): ServedBlock {
  return {
    block,
    prepare: (values) => prepareValueRun(run, values),
    description: once(() => describeBlock(block)),
  };
}

/** Makes a thing when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
