import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePointer, valueAt } from '../../src/http/picked-arguments.ts';

/** The document and the pointers of RFC 6901, section 5. */
const RFC = JSON.parse(
  '{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}',
);

function at(document: unknown, pointer: string): unknown {
  const path = parsePointer(pointer);
  if (path === undefined) return 'no pointer';
  const found = valueAt(document, path);
  return found === undefined ? 'nothing' : found.value;
}

test.each([
  ['', RFC],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('%j points as RFC 6901 says', (pointer, value) => expect(at(RFC, pointer)).toEqual(value));

test.each(['foo', 'foo/0', '#/foo', '/~', '/a~2b', '/foo~', ' /foo'])(
  '%j is no pointer',
  (pointer) => expect(at(RFC, pointer)).toBe('no pointer'),
);

test('~01 is a tilde and a one, not a slash', () => {
  expect(at({ '~1': 'here', '/': 'not here' }, '/~01')).toBe('here');
});

describe('points at nothing', () => {
  test.each([
    ['a member that is not there', '/bar'],
    ['a member of a text', '/foo/0/length'],
    ["a text's own index", '/foo/0/0'],
    ["a list's length", '/foo/length'],
    ['the end of a list', '/foo/2'],
    ['the place behind the end of a list', '/foo/-'],
    ['an index with a zero before it', '/foo/01'],
    ['an index below zero', '/foo/-1'],
    ['an index with a point', '/foo/1.0'],
    ['an index with an exponent', '/foo/1e0'],
    ['what every object inherits', '/toString'],
    ['the prototype', '/__proto__'],
    ['the prototype of a list', '/foo/__proto__'],
    ['a member of a number', '/a~1b/x'],
  ])('%s', (_, pointer) => expect(at(RFC, pointer)).toBe('nothing'));

  test('a member of null', () => expect(at({ a: null }, '/a/b')).toBe('nothing'));
});

test('a member that is called as the prototype is found where it was sent', () => {
  expect(at(JSON.parse('{"__proto__": {"x": 1}}'), '/__proto__/x')).toBe(1);
});

test('every place of 1,000 random documents is found, deep ones too', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (document) => {
      const places: [string, unknown][] = [['', document]];
      for (const [pointer, value] of places) {
        if (typeof value !== 'object' || value === null) continue;
        for (const [name, member] of Object.entries(value)) {
          places.push([`${pointer}/${name.split('~').join('~0').split('/').join('~1')}`, member]);
        }
      }
      for (const [pointer, value] of places) expect(at(document, pointer)).toBe(value);
    }),
    { numRuns: 1000, seed: 7 },
  );
});

test('a pointer of 100,000 steps needs no stack', () => {
  const depth = 100_000;
  const document = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`);
  expect(at(document, '/0'.repeat(5000))).toBe(1);
  expect(at(document, '/0'.repeat(depth))).toBe('nothing');
});
