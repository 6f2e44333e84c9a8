import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { safeName } from '../fetch/fetch-file.ts';
import { numberText } from '../text/wording.ts';
import { DETECTED_BYTES, packingOf } from './detect-format.ts';
import { firstBytes } from './read-bytes.ts';
import { listed, SeedError } from './source-table.ts';
import { ZipParts } from './zip-parts.ts';

/** A packed file: by gzip, or in a zip archive. */
export type PackedFile = {
  /** Its own name, without a folder. */
  readonly file: string;
  /** Unpacks it into a new folder in `into`, and returns its path. Throws a SeedError. */
  unpack(into: string): Promise<string>;
};

/** An unpacked `.gz` or `.zip` file. */
const MOST_UNPACKED = 4 * 2 ** 30;

/**
 * How many times its packed size a file may have, if it has more than the second of these.
 *
 * Tables shrink to a hundredth at most, so a file that grows far beyond that was made to fill a
 * disk. A small file may grow by any factor.
 */
const MOST_RATIO = 250;
const SMALL = 64 * 2 ** 20;

/**
 * Finds the file in a packed one, without unpacking it. Undefined if the file is not packed. From a
 * zip archive of several, takes `innerPath`, or else `usual`. Throws a SeedError if the archive has
 * no such file.
 */
export async function packedIn(
  at: string,
  innerPath?: string,
  usual?: string,
  most = { bytes: MOST_UNPACKED, ratio: MOST_RATIO, small: SMALL },
): Promise<PackedFile | undefined> {
  const whole = path.resolve(at);
  const { dir: folder, base: given } = path.parse(whole);
  const packing = packingOf(await firstBytes({ folder, file: given }, DETECTED_BYTES), given);
  if (packing !== 'zip' && innerPath !== undefined) {
    throw new SeedError(given, `is no zip archive; leave out --file ${listed([innerPath])}`);
  }
  if (packing === undefined) return undefined;
  const packed = (file: string, bytes: () => AsyncIterable<Uint8Array>, size: number) => ({
    file,
    unpack: async (into: string) => {
      const target = path.join(await mkdtemp(path.join(into, 'unpacked-')), file);
      await pipeline(
        bounded(bytes(), given, size, most),
        createWriteStream(target, { flags: 'wx' }),
      );
      return target;
    },
  });
  if (packing === 'gzip') {
    const file = given.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar') || 'file';
    return packed(file, () => gunzipped(whole, given), (await stat(whole)).size);
  }
  const zip = await ZipParts.open(whole, given);
  const name = nameIn(zip, given, innerPath, usual);
  const file = safeName(name) || 'file';
  return packed(file, () => zip.bytes(name, most.bytes), zip.packedSize(name));
}

/** The name of the wanted file in an archive, ignoring what a file manager adds. */
function nameIn(
  zip: ZipParts,
  given: string,
  asked: string | undefined,
  usual: string | undefined,
): string {
  const names = zip
    .names()
    .filter((name) => !/(?:^|\/)(?:\.|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/i.test(name));
  const [first] = names;
  if (first === undefined)
    throw new SeedError(given, 'a zip archive without a file; give the file of the table itself');
  if (asked === undefined && names.length === 1) return first;
  const innerPath = asked ?? usual;
  const called = (of: (name: string) => string) =>
    names.filter((name) => of(name).toLowerCase() === innerPath?.toLowerCase());
  const [exact] = called((name) => name);
  const [alone, ...others] = called((name) => path.posix.basename(name));
  if (exact !== undefined) return exact;
  if (alone !== undefined && others.length === 0) return alone;
  const files = names.length === 1 ? '1 file' : `${numberText(names.length)} files`;
  const has = `a zip archive of ${files}: ${listed(names)}`;
  const not = innerPath === undefined ? '' : `, and ${listed([innerPath])} is none of them`;
  const option = `--file NAME says which is meant (in block.json, "innerPath")`;
  throw new SeedError(given, `${has}${not}; ${option}`);
}

async function* gunzipped(whole: string, given: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 2 ** 18 });
  // Both streams end with the first fault of either.
  const read = pipeline(createReadStream(whole), gunzip);
  read.catch(() => {});
  try {
    yield* gunzip;
  } catch (error) {
    throw new SeedError(
      given,
      `a damaged gzip file: ${listed([(error as Error).message])}; get it anew from its source`,
    );
  }
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  given: string,
  packed: number,
  most: { readonly bytes: number; readonly ratio: number; readonly small: number },
): AsyncGenerator<Uint8Array> {
  let unpacked = 0;
  for await (const some of bytes) {
    unpacked += some.length;
    const by = 'unpack it yourself, and give the table that is in it';
    if (unpacked > most.bytes) {
      const mib = numberText(most.bytes / 2 ** 20);
      throw new SeedError(given, `over ${mib} MiB when unpacked; ${by}`);
    }
    if (unpacked > most.small && unpacked > most.ratio * packed) {
      const times = `${numberText(packed)} bytes that unpack to over ${numberText(most.ratio)} times as many`;
      throw new SeedError(given, `${times}, as no table does; ${by}`);
    }
    yield some;
  }
}
