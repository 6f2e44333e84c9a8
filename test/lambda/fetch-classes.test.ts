import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as ours from '../../src/lambda/fetch-classes.ts';
import { anyCharacter } from '../support/any-character.ts';

const SEED = { seed: 20_261_121, numRuns: 1000 };

/** What a call gives or throws, so that two can be compared. */
function outcome<T>(call: () => T): unknown {
  try {
    return call();
  } catch (error) {
    return `throws a ${(error as Error).constructor.name}`;
  }
}

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'X-Run-Id',
    'x-run-id',
    'content-type',
    'Accept',
    'b-c_d',
    '',
    'a b',
    'é',
    'a:',
  ),
  fc.string({ maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom('', ' v ', '\tv\r\n', 'a, b', 'v\nw', 'v\0', 'ÿ', 'Ā', '✓'),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);
const step = fc.record({
  call: fc.constantFrom('append', 'set', 'delete', 'get', 'has'),
  name,
  value,
});

test("Headers do what Node's do, whatever is done to them", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const run = (headers: Headers) => {
        const seen = steps.map(({ call, name: n, value: v }) =>
          outcome(() => (headers[call as 'set'] as (n: string, v: string) => unknown)(n, v)),
        );
        const each: [string, string][] = [];
        headers.forEach((v, n) => {
          each.push([n, v]);
        });
        return { seen, entries: [...headers.entries()], each, spread: [...headers] };
      };
      expect(run(new ours.Headers() as unknown as Headers)).toEqual(run(new Headers()));
    }),
    SEED,
  );
});

test("Headers are made of what Node's are", () => {
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
  fc.assert(
    fc.property(pairs, (init) => {
      const made = (Class: typeof Headers) =>
        [init, Object.fromEntries(init)].map((given) =>
          outcome(() => [...new Class(new Class(given as [string, string][]))]),
        );
      expect(made(ours.Headers as unknown as typeof Headers)).toEqual(made(Headers));
    }),
    SEED,
  );
});

const bytes = fc.option(fc.uint8Array({ maxLength: 20 }), { nil: null });
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://h/a b?c=d e',
    'https://h/%zz?%zz',
    'https://h/../a/./b',
    'https://user:secret@h/',
    'https://h:99999/',
    'https:///',
    'https://h/ü?ü=✓#f',
    'nonsense',
  ),
);
const method = fc.constantFrom(
  'GET',
  'get',
  'Post',
  'PATCH',
  'patch',
  'HEAD',
  'put',
  'TRACE',
  'connect',
  'M-SEARCH',
  'A B',
  '',
);

test("a Request is read, or refused, as Node's is", async () => {
  await fc.assert(
    fc.asyncProperty(address, method, bytes, async (url, verb, body) => {
      const made = async (Class: typeof Request) => {
        const request = outcome(
          () =>
            new Class(url, {
              method: verb,
              headers: { a: 'b' },
              body: body as Uint8Array<ArrayBuffer> | null,
            }),
        );
        if (typeof request === 'string') return request;
        const whole = request as Request;
        return {
          url: whole.url,
          method: whole.method,
          header: whole.headers.get('A'),
          hasBody: whole.body !== null,
          bytes: [...new Uint8Array(await whole.arrayBuffer())],
        };
      };
      const expected = await made(Request);
      expect(await made(ours.Request as unknown as typeof Request)).toEqual(expected);
    }),
    { ...SEED, numRuns: 500 },
  );
});

test("a Request's body can be read as a stream", async () => {
  const request = new ours.Request('https://h/', { method: 'POST', body: Uint8Array.of(1, 2, 3) });
  const chunks: number[] = [];
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>)
    chunks.push(...chunk);
  expect(chunks).toEqual([1, 2, 3]);
});

describe('a Response', () => {
  test.each([
    [null, { status: 204 }],
    [null, { status: 304, headers: { ETag: 'W/"a"' } }],
    ['text', {}],
    ['', { status: 404 }],
    ['{"a":1}', { status: 200, headers: { 'Content-Type': 'application/json', Vary: 'Prefer' } }],
    ['text', { status: 204 }],
    ['text', { status: 304 }],
    [null, { status: 199 }],
    [null, { status: 600 }],
    [null, { headers: { 'a b': 'c' } }],
  ])("of %j and %j is Node's", async (body, init) => {
    const made = async (Class: typeof Response) => {
      const response = outcome(() => new Class(body, init as ResponseInit));
      if (typeof response === 'string') return response;
      const whole = response as Response;
      return { status: whole.status, headers: [...whole.headers], text: await whole.text() };
    };
    expect(await made(ours.Response as unknown as typeof Response)).toEqual(await made(Response));
  });

  test('is made again of another, as for HEAD', async () => {
    const first = new ours.Response('text', { status: 201, headers: { A: 'b' } });
    const again = new ours.Response(null, first);
    expect([again.status, again.headers.get('a'), await again.text()]).toEqual([201, 'b', '']);
  });
});
