import type { FileFormat } from '../file-format.ts';
import { firstInZip } from '../zip-parts.ts';
import { readXlsx } from './read-xlsx.ts';
import { sniffSheet } from './sniff-sheet.ts';

export const xlsx: FileFormat = {
  title: '.xlsx',
  endings: ['xlsx', 'xlsm'],
  isBinary: true,
  takes: ['header', 'headerRows', 'headerLine', 'leaveOut', 'table', 'sheet'],
  isIn: (beginning) => {
    const name = firstInZip(beginning) ?? '';
    return /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|xl\/)/i.test(name);
  },
  sniff: (file, { path }, given) => sniffSheet(path, file, given),
  read: ({ file, dialect }, { path }) => readXlsx(path, file, dialect),
};
