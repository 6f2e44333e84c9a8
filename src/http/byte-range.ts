import { Problem } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import type { RequestHeaders } from './request.ts';

/** Bytes of a file, from one position to before another. */
export type ByteRange = { readonly from: number; readonly to: number };

/** The greatest position that is read; nginx refuses a greater one too. */
const LAST_POSITION = 2n ** 63n - 1n;

/**
 * The bytes that a request asks for; undefined for the whole file (RFC 9110, section 14). So it is
 * with another unit, with several ranges, and where If-Range names another file. Throws a Problem if
 * the file has no such bytes, or if the range is not valid.
 */
export function rangeAsked(
  { range, 'if-range': ifRange }: RequestHeaders,
  etag: string,
  bytes: number,
): ByteRange | undefined {
  const [, set] = /^bytes=(.+)$/i.exec(range ?? '') ?? [];
  if (set === undefined || set.includes(',')) return undefined;
  // Only a strong ETag can be equal, and there is no Last-Modified for a date to be equal with.
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const found = rangeIn(set, bytes);
  if (found === undefined) throw rangeRefused(set, bytes);
  if (found.from < found.to) return found;
  // What begins an empty file is the whole of it.
  if (found.from === 0) return undefined;
  throw rangeRefused(set, bytes);
}

/** The bytes from a first to a last one, from a first one on, or a number of them at the end. */
function rangeIn(set: string, bytes: number): ByteRange | undefined {
  const [, first, last, suffix] = /^ *(?:(\d+) *-(?: *(\d+))?|-(\d+)) *$/.exec(set) ?? [];
  if (first === undefined && suffix === undefined) return undefined;
  if ([first, last, suffix].some((text) => BigInt(text || 0) > LAST_POSITION)) return undefined;
  if (suffix !== undefined) return { from: Math.max(0, bytes - Number(suffix)), to: bytes };
  return { from: Number(first), to: last ? Math.min(bytes, Number(last) + 1) : bytes };
}

function rangeRefused(set: string, bytes: number): Problem {
  const detail = `The file has ${numberText(bytes)} bytes, and the range is ${JSON.stringify(set.slice(0, 40))}; expected a first and a last byte, such as 0-999, a first one, such as 1000-, or how many at the end, such as -1000.`;
  return new Problem('range-refused', detail, {
    headers: { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${bytes}` },
  });
}
