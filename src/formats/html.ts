import type { OutputFormat } from './format.ts';

/** A page. */
export const html: OutputFormat = {
  title: 'page',
  contentType: 'text/html; charset=utf-8',
  accepted: ['text/html', 'application/xhtml+xml'],
  isOfOneRow: true,
  hasFacets: true,
};
