import { BLOCKS_PATH, CURRENT, fileReference, placeBelow } from '../block/addresses.ts';
import {
  type FileKind,
  type FileOfVersion,
  fileKindsOf,
  type VersionFiles,
} from '../formats/files.ts';
import { checkRows } from '../formats/formats.ts';
import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { type Answered, bytesOf, type Run } from './answer.ts';
import { rangeAsked } from './byte-range.ts';
import { notModified } from './etag.ts';
import { answerNotFound, refuseAddressOf } from './not-found.ts';
import { piecesOfVersion } from './present-data.ts';
import { refuseNames } from './read-given.ts';
import { type RequestHeaders, wantsFlat } from './request.ts';
import type { FileHandlers, ServedDataset } from './served-block.ts';

/** What is in the file of a version never changes, so it is kept for a year. */
const IMMUTABLE = 'max-age=31536000, immutable';

/** The headers that a page of another origin may read (WHATWG Fetch, "CORS protocol"). */
const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Location, Content-Range, ETag, Retry-After, Server-Timing, X-Run-Id, X-Total-Count';

/** Fewer bytes than this are read before they are sent: a program asks for some hundred such parts. */
const READ_AT_ONCE = 2 ** 18;

/** A dataset's version, and the end of a file's address. */
const VERSION_FILE = new RegExp(`^([0-9a-f]{20}|${CURRENT})\\.([a-z.]+)$`);

/** What answers at the addresses of a dataset's files; undefined if it has none. */
export function fileHandlers(served: ServedDataset): FileHandlers | undefined {
  const { block, files } = served;
  if (files === undefined) return undefined;
  const kinds = fileKindsOf(block.formats);
  return {
    current: kinds.map((kind) => [
      kind.extension,
      (run) => answerFile(run, { served, files, kind }),
    ]),
    ofVersions: (run) => {
      const { segment = '' } = placeBelow(run.request.path) ?? {};
      const [, version, extension] = VERSION_FILE.exec(segment) ?? [];
      const kind = kinds.find((one) => one.extension === extension);
      if (kind === undefined) return refuseAddressOf(run);
      const asked = version === CURRENT ? {} : { version };
      return answerFile(run, { served, files, kind, ...asked });
    },
  };
}

/** A dataset, and one of the files of its versions. */
type AskedFile = {
  readonly served: ServedDataset;
  readonly files: VersionFiles;
  readonly kind: FileKind;
  /** The version in its address; the current one if absent. */
  readonly version?: string | undefined;
};

/**
 * Answers with a file or a part of it (RFC 9110, sections 13 and 14). Its bytes are never compressed
 * on the way: a range would be of other bytes.
 */
async function answerFile(
  run: Run,
  { served, files, kind, version }: AskedFile,
): Promise<Answered> {
  const { request, scheduler } = run;
  const { block, manifest } = served;
  refuseNames(request.query, [], 'a file, which has all rows');
  if (version !== undefined && version !== manifest.version) {
    return answerNotFound(run, expired(served, kind));
  }
  checkRows(kind.format, manifest.rows);
  const write = piecesOfVersion.bind(undefined, served, kind.format);
  const file = await files.open(kind, write, scheduler);
  checkIfMatch(request.headers, file);
  const headers: Record<string, string> = {
    'Content-Type': kind.contentType,
    'Content-Disposition': `attachment; filename="${block.name}-${manifest.version}.${kind.extension}"`,
    'Cache-Control': version === undefined ? 'no-cache' : IMMUTABLE,
    'Access-Control-Expose-Headers': EXPOSED,
    'Accept-Ranges': 'bytes',
    'X-Total-Count': String(manifest.rows),
    ETag: file.etag,
  };
  if (version === undefined) {
    // What these bytes are of, also when the address has others (RFC 9110, section 8.7).
    headers['Content-Location'] =
      placeBelow(request.path) === undefined
        ? fileReference(block.name, kind.extension, manifest.version)
        : `${manifest.version}.${kind.extension}`;
  }
  const unchanged = notModified(request, headers);
  if (unchanged !== undefined) return unchanged;
  const outcome = { path: 'file' };
  // A range is of a GET alone (RFC 9110, section 14.2).
  const range =
    request.method === 'GET' ? rangeAsked(request.headers, file.etag, file.bytes) : undefined;
  const { from, to } = range ?? { from: 0, to: file.bytes };
  const { elsewhere } = file;
  // An address that is signed for GET refuses HEAD.
  if (request.method === 'GET' && elsewhere !== undefined && to - from > elsewhere.above) {
    if (wantsFlat(request)) throw notLed(to - from, elsewhere.above);
    return { ...(await redirected(elsewhere)), outcome };
  }
  headers['Content-Length'] = String(to - from);
  if (range !== undefined) headers['Content-Range'] = `bytes ${from}-${to - 1}/${file.bytes}`;
  const status = range === undefined ? 200 : 206;
  if (request.method === 'HEAD') return { status, headers, body: null, outcome };
  const pieces = file.read(from, to);
  const isShort = elsewhere !== undefined || to - from <= READ_AT_ONCE;
  return { status, headers, body: isShort ? await bytesOf(pieces) : pieces, outcome };
}

/** Sends a reader to where the bytes are. Who has the address can read them, so no cache keeps it. */
async function redirected(elsewhere: NonNullable<FileOfVersion['elsewhere']>): Promise<Answered> {
  const headers = {
    Location: await elsewhere.address(),
    'Cache-Control': 'private, no-store',
    'Access-Control-Expose-Headers': EXPOSED,
  };
  return { status: 302, headers, body: null };
}

/** The refusal of a part that is elsewhere, for old clients, which are never sent there. */
function notLed(bytes: number, most: number): Problem {
  const [all, some] = [bytes, most].map((one) => numberText(one));
  const detail = `The answer would have ${all} bytes, and has at most ${some} with cache in the query. Ask without it, or for a range of bytes.`;
  return new Problem('result-too-large', detail);
}

/** Throws a Problem if the request is for another file than this one (RFC 9110, section 13.1.1). */
function checkIfMatch({ 'if-match': asked }: RequestHeaders, { etag }: FileOfVersion): void {
  if (asked === undefined || asked.trim() === '*') return;
  if (asked.split(',').some((one) => one.trim() === etag)) return;
  const detail = `The file is ${etag} now, and If-Match names another. Ask again without it.`;
  throw new Problem('precondition-failed', detail, { headers: { ETag: etag } });
}

/** The refusal of a version that is not kept. */
function expired({ block, manifest }: ServedDataset, { extension }: FileKind): Problem {
  const current = `${BLOCKS_PATH}/${fileReference(block.name, extension, manifest.version)}`;
  const detail = `The address is of a version of ${block.name} that is not kept. The current one is at ${current}.`;
  return new Problem('version-expired', detail, {
    faults: [{ code: 'version-expired', detail, suggestion: manifest.version }],
    // Relative to the address that was asked for, so that it is right below any path.
    headers: { Link: `<${manifest.version}.${extension}>; rel="latest-version"` },
  });
}
