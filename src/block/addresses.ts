import { percentDecoded, withoutSlashes } from '../text/path.ts';

/** Where blocks and rows are below the root of a service. */
export const BLOCKS_PATH = '/api_v2/blocks';

/** What follows a block's address in that of a row. */
const ROWS = '/rows/';

/** The address of a row relative to that of its block. */
export function rowReference(block: string, segment: string): string {
  return `${block}${ROWS}${segment}`;
}

/** The address of what is given relative to a block's, below the service's root. */
export function belowRoot(reference: string): string {
  return `${BLOCKS_PATH.slice(1)}/${reference}`;
}

/** The block's address in that of a row, and its last segment, still percent-encoded. */
export function rowPlace(path: string): { block: string; segment: string } | undefined {
  const bare = withoutSlashes(path);
  const end = bare.indexOf(ROWS, BLOCKS_PATH.length + 1);
  if (end < 0) return undefined;
  const block = percentDecoded(bare.slice(0, end), decodeURI);
  return { block, segment: bare.slice(end + ROWS.length) };
}

/**
 * In a row's address, the columns of the table that led to it: `_fields` chooses among the row's own
 * facts.
 */
export const COLUMNS = '_columns';
