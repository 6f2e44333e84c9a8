import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { schemaOfArguments } from '../../src/block/schema.ts';
import { matches } from '../../src/query/predicate.ts';
import type { KeyTest } from '../../src/values/field-type.ts';
import {
  FIELD_TYPES,
  type Field,
  type FieldTypeName,
  isLabel,
  typeOf,
} from '../../src/values/field-types.ts';
import { TYPED_FIELDS, typedBlock, typedCells } from '../support/typed-block.ts';

const names = Object.keys(FIELD_TYPES) as FieldTypeName[];

test('every type has a field here', () => {
  expect(new Set(TYPED_FIELDS.map(({ type }) => type))).toEqual(new Set(names));
});

test.each<[boolean, Pick<Field, 'type' | 'name' | 'label'>, { min: number; max: number }]>([
  [true, { type: 'integer', name: 'zip' }, { min: 1, max: 9 }],
  [true, { type: 'integer', name: 'x' }, { min: 1990, max: 2020 }],
  [false, { type: 'integer', name: 'x' }, { min: 1, max: 2020 }],
  // Nitric oxide, in parts of a billion; and a column that says of itself what it is.
  [false, { type: 'number', name: 'no' }, { min: 0, max: 250 }],
  [true, { type: 'number', name: 'zip_code', label: true }, { min: 11231, max: 11231 }],
])('it is %s that the numbers of %j name things', (isName, field, ends) => {
  expect(isLabel(field, ends)).toBe(isName);
});

test('a cell is read as a value, which is written as a cell that is read as the same', () => {
  fc.assert(
    fc.property(typedCells, (cells) => {
      for (const field of TYPED_FIELDS) {
        const cell = cells[field.name];
        if (cell === null || cell === undefined) continue;
        const type = typeOf(field);
        const value = type.readCell(cell, field);
        if (value === undefined) throw new Error(`${field.name}: ${cell}`);
        expect(type.readCell(type.writeCell(value), field)).toEqual(value);
        // As JSON has it, too.
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        const key = type.keyOf(value, field);
        if (type.comparedBy === 'number') expect(type.valueOf(key as number, field)).toEqual(value);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('a value is found by its argument, and by its key', () => {
  fc.assert(
    fc.property(typedCells, (cells) => {
      for (const field of TYPED_FIELDS) {
        const type = typeOf(field);
        const value = type.readCell(cells[field.name] ?? '', field);
        const key = value === undefined ? '' : type.keyOf(value, field);
        if (value === undefined || key === '') continue;
        const row = { values: { [field.name]: value }, keys: { [field.name]: key } };
        const isFound = (test: KeyTest) =>
          matches([{ field: field.name, parameters: [field.name], ...test }], row);
        const argument = type.read(type.argumentOf(value), { ...field, field: field.name });
        const found = [type.equalTo(key), type.testOf([argument], field)].map(isFound);
        expect([field.name, value, ...found]).toEqual([field.name, value, true, true]);
        if (!type.isOrdered) continue;
        const ends = (['min', 'max'] as const).map((end) => type.testOf([argument], field, end));
        expect([field.name, value, ...ends.map(isFound)]).toEqual([field.name, value, true, true]);
      }
    }),
    { seed: 4, numRuns: 500 },
  );
});

describe('a cell is none of', () => {
  test.each<[FieldTypeName, string]>([
    ['number', '1,5'],
    ['number', '1e999'],
    ['number', '9007199254740993'],
    ['integer', '1.5'],
    ['date', '2023-02-29'],
    ['date', '2020-05'],
    ['boolean', 'maybe'],
    ['boolean', '2'],
    ['link', 'ftp://example.org'],
    ['link', 'javascript:alert(1)'],
    ['link', 'https://'],
    ['link', 'https://example.org/ x'],
    ['link', 'example.org'],
  ])('%s: %s', (type, cell) => {
    expect(FIELD_TYPES[type].readCell(cell, { name: 'f', title: 'F' })).toBeUndefined();
  });
});

test('a link is read however many were read before', () => {
  const { readCell } = FIELD_TYPES.link;
  const field = { type: 'link', name: 'f', title: 'F' } as const;
  const cell = 'http://ü.example/1';
  let refused = 0;
  for (let i = 0; i < 50_000; i++) if (readCell(cell, field) === undefined) refused++;
  expect(refused).toBe(0);
});
test('the schema takes what is read of every cell, and of nothing else', () => {
  const check = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    schemaOfArguments(typedBlock.parameters),
  );
  fc.assert(
    fc.property(typedCells, fc.constantFrom('x', {}, true, 1.5, '12:30'), (cells, odd) => {
      for (const parameter of typedBlock.parameters) {
        const { field, name } = parameter;
        const cell = field === undefined ? null : cells[field];
        if (field === undefined || cell === null || cell === undefined) continue;
        const type = typeOf(TYPED_FIELDS.find((one) => one.name === field) as Field);
        expect([name, cell, check({ [name]: type.read(cell, parameter) })]).toEqual([
          name,
          cell,
          true,
        ]);
        const read = type.read(odd, parameter);
        if (check({ [name]: read }) === false) {
          // What is refused is told, with what is expected.
          expect(type.fault(read, parameter, type.expected(parameter)).detail).toMatch(
            /expected|write|Write|has none|mean/,
          );
        }
      }
    }),
    { seed: 2, numRuns: 200 },
  );
});
