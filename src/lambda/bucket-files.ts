import {
  type FileKind,
  type FileOfVersion,
  fileTooLong,
  type VersionFiles,
} from '../formats/files.ts';
import { storeUnavailable } from '../problem/errors.ts';
import { once } from '../work/once.ts';

/** A file in the bucket: its key there, and its length. */
export type PlacedFile = { readonly key: string; readonly bytes: number };

/** The files of a version in the bucket, by the ends of their addresses. */
export type PlacedFiles = {
  readonly files: Readonly<Record<string, PlacedFile>>;
  /** The most bytes of those that are not there, by the same. */
  readonly tooLong: Readonly<Record<string, number>>;
};

/** Bytes of a file that a function reads from the bucket and answers with. More are read there: 302. */
export const PART_BYTES = 5_000_000;

/** The same without streaming, in base64. More are read there: 302. */
export const PART_IN_ONE_PIECE_BYTES = 4_400_000;

/** The files that a build has written and a deployment has put into a bucket. */
export function bucketFiles(
  bucket: string,
  { files, tooLong }: PlacedFiles,
  inOnePiece: boolean,
): VersionFiles {
  const reader = once(async () => (await loadBucket()).bucketReader(bucket));
  const opened = new Map<string, Promise<FileOfVersion>>();
  const above = inOnePiece ? PART_IN_ONE_PIECE_BYTES : PART_BYTES;
  const openAt = async ({ key, bytes }: PlacedFile): Promise<FileOfVersion> => {
    const { etagOf, read, address } = await reader();
    // Asked once in each function: every answer, and every address, then has the bucket's own.
    const etag = await etagOf(key, bytes);
    return {
      bytes,
      etag,
      async *read(from, to) {
        yield await read({ key, etag, from, to }).catch((error) => {
          throw storeUnavailable(error);
        });
      },
      elsewhere: { above, address: () => address(key) },
    };
  };
  const placeOf = ({ extension }: FileKind) => files[extension];
  return {
    has: (kind) => placeOf(kind) !== undefined,
    bytesOf: (kind) => placeOf(kind)?.bytes,
    async open(kind) {
      const place = placeOf(kind);
      if (place === undefined) throw fileTooLong(tooLong[kind.extension] ?? 0);
      const opening = opened.get(place.key) ?? openAt(place);
      opened.set(place.key, opening);
      try {
        return await opening;
      } catch (error) {
        opened.delete(place.key);
        throw storeUnavailable(error);
      }
    },
  };
}

/** Loads the client of S3 at the first request for a file; a function has it in a separate file. */
const loadBucket = () => import('./read-bucket.ts');
