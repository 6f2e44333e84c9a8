import { expect, test } from '@jest/globals';
import { lookupOf } from '../../src/dynamodb/dataset-store.ts';
import { queryOf } from '../../src/query/run.ts';
import { ampleBudget } from '../support/ample.ts';
import { makeDataset } from '../support/datasets.ts';
import { tinyBlock as block } from '../support/tiny-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const ROWS = Array.from({ length: 8 }, (_, number) => ({ street: `Street ${number % 3}`, number }));

function lookupFor(values: Record<string, unknown>, rowsPerChunk = 4) {
  const { manifest } = makeDataset(block, ROWS, SOURCE, { rowsPerChunk });
  return lookupOf(queryOf({ block, manifest }, values, ampleBudget()), block, manifest);
}

test('equality with a few texts of an indexed field may be looked up in its index', () => {
  expect(lookupFor({ street: ['STREET 1'], number_min: 2 })).toEqual({
    field: 'street',
    keys: ['street 1'],
    unchecked: [expect.objectContaining({ field: 'number' })],
  });
  expect(lookupFor({ street: ['street 1', 'Street 2'] })?.keys).toEqual(['street 1', 'street 2']);
});

test.each([
  ['no condition', {}],
  ['a range', { number_min: 1 }],
  ['a wildcard', { street: ['street*'] }],
  ['a wildcard beside a text', { street: ['street 1', '*2'] }],
  ['more texts than an index is asked for', { street: 'abcdefghi'.split('') }],
  ['what a text is not', { '_not.street': ['street 1'] }],
])('%s is for the columns', (_, values) => {
  expect(lookupFor(values)).toBeUndefined();
});

test('columns of a single chunk are read as soon as an index is', () => {
  expect(lookupFor({ street: ['street 1'] }, 8)).toBeUndefined();
});
