import { expect, test } from '@jest/globals';
import { prepareDatasetRun } from '../../src/core/run-dataset.ts';
import { makeDataset } from '../../src/importer/import-dataset.ts';
import { residentStore } from '../../src/resident/resident-store.ts';
import { tinyBlock as block } from '../support/tiny-block.ts';

const SOURCE = { title: 't', publisher: 'p', license: 'l', date: '2026' };
const { facts, rows } = makeDataset(block, [{ street: 'Main St', number: 1 }], SOURCE);
const store = residentStore(block.fields, rows);

const identityOf = (values: Record<string, unknown>, residentBytes: number) =>
  prepareDatasetRun({ block, facts, store, residentBytes }, values).identity();

test('what an answer depends on has the way it was found: another may not count all rows', () => {
  const values = { number_min: 1 };
  expect(identityOf(values, 0)).not.toBe(identityOf(values, Number.POSITIVE_INFINITY));
  expect(identityOf(values, 0)).toBe(identityOf({ ...values }, 0));
});
