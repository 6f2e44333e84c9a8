import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Block } from '../../src/block/block.ts';
import { anyCharacter } from '../support/any-character.ts';

/** A request as a careless, or a hostile, caller might make it. */
export type FuzzRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'application/json; charset=latin1',
  'image/png',
  '',
];

/** A block, and what its cursors hold beside the position where nothing is asked for. */
export type FuzzedBlock = {
  readonly block: Block;
  readonly place?: { readonly fingerprint: string; readonly version: string };
};

/** Requests for these blocks: names near and far, values of every kind, every channel. */
export function fuzzRequest(blocks: readonly FuzzedBlock[]): fc.Arbitrary<FuzzRequest> {
  // Made once: that takes longer than to make a request by them.
  const ofBlocks = blocks.map(requestFor);
  return fc.constantFrom(...ofBlocks).chain((request) => request);
}

function requestFor({ block, place }: FuzzedBlock): fc.Arbitrary<FuzzRequest> {
  const known = [...block.parameters, ...block.options].map(({ name }) => name);
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    fc.constantFrom(...known).map((n) => n.slice(1)),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'api_key',
      '_blockspring_x',
      'cache',
      '',
      'x'.repeat(3000),
      'neighborhood_'.repeat(200),
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
  const members = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: false });
  const mapping = fc.tuple(
    fc.constantFrom('_map.', '_map', '_MAP.').chain((mark) => name.map((n) => mark + n)),
    fc.oneof(
      name.map((n) => `/data/${n}`),
      fc.constantFrom(...POINTERS),
      scalarText,
    ),
  );
  const anyQuery = fc.array(
    fc.oneof({ weight: 6, arbitrary: fc.tuple(name, scalarText) }, mapping),
    { maxLength: 4 },
  );
  const continued = forgedCursor(place).map((cursor): [string, string][] => [['_cursor', cursor]]);
  const query = fc.oneof(
    { weight: 20, arbitrary: anyQuery },
    ...(place === undefined ? [] : [{ weight: 3, arbitrary: continued }]),
  );
  const envelope = fc.record(
    {
      specversion: fc.constantFrom('1.0', '0.3', 1),
      type: fc.constantFrom('t', 'url_verification', null),
      timestamp: fc.constant('2026-11-21T14:45:00Z'),
      challenge: fc.oneof(scalarText, fc.constant(7)),
      datacontenttype: fc.constantFrom(...TYPES),
      data: fc.oneof({ weight: 3, arbitrary: members }, value),
      data_base64: fc.oneof(fc.base64String(), scalarText),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    { weight: 6, arbitrary: members.map((m) => JSON.stringify(m)) },
    { weight: 2, arbitrary: envelope.map((e) => JSON.stringify(e)) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(name, scalarText), { maxLength: 5 })
        .map((pairs) =>
          new URLSearchParams(
            pairs.map(([n, v]) => [n.toWellFormed(), v.toWellFormed()]),
          ).toString(),
        ),
    },
    fc
      .array(fc.tuple(name, scalarText), { maxLength: 4 })
      .map(
        (pairs) =>
          `${pairs.map(([n, v]) => `--b\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${v}\r\n`).join('')}--b--\r\n`,
      ),
    fc.json({ maxDepth: 4 }),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    fc.constantFrom('', '[]', '{}', '['.repeat(5000), '{"a":'.repeat(2000)),
  );
  const address = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(block.id, block.name) },
    fc.constantFrom('nope', `${block.name}/x`, '%ff', '%', '..'),
  );
  const headers = fc.record(
    {
      'content-type': fc.constantFrom(...TYPES),
      prefer: fc.constantFrom('handling=lenient', 'handling=strict', 'handling=x, ;=,'),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"'),
      'webhook-id': fc.constant('1'),
      'ce-specversion': fc.constant('1.0'),
      'x-github-event': fc.constantFrom('push', 'push', 'push', 'push', 'ping'),
      'webhook-request-origin': fc.constant('example.com'),
      'content-encoding': fc.constantFrom('identity', 'gzip'),
    },
    { requiredKeys: [] },
  );
  return fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant('POST') },
        fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'),
      ),
      address,
      query,
      flat: fc.boolean(),
      headers,
      body,
    })
    .map(({ method, address: at, query: pairs, flat, headers: sent, body: content }) => {
      const search = pairs.map(([n, v]) => `${encode(n)}=${encode(v)}`);
      if (flat) search.push('cache=false');
      const path = `/api_v2/blocks/${at}${search.length > 0 ? `?${search.join('&')}` : ''}`;
      const hasBody = method !== 'GET' && method !== 'HEAD';
      return { method, path, headers: sent, ...(hasBody ? { body: content } : {}) };
    });
}

/** Cursors with the right checksum: whatever is in them is somebody else's. */
function forgedCursor({ fingerprint, version } = { fingerprint: '', version: '' }) {
  const part = (own: unknown) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(own) }, fc.jsonValue({ maxDepth: 1 }));
  const position = fc.oneof(fc.integer({ min: -60, max: 200 }), fc.jsonValue({ maxDepth: 1 }));
  const place = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(position, part(fingerprint), part(version)) },
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc
    .oneof({ weight: 6, arbitrary: place.map((p) => JSON.stringify(p)) }, fc.string())
    .map((text) => {
      const checksum = createHash('sha256').update(text).digest('base64url').slice(0, 8);
      return Buffer.from(checksum + text).toString('base64url');
    });
}

const POINTERS = ['', '/', '/data', '/data/0', '/-', '/~2', '/__proto__/toString', '/data/length'];

export const scalarText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'retail',
    '*',
    '\\*',
    '718*',
    '5',
    ' 5 ',
    '5,000',
    '1e999',
    '0x10',
    '255.0',
    '',
    ' ',
    '\u200b',
    'true',
    '-business',
    'business,category',
    '😀',
    '\ufffd',
    '\ud800',
    'NaN',
  ),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom('x'.repeat(300), '*a'.repeat(130), '9'.repeat(400), '\ufdfa'.repeat(256)),
);

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  scalarText,
  fc.integer({ min: -5, max: 300 }),
  fc.double(),
  fc.constantFrom(null, true, false, 1e308, -0),
);

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.array(scalar, { maxLength: 5 }),
  fc.constantFrom({}, [[1]], Array(101).fill('x'), [{ a: 1 }], { $gt: 1 }),
);

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
