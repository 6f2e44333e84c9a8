import type { Row } from '../../src/values/field-type.ts';
import { makeDataset } from './datasets.ts';
import { rowOf, sampleCells, typedBlock } from './typed-block.ts';

/** Texts that readers of CSV take for something else, or that a spreadsheet would run. */
const TEXTS = ['=1+1', '+1 410', '-x', "'a", '@b\nc\r\nd', '"', ',;\t|', 'NA', 'null', '1e3', '𝕏'];

/** Values at the ends of what a type has. */
const EXTREME: Row = {
  place: 'The last',
  phone: '1',
  website: 'https://exämple.org/ü?a=%zz',
  score: 1e-7,
  seats: -12345678901234567000,
  opened: '0001-01-01',
  inspected: '1883-11-18T12:03:57-04:56',
  seen: '9999-12-31T23:59:59.999Z',
  clock: '0001-01-01T00:00:00',
  outdoors: false,
  checked: '9999-12-31',
};

/** Rows of every type, blank cells among them. */
export const HOSTILE_ROWS: readonly Row[] = [
  ...sampleCells(100, 14).map(rowOf),
  ...TEXTS.map((place) => ({ ...EXTREME, place })),
  EXTREME,
];

export const hostileBlock = {
  ...typedBlock,
  origin: {
    sources: [{ title: 'Made by a test', publisher: 'A test', date: '2026-11' }],
    licenses: [{ name: 'CC0-1.0' }],
  },
};

export const hostileDataset = makeDataset(hostileBlock, HOSTILE_ROWS, { title: 'Made by a test' });
