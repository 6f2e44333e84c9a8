import path from 'node:path';
import { type LoadedDataset, loadDataBlock } from '../../src/importer/load-blocks.ts';
import { ROOT } from './service.ts';

/** A data block of the checkout. */
export function shippedBlock(
  name: 'business-directory' | 'census-neighborhoods',
): Promise<LoadedDataset> {
  return loadDataBlock(path.join(ROOT, 'functions', name));
}
