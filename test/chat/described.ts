import path from 'node:path';
import type { Block } from '../../src/block/block.ts';
import { type BlockDescription, describeBlock } from '../../src/block/describe-block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { ROOT } from '../support/service.ts';

/** The checkout's blocks, and what a service says of them. */
export const blocks: Block[] = (await loadBlocks(path.join(ROOT, 'functions'))).map(
  ({ block }) => block,
);

export const descriptions: BlockDescription[] = blocks.map((block) =>
  JSON.parse(describeBlock(block)),
);

export function described(name: string): BlockDescription {
  const found = descriptions.find((block) => block.name === name);
  if (found === undefined) throw new Error(`There is no block ${name}.`);
  return found;
}
