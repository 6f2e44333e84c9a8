import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { suiteService } from '../support/suite-service.ts';
import { sendMessage } from './send-message.ts';

const service = suiteService();

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    '\ud800',
    'a\udfffb',
    '*\ud83d*',
    'a,b',
    ',',
    ' ',
    '',
    '"',
    '*',
    '%',
    '+',
    '&a=b',
    '#',
    '\0',
    '\r\n',
  ),
  fc.constantFrom('retail', '*a*', 'services', '__proto__', '1', 'null', 'true'),
);
const value = fc.oneof(
  text,
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom(null, 1, true, [null], [['retail']]),
);
const fields = fc.constantFrom('category', 'business', 'phone_number', 'city_state');
const PARTS = {
  category: value,
  business: value,
  _not: fc.dictionary(fields, value, { maxKeys: 2 }),
  _or: fc.array(fc.dictionary(fields, value, { minKeys: 1, maxKeys: 2 }), {
    minLength: 1,
    maxLength: 3,
  }),
  _q: text,
  _near: fc.constantFrom('-73.997,40.68', ['-73.997', '40.68'], [-73.997, 40.68]),
  _limit: fc.constantFrom(1, '3', 2.0),
  _sort: fc.constantFrom('-business', ['category', '-business'], 'category, business'),
  _fields: fc.constantFrom('business', ['business', 'category'], []),
  _group: fc.constantFrom('category', ['category'], ''),
  _facets: fc.constantFrom('category', ['category']),
  _empty: fc.constantFrom('phone_number', ['phone_number']),
};
/** Up to three at once: more are mostly refused. */
const given = fc
  .subarray(Object.keys(PARTS) as (keyof typeof PARTS)[], { maxLength: 3 })
  .chain((names) =>
    fc.record(
      Object.fromEntries(names.map((name) => [name, PARTS[name] as fc.Arbitrary<unknown>])),
    ),
  );

test('a receipt, followed, gives the same answer', async () => {
  const kinds: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(given, async (given) => {
      const params = { name: 'business-directory', arguments: given };
      const sent = { method: 'tools/call', params };
      const { result } = await sendMessage(service, '2025-11-25', sent);
      const { isError, content } = result;
      const [{ text }] = content;
      const count = (kind: string) => {
        kinds[kind] = (kinds[kind] ?? 0) + 1;
      };
      if (isError) {
        return count('refused');
      }
      const [, total] = /^(?:All )?([\d,]+) /.exec(text) ?? [];
      const [, at, to] =
        /^The same (?:at: (\S+)|by POST of these arguments to: (\S+))$/m.exec(text) ?? [];
      count(at === undefined ? 'POST' : 'GET');
      const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
      const answer =
        at === undefined
          ? await fetch(to as string, { method: 'POST', headers, body: JSON.stringify(given) })
          : await fetch(at, { headers });
      const same = await answer.json();
      expect([answer.status, same.params?.total]).toEqual([200, Number(total)]);
    }),
    { seed: 54, numRuns: 250 },
  );
  for (const kind of ['GET', 'POST']) expect(kinds[kind]).toBeGreaterThan(2);
});

test.each(['\ud800', 'a\udfffb', '\ufffd'])(
  'a filter that no query can hold, %j, is told to be posted',
  async (business) => {
    const params = { name: 'business-directory', arguments: { business } };
    const { result } = await sendMessage(service, '2025-11-25', { method: 'tools/call', params });
    expect(result.content[0].text).toContain('\nThe same by POST of these arguments to: ');
  },
);
