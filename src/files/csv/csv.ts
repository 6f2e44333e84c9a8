import type { FileFormat } from '../format.ts';
import { readCsv } from './read-csv.ts';
import { sniffCsv } from './sniff-csv.ts';

/** Records on lines, with delimiters between their cells. */
const DELIMITED = {
  takes: [
    ...['encoding', 'badBytes', 'delimiter', 'quoteChar', 'header', 'headerRows'],
    ...['headerLine', 'leaveOut', 'table', 'shortRows'],
  ],
  sniff: (file, { readBytes }, given) =>
    sniffCsv({ readBytes, file, encoding: given.encoding ?? 'utf-8' }, given),
} as Pick<FileFormat, 'takes' | 'sniff'>;

export const csv: FileFormat = {
  title: 'CSV',
  endings: ['csv'],
  ...DELIMITED,
  read: ({ file, encoding = 'utf-8', dialect }, { readBytes }) =>
    readCsv({ readBytes, file, encoding }, { dialect }),
};

export const tsv: FileFormat = {
  title: 'TSV',
  endings: ['tsv', 'tab'],
  ...DELIMITED,
  delimiter: '\t',
  read: ({ file, encoding = 'utf-8', dialect }, { readBytes }) =>
    readCsv({ readBytes, file, encoding }, { dialect: { delimiter: '\t', ...dialect } }),
};
