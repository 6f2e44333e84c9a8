import { constants, copyFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CfnElement,
  type CustomResource,
  FileAssetPackaging,
  type RemovalPolicy,
  Stack,
  Stage,
  Validations,
} from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { BuiltFiles } from '../src/build/build-files.ts';
import type { CopiedFiles } from '../src/lambda/copy-files.ts';
import type { DeploymentCheck } from './deployment-check.ts';

type FilesBucketProps = {
  /** The service that they belong to; what is uploaded for it begins with its name. */
  readonly service: string;
  /** Its function copies them, and removes them. */
  readonly check: DeploymentCheck;
  /** What becomes of the bucket, and of files, when they go out of the stack. */
  readonly removalPolicy: RemovalPolicy;
};

/** What a page of another origin may read of an answer of the bucket. */
const EXPOSED = ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'Content-Range', 'ETag'];

/** How long a browser may remember what it was allowed, in seconds: Chromium's bound. */
const ALLOWED_FOR_S = 7200;

/**
 * The bucket with the files of a part's blocks. Only the blocks' functions can read it, and a client
 * by an address that one of them has signed.
 */
export class FilesBucket extends Construct {
  readonly bucket: Bucket;
  readonly #props: FilesBucketProps;
  #isFilled = false;

  constructor(scope: Construct, id: string, props: FilesBucketProps) {
    super(scope, id);
    this.#props = props;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: props.removalPolicy,
      cors: [
        {
          // After a redirect, a browser calls its origin `null`.
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ['*'],
          exposedHeaders: EXPOSED,
          maxAge: ALLOWED_FOR_S,
        },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: "API Gateway's access log has each request that an address is signed for.",
    });
  }

  /** Puts the files of a version into the bucket, for as long as the version is in the stack. */
  place(scope: Construct, { hash, files, named }: BuiltFiles): CustomResource {
    const { service, check, removalPolicy } = this.#props;
    let From = '';
    const Files = files.map(({ file, key, contentType, extension }) => {
      // In its key, so that nothing else that the CDK has uploaded is the check's to read.
      const sourceHash = `${uploadedFor(service)}${hash}-${extension.replaceAll('.', '-')}`;
      const uploaded = this.#upload(file, sourceHash);
      From = uploaded.bucketName;
      return {
        ...{ Uploaded: uploaded.objectKey, Key: key, ContentType: contentType },
        ContentDisposition: `attachment; filename="${named}.${extension}"`,
        CacheControl: 'max-age=31536000, immutable',
      };
    });
    if (!this.#isFilled) check.letCopy(From, `${uploadedFor(service)}*`, this.bucket);
    this.#isFilled = true;
    const properties: CopiedFiles = { Bucket: this.bucket.bucketName, From, Files };
    return check.copy(scope, `Files${hash}`, { properties, removalPolicy });
  }

  /** Has the CDK upload a file, whose key then begins so. */
  #upload(file: string, sourceHash: string) {
    const { outdir = '.' } = Stage.of(this) ?? {};
    // An assembly has all that it uploads, wherever it is deployed from.
    const fileName = `asset.${sourceHash}${path.extname(file)}`;
    copyFileSync(file, path.join(outdir, fileName), constants.COPYFILE_FICLONE);
    const packaging = FileAssetPackaging.FILE;
    return Stack.of(this).synthesizer.addFileAsset({ fileName, packaging, sourceHash });
  }

  /** Lets a block's function read the block's files, of all versions. */
  grantRead(role: Role, block: string): void {
    const resources = [this.bucket.arnForObjects(`${block}/*`)];
    role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources }));
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnElement);
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${block}/*]`,
      reason: "The files of all versions of the block: an old version's are read until they go.",
    });
  }
}

function uploadedFor(service: string): string {
  return `${service}-files-`;
}
