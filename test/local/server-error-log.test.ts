import { expect, test } from '@jest/globals';
import { serverErrorLog } from '../../src/local/start.ts';

const RUN = { runId: 'the-id', block: 'tiny', method: 'POST', durationMs: 1 };

test.each([
  ['a fault of ours', 500, 'internal-error', /^Error: broken\n.* <- the disk$/s],
  ['a store that fails', 503, 'store-unavailable', /^Error: broken <- the disk$/],
] as const)('%s is a line of JSON, with its cause', (_, status, code, told) => {
  const lines: string[] = [];
  const cause = new Error('broken', { cause: 'the disk' });
  const record = serverErrorLog((line) => lines.push(line));
  record({ ...RUN, status, code, faults: [code], cause });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'error', runId: 'the-id', code, cause: expect.stringMatching(told) },
  ]);
  expect(lines[0]).not.toContain('\n');
});

test.each([200, 304, 400, 404, 431])('a run with %i is none', (status) => {
  const lines: string[] = [];
  serverErrorLog((line) => lines.push(line))({ ...RUN, status });
  expect(lines).toEqual([]);
});
