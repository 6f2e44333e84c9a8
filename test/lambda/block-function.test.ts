import { expect, test } from '@jest/globals';
import { blockFunctionName } from '../../src/lambda/block-function.ts';

test("a block's function is named for its stack and the block", () => {
  expect(blockFunctionName('blockyard', 'street-trees')).toBe('blockyard_street-trees');
});

test('a longer name is cut to what Lambda takes, and stays one of its own', () => {
  const stack = 's'.repeat(50);
  const names = ['trees-of-the-north', 'trees-of-the-south', 'trees'].map((block) =>
    blockFunctionName(stack, block),
  );
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^s{50}_[\w-]{1,13}$/);
});
