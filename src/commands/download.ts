import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FetchedFile, type FetchOptions, fetchFile } from '../fetch/fetch-file.ts';
import type { FileIn } from '../files/read-bytes.ts';
import { AddRefusal } from '../recipe/questions.ts';
import { type Console, isAddress, type Setup } from './console.ts';

/** A file on disk, and what its server says of it if it was fetched. */
export type GivenFile = FileIn & { readonly fetched?: FetchedFile };

/**
 * Finds a file by its path, or fetches it into a folder. Returns undefined if it is unchanged since
 * `earlier`. Throws an AddRefusal if there is no such file on disk.
 */
export async function givenFile(
  from: string,
  folder: string,
  console: Console,
  setup: Pick<Setup, 'fetching'>,
  earlier?: FetchOptions['earlier'],
): Promise<GivenFile | undefined> {
  if (isAddress(from)) return download(from, folder, console, setup, earlier);
  const found = await stat(from).catch(() => undefined);
  if (found?.isDirectory()) throw new AddRefusal(`${from} is a folder; name the file in it`);
  if (!found?.isFile()) throw new AddRefusal(`${from}: there is no such file`);
  const whole = path.resolve(from);
  return { folder: path.dirname(whole), file: path.basename(whole) };
}

/** Fetches a file into a folder, under the name that its server gives it. */
export async function download(
  address: string,
  folder: string,
  { err }: Console,
  { fetching }: Pick<Setup, 'fetching'>,
  earlier: FetchOptions['earlier'] = {},
): Promise<Required<GivenFile> | undefined> {
  const to = path.join(folder, 'download');
  const fetched = await fetchFile(address, { ...fetching, to, earlier });
  if (fetched === undefined) return undefined;
  if (!fetched.isEndKnown) {
    err('The server does not say where the file ends: see whether its last rows are there.');
  }
  const file = fetched.fileName;
  await rename(to, path.join(folder, file));
  return { folder, file, fetched };
}
