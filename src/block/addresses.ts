import { percentDecoded, withoutSlashes } from '../text/path.ts';

/** Where blocks and rows are below the root of a service. */
export const BLOCKS_PATH = '/api_v2/blocks';

/** The folders below a block's address: of its rows, and of its versions' files. */
export const ROWS = 'rows';
export const FILES = 'files';

/** The address of a row relative to that of its block. */
export function rowReference(block: string, segment: string): string {
  return `${block}/${ROWS}/${segment}`;
}

/** In the place of a version in a file's address: the current one. */
export const CURRENT = 'current';

/** The address of a file relative to that of its block: of one version, or of the current one. */
export function fileReference(block: string, extension: string, version?: string): string {
  return version === undefined
    ? `${block}.${extension}`
    : `${block}/${FILES}/${version}.${extension}`;
}

/** The address of what is given relative to a block's, below the service's root. */
export function belowRoot(reference: string): string {
  return `${BLOCKS_PATH.slice(1)}/${reference}`;
}

/** The folder below a block's address that a path is in, and what follows, still percent-encoded. */
export function placeBelow(path: string): { folder: string; segment: string } | undefined {
  const bare = withoutSlashes(path);
  const block = bare.indexOf('/', BLOCKS_PATH.length + 1);
  const end = block < 0 ? -1 : bare.indexOf('/', block + 1);
  if (end < 0) return undefined;
  return { folder: percentDecoded(bare.slice(0, end), decodeURI), segment: bare.slice(end + 1) };
}

/**
 * In a row's address, the columns of the table that led to it: `_fields` chooses among the row's own
 * facts.
 */
export const COLUMNS = '_columns';
