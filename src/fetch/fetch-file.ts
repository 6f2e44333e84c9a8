import { createWriteStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
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
  sendable,
  type Validators,
  validatorsOf,
} from './fetch-answer.ts';

export type FetchOptions = {
  /** The path of the file to write, in a temporary folder: a failed fetch may leave a part. */
  readonly to: string;
  /** Where the fetch may go. By default only https and the public internet. */
  readonly reach?: Reach;
  /** Validators of an earlier fetch. If the file is unchanged since, nothing is written. */
  readonly earlier?: Validators;
  /** The most bytes of the file, both as sent and unpacked. */
  readonly mostBytes?: number;
  /** The time until the headers of an answer, for each redirect anew. */
  readonly headersMs?: number;
  /** The time between two pieces of the file. */
  readonly idleMs?: number;
  /** The time of the whole fetch. */
  readonly deadlineMs?: number;
  /** Replaces this machine's DNS. */
  readonly resolve?: Resolve;
  /** Certificates to trust instead of those of the usual authorities. */
  readonly ca?: string;
};

export type FetchedFile = Validators & {
  /** The name that the server gives the file, made harmless. */
  readonly fileName: string;
  /** False if the server did not say where the file ends: a part of the file would look whole. */
  readonly isEndKnown: boolean;
};

/**
 * A fetched file, as sent and as unpacked; the time until its headers, and between two of its
 * pieces; the time of the whole fetch.
 */
export const MOST_BYTES = 2 ** 30;
export const HEADERS_MS = 60_000;
export const IDLE_MS = 60_000;
export const DEADLINE_MS = 30 * 60_000;

/**
 * Fetches a file by https into `to`. Returns undefined if the file is unchanged since `earlier`.
 * Throws a FetchError if the fetch is refused or fails, and what the disk throws.
 */
export async function fetchFile(
  address: string,
  options: FetchOptions,
): Promise<FetchedFile | undefined> {
  const { to, mostBytes = MOST_BYTES, idleMs = IDLE_MS, deadlineMs = DEADLINE_MS } = options;
  const first = readUrl(address);
  const clock = new FetchClock(deadlineMs, () => lateError(first, deadlineMs));
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
      if (statusCode === 304) return undefined;
      const body = fileBody(answer, place, { mostBytes, idleMs, clock });
      await pipeline(body, createWriteStream(to));
      return {
        ...validatorsOf(headers),
        fileName: fileNameOf(headers, url),
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

/** Characters of a fetched file's name. */
const MOST_CHARACTERS = 100;

/**
 * The name that a server gives its file (RFC 6266), or else the last part of its address, as a name
 * in one folder for any file system.
 */
export function fileNameOf(headers: IncomingHttpHeaders, url: URL): string {
  const disposition = headerText(headers['content-disposition'] ?? '');
  const names = [
    extendedName(disposition),
    plainName(disposition),
    decoded(url.pathname.split('/').findLast((part) => part !== '') ?? ''),
  ];
  const found = names.map((name) => safeName(name ?? '')).find((name) => name !== '') ?? 'file';
  // A server that packs a file only to send it may name it `.gz`; the file is unpacked by now.
  return /gzip/i.test(headers['content-encoding'] ?? '') ? found.replace(/(.)\.gz$/i, '$1') : found;
}

/** Reads a name such as `filename*=UTF-8''na%C3%AFve.csv` (RFC 8187). */
function extendedName(disposition: string): string | undefined {
  const encoded = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? undefined : decoded(encoded);
}

function plainName(disposition: string): string | undefined {
  const [, quoted, token] =
    /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token;
}

/** Makes a file's name safe within one folder of any file system. Blank if nothing is left. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/gu, '');
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
