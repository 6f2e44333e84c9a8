import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { BuiltBlock } from '../src/build/build-block.ts';
import { blockFunctionName } from '../src/lambda/block-function.ts';
import { DatasetTable } from './dataset-table.ts';
import type { DeploymentCheck } from './deployment-check.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { STREAM_TIMEOUT } from './function-settings.ts';
import { ServiceFunction } from './service-function.ts';

export type BlockServiceProps = {
  readonly built: BuiltBlock;
  /** Checks each new version before it gets a request. */
  readonly check: DeploymentCheck;
  readonly options: DeploymentOptions;
};

/** A block: its function, and its table if it has a dataset. */
export class BlockService extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, { built, check, options }: BlockServiceProps) {
    super(scope, id);
    const { block, code, environment, table } = built;
    const dataset =
      table === undefined ? undefined : new DatasetTable(this, 'Dataset', { table, options });
    const service = new ServiceFunction(this, 'Service', {
      functionName: blockFunctionName(options.stackName, block.name),
      description: `Block ${block.name}: ${block.title}`,
      code,
      environment: {
        ...environment,
        ...(dataset === undefined
          ? {}
          : {
              TABLE_NAME: dataset.table.tableName,
              COLUMN_CACHE_BYTES: String(options.columnCacheBytes),
            }),
      },
      reservedConcurrency: options.reservedConcurrency,
      ...(dataset === undefined ? {} : { timeout: STREAM_TIMEOUT }),
      options,
    });
    check.checkBefore({
      block: block.name,
      service,
      ...(dataset === undefined ? {} : { dataset, permission: dataset.grantRead(service.role) }),
    });
    this.alias = service.alias;
  }
}
