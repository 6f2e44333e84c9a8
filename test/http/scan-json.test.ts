import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanJson } from '../../src/http/read-body.ts';

describe('a name that is there twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":{"a":1},"a":2}', 'a'],
    ['{"x":[{"a":1,"b":2,"b":3}]}', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    [' { "a" : "}" , "a" : 1 } ', 'a'],
  ])('%s: %j', (text, name) => {
    expect(scanJson(text).repeatedName).toBe(name);
  });

  test.each([
    '{}',
    '[]',
    '"a"',
    '{"a":1,"A":2}',
    '{"a":"a","b":"a"}',
    '[{"a":1},{"a":2}]',
    '{"a":["a","a"],"b":{"a":"b"}}',
    '{"a":"\\",\\"a\\":1"}',
    '[{"a":1},"a","a"]',
  ])('%s: none', (text) => {
    expect(scanJson(text).repeatedName).toBeUndefined();
  });

  test('is in no text that was written from a value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(scanJson(JSON.stringify(JSON.parse(text))).repeatedName).toBeUndefined();
      }),
      { seed: 31, numRuns: 500 },
    );
  });

  test('is found however deep it is, without recursion', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}{"a":1,"a":1}${']'.repeat(depth)}`;
    expect(scanJson(text)).toEqual({ depth: depth + 1, repeatedName: 'a' });
  });
});

test.each([
  ['"[{"', 0],
  ['{}', 1],
  ['[[],[]]', 2],
  ['{"a":{"b":[1]},"c":[]}', 3],
  ['{"\\"":["}"]}', 2],
])('%s is nested %i deep', (text, depth) => {
  expect(scanJson(text).depth).toBe(depth);
});
