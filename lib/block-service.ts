import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { BuiltBlock } from '../src/build/build-block.ts';
import { DatasetTable } from './dataset-table.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { ServiceFunction } from './service-function.ts';

export type BlockServiceProps = {
  readonly built: BuiltBlock;
  readonly options: DeploymentOptions;
};

/** A block: its function, and where it has a dataset, its table. */
export class BlockService extends Construct {
  readonly alias: Alias;
  readonly aliasArn: string;

  constructor(scope: Construct, id: string, { built, options }: BlockServiceProps) {
    super(scope, id);
    const { block, code, environment, table } = built;
    const dataset =
      table === undefined ? undefined : new DatasetTable(this, 'Dataset', { table, options });
    const { role, alias, aliasArn, check } = new ServiceFunction(this, 'Service', {
      description: `Block ${block.name}: ${block.title}`,
      code,
      environment: {
        ...environment,
        ...(dataset === undefined
          ? {}
          : {
              TABLE_NAME: dataset.table.tableName,
              RESIDENT_BYTES: String(options.residentBytes),
            }),
      },
      reservedConcurrency: options.reservedConcurrency,
      options,
    });
    if (dataset !== undefined) check.executeAfter(dataset.grantQuery(role));
    this.alias = alias;
    this.aliasArn = aliasArn;
  }
}
