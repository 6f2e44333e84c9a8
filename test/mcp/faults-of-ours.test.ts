import { describe, expect, test } from '@jest/globals';
import { mcpRoutes } from '../../src/channels/mcp/mcp-routes.ts';
import type { CallBlock } from '../../src/http/call-block.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serviceOf } from '../../src/http/service.ts';
import { serverErrorLog } from '../../src/local/start.ts';
import { Problem } from '../../src/problem/errors.ts';
import { problemDetails } from '../../src/problem/problem.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { messageOf } from './send-message.ts';

const RUN_ID = '6c12df6a-5e3c-4579-86c9-49c7e14fc372';

/** A tool whose block does not answer as it should: by a call that is given, and no service. */
async function called(call: CallBlock) {
  const records: RunRecord[] = [];
  const lines: string[] = [];
  const log = serverErrorLog((line) => lines.push(line));
  const service = serviceOf(mcpRoutes({ blocks: [{ block: tinyBlock }], call }), {
    ...SETTINGS,
    record: (run) => {
      records.push(run);
      log(run);
    },
  });
  const request = requestOf(service, { runId: RUN_ID });
  const params = { name: tinyBlock.name, arguments: {} };
  const { body, headers } = messageOf('2026-07-28', { method: 'tools/call', params });
  const response = await request('/mcp', { method: 'POST', body, headers });
  const { result } = await response.json();
  return { status: response.status, result, records, lines };
}

describe('a call that breaks on our side', () => {
  test('is a tool error that asks to try again, and tells nothing of the inside', async () => {
    const { status, result, records, lines } = await called(async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:4566');
    });
    expect(status).toBe(200);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe(
      `The service failed (internal-error). Try again in a second; where it stays, report the run id ${RUN_ID}.`,
    );
    expect(JSON.stringify(result)).not.toMatch(/ECONNREFUSED|10\.0\.0\.7/);
    expect(records).toMatchObject([{ runId: RUN_ID, status: 200, code: 'internal-error' }]);
    expect(lines.join()).toContain('ECONNREFUSED');
  });

  test('has the run id of the run that broke, where the block tells it', async () => {
    const own = '0b4950c5-75f1-4e23-8f2a-5ad323b7f9e7';
    const refusal = new Problem('store-unavailable', 'The data cannot be read just now.');
    const { result, records, lines } = await called(async () => ({
      kind: 'refused',
      problem: problemDetails(refusal, own),
    }));
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain(`(${refusal.code})`);
    expect(result.content[0].text).toContain(own);
    // The block has told of it.
    expect(records).toMatchObject([{ runId: RUN_ID, status: 200 }]);
    expect(records[0]?.code).toBeUndefined();
    expect(lines).toEqual([]);
  });
});
