import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedName } from '../../src/http/repeated-name.ts';

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
    expect(repeatedName(text)).toBe(name);
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
    expect(repeatedName(text)).toBeUndefined();
  });

  test('is in no text that was written from a value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(repeatedName(JSON.stringify(JSON.parse(text)))).toBeUndefined();
      }),
      { seed: 31, numRuns: 500 },
    );
  });

  test('is found however deep it is, without recursion', () => {
    const depth = 100_000;
    expect(repeatedName(`${'['.repeat(depth)}{"a":1,"a":1}${']'.repeat(depth)}`)).toBe('a');
  });
});
