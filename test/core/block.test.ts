import { describe, expect, test } from '@jest/globals';
import { checkAddresses, datasetBlock } from '../../src/core/block.ts';
import type { Field } from '../../src/core/field.ts';

const declare = (...fields: Field[]) =>
  datasetBlock({ id: 'b', name: 'b', title: 'B', description: '', examples: [], fields });
const text = (name: string): Field => ({ kind: 'text', name, title: name });
const range = (name: string): Field => ({ kind: 'range', name, title: name });

describe('a block is refused', () => {
  test.each([
    ['whose field is an option', [text('_limit')]],
    ['whose field is a key', [text('api_key')]],
    ['whose field is no name', [text('5_to_17')]],
    ['whose field has a space', [text('a b')]],
    ['whose field is __proto__', [text('__proto__')]],
    ['that has a field twice', [text('a'), range('a')]],
    ['whose field clashes with another’s end', [range('a'), text('a_min')]],
    [
      'whose carried field clashes with another’s end',
      [range('a'), { kind: 'carried', name: 'a_max', title: '' } as Field],
    ],
  ])('%s', (_, fields) => {
    expect(() => declare(...fields)).toThrow(TypeError);
  });

  test('whose id is another’s name', () => {
    const one = declare(text('a'));
    expect(() => checkAddresses([one, { ...one, id: 'x', name: 'y' }])).not.toThrow();
    expect(() => checkAddresses([one, { ...one, id: 'x', name: 'b' }])).toThrow(TypeError);
  });
});
