import type { DatasetSource } from '../../src/importer/dataset-source.ts';
import { readDirectory } from './read-directory.ts';

/** Businesses as Socrata exports them. */
export const dataset: DatasetSource = {
  file: 'brooklyn-11231-businesses.csv',
  toRows: readDirectory,
};
