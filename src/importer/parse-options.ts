import type { Dialect } from '../block/dialect.ts';

/** csv-parse's options for a dialect; blank lines are no records. */
export function parseOptions({
  delimiter = ',',
  quoteChar = '"',
  escapeChar,
  skipInitialSpace,
}: Dialect) {
  return {
    delimiter,
    quote: quoteChar,
    escape: escapeChar ?? quoteChar,
    ltrim: skipInitialSpace ?? false,
    rtrim: skipInitialSpace ?? false,
    skip_empty_lines: true,
  };
}
