import { expect, test } from '@jest/globals';
import { describeCause } from '../../src/http/run-record.ts';

test('an error is its stack, and so is what caused it', () => {
  const described = describeCause(new Error('outer', { cause: new TypeError('inner') }));
  expect(described).toMatch(/^Error: outer\n +at .* <- TypeError: inner\n +at /s);
});

test("an error's own members are not told: an SDK keeps the request there", () => {
  const error = Object.assign(new Error('outer'), { $response: { headers: 'secret' } });
  expect(describeCause(error)).not.toContain('secret');
});

test('a circle of causes ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(describeCause(error)?.match(/Error: round/g)).toHaveLength(5);
});

test.each([
  ['text', 'text'],
  [null, 'null'],
  [undefined, undefined],
])('%j is %j', (cause, described) => {
  expect(describeCause(cause)).toBe(described);
});
