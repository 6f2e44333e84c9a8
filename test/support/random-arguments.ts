import fc from 'fast-check';
import type { Block, DatasetBlock } from '../../src/block/block.ts';
import type { Parameter } from '../../src/block/parameter.ts';
import { isBlankText } from '../../src/text/fold.ts';
import type { Row, Value } from '../../src/values/field-type.ts';
import type { Field } from '../../src/values/field-types.ts';
import { randomSearches } from './random-searches.ts';

export type RandomArguments = Readonly<Record<string, Argument | readonly Argument[]>>;

/** Valid calls of a block: of a dataset's, with values of its rows, so that some match. */
export function randomArguments(block: Block, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  return block.answers === 'rows'
    ? ofDataset(block, rows)
    : fc.record(
        Object.fromEntries(
          block.parameters.map((parameter) => [parameter.name, ofParameter(parameter)]),
        ),
        { requiredKeys: block.parameters.filter(isRequired).map(({ name }) => name) },
      );
}

function ofDataset(block: DatasetBlock, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const { fields } = block;
  const filtered = fields.filter(({ filterable }) => filterable !== false);
  const filters = fc
    .subarray(filtered, { maxLength: 3 })
    .chain((some) => fc.tuple(...some.map((field) => ofField(field, rows))))
    .map((parts) => Object.assign({}, ...parts));
  const names = fields.map(({ name }) => name);
  const options = fc.record(
    {
      _limit: fc.integer({ min: 1, max: 60 }),
      _sort: fc
        .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.boolean()), {
          minLength: 1,
          maxLength: 2,
          selector: ([name]) => name,
        })
        .map((by) => by.map(([name, isDown]) => `${isDown ? '-' : ''}${name}`).join()),
      _fields: fc.subarray(names, { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const emptiness = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    fc
      .tuple(fc.constantFrom('_empty', '_filled'), fc.constantFrom(...filtered))
      .map(([option, { name }]) => ({ [option]: [name] })),
  );
  return fc
    .tuple(filters, emptiness, randomSearches(block, rows, filters), options)
    .map(([given, empty, searches, more]) => ({
      ...(isEmptied(given, empty) ? {} : empty),
      ...given,
      ...searches,
      ...more,
    }));
}

/** Whether a filter asks for a value of what is to have none, which is refused. */
function isEmptied(given: RandomArguments, { _empty = [] }: Record<string, string[]>): boolean {
  return _empty.some((name) =>
    [name, `${name}_min`, `${name}_max`].some((parameter) => Object.hasOwn(given, parameter)),
  );
}

function ofField(field: Field, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const { name } = field;
  const found = rows.flatMap((row) => row[name] ?? []);
  const values = found.filter((value) => typeof value !== 'string' || !isBlankText(value));
  if (values.length === 0) return fc.constant({});
  const one = ofValue(field, fc.constantFrom(...values));
  const some = fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 4 }));
  const equality = fc
    .tuple(some, fc.integer({ min: 0, max: 3 }))
    .map(([value, at]) => ({ [at === 0 ? `_not.${name}` : name]: value }));
  return hasEnds(field) ? fc.oneof(equality, ofEnds(name, one)) : equality;
}

function hasEnds({ type }: Field): boolean {
  return ['number', 'integer', 'date', 'datetime'].includes(type);
}

type Argument = string | number | boolean;

/** An argument that some of the values match. */
function ofValue(field: Field, value: fc.Arbitrary<Exclude<Value, null>>): fc.Arbitrary<Argument> {
  switch (field.type) {
    case 'date':
    case 'datetime':
      // A year, a month, a day, or all of it.
      return fc
        .tuple(value, fc.constantFrom(4, 7, 10, 40))
        .map(([text, length]) => String(text).slice(0, length));
    case 'number':
    case 'integer':
    case 'boolean':
      return value;
    default:
      return ofText(field, value as fc.Arbitrary<string>);
  }
}

function ofText({ type }: Field, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const escaped = value
    .filter((text) => text.length < 200)
    .map((text) => text.replaceAll('*', '\\*'));
  const part = fc
    .tuple(escaped, fc.nat(20), fc.integer({ min: 1, max: 5 }))
    .map(([text, from, length]) => `*${text.slice(from, from + length)}*`)
    .filter((text) => !text.includes('\\') && (type !== 'phone' || /\d/.test(text)));
  return fc.oneof(
    escaped,
    part,
    escaped.map((text) => text.toLowerCase()),
  );
}

function ofEnds(name: string, one: fc.Arbitrary<Argument>): fc.Arbitrary<RandomArguments> {
  return fc
    .tuple(one, one, fc.constantFrom('min', 'max', 'both'))
    .map(([a, b, ends]): RandomArguments => {
      if (ends !== 'both') return { [`${name}_${ends}`]: a };
      const [low, high] = isAbove(a, b) ? [b, a] : [a, b];
      return { [`${name}_min`]: low, [`${name}_max`]: high };
    });
}

/** Of texts of dates, by as much as both have. */
function isAbove(a: Argument, b: Argument): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) > Number(b);
  if (a.includes(':') && b.includes(':')) return Date.parse(a) > Date.parse(b);
  const length = Math.min(a.length, b.length);
  return a.slice(0, length) > b.slice(0, length);
}

function ofParameter({
  type,
  choices,
  minimum: min = 0,
  maximum: max = 1000,
}: Parameter): fc.Arbitrary<string | number> {
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (type === 'integer') return fc.integer({ min, max });
  if (type === 'number') return fc.double({ min, max, noNaN: true });
  return fc.string({ minLength: 1, maxLength: 10 });
}

function isRequired({ required }: Parameter): boolean {
  return required === true;
}
