import type { DatasetSource } from '../../src/importer/dataset-source.ts';
import { readDirectory } from './read-directory.ts';

/** The businesses, from a Socrata export. */
export const dataset: DatasetSource = {
  file: 'brooklyn-11231-businesses.csv',
  toRows: readDirectory,
};
