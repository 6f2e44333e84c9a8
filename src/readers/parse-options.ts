import type { Dialect } from '../block/declaration.ts';

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
    // Line ends are made one kind before; looking for others takes a tenth of the time.
    record_delimiter: '\n',
    skip_empty_lines: true,
  };
}
