import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { ReadClient, type ReadClientSettings } from '../../src/dynamodb/read-client.ts';

/** A query of a DynamoDB that answers so. */
async function queryOf(
  answer: (response: ServerResponse) => void,
  settings: Omit<ReadClientSettings, 'endpoint'>,
) {
  const server = createServer((_, response) => {
    response.writeHead(200);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new ReadClient({ ...settings, endpoint: `http://127.0.0.1:${port}` });
  try {
    return await client.query({ TableName: 't' }, new AbortController().signal);
  } finally {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('an answer without end is given up at a bound of its bytes, and not asked for again', async () => {
  let [attempts, bytes] = [0, 0];
  const answer = (response: ServerResponse) => {
    attempts++;
    const piece = Buffer.alloc(2 ** 20, ' ');
    const write = () => {
      while (!response.destroyed && bytes < 2 ** 28) {
        bytes += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on('drain', write);
    write();
  };
  await expect(queryOf(answer, { requestTimeout: 20_000 })).rejects.toThrow(
    'The answer is over 33554432 bytes.',
  );
  expect(attempts).toBe(1);
  expect(bytes).toBeLessThan(2 ** 28);
});

test('an answer whose bytes arrive too slowly is given up, and asked for again', async () => {
  let attempts = 0;
  const answer = (response: ServerResponse) => {
    if (++attempts > 1) {
      response.end('{"Items":[],"Count":0}');
      return;
    }
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
  // As often as a busy machine takes too long for an answer that comes at once.
  const settings = { requestTimeout: 500, mostAttempts: Number.POSITIVE_INFINITY };
  expect(await queryOf(answer, settings)).toMatchObject({ Count: 0 });
  expect(attempts).toBeGreaterThan(1);
});
