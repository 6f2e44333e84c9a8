import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import {
  FetchError,
  PUBLIC_REACH,
  type Reach,
  type Resolve,
  readUrl,
  resolveHost,
  SAVE_IT,
  shownAddress,
} from './fetch-address.ts';
import {
  FetchClock,
  fileBody,
  followRedirects,
  headerText,
  isEndKnown,
  type Progress,
  sendable,
  type Validators,
  validatorsOf,
} from './fetch-answer.ts';

export type FetchOptions = {
  /** The path of the file to write, in a folder that exists. */
  readonly to: string;
  /** Where the fetch may go; only https and the public internet, if not given. */
  readonly reach?: Reach;
  /** What an earlier fetch answered: if it is still true, nothing is written. */
  readonly earlier?: Validators;
  /** Of the file, both as sent and unpacked. */
  readonly mostBytes?: number;
  /** Until an answer's headers, for each redirect anew. */
  readonly headersMs?: number;
  /** Between two pieces of the file. */
  readonly idleMs?: number;
  /** For all of it. */
  readonly deadlineMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** Instead of this machine's DNS. */
  readonly resolve?: Resolve;
  /** Certificates to trust instead of the usual authorities'. */
  readonly ca?: string;
};

export type FetchedFile = Validators & {
  readonly unchanged: false;
  readonly file: string;
  /** Unpacked, as it is written. */
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string | undefined;
  /** The file's name as its server has it, made harmless. */
  readonly fileName: string;
  /** Where it was, after redirects. */
  readonly url: string;
  /** False if the server did not say where the file ends: a part of it would look whole. */
  readonly isEndKnown: boolean;
};

type UnchangedFile = { readonly unchanged: true };

/**
 * A fetched file, as sent and as unpacked; the time until its headers, and between two of its
 * pieces; the time of the whole fetch.
 */
export const MOST_BYTES = 2 ** 30;
export const HEADERS_MS = 60_000;
export const IDLE_MS = 60_000;
export const DEADLINE_MS = 30 * 60_000;

/**
 * Fetches a file by https into `to`, which is replaced once the new one is whole. Throws a
 * FetchError if that is refused or fails, and what the signal or the disk says; then `to` is as
 * it was.
 */
export async function fetchFile(
  address: string,
  options: FetchOptions,
): Promise<FetchedFile | UnchangedFile> {
  const { to, mostBytes = MOST_BYTES, idleMs = IDLE_MS, deadlineMs = DEADLINE_MS } = options;
  const first = readUrl(address);
  const clock = new FetchClock(deadlineMs, () => lateError(first, deadlineMs), options.signal);
  try {
    const { url, place, answer } = await followRedirects(first, {
      reach: options.reach ?? PUBLIC_REACH,
      resolve: options.resolve ?? resolveHost,
      ca: options.ca,
      earlier: sendable(options.earlier ?? {}),
      headersMs: options.headersMs ?? HEADERS_MS,
      clock,
    });
    try {
      const { statusCode, headers } = answer;
      if (statusCode === 304) return { unchanged: true };
      const { onProgress } = options;
      const body = fileBody(answer, place, { mostBytes, idleMs, clock, onProgress });
      const written = await writeFileWhole(to, body);
      return {
        unchanged: false,
        file: to,
        ...written,
        ...validatorsOf(headers),
        contentType: headers['content-type'],
        fileName: fileNameOf(headers, url),
        url: url.href,
        isEndKnown: isEndKnown(answer, place),
      };
    } finally {
      answer.destroy();
    }
  } finally {
    clock.stop();
  }
}

function lateError(url: URL, deadlineMs: number): FetchError {
  const reason = `not done within ${deadlineMs / 1000} s; try again later, or ${SAVE_IT}`;
  return new FetchError('too-slow', shownAddress(url), reason);
}

/** Characters of the name that a fetched file gets. */
const MOST_CHARACTERS = 100;

/**
 * The name that a server gives its file (RFC 6266), else its address's last part: a name in one
 * folder, for any file system.
 */
export function fileNameOf(headers: IncomingHttpHeaders, url: URL): string {
  const disposition = headerText(headers['content-disposition'] ?? '');
  const names = [
    extendedName(disposition),
    plainName(disposition),
    decoded(url.pathname.split('/').findLast((part) => part !== '') ?? ''),
  ];
  const found = names.map((name) => safeName(name ?? '')).find((name) => name !== '') ?? 'file';
  // Packed for the way alone, it is unpacked by now.
  return /gzip/i.test(headers['content-encoding'] ?? '') ? found.replace(/(.)\.gz$/i, '$1') : found;
}

/** `filename*=UTF-8''na%C3%AFve.csv` (RFC 8187). */
function extendedName(disposition: string): string | undefined {
  const encoded = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? undefined : decoded(encoded);
}

function plainName(disposition: string): string | undefined {
  const [, quoted, token] =
    /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token;
}

/** A name of a file in one folder, for any file system; blank if nothing is left. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  const ending = /\.\p{L}[\p{L}\p{N}]{0,9}(?:\.gz)?$/iu.exec(safe)?.[0] ?? '';
  const stem = safe.slice(0, safe.length - ending.length);
  return [...stem].slice(0, MOST_CHARACTERS - ending.length).join('') + ending;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

type WrittenFile = { readonly bytes: number; readonly sha256: string };

/** Writes a file that is there whole or not at all: what has its path is replaced at the end. */
async function writeFileWhole(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const part = `${file}.${randomUUID()}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(part, 'wx');
  try {
    try {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.byteLength;
        await handle.writeFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
