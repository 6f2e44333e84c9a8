import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import { checksOf } from '../../src/arguments/compile-schema.ts';
import type { RawArguments, ReadArguments } from '../../src/arguments/given.ts';
import { plainReaderOf } from '../../src/arguments/plain.ts';
import { argumentSchema } from '../../src/block/argument-schema.ts';
import type { Problem } from '../../src/problem/errors.ts';
import { scalarText } from '../fuzz/requests.ts';
import { ampleBudget } from '../support/ample.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { typedBlock } from '../support/typed-block.ts';

const { block: directory } = await shippedBlock('business-directory');

/** What reading makes of arguments: the values in order, what goes with them, and what it took. */
function readingOf(read: ReadArguments, given: RawArguments) {
  try {
    const budget = ampleBudget();
    const { values, grouping, warnings, applied, locate } = read(given, budget);
    const places = Object.keys(values).map((parameter) =>
      locate({ code: 'not-text', detail: '', parameter }),
    );
    const { spent } = budget;
    return { values: Object.entries(values), grouping, warnings, applied, places, spent };
  } catch (error) {
    return { faults: (error as Problem).faults };
  }
}

const value = fc.oneof(
  scalarText,
  fc.integer({ min: -5, max: 2000 }),
  fc.double(),
  fc.constantFrom('5', '2020-02-29', '718-624-7581', 'yes', null, true, false, -0, ['x'], {}),
);

test.each([
  ['typed', typedBlock],
  ['business-directory', directory],
])('%s reads filters and a limit by themselves as it reads every request', (_, block) => {
  const plain = [...block.filters.keys(), '_limit'];
  const others = [...block.parameters, ...block.options].map(({ name }) => name);
  const name = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...plain) },
    fc.constantFrom(...others, 'sets', '__proto__', 'constructor', 'utm_source'),
  );
  const members = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: false });
  const asked = fc.record({
    members,
    isPost: fc.boolean(),
    preferred: fc.constantFrom(undefined, 'lenient' as const, 'strict' as const),
  });
  const inGeneral = readArgumentsOf(block);
  const plainFirst = readArgumentsOf(block, undefined, plainReaderOf);
  const readPlain = plainReaderOf(
    block,
    checksOf(() => argumentSchema(block)),
  );
  let read = 0;
  fc.assert(
    fc.property(asked, ({ members, isPost, preferred }) => {
      const sent = Object.assign(Object.create(null), members);
      const [query, body] = isPost ? [{}, sent] : [sent, {}];
      const given = { query, body, isPost, isWebhook: false, preferred, canWarn: true };
      expect(readingOf(plainFirst, given)).toEqual(readingOf(inGeneral, given));
      if (readPlain(given, ampleBudget()) !== undefined) read++;
    }),
    { numRuns: 2000, seed: 62 },
  );
  expect(read).toBeGreaterThan(100);
});
