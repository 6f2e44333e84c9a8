import type { OutputFormat } from './format.ts';

/** RFC 8259. Its answers have more than rows: counts, warnings and the next page. */
export const json: OutputFormat = {
  title: 'JSON',
  contentType: 'application/json; charset=utf-8',
  accepted: ['application/json'],
  isOfOneRow: true,
  hasFacets: true,
};
