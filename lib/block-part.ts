import { NestedStack } from 'aws-cdk-lib';
import type { IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BuiltBlock } from '../src/build/build-block.ts';
import { BlockService } from './block-service.ts';
import type { BlocksApi } from './blocks-api.ts';
import { DeploymentCheck } from './deployment-check.ts';
import type { DeploymentOptions } from './deployment-options.ts';

export type BlockPartProps = {
  readonly blocks: readonly BuiltBlock[];
  readonly api: BlocksApi;
  /** The folder of the code that checks new versions. */
  readonly check: string;
  readonly options: DeploymentOptions;
};

/**
 * A part of a service's blocks, as a nested stack: their tables, functions and routes. It has a check
 * of its own, since one role for all blocks would need more policies than IAM lets it have.
 */
export class BlockPart extends NestedStack {
  /** How many tables it may import at once. */
  readonly tables: number;
  readonly versions: readonly IVersion[];

  constructor(scope: Construct, id: string, props: BlockPartProps) {
    super(scope, id);
    const { blocks, api, check: code, options } = props;
    // Short, because AWS puts it into the names of all that is in the part.
    this.nestedStackResource?.overrideLogicalId(id);
    const check = new DeploymentCheck(this, 'Check', { code, options });
    const aliases = blocks.map(
      (built) => new BlockService(this, built.block.name, { built, check, options }).alias,
    );
    api.route(
      this,
      blocks.map(({ block, table }, i) => ({
        addresses: [...new Set([block.id, block.name])],
        function: aliases[i] as IFunction,
        streams: table !== undefined,
      })),
    );
    this.tables = blocks.filter(({ table }) => table !== undefined).length;
    this.versions = aliases.map(({ version }) => version);
  }
}
