import { describe, expect, test } from '@jest/globals';
import { block } from '../../functions/rgb-to-color-name/block.ts';
import { serveValue } from '../../src/http/served-block.ts';
import { lambdaHandler } from '../../src/lambda/lambda-handler.ts';
import { lambdaSettings } from '../../src/lambda/lambda-settings.ts';
import { functionSettings, OPEN } from '../support/ample.ts';

const served = serveValue(block, () => ({ name: 'Coral' }));

async function answerTo(
  env: Record<string, string>,
  sent: Record<string, string>,
  httpMethod = 'GET',
) {
  const handler = lambdaHandler(served, env, functionSettings(env));
  const path = '/api_v2/blocks/rgb-to-color-name';
  const requestContext = { domainName: 'data.example.org', stage: 'prod', path: `/prod${path}` };
  const event = { httpMethod, path, resource: path, headers: sent, body: null, requestContext };
  const { headers, body } = await handler(event as never);
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(entries), body };
}

async function headersOf(env: Record<string, string>, origin: string, httpMethod?: string) {
  return (await answerTo(env, { Origin: origin }, httpMethod)).headers;
}

describe('a function whose ALLOW_ORIGIN is', () => {
  const ALLOW_ORIGIN = 'https://a.example.org,https://b.example.org';

  test('*: any page may read', async () => {
    const headers = await headersOf({ ALLOW_ORIGIN: '*' }, 'https://elsewhere.example');
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

test.each(['ALLOW_ORIGIN', 'ALLOW_FRAMES', 'ACCESS', 'SERVICE_NAME'])(
  'a function without %s does not start, and opens nothing',
  (name) => {
    const { [name]: _, ...others } = OPEN as Record<string, string>;
    expect(() => lambdaSettings(others)).toThrow(`${name} must be set.`);
    expect(() => lambdaSettings(OPEN)).not.toThrow();
  },
);

test('only a function that is told it is open tells search engines so', () => {
  const isKeyed = (ACCESS: string) => lambdaSettings({ ...OPEN, ACCESS }).publication?.isKeyed;
  expect(['open', 'keys', 'Open', ''].map(isKeyed)).toEqual([undefined, true, true, true]);
});

describe('a page of a function', () => {
  const framesOf = async (env: Record<string, string>) => {
    const { headers } = await answerTo(env, { Accept: 'text/html' });
    return /; frame-ancestors (.*)$/.exec(headers['content-security-policy'])?.[1];
  };

  test.each<[Record<string, string>, string]>([
    [{ ALLOW_FRAMES: '*' }, '*'],
    [{ ALLOW_FRAMES: 'none' }, "'none'"],
    [
      { ALLOW_FRAMES: 'https://a.example.org, http://b.example.org:8080' },
      "'self' https://a.example.org http://b.example.org:8080",
    ],
  ])('with %j may be embedded by %s', async (env, frames) => {
    expect(await framesOf(env)).toBe(frames);
  });

  test.each(['a.example.org', 'https://a.example.org/', 'https://a;script-src', 'null', ' '])(
    'that is told “%s” does not start',
    async (ALLOW_FRAMES) => {
      await expect(framesOf({ ALLOW_FRAMES })).rejects.toThrow('ALLOW_FRAMES');
    },
  );

  test('shows the address that API Gateway was asked for, whatever a caller says of it', async () => {
    const { headers, body } = await answerTo(
      {},
      {
        Accept: 'text/html',
        'X-Forwarded-Prefix': '/evil',
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-Host': 'evil.example',
      },
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body).toContain('https://data.example.org/prod/api_v2/blocks/rgb-to-color-name');
    expect(body).not.toContain('evil');
  });
});
