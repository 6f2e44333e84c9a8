import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { partOf } from '../../lib/blockyard-stack.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import { builtService, type Resource, synthesizeUnchecked } from '../support/deployment.ts';
import { stepsBefore, stepsOf } from '../support/deployment-walk.ts';
import { cleanUp } from '../support/process.ts';

let service: BuiltService;
let stack: ReturnType<typeof synthesizeUnchecked>;
beforeAll(async () => {
  service = await builtService();
  stack = synthesizeUnchecked(service);
});
afterAll(cleanUp);

const datasets = () => service.blocks.filter(({ files }) => files !== undefined);
const buckets = () => stack.ofType('AWS::S3::Bucket');

type Statement = {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a template's references
  readonly Resource: any;
  /** The roles that have it. */
  readonly roles: readonly string[];
};

/** All statements of the stack's roles that are about S3. */
const statementsOfS3 = (): Statement[] =>
  stack.ofType('AWS::IAM::Policy').flatMap(([, { Properties }]) => {
    const roles = Properties.Roles.map(({ Ref }: { Ref: string }) => Ref);
    const all: Statement[] = Properties.PolicyDocument.Statement;
    return all
      .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('s3:')))
      .map((one) => ({ ...one, roles }));
  });

describe('the buckets of files', () => {
  test('one in each part with datasets, which nothing but its functions reads', () => {
    expect(buckets()).toHaveLength(new Set(datasets().map(({ block }) => partOf(block.name))).size);
    for (const [, { Properties }] of buckets()) {
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
          ],
        },
      });
      expect(Properties.BucketName).toBeUndefined();
    }
  });

  test('take TLS alone, and let no one in by a policy', () => {
    const policies = stack.ofType('AWS::S3::BucketPolicy');
    expect(policies).toHaveLength(buckets().length);
    for (const [, { Properties }] of policies) {
      expect(Properties.PolicyDocument.Statement).toEqual([
        expect.objectContaining({
          Effect: 'Deny',
          Action: 's3:*',
          Principal: { AWS: '*' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ]);
    }
  });

  test('let pages of any origin read, also of none, with the headers that a reader needs', () => {
    for (const [, { Properties }] of buckets()) {
      expect(Properties.CorsConfiguration.CorsRules).toEqual([
        {
          AllowedOrigins: ['*'],
          AllowedMethods: ['GET', 'HEAD'],
          AllowedHeaders: ['*'],
          ExposedHeaders: expect.arrayContaining([
            ...['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length'],
          ]),
          MaxAge: 7200,
        },
      ]);
    }
  });

  test('go with the stack, with all that is in them, or stay where that is wanted', () => {
    const policies = (of: typeof stack) =>
      ['AWS::S3::Bucket', 'Custom::BlockFiles']
        .flatMap((type) => of.ofType(type))
        .map(([, { DeletionPolicy }]) => DeletionPolicy);
    expect(new Set(policies(stack))).toEqual(new Set(['Delete']));
    const retained = synthesizeUnchecked(service, { removalPolicy: 'retain' });
    expect(new Set(policies(retained))).toEqual(new Set(['Retain']));
  });
});

describe('the files of a version', () => {
  const placed = () => stack.ofType('Custom::BlockFiles');

  test('are copied from what the CDK uploads, each with its type and the name that it is saved by', () => {
    expect(placed()).toHaveLength(datasets().length);
    for (const { block, files, manifest } of datasets()) {
      const [, { Properties }] = placed().find(([id]) =>
        id.startsWith(`${block.name.replaceAll('-', '')}Files`),
      ) as [string, Resource];
      expect(Properties.Files).toEqual(
        files?.files.map(({ extension, contentType, key }) => ({
          Uploaded: expect.stringMatching(/^blockyard-files-[0-9a-f]{20}-[a-z-]+\.[a-z]+$/),
          Key: key,
          ContentType: contentType,
          ContentDisposition: `attachment; filename="${block.name}-${manifest?.version}.${extension}"`,
          CacheControl: 'max-age=31536000, immutable',
        })),
      );
      const keys: string[] = Properties.Files.map(({ Key }: { Key: string }) => Key);
      expect(keys.every((key) => key.startsWith(`${block.name}/${files?.hash}/`))).toBe(true);
      expect(JSON.stringify(Properties.From)).toContain('cdk-hnb659fds-assets-');
    }
  });

  test('are there before the version is, which is told their bucket, and before any check', () => {
    const steps = stepsOf(stack);
    for (const { block } of datasets()) {
      const start = block.name.replaceAll('-', '');
      const idOf = (type: string) =>
        stack.ofType(type).find(([id]) => id.startsWith(start))?.[0] ?? '';
      const part = `Part${partOf(block.name)}`;
      const files = `${part}/${idOf('Custom::BlockFiles')}`;
      for (const type of ['AWS::Lambda::Version', 'AWS::Lambda::Alias']) {
        expect(stepsBefore(steps, `${part}/${idOf(type)}`)).toContain(files);
      }
      const [, { Properties }] = stack
        .ofType('AWS::Lambda::Function')
        .find(([id]) => id.startsWith(start)) as [string, Resource];
      expect(Properties.Environment.Variables).toMatchObject({
        FILES: './files.json',
        FILES_BUCKET: { Ref: expect.stringMatching(/FilesBucket/) },
      });
    }
  });

  test('of another content have another name in the stack, so that the old ones stay as long as their version', () => {
    const ids = (of: typeof stack) => of.ofType('Custom::BlockFiles').map(([id]) => id);
    const [first] = datasets();
    const blocks = service.blocks.map((built) =>
      built === first && built.files !== undefined
        ? { ...built, files: { ...built.files, hash: '0123456789abcdef0123' } }
        : built,
    );
    const after = ids(synthesizeUnchecked({ ...service, blocks }));
    expect(after.filter((id) => ids(stack).includes(id))).toHaveLength(after.length - 1);
    expect(after.join()).toContain('0123456789abcdef0123');
  });
});

describe('permissions', () => {
  test("a block's function reads the files of its block, and no others", () => {
    for (const { block, files } of service.blocks) {
      const start = block.name.replaceAll('-', '');
      const own = statementsOfS3().filter(({ roles }) => roles.join().startsWith(start));
      expect(own.map(({ Action, Effect }) => [Action, Effect])).toEqual(
        files === undefined ? [] : [['s3:GetObject', 'Allow']],
      );
      for (const { Resource: resource } of own) {
        expect(resource['Fn::Join'][1]).toEqual([
          { 'Fn::GetAtt': [expect.stringMatching(/FilesBucket/), 'Arn'] },
          `/${block.name}/*`,
        ]);
      }
    }
  });

  test("the check reads this stack's uploaded files, writes into its part's bucket, and no other role does", () => {
    const others = statementsOfS3().filter(
      ({ roles }) =>
        !datasets().some(({ block }) => roles[0]?.startsWith(block.name.replaceAll('-', ''))),
    );
    expect(others).toHaveLength(2 * buckets().length);
    for (const { Action, Resource: resource, roles } of others) {
      expect(roles.join()).toMatch(/CheckRole/);
      const told = JSON.stringify(resource);
      if (Action === 's3:GetObject') {
        expect(told).toMatch(/cdk-hnb659fds-assets-.*\/blockyard-files-\*"/);
        continue;
      }
      expect(Action).toEqual(['s3:DeleteObject', 's3:PutObject']);
      expect(told).toMatch(/FilesBucket.*"\/\*"/);
    }
  });
});
