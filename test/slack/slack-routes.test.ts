import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { slackRoutes } from '../../src/channels/slack/slack-routes.ts';
import type { CallBlock } from '../../src/http/call-block.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serviceOf } from '../../src/http/service.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { Problem } from '../../src/problem/errors.ts';
import { SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { type Service, startLoggedService } from '../support/service.ts';
import { commandBody, SLACK_SECRET, seconds, signatureOf, signed } from './signed-request.ts';

const PATH = '/integrations/slack';
const BODY = commandBody('rgb #ff7f50');

let service: Service;
beforeAll(async () => {
  service = await startLoggedService(undefined, {
    slackSecrets: async () => ['old', SLACK_SECRET],
  });
});
afterAll(() => service.close());

describe('who may ask', () => {
  test.each([
    ['the signing secret', SLACK_SECRET],
    ['one that it takes the place of', 'old'],
  ])('is answered by %s', async (_, secret) => {
    const { status, body, headers } = await service.send(PATH, signed(BODY, { secret }));
    expect({ status, text: body.text }).toEqual({ status: 200, text: 'Coral' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  const { headers } = signed(BODY);
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
  const refused: [string, RequestInit][] = [
    ['another secret', signed(BODY, { secret: 'another' })],
    ['an altered byte', { ...signed(BODY), body: `${BODY}&` }],
    ['301 s old', signed(BODY, { at: seconds() - 301 })],
    ['over 300 s ahead', signed(BODY, { at: seconds() + 400 })],
    ['no signature', { ...signed(BODY), headers: without('x-slack-signature') }],
    ['no time', { ...signed(BODY), headers: without('x-slack-request-timestamp') }],
    ['no header', { method: 'POST', body: BODY }],
    ['a body that is no form', { ...signed(BODY), body: '{' }],
    ['bytes that are not UTF-8', { ...signed(BODY), body: Uint8Array.from([0xff]) }],
    ['ssl_check with a wrong signature', { ...signed(BODY), body: 'ssl_check=1' }],
  ];

  test.each(refused)('is refused with one and the same answer: %s', async (_, init) => {
    const { status, body } = await service.send(PATH, init);
    expect({ status, ...body, instance: '' }).toEqual({
      type: 'docs/errors.md#signature-refused',
      title: 'The signature is not accepted',
      status: 401,
      detail: 'The signature is not accepted.',
      instance: '',
      code: 'signature-refused',
      errors: [{ code: 'signature-refused', detail: 'The signature is not accepted.' }],
      _errors: [
        { title: 'The signature is not accepted', message: 'The signature is not accepted.' },
      ],
    });
  });

  test.each(['x-slack-signature', 'x-slack-request-timestamp'])(
    'is refused where %s comes twice',
    async (name) => {
      const own: Record<string, string | string[]> = { ...signed(BODY).headers };
      own[name] = [own[name] as string, own[name] as string];
      const status = await new Promise((resolve, reject) => {
        const asked = request(`${service.url}${PATH}`, { method: 'POST', headers: own });
        asked.once('response', (response) => resolve(response.resume().statusCode));
        asked.once('error', reject);
        asked.end(BODY);
      });
      expect(status).toBe(401);
    },
  );

  test('an answer says nothing to a log of who asked', async () => {
    await service.send(PATH, signed(BODY));
    expect(JSON.stringify(service.log)).not.toMatch(/roadrunner|U2CERLKJA|ff7f50/);
  });
});

describe('what else is at the address', () => {
  test("Slack's own check of the server, which is not signed, gets an empty 200", async () => {
    const init = { method: 'POST', body: 'token=x&ssl_check=1' };
    const { status, text } = await service.send(PATH, init);
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });

  test.each([
    'ssl_check=0',
    'ssl_check=true',
    'ssl_check=11',
    'x_ssl_check=1',
    'text=ssl_check%3D1',
  ])('%s is no such check', async (body) => {
    expect((await service.send(PATH, { method: 'POST', body })).status).toBe(401);
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s is a 405', async (method) => {
    const { status, headers } = await service.send(PATH, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('signed bytes that are not UTF-8 are a 400', async () => {
    const { status, body } = await service.send(PATH, signed(Uint8Array.from([0x61, 0xff])));
    expect([status, body.code]).toEqual([400, 'invalid-encoding']);
  });
});

const answerCoral: CallBlock = async () => ({ kind: 'answered', params: {}, warnings: [] });

test.each(['GET', 'POST'])('without a secret, %s is told how to set Slack up', async (method) => {
  const request = requestOf(serviceOf(slackRoutes({ blocks: [], call: answerCoral }), SETTINGS));
  const response = await request(PATH, { method });
  const { code, detail } = await response.json();
  expect([response.status, code]).toEqual([404, 'not-found']);
  expect(detail).toMatch(/SLACK_SIGNING_SECRET.*docs\/slack\.md/);
});

test('a body over 262,144 bytes is a 413, however it is signed', async () => {
  const secrets = async () => [SLACK_SECRET];
  const request = requestOf(
    serviceOf(slackRoutes({ blocks: [], call: answerCoral, secrets }), SETTINGS),
  );
  const body = `text=${'a'.repeat(262_140)}`;
  const statusOf = async (sent: string) => (await request(PATH, signed(sent))).status;
  expect([await statusOf(body), await statusOf(body.slice(0, -1))]).toEqual([413, 200]);
});

test('a secret that cannot be read is a 503, which Slack reports', async () => {
  const secrets = async () => {
    throw new Problem('secret-unavailable', 'The signature cannot be checked just now.');
  };
  const runs: RunRecord[] = [];
  const settings = { ...SETTINGS, record: (run: RunRecord) => runs.push(run) };
  const request = requestOf(
    serviceOf(slackRoutes({ blocks: [], call: answerCoral, secrets }), settings),
  );
  expect((await request(PATH, signed(BODY))).status).toBe(503);
  expect(runs).toMatchObject([{ status: 503, code: 'secret-unavailable' }]);
});

describe('behind API Gateway, with a body in base64', () => {
  const secrets = async () => [SLACK_SECRET];
  const handler = apiGatewayHandler(
    slackRoutes({ blocks: [], call: answerCoral, secrets }),
    SETTINGS,
  );
  const base64 = Buffer.from(BODY).toString('base64');
  const send = (signature: string, at: number) =>
    handler({
      ...{ httpMethod: 'POST', path: PATH, resource: PATH, body: base64, isBase64Encoded: true },
      headers: { 'X-Slack-Signature': signature, 'X-Slack-Request-Timestamp': String(at) },
    } as unknown as APIGatewayProxyEvent);

  test('the bytes in it are what is signed', async () => {
    const at = seconds();
    expect((await send(signatureOf(BODY, SLACK_SECRET, at), at)).statusCode).toBe(200);
  });

  test('a signature over the base64 is refused', async () => {
    const at = seconds();
    expect((await send(signatureOf(base64, SLACK_SECRET, at), at)).statusCode).toBe(401);
  });
});
