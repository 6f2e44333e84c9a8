import { expect, test } from '@jest/globals';
import { fuzz } from './fuzz.ts';
import { fuzzViews } from './views.ts';

test('1,500 generated requests: no 5xx, every answer in its documented form', async () => {
  const statuses = await fuzz(1500, 7);
  // The generator reaches answers and refusals alike.
  for (const status of [200, 400, 404, 405, 415]) expect(statuses[status]).toBeGreaterThan(10);
});

test('300 generated questions to pages, figures and files: no 5xx, nothing broken in sight', async () => {
  const statuses = await fuzzViews(300, 9);
  for (const status of [200, 400, 404]) expect(statuses[status]).toBeGreaterThan(10);
});
