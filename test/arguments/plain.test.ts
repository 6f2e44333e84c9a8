import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readArgumentsOf } from '../../src/arguments/arguments.ts';
import type { RawArguments, ReadArguments } from '../../src/arguments/given.ts';
import type { Problem } from '../../src/problem/errors.ts';
import { scalarText } from '../fuzz/requests.ts';
import { ampleBudget } from '../support/ample.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { typedBlock } from '../support/typed-block.ts';

const { block: directory } = await shippedBlock('business-directory');

/** What reading makes of arguments: the values in order, and what goes with them. */
function readingOf(read: ReadArguments, given: RawArguments) {
  try {
    const { values, grouping, warnings, applied, locate } = read(given, ampleBudget());
    const places = Object.keys(values).map((parameter) =>
      locate({ code: 'not-text', detail: '', parameter }),
    );
    return { values: Object.entries(values), grouping, warnings, applied, places };
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
])('%s reads filters and a limit as it reads them beside a blank member', (_, block) => {
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
  const readArguments = readArgumentsOf(block);
  let read = 0;
  fc.assert(
    fc.property(asked, ({ members, isPost, preferred }) => {
      const given = (all: object): RawArguments => {
        const sent = Object.assign(Object.create(null), all);
        const [query, body] = isPost ? [{}, sent] : [sent, {}];
        return { query, body, isPost, isWebhook: false, preferred, canWarn: true };
      };
      // A blank member counts as absent, and takes the general way.
      const blank = { ...members, _explain: members._explain ?? '' };
      const reading = readingOf(readArguments, given(members));
      expect(reading).toEqual(readingOf(readArguments, given(blank)));
      if ('values' in reading) read++;
    }),
    { numRuns: 2000, seed: 62 },
  );
  expect(read).toBeGreaterThan(100);
});
