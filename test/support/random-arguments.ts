import fc from 'fast-check';
import type { Block, DatasetBlock } from '../../src/core/block.ts';
import type { Field, Row } from '../../src/core/field.ts';
import type { Parameter } from '../../src/core/parameter.ts';

export type RandomArguments = Readonly<Record<string, string | number | readonly string[]>>;

/** Valid calls of a block: of a dataset's, with values of its rows, so that some match. */
export function randomArguments(block: Block, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  return block.answers === 'rows'
    ? ofDataset(block as DatasetBlock, rows)
    : fc.record(
        Object.fromEntries(
          block.parameters.map((parameter) => [parameter.name, ofParameter(parameter)]),
        ),
        { requiredKeys: block.parameters.filter(isRequired).map(({ name }) => name) },
      );
}

function ofDataset({ fields }: DatasetBlock, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const filtered = fields.filter(({ kind }) => kind !== 'carried');
  const filters = fc
    .subarray(filtered, { maxLength: 3 })
    .chain((some) => fc.tuple(...some.map((field) => ofField(field, rows))))
    .map((parts) => Object.assign({}, ...parts));
  const names = fields.map(({ name }) => name);
  const options = fc.record(
    {
      _limit: fc.integer({ min: 1, max: 60 }),
      _sort: fc
        .tuple(fc.constantFrom(...names), fc.boolean())
        .map(([name, isDown]) => `${isDown ? '-' : ''}${name}`),
      _fields: fc.subarray(names, { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(filters, options).map(([given, more]) => ({ ...given, ...more }));
}

function ofField(field: Field, rows: readonly Row[]): fc.Arbitrary<RandomArguments> {
  const { name } = field;
  const values = rows.map((row) => row[name]).filter((value) => value !== null);
  if (field.kind === 'text') {
    const texts = values.filter((value) => typeof value === 'string' && value.trim() !== '');
    if (texts.length === 0) return fc.constant({});
    const text = fc.constantFrom(...(texts as string[])).filter((one) => one.length < 200);
    const escaped = text.map((one) => one.replaceAll('*', '\\*'));
    const part = fc
      .tuple(escaped, fc.nat(20), fc.integer({ min: 1, max: 5 }))
      .map(([one, from, length]) => `*${one.slice(from, from + length)}*`)
      .filter((one) => !one.includes('\\') && (field.compare !== 'digits' || /\d/.test(one)));
    const one = fc.oneof(
      escaped,
      part,
      escaped.map((value) => value.toLowerCase()),
    );
    return fc
      .oneof(one, fc.array(one, { minLength: 1, maxLength: 4 }))
      .map((value) => ({ [name]: value }));
  }
  if (values.length === 0) return fc.constant({});
  const number = fc.constantFrom(...(values as number[]));
  return fc
    .tuple(number, number, fc.constantFrom('min', 'max', 'both'))
    .map(([a, b, ends]): RandomArguments => {
      if (ends !== 'both') return { [`${name}_${ends}`]: a };
      return { [`${name}_min`]: Math.min(a, b), [`${name}_max`]: Math.max(a, b) };
    });
}

function ofParameter(parameter: Parameter): fc.Arbitrary<string | number> {
  if (parameter.kind === 'choice') return fc.constantFrom(...parameter.choices);
  if (parameter.kind !== 'number') return fc.string({ minLength: 1, maxLength: 10 });
  const { minimum: min = 0, maximum: max = 1000, integer } = parameter;
  return integer ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
}

function isRequired(parameter: Parameter): boolean {
  return parameter.kind === 'number' && parameter.required === true;
}
