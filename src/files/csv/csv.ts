import type { FileFormat } from '../file-format.ts';
import { readCsv } from './read-csv.ts';
import { sniffCsv } from './sniff-csv.ts';

export const csv = delimited('CSV', ['csv']);
export const tsv = delimited('TSV', ['tsv', 'tab'], '\t');

/** Records on lines, with delimiters between their cells. */
function delimited(title: string, endings: readonly string[], delimiter?: string): FileFormat {
  return {
    title,
    endings,
    delimiter,
    takes: [
      ...(['encoding', 'badBytes', 'delimiter', 'quoteChar', 'header', 'headerRows'] as const),
      ...(['headerLine', 'leaveOut', 'table', 'shortRows'] as const),
    ],
    sniff: (file, { readBytes }, given) =>
      sniffCsv({ readBytes, file, encoding: given.encoding ?? 'utf-8' }, given),
    read: ({ file, encoding = 'utf-8', dialect }, { readBytes }) =>
      readCsv(
        { readBytes, file, encoding },
        { dialect: { ...dialect, delimiter: dialect?.delimiter ?? delimiter } },
      ),
  };
}
