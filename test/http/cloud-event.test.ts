import { describe, expect, test } from '@jest/globals';
import { CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import type { Members } from '../../src/arguments/given.ts';
import { readBody } from '../../src/http/read-body.ts';
import { argumentsSent } from '../../src/http/read-given.ts';
import { dataOfEvent } from '../../src/http/webhooks.ts';
import { tinyBlock } from '../support/tiny-block.ts';

/** What a block would be given of a message, as our own reading has it. */
async function dataOf({ headers, body }: { headers: Members; body: unknown }): Promise<unknown> {
  const sent = Object.fromEntries(new Headers(headers as Record<string, string>));
  const value = await readBody(Buffer.from(body as string), sent['content-type'] ?? '');
  const given = { query: Object.create(null), isPicked: false, isPost: true, sent: value };
  return { ...(await argumentsSent(tinyBlock, sent, given)).body };
}

const attributes = fc.record({
  id: fc.stringMatching(/^[a-z0-9-]{1,20}$/),
  source: fc.constantFrom('/tests', 'https://example.com/a'),
  type: fc.constantFrom('rows.asked', 'data'),
  street: fc.constantFrom('an extension', 'named as a parameter'),
});
const data = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.jsonValue(), {
  noNullPrototype: true,
  maxKeys: 6,
});

describe('the data of 1,000 random events are those that the package cloudevents reads', () => {
  test.each([
    ['structured', HTTP.structured],
    ['binary', HTTP.binary],
  ])('%s', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(attributes, data, async (given, members) => {
        const message = write(new CloudEvent({ ...given, data: members }));
        const event = HTTP.toEvent(message) as CloudEvent<Members>;
        expect(await dataOf(message as never)).toEqual(event.data);
        // What JSON cannot write, such as -0, was lost before it was sent.
        expect(event.data).toEqual(JSON.parse(JSON.stringify(members)));
      }),
      { numRuns: 1000, seed: 10 },
    );
  });

  test('in base64', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, data, async (given, members) => {
        const bytes = Buffer.from(JSON.stringify(members));
        const message = HTTP.structured(
          new CloudEvent({ ...given, data_base64: bytes.toString('base64') }),
        );
        const event = HTTP.toEvent(message) as CloudEvent<Uint32Array>;
        const theirs = Buffer.from(Uint8Array.from(event.data ?? [])).toString();
        expect(await dataOf(message as never)).toEqual(JSON.parse(theirs));
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

test('a body without specversion is no event', () => {
  expect(dataOfEvent({ data: { street: 'x' } })).toBeUndefined();
});
