import { type OutputFormat, textPieces } from './format.ts';

/** A row a line (github.com/ndjson/ndjson-spec). */
export const ndjson: OutputFormat = {
  title: 'NDJSON',
  contentType: 'application/x-ndjson; charset=utf-8',
  accepted: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  extension: 'ndjson',
  writer: () =>
    textPieces({
      before: '',
      rows: (texts) => texts.map((text) => `${text}\n`).join(''),
      behind: '',
    }),
};
