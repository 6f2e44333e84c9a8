import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { s3Settings } from './aws-settings.ts';

/** How long an address of a file that a function signs can be read. */
const SIGNED_FOR_S = 3600;

/** Attempts of one request to the bucket. Then 503. */
const MOST_ATTEMPTS = 2;

/** An attempt to read from the bucket: until its answer begins; its connection. */
const REQUEST_WITHIN_MS = 1000;
const CONNECT_WITHIN_MS = 500;

/** A part of an object, which must still be the one with this ETag. */
type AskedPart = {
  readonly key: string;
  readonly etag: string;
  readonly from: number;
  readonly to: number;
};

/** Reads the objects of a bucket, and signs addresses by which others read them. */
export function bucketReader(Bucket: string) {
  const client = new S3Client({
    ...s3Settings(),
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      throwOnRequestTimeout: true,
    },
  });
  return {
    /** The strong ETag of an object. Throws if it has another length. */
    async etagOf(Key: string, bytes: number): Promise<string> {
      const asked = new HeadObjectCommand({ Bucket, Key });
      const { ContentLength, ETag } = await client.send(asked);
      if (ContentLength === bytes && ETag !== undefined) return ETag;
      throw new Error(`${Key} has ${ContentLength} bytes; the build wrote ${bytes}.`);
    },
    async read({ key: Key, etag: IfMatch, from, to }: AskedPart): Promise<Uint8Array> {
      if (from === to) return new Uint8Array();
      const Range = `bytes=${from}-${to - 1}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range, IfMatch }));
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      if (bytes.length === to - from) return bytes;
      throw new Error(`${Key} gave ${bytes.length} bytes from ${from} to ${to}.`);
    },
    address(Key: string): Promise<string> {
      const asked = new GetObjectCommand({ Bucket, Key });
      return getSignedUrl(client, asked, { expiresIn: SIGNED_FOR_S });
    },
  };
}
