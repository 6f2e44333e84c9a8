import { describe, expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';

const served = serveValue(block, () => ({ name: 'Coral' }));

async function headersOf(env: Record<string, string>, origin: string, httpMethod = 'GET') {
  const handler = lambdaHandler(served, env);
  const path = '/api_v2/blocks/rgb-to-color-name';
  const event = { httpMethod, path, resource: path, headers: { Origin: origin }, body: null };
  const { headers } = await handler(event as never);
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

describe('a function whose ALLOW_ORIGIN is', () => {
  const ALLOW_ORIGIN = 'https://a.example.org,https://b.example.org';

  test('absent: any page may read', async () => {
    const headers = await headersOf({}, 'https://elsewhere.example');
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test.each(['GET', 'OPTIONS', 'TRACE'])('a list: its pages may, to %s', async (method) => {
    const headers = await headersOf({ ALLOW_ORIGIN }, 'https://b.example.org', method);
    expect(headers['access-control-allow-origin']).toBe('https://b.example.org');
    expect(headers.vary).toMatch(/Origin$/);
  });

  test.each(['GET', 'OPTIONS', 'TRACE'])('a list: no other may, to %s', async (method) => {
    const headers = await headersOf({ ALLOW_ORIGIN }, 'https://elsewhere.example', method);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toMatch(/Origin$/);
  });
});
