import type { Manifest } from '../block/manifest.ts';
import { Problem } from '../problem/errors.ts';
import { sha256 } from '../work/sha256.ts';

/**
 * A cursor does not hold a table's key. It holds the position of the last row on the page, the
 * dataset's version, the query's fingerprint, and a checksum. So it works whether rows come from
 * columns or from an index, and on sorted pages too, since the rows of a version never change.
 */
export function encodeCursor(position: number, fingerprint: string, version: string): string {
  const content = JSON.stringify([position, fingerprint, version]);
  return Buffer.from(checksum(content) + content).toString('base64url');
}

/**
 * Returns the position, which is less than `rows`. Throws a Problem: 400 for a damaged cursor or
 * one of another query, 410 for one of another version. The checksum only detects damage. Anyone
 * can compute it, so everything in a cursor is checked.
 */
export function decodeCursor(
  cursor: string,
  fingerprint: string,
  { version, rows }: Pick<Manifest, 'version' | 'rows'>,
): number {
  const content = readContent(cursor);
  if (content === undefined) throw invalidCursor('invalid-cursor', DAMAGED);
  const [position, sentFingerprint, sentVersion] = content;
  if (sentFingerprint !== fingerprint) {
    const detail =
      '_cursor is of another query. Send it with the arguments and _sort of the page it came from.';
    throw invalidCursor('cursor-of-another-query', detail);
  }
  if (sentVersion !== version) {
    const detail = '_cursor is of an older version of the dataset. Start again without it.';
    throw new Problem('cursor-expired', detail, {
      faults: [{ code: 'cursor-expired', detail, parameter: '_cursor' }],
    });
  }
  if (position >= rows) throw invalidCursor('invalid-cursor', DAMAGED);
  return position;
}

/** Tells whether a cursor is undamaged. Its query and version are checked elsewhere. */
export function isWholeCursor(cursor: string): boolean {
  return readContent(cursor) !== undefined;
}

export const DAMAGED = '_cursor is damaged. Send the next member of a page as it was given.';

type CursorContent = readonly [position: number, fingerprint: string, version: string];

function readContent(cursor: string): CursorContent | undefined {
  const decoded = Buffer.from(cursor, 'base64url');
  const text = decoded.toString();
  const content = text.slice(CHECKSUM_LENGTH);
  // Base64 decoding skips invalid characters, so the result is encoded again to reveal any damage.
  const isWhole =
    decoded.toString('base64url') === cursor &&
    checksum(content) === text.slice(0, CHECKSUM_LENGTH);
  const written = isWhole ? CONTENT.exec(content) : null;
  if (written === null) return undefined;
  const [, position = '', fingerprint = '', version = ''] = written;
  return [Number(position), fingerprint, version];
}

/** The only form of JSON that a cursor may contain. */
const CONTENT = /^\[(0|[1-9]\d{0,14}),"([\w-]{1,64})","([\w-]{1,64})"\]$/;

const CHECKSUM_LENGTH = 8;

function checksum(content: string): string {
  return sha256(content, 'base64url').slice(0, CHECKSUM_LENGTH);
}

function invalidCursor(
  code: 'invalid-cursor' | 'cursor-of-another-query',
  detail: string,
): Problem {
  const faults = [{ code, detail, parameter: '_cursor' }];
  return new Problem('invalid-arguments', detail, { faults });
}
