import { createHash } from 'node:crypto';
import type { Construct } from 'constructs';
import { BlockPart, type BlockPartProps } from './block-part.ts';

/**
 * Never to be changed: a block would move to another part, and API Gateway refuses the new route
 * while the old one is there, which CloudFormation deletes last.
 */
const PARTS = 12;

/** With keys and an id of its own, a block has 22 resources; a stack may have 500. */
const MOST_BLOCKS = 25;

/** DynamoDB runs 50 imports at once in an account's region; ten are left to others. */
const MOST_IMPORTS = 40;

/**
 * Makes the parts that have blocks. A block's part follows from its name alone, so that no block
 * moves when another one comes or goes.
 */
export function blockParts(scope: Construct, { blocks, ...props }: BlockPartProps): BlockPart[] {
  const parts = Array.from({ length: PARTS }, (_, i) => i + 1).flatMap((number) => {
    const some = blocks.filter(({ block }) => partOf(block.name) === number);
    if (some.length === 0) return [];
    if (some.length <= MOST_BLOCKS) {
      return [new BlockPart(scope, `Part${number}`, { ...props, blocks: some })];
    }
    const names = some.map(({ block }) => block.name).join(', ');
    throw new Error(
      `part ${number} of the stack has ${some.length} blocks, and a part takes ${MOST_BLOCKS}: ${names}. Rename one, or deploy some of them under another stackName.`,
    );
  });
  inWaves(parts);
  return parts;
}

/** From 1 to 12, by the name's hash. */
export function partOf(name: string): number {
  return 1 + (createHash('sha256').update(name).digest().readUInt32BE() % PARTS);
}

/** Lets parts wait for others, so that no more tables than DynamoDB takes are imported at once. */
function inWaves(parts: readonly BlockPart[]): void {
  let before: BlockPart[] = [];
  let wave: BlockPart[] = [];
  let tables = 0;
  for (const part of parts) {
    if (tables + part.tables > MOST_IMPORTS) {
      before = wave;
      wave = [];
      tables = 0;
    }
    wave.push(part);
    tables += part.tables;
    for (const one of before) part.addStackDependency(one);
  }
}
