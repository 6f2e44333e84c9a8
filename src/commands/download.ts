import { rename } from 'node:fs/promises';
import path from 'node:path';
import { type FetchedFile, type FetchOptions, fetchFile } from '../fetch/fetch-file.ts';
import type { Console, Setup } from './console.ts';

/** A fetched file in a folder, under the name that its server gives it. */
type Download = FetchedFile & { readonly path: string };

/** Fetches a file into a folder. Returns undefined if it is unchanged since `earlier`. */
export async function download(
  address: string,
  folder: string,
  { err }: Console,
  { fetching }: Pick<Setup, 'fetching'>,
  earlier: FetchOptions['earlier'] = {},
): Promise<Download | undefined> {
  const to = path.join(folder, 'download');
  const fetched = await fetchFile(address, { ...fetching, to, earlier });
  if (fetched === undefined) return undefined;
  if (!fetched.isEndKnown) {
    err('The server does not say where the file ends: see whether its last rows are there.');
  }
  const file = path.join(folder, fetched.fileName);
  await rename(to, file);
  return { ...fetched, path: file };
}
