import {
  AssetHashType,
  type CfnElement,
  type RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  InputCompressionType,
  InputFormat,
  Table,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct, type IConstruct } from 'constructs';
import type { BuiltTable } from '../src/build/build-block.ts';

export type DatasetTableProps = {
  readonly table: BuiltTable;
  /** What becomes of it when it goes out of the stack. */
  readonly removalPolicy: RemovalPolicy;
};

/**
 * The table of one version of a dataset, filled by DynamoDB's own import on creation. Its logical
 * id contains the version: changed data get a new table, and the old one is removed only when
 * nothing in the stack needs it any more.
 */
export class DatasetTable extends Construct {
  readonly table: Table;
  /** The ARNs by which its rows are read: its own, and all of its indexes in one. */
  readonly arns: readonly string[];
  readonly #version: string;

  constructor(scope: Construct, id: string, { table: built, removalPolicy }: DatasetTableProps) {
    super(scope, id);
    const { shape, version, file } = built;
    const { GlobalSecondaryIndexes: indexes = [] } = shape;
    // Hashed by the items' version, since a gzipped file's bytes differ from machine to machine.
    const items = new Asset(this, `Items${version}`, {
      path: file,
      assetHash: version,
      assetHashType: AssetHashType.CUSTOM,
    });
    this.table = new Table(this, `Version${version}`, {
      ...keysOf(shape.KeySchema),
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy,
      importSource: {
        bucket: items.bucket,
        keyPrefix: items.s3ObjectKey,
        inputFormat: InputFormat.dynamoDBJson(),
        compressionType: InputCompressionType.GZIP,
      },
    });
    for (const { IndexName, KeySchema } of indexes) {
      this.table.addGlobalSecondaryIndex({ indexName: IndexName as string, ...keysOf(KeySchema) });
    }
    this.#version = version;
    const { tableArn } = this.table;
    this.arns = indexes.length === 0 ? [tableArn] : [tableArn, `${tableArn}${INDEXES}`];
    Validations.of(this.table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Derived data: the next deploy makes the table again from its file.',
    });
  }

  /**
   * Lets a role read only the table and its indexes. Each version has its own policy: the old one
   * is removed with its table, so functions that still run on that table may read it.
   */
  grantRead(role: IRole): Policy {
    const policy = new Policy(this, `Read${this.#version}`, {
      roles: [role],
      statements: [
        new PolicyStatement({
          actions: ['dynamodb:Query', 'dynamodb:BatchGetItem'],
          resources: [...this.arns],
        }),
      ],
    });
    this.acknowledgeIndexes(policy);
    return policy;
  }

  /** Says why a policy has a wildcard for the indexes. */
  acknowledgeIndexes(policy: IConstruct): void {
    const table = Stack.of(this).getLogicalId(this.table.node.defaultChild as CfnElement);
    Validations.of(policy).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${table}.Arn>${INDEXES}]`,
      reason: 'The indexes of this one table: by name, twenty would fill a policy.',
    });
  }
}

const INDEXES = '/index/*';

function keysOf(schema: BuiltTable['shape']['KeySchema'] = []): {
  partitionKey: Attribute;
  sortKey: Attribute;
} {
  const [partitionKey, sortKey] = schema.map(({ AttributeName }) => ({
    name: AttributeName as string,
    type: AttributeType.STRING,
  }));
  if (partitionKey === undefined || sortKey === undefined) {
    throw new TypeError('A table and an index have two keys.');
  }
  return { partitionKey, sortKey };
}
