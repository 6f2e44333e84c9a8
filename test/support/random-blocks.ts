import fc from 'fast-check';
import { type DatasetBlock, datasetBlock } from '../../src/block/block.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { type ImportedDataset, makeDataset } from './datasets.ts';
import { INSTANTS } from './typed-block.ts';

/** Values of each type which programs that read files may take for something else. */
const VALUES: Readonly<Record<Field['type'], readonly Value[]>> = {
  text: [
    '=1+1',
    '00501',
    '1E5',
    'TRUE',
    'NA',
    ' a\r\nb ',
    '"',
    ',;\t|',
    '_x000D_',
    'Łódź',
    '𝕏',
    '',
  ],
  phone: ['718-624-7581', '+41 44 123 45 67', '0049 30 1'],
  link: ['https://example.org/a?b=1&c="x"', 'http://exämple.org/ü'],
  number: [0, -0.5, 1e-7, 0.1, 123_456_789.123, 1e21, -1e100, 1e-120],
  integer: [0, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53), 12_345_678_901_234_567_000],
  date: ['0001-01-01', '1582-10-15', '1899-12-31', '1900-02-28', '1900-03-01', '2400-02-29'],
  datetime: [...INSTANTS, '9999-12-31T23:59:59.999Z'],
  boolean: [true, false],
};

const TYPES = Object.keys(VALUES) as Field['type'][];

/** Datasets with random columns of random types, of rows with blanks. The same for the same seed. */
export function randomBlocks(
  count: number,
  seed: number,
): readonly (readonly [DatasetBlock, ImportedDataset])[] {
  const types = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 12 });
  return fc.sample(types, { numRuns: count, seed }).map((chosen, nth) => {
    const fields = chosen.map(
      (type, i): Field => ({ type, name: `${type}_${i + 1}`, title: `${type} ${i + 1}` }),
    );
    const name = `random-${nth + 1}`;
    const examples = [{ title: 'All', arguments: {} }];
    const description = 'Made by a test.';
    const block = datasetBlock({ id: name, name, title: name, description, fields, examples });
    const row: fc.Arbitrary<Row> = fc.record(
      Object.fromEntries(
        fields.map(({ name, type }) => [
          name,
          fc.option(fc.constantFrom(...VALUES[type]), { freq: 6 }),
        ]),
      ),
    );
    const rows = fc.sample(row, { numRuns: 60 + nth, seed: seed + nth });
    return [block, makeDataset(block, rows, { title: 'Made by a test' })] as const;
  });
}
