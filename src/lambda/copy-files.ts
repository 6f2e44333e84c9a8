import { CopyObjectCommand, DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { retry } from '../work/waiting.ts';
import { s3Settings } from './aws-settings.ts';
import { patienceOf } from './check-version.ts';

/** What a stack tells of files that a deployment copies into a bucket. */
export type CopiedFiles = {
  readonly Bucket: string;
  /** The bucket that the CDK has uploaded them to. */
  readonly From: string;
  readonly Files: readonly {
    /** The keys there and here. */
    readonly Uploaded: string;
    readonly Key: string;
    readonly ContentType: string;
    readonly ContentDisposition: string;
    readonly CacheControl: string;
  }[];
};

/** The client of both; it tries each request once, since these try again. */
export const newS3Client = () => new S3Client({ ...s3Settings(), maxAttempts: 1 });

/** Copies files within S3. Each is at most 5 GB, which S3 copies at once: the build sees to it. */
export async function copyFiles(
  client: S3Client,
  { Bucket, From, Files }: CopiedFiles,
  signal: AbortSignal,
): Promise<void> {
  const patience = patienceOf(signal);
  const copies = Files.map(({ Uploaded, ...told }) => {
    const copy = new CopyObjectCommand({
      ...{ Bucket, CopySource: `${From}/${Uploaded}`, ...told },
      ...{ MetadataDirective: 'REPLACE', TaggingDirective: 'REPLACE' },
    });
    return retry(() => client.send(copy, { abortSignal: signal }), patience);
  });
  await Promise.all(copies);
}

/** Removes them. A file that is not there is none to S3. */
export async function removeFiles(
  client: S3Client,
  { Bucket, Files }: CopiedFiles,
  signal: AbortSignal,
): Promise<void> {
  const patience = patienceOf(signal);
  for (const { Key } of Files) {
    const removal = new DeleteObjectCommand({ Bucket, Key });
    await retry(() => client.send(removal, { abortSignal: signal }), patience);
  }
}
