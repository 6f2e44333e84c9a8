import { type Resolve, resolveHost } from './checked-addresses.ts';
import { FetchClock } from './fetch-clock.ts';
import { FetchError, SAVE_IT, shownAddress } from './fetch-error.ts';
import { fileBody, isEndKnown, type Progress } from './file-body.ts';
import { fileNameOf } from './file-name.ts';
import { followRedirects } from './follow-redirects.ts';
import { PUBLIC_REACH, type Reach, readUrl } from './reach.ts';
import { sendable, type Validators, validatorsOf } from './validators.ts';
import { writeFileWhole } from './write-file.ts';

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

export type UnchangedFile = { readonly unchanged: true };

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
