import path from 'node:path';
import { type LoadedDataset, loadDataBlock } from '../../src/import/load-blocks.ts';
import { ROOT } from './service.ts';

export type ShippedBlock = 'business-directory' | 'census-neighborhoods';

/** A data block of the checkout. */
export function shippedBlock(name: ShippedBlock): Promise<LoadedDataset> {
  return loadDataBlock(path.join(ROOT, 'functions', name));
}
