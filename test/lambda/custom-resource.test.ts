import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { customResource } from '../../src/lambda/check-version.ts';

/** Where CloudFormation listens; it answers with these statuses in turn, and then with 200. */
let told: { method: string | undefined; type: string | undefined; body: Record<string, string> }[];
let statuses: number[];
let url: string;
let close: () => Promise<unknown>;
beforeEach(async () => {
  told = [];
  statuses = [];
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    told.push({ method: request.method, type: request.headers['content-type'], body });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signed?a=b`;
  close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
});
afterEach(async () => {
  jest.restoreAllMocks();
  await close();
});

const event = (RequestType: string) =>
  ({
    RequestType,
    ResponseURL: url,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Check',
    ResourceProperties: { ServiceToken: 'arn', Block: 'trees' },
  }) as unknown as CloudFormationCustomResourceEvent;
const within = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const IDS = {
  PhysicalResourceId: 'Check',
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'Check',
};

describe('a custom resource', () => {
  test.each(['Create', 'Update'])('is told of as done when its work is (%s)', async (type) => {
    const seen: unknown[] = [];
    await customResource(async (properties) => {
      seen.push(properties.Block);
    })(event(type), within(60_000));
    expect(seen).toEqual(['trees']);
    expect(told).toEqual([{ method: 'PUT', type: '', body: { Status: 'SUCCESS', ...IDS } }]);
  });

  test('has nothing to delete', async () => {
    await customResource(async () => {
      throw new Error('worked');
    })(event('Delete'), within(60_000));
    expect(told.map(({ body }) => body.Status)).toEqual(['SUCCESS']);
  });

  test('fails with what its work throws, as much of it as CloudFormation takes', async () => {
    const message = `The table is short. ${'\u20ac'.repeat(5000)}`;
    await customResource(async () => {
      throw new Error(message);
    })(event('Update'), within(60_000));
    const [{ body } = { body: {} }] = told;
    expect(body).toMatchObject({ Status: 'FAILED', Reason: message.slice(0, 1000), ...IDS });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4096);
  });

  test('fails before its function ends, so that CloudFormation does not wait in vain', async () => {
    let ended: AbortSignal | undefined;
    await customResource((_, signal) => {
      ended = signal;
      return new Promise(() => {});
    })(event('Create'), within(20_000));
    expect(ended?.aborted).toBe(true);
    expect(told.map(({ body }) => [body.Status, body.Reason])).toEqual([
      ['FAILED', 'This did not end within 0 s.'],
    ]);
  });

  test('is told of again where that did not arrive, three times in all', async () => {
    statuses = [500, 503];
    await customResource(async () => {})(event('Create'), within(60_000));
    expect(told).toHaveLength(3);
    statuses = [500, 500, 500];
    const inVain = customResource(async () => {})(event('Create'), within(60_000));
    await expect(inVain).rejects.toThrow('answered 500');
  });
});
