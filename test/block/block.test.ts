import { describe, expect, test } from '@jest/globals';
import { checkExamples } from '../../src/arguments/check-examples.ts';
import { checkAddresses, datasetBlock } from '../../src/block/block.ts';
import type { Field } from '../../src/values/field-types.ts';

const declare = (...fields: Field[]) =>
  datasetBlock({ id: 'b', name: 'b', title: 'B', description: '', examples: [], fields });
const text = (name: string): Field => ({ type: 'text', name, title: name });
const range = (name: string): Field => ({ type: 'number', name, title: name });

test('no sum of numbers that may name things is offered first', () => {
  const lot: Field = { type: 'integer', name: 'lot', title: 'Lot', label: true };
  const { choices = [] } =
    declare(lot, range('fee')).options.find(({ name }) => name === '_measure') ?? {};
  const sums = choices.filter((choice) => /^(?:sum|avg):/.test(String(choice)));
  expect(sums).toEqual(['sum:fee', 'avg:fee', 'sum:lot', 'avg:lot']);
});

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
      [range('a'), { type: 'number', name: 'a_max', title: '', filterable: false } as Field],
    ],
    ['whose field is of no kind', [{ kind: 'number', name: 'a', title: '' } as unknown as Field]],
  ])('%s', (_, fields) => {
    expect(() => declare(...fields)).toThrow(TypeError);
  });

  test.each([
    ['cache', 'old clients send it in every query'],
    ['expiry', 'old clients send it in every query'],
    ['flatten', 'old clients send it in every query'],
    ['_', 'jQuery appends it to addresses'],
    ['_blockspring_spec', 'old clients send it in every body'],
    ['api_key', 'a key goes there'],
    ['_sort', 'it is an option'],
  ])('whose field is %s, with a sentence', (name, why) => {
    expect(() => declare(text(name))).toThrow(
      `Block b: ${name} is reserved, since ${why}; choose another name.`,
    );
  });

  test.each(['constructor', 'toString', 'valueOf'])('not for a field that is %s', (name) => {
    expect(declare(text(name)).parameters[0]).toMatchObject({ name, field: name });
  });

  test('whose example would be refused', () => {
    const block = declare(text('a'), range('height'));
    const example = (given: object) => ({ title: 'E', arguments: { ...given } });
    expect(() => checkExamples({ ...block, examples: [example({ height_min: 5 })] })).not.toThrow();
    expect(() => checkExamples({ ...block, examples: [example({ hight_min: 5 })] })).toThrow(
      'Block b: its example “E” is refused: hight_min is not a parameter of this block. Did you mean height_min?',
    );
  });

  test('whose id is another’s name', () => {
    const one = declare(text('a'));
    expect(() => checkAddresses([one, { ...one, id: 'x', name: 'y' }])).not.toThrow();
    expect(() => checkAddresses([one, { ...one, id: 'x', name: 'b' }])).toThrow('are both called');
  });
});
