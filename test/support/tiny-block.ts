import { datasetBlock } from '../../src/block/block.ts';

/** A dataset block of two fields, for tests that make their own rows. */
export const tinyBlock = datasetBlock({
  id: 'tiny-id',
  name: 'tiny',
  title: 'Tiny',
  description: 'Made by a test.',
  fields: [
    { type: 'text', name: 'street', title: 'Street', indexed: true },
    { type: 'number', name: 'number', title: 'Number' },
  ],
  examples: [],
});
