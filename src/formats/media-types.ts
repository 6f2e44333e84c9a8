import type { Format } from '../block/options.ts';

export type FormatType = {
  /** The value of Content-Type. */
  readonly contentType: string;
  /** The names that an Accept header may have for it. */
  readonly accepted: readonly string[];
  /** The extension of the file that an answer is saved as, if it is to be saved. */
  readonly extension?: string;
};

/**
 * The types by RFC 8259, RFC 4180 and 7111, github.com/ndjson/ndjson-spec, IANA's list, RFC 7946, and
 * HTML.
 */
export const FORMAT_TYPES: Readonly<Record<Format, FormatType>> = {
  json: { contentType: 'application/json; charset=utf-8', accepted: ['application/json'] },
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    accepted: ['text/csv'],
    extension: 'csv',
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    accepted: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
    extension: 'ndjson',
  },
  parquet: {
    contentType: 'application/vnd.apache.parquet',
    accepted: ['application/vnd.apache.parquet'],
    extension: 'parquet',
  },
  geojson: {
    contentType: 'application/geo+json',
    accepted: ['application/geo+json'],
    extension: 'geojson',
  },
  html: {
    contentType: 'text/html; charset=utf-8',
    accepted: ['text/html', 'application/xhtml+xml'],
  },
};
