import type { OutputFormat } from './format.ts';

/** SVG 1.1: the figure of an answer as a picture, for any program. */
export const svg: OutputFormat = {
  title: 'SVG',
  contentType: 'image/svg+xml; charset=utf-8',
  accepted: ['image/svg+xml'],
  isOf: ({ isRows }) => isRows,
};
