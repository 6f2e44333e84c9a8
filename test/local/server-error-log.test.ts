import { expect, test } from '@jest/globals';
import { serverErrorLog } from '../../src/local/server-error-log.ts';

const RUN = { runId: 'the-id', block: 'tiny', method: 'POST', durationMs: 1 };

test('a run that broke on our side is a line of JSON, with its cause', () => {
  const lines: string[] = [];
  const cause = new Error('broken', { cause: 'the disk' });
  serverErrorLog((line) => lines.push(line))({
    ...{ ...RUN, status: 503 },
    ...{ code: 'store-unavailable', faults: ['store-unavailable'], cause },
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ level: 'error', runId: 'the-id', code: 'store-unavailable' },
      cause: expect.stringMatching(/^Error: broken\n.* <- the disk$/s),
    },
  ]);
  expect(lines[0]).not.toContain('\n');
});

test.each([200, 304, 400, 404, 431])('a run with %i is none', (status) => {
  const lines: string[] = [];
  serverErrorLog((line) => lines.push(line))({ ...RUN, status });
  expect(lines).toEqual([]);
});
