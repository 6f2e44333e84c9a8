import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import type { Row } from '../../src/core/field.ts';
import { blockApp } from '../../src/http/block-app.ts';
import { serveValue } from '../../src/http/serve-block.ts';
import { loadBlocks } from '../../src/importer/load-blocks.ts';
import { apiGatewayHandler } from '../../src/lambda/api-gateway-handler.ts';
import { start } from '../../src/local/start.ts';
import { doorsOf } from '../support/doors.ts';
import { randomArguments } from '../support/random-arguments.ts';
import {
  type Answer,
  ROOT,
  type Service,
  startLocalService,
  startService,
} from '../support/service.ts';
import { signed, WEBHOOK_SECRET, WEBHOOK_SECRETS, webhookDoors } from '../support/webhook-doors.ts';

const loaded = await loadBlocks(path.join(ROOT, 'functions'));
const [OTHER_SECRET = ''] = WEBHOOK_SECRETS;

let open: Service;
let checked: Service;
beforeAll(async () => {
  [open, checked] = await Promise.all([
    startService(),
    startService(undefined, { webhookSecrets: async () => WEBHOOK_SECRETS }),
  ]);
});
afterAll(() => Promise.all([open.close(), checked.close()]));

const JSON_TYPE = 'application/json';
/** Headers that no two answers share, API Gateway's own among them. */
const OF_EACH_ANSWER = /^(?:date|server-timing|x-run-id|x-amzn?-.*)$/;
const CORAL = { R: 255, G: 127, B: 80 };
const COLOR = '/api_v2/blocks/rgb-to-color-name';
const DIRECTORY = '/api_v2/blocks/business-directory';
const nameOf = ({ body }: Answer) => body.params?.name;
const faultsOf = ({ body }: Answer) =>
  body.errors.map(({ code, parameter, pointer, suggestion }: Record<string, string>) => [
    code,
    parameter,
    pointer,
    ...(suggestion === undefined ? [] : [suggestion]),
  ]);

type Sent = { headers: Readonly<Record<string, string>>; body: string };
const post = (service: Service, address: string, { headers, body }: Sent, query = '') =>
  service.send(address + query, { method: 'POST', headers, body });
const json = (value: unknown, headers = {}): Sent => ({
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});
const event = (members: object) =>
  json({ specversion: '1.0', id: '1', source: '/s', type: 't', ...members }, STRUCTURED);
const STRUCTURED = { 'content-type': 'application/cloudevents+json' };
const URL_VERIFICATION = { type: 'url_verification', challenge: 'c' };
const STANDARD = { 'webhook-id': 'msg_1' };

describe('a signature, where a secret is set', () => {
  const body = JSON.stringify({ type: 't', timestamp: '2026-11-21T14:45:00Z', data: CORAL });
  const good = () => signed(JSON_TYPE, body);

  test.each([
    ['JSON', JSON_TYPE, JSON.stringify(CORAL)],
    ['JSON in an envelope', JSON_TYPE, body],
    ['a form', 'application/x-www-form-urlencoded', 'R=255&G=127&B=80'],
    [
      'multipart',
      'multipart/form-data; boundary=b',
      ['R=255', 'G=127', 'B=80']
        .map((pair) => pair.split('='))
        .map(
          ([name, value]) =>
            `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .join('')
        .concat('--b--\r\n'),
    ],
    ['an event of CloudEvents', STRUCTURED['content-type'], event({ data: CORAL }).body],
  ])('over %s is accepted', async (_, type, text) => {
    expect(nameOf(await post(checked, COLOR, signed(type, text)))).toBe('Coral');
  });

  test('by the first of two secrets is accepted too', async () => {
    const sent = signed(JSON_TYPE, body, new Webhook(OTHER_SECRET));
    expect(nameOf(await post(checked, COLOR, sent))).toBe('Coral');
  });

  test('may come again: the same answer', async () => {
    const sent = good();
    const [first, second] = [await post(checked, COLOR, sent), await post(checked, COLOR, sent)];
    expect([first.status, second.text]).toEqual([200, first.text]);
  });

  test('is not asked for: a call without its headers is an ordinary one', async () => {
    expect(nameOf(await checked.post('rgb-to-color-name', CORAL))).toBe('Coral');
    expect((await checked.get(`${COLOR}?R=255&G=127&B=80`)).status).toBe(200);
  });

  const without = (name: string) => {
    const { headers, ...rest } = good();
    return {
      ...rest,
      headers: Object.fromEntries(Object.entries(headers).filter(([n]) => n !== name)),
    };
  };
  const withHeader = (name: string, change: (value: string) => string) => {
    const { headers, ...rest } = good();
    return { ...rest, headers: { ...headers, [name]: change(headers[name] as string) } };
  };
  const refusals: readonly (readonly [string, () => Sent])[] = [
    ['another secret', () => signed(JSON_TYPE, body, new Webhook(`whsec_${'C'.repeat(32)}`))],
    ['an altered byte', () => ({ ...good(), body: body.replace('255', '254') })],
    ['a body that is no JSON', () => ({ ...good(), body: '{' })],
    ['the body in base64', () => ({ ...good(), body: Buffer.from(body).toString('base64') })],
    [
      'a time long ago',
      () => withHeader('webhook-timestamp', (time) => String(Number(time) - 400)),
    ],
    ['a time to come', () => withHeader('webhook-timestamp', (time) => String(Number(time) + 400))],
    ['no id', () => without('webhook-id')],
    ['no time', () => without('webhook-timestamp')],
    ['no signature', () => without('webhook-signature')],
    ['a shorter signature', () => withHeader('webhook-signature', (text) => text.slice(0, -3))],
    [
      'a body said to be compressed',
      () => {
        const { headers, ...rest } = without('webhook-id');
        return { ...rest, headers: { ...headers, 'content-encoding': 'gzip' } };
      },
    ],
    ['a type that is not read', () => ({ ...without('webhook-id'), body: 'x' })],
  ];

  test('that is not accepted is refused with the same 401, whatever is wrong', async () => {
    const answers = await Promise.all(
      refusals.map(async ([what, sent]) => {
        const { status, body, headers } = await post(checked, COLOR, sent());
        const { instance: _, ...told } = body;
        const named = [...headers].filter(([name]) => !OF_EACH_ANSWER.test(name));
        return { what, told: JSON.stringify([status, told, named]) };
      }),
    );
    expect(answers.filter(({ told }) => told !== answers[0]?.told)).toEqual([]);
    expect(JSON.parse(answers[0]?.told as string).slice(0, 2)).toMatchObject([
      401,
      { code: 'signature-refused', detail: 'The signature is not accepted.' },
    ]);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'with %s twice is refused',
    async (name) => {
      const { headers } = good();
      const twice = Object.entries({ ...headers, 'content-length': String(body.length) }).map(
        ([header, value]) => [header, header === name ? [value, value] : value],
      );
      const status = await new Promise((resolve, reject) => {
        const options = { method: 'POST', headers: Object.fromEntries(twice) };
        request(checked.url + COLOR, options, ({ statusCode }) => resolve(statusCode))
          .on('error', reject)
          .end(body);
      });
      expect(status).toBe(401);
    },
  );

  test('is looked at on GET too', async () => {
    const { status } = await checked.get(`${COLOR}?R=1&G=2&B=3`, STANDARD);
    expect(status).toBe(401);
  });

  test('keeps its 401 in the form of the old clients', async () => {
    const { status, body: told } = await post(
      checked,
      COLOR,
      without('webhook-id'),
      '?cache=false',
    );
    expect([status, told]).toEqual([
      401,
      {
        _blockspring_spec: true,
        _errors: [
          { title: 'The signature is not accepted', message: 'The signature is not accepted.' },
        ],
      },
    ]);
  });

  test('is not looked at where no secret is set', async () => {
    expect(
      nameOf(await post(open, COLOR, signed(JSON_TYPE, body, new Webhook(OTHER_SECRET)))),
    ).toBe('Coral');
  });

  test('in a function is checked over the bytes, not over their base64', async () => {
    const color = loaded.find(({ block }) => block.name === 'rgb-to-color-name');
    if (color?.kind !== 'value') throw new Error('not a value block');
    const settings = {
      build: 'test',
      record: () => {},
      webhookSecrets: async () => [WEBHOOK_SECRET],
    };
    const app = blockApp(
      serveValue(color.block, color.createRun(path.join(ROOT, 'seed-data'))),
      settings,
    );
    const handler = apiGatewayHandler(app, settings, 'rgb-to-color-name');
    const base = JSON.parse(
      readFileSync(path.join(ROOT, 'test/lambda/events/get-query.json'), 'utf8'),
    ) as APIGatewayProxyEvent;
    const call = async (sent: Sent, isBase64Encoded: boolean, doubled?: string) => {
      const { statusCode } = await handler({
        ...base,
        httpMethod: 'POST',
        path: COLOR,
        queryStringParameters: null,
        multiValueQueryStringParameters: null,
        headers: sent.headers,
        multiValueHeaders: Object.fromEntries(
          Object.entries(sent.headers).map(([name, value]) => [
            name,
            name === doubled ? [value, value] : [value],
          ]),
        ),
        body: sent.body,
        isBase64Encoded,
      });
      return statusCode;
    };
    const base64 = Buffer.from(body).toString('base64');
    expect(await call(good(), false)).toBe(200);
    expect(await call({ ...good(), body: base64 }, true)).toBe(200);
    expect(await call(signed(JSON_TYPE, base64), true)).toBe(401);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect([name, await call(good(), false, name)]).toEqual([name, 401]);
    }
  });

  test.each(['pass phrase!', 'password', ' ', ''])(
    'by the secret %j cannot be checked: no start',
    async (secret) => {
      const settings = { root: ROOT, record: () => {}, webhookSecret: secret };
      await expect(start(settings)).rejects.toThrow(
        /WEBHOOK_SECRET is (?:blank|not base64|of \d bytes); expected/,
      );
    },
  );

  test('that cannot be checked is a fault of ours, and no secret is told', async () => {
    const service = await startLocalService(0, { webhookSecrets: async () => ['hush! hush!'] });
    try {
      const { status, headers, text } = await post(service, COLOR, good());
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(text).not.toContain('hush');
      expect(JSON.stringify(service.log)).not.toContain('hush');
    } finally {
      await service.close();
    }
  });
});

describe('every door of events gives the rows that a POST gives', () => {
  test.each(loaded.map(({ block }) => [block.name, block] as const))('%s', async (name, block) => {
    const all: Row[] =
      block.answers === 'rows' ? (await open.post(name, {})).body.params.results : [];
    const { 'JSON by POST': reference } = doorsOf(block);
    if (reference === undefined) throw new Error('JSON by POST is the one to compare with');
    await fc.assert(
      fc.asyncProperty(randomArguments(block, all), async (given) => {
        for (const service of [open, checked]) {
          const call = { service, block, arguments: given };
          const wanted = await reference(call);
          for (const [door, ask] of Object.entries(webhookDoors())) {
            expect({ door, ...(await ask(call)) }).toEqual({ door, ...wanted });
          }
        }
      }),
      // Every door is asked more of the same in doors.test.ts; this adds the secret.
      { numRuns: 20, seed: 9 },
    );
  });
});

describe('an event of CloudEvents', () => {
  test('in structured mode gives its data, and its attributes are no arguments', async () => {
    const answer = await post(open, COLOR, event({ data: CORAL, R: 1, subject: 's', ext: 'e' }));
    expect([nameOf(answer), answer.body._warnings]).toEqual(['Coral', []]);
  });

  test.each<[string, object]>([
    ['JSON in base64', { data_base64: Buffer.from(JSON.stringify(CORAL)).toString('base64') }],
    [
      'a form in base64',
      {
        datacontenttype: 'application/x-www-form-urlencoded',
        data_base64: Buffer.from('R=255&G=127&B=80').toString('base64'),
      },
    ],
    [
      'a form',
      {
        datacontenttype: 'application/x-www-form-urlencoded; charset=utf-8',
        data: 'R=255&G=127&B=80',
      },
    ],
    ['its data where the type is of something else', { datacontenttype: 'text/xml', data: CORAL }],
    [
      'base64 beside data that are null',
      { data: null, data_base64: Buffer.from(JSON.stringify(CORAL)).toString('base64') },
    ],
    ['its data, whatever its type and its attributes', { ...URL_VERIFICATION, data: CORAL }],
  ])('may hold %s', async (_, members) => {
    expect(nameOf(await post(open, COLOR, event(members)))).toBe('Coral');
  });

  test.each<[string, object, string]>([
    ['text', { data: 'R=255' }, 'invalid-json'],
    ['a list', { data: [CORAL] }, 'invalid-json'],
    ['a number', { data: 7 }, 'invalid-json'],
    ['data twice', { data: CORAL, data_base64: 'e30=' }, 'invalid-json'],
    ['what is not base64', { data_base64: '{"R":255}' }, 'invalid-json'],
    [
      'base64 after what is none',
      { data_base64: `!!!!${Buffer.from(JSON.stringify(CORAL)).toString('base64')}` },
      'invalid-json',
    ],
    ['base64 of no JSON', { data_base64: Buffer.from('R').toString('base64') }, 'invalid-json'],
    ['bytes that are not UTF-8', { data_base64: '/w==' }, 'invalid-encoding'],
  ])('with %s is a 400', async (_, members, code) => {
    const { status, body } = await post(open, COLOR, event(members));
    expect([status, body.code]).toEqual([400, code]);
  });

  test('with data of a type that is not read is a 415', async () => {
    const sent = event({ datacontenttype: 'image/png', data_base64: 'AAAA' });
    expect((await post(open, COLOR, sent)).status).toBe(415);
  });

  test.each([
    ['no data', event({})],
    ['null', event({ data: null })],
    ['an empty object', event({ data: {} })],
    ['an empty list', event({ data: [] })],
    ['empty base64', event({ data_base64: '' })],
    ['strangers', event({ data: { colour: 'red' } })],
    ['blanks', event({ data: { category: ' ' } })],
    ['options alone', event({ data: { _limit: 3 } })],
    ['no body', { headers: STRUCTURED, body: '' }],
    ['headers and no body', { headers: { 'ce-id': '1', 'ce-specversion': '1.0' }, body: '' }],
    ['headers and an empty object', json({}, { 'ce-specversion': '1.0' })],
  ])('with %s is not answered with everything', async (_, sent) => {
    const answer = await post(open, DIRECTORY, sent);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid-arguments']);
    const fixed = await post(open, DIRECTORY, sent, '?category=retail');
    expect([fixed.status, fixed.body.params.total]).toEqual([200, 61]);
  });

  test('a fault says where in the event it is', async () => {
    const answer = await post(
      open,
      COLOR,
      event({ data: { R: 256, G: 1, colour: 1 } }),
      '?_handling=strict',
    );
    expect(faultsOf(answer)).toEqual([
      ['unknown-parameter', 'colour', '#/data/colour'],
      ['missing-parameter', 'B', '#/data/B'],
      ['out-of-range', 'R', '#/data/R'],
    ]);
    const encoded = event({ data_base64: Buffer.from('{"R":256,"G":1,"B":1}').toString('base64') });
    expect(faultsOf(await post(open, COLOR, encoded))).toEqual([
      ['out-of-range', 'R', '#/data_base64'],
    ]);
  });

  test.each([
    ['two', [CORAL, CORAL]],
    ['one', [CORAL]],
    ['none', []],
  ])('does not come with others: a batch of %s is a 400', async (_, events) => {
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const answer = await post(open, COLOR, json(events, headers), '?_map.R=/0/R&G=1&B=2');
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      expect.stringContaining('one at a time'),
    ]);
  });
});

describe('a delivery of Standard Webhooks', () => {
  test.each(['{"category":null}', '{"category":""}', '{"category":[]}', '{}', '', '{"_limit":3}'])(
    'that gives no parameter, %j, is not answered with everything',
    async (body) => {
      for (const type of [JSON_TYPE, 'application/x-www-form-urlencoded']) {
        const text = type === JSON_TYPE ? body : '_limit=3&category=';
        const { status, body: told } = await post(checked, DIRECTORY, signed(type, text));
        expect([status, told.errors?.[0]?.code]).toEqual([400, 'missing-parameter']);
      }
      const fixed = await post(checked, DIRECTORY, signed(JSON_TYPE, body), '?category=retail');
      expect(fixed.status).toBe(200);
    },
  );

  test.each(['webhook-id', 'webhook-signature'])(
    'where no secret is set, is known by %s: unknown names are ignored and named',
    async (name) => {
      const sent = { ...CORAL, colour: 'red' };
      const { status, body } = await post(open, COLOR, json(sent, { [name]: 'v1,x' }));
      expect([status, body._warnings.map((w: { parameter: string }) => w.parameter)]).toEqual([
        200,
        ['colour'],
      ]);
    },
  );

  test('gives its data, and what is beside them but for the type and the time', async () => {
    const body = { type: 't', timestamp: 'now', id: 'evt_1', G: 127, data: { R: 255, B: 80 } };
    const answer = await post(open, COLOR, json(body, STANDARD));
    expect(nameOf(answer)).toBe('Coral');
    expect(answer.body._warnings.map((w: { parameter: string }) => w.parameter)).toEqual(['id']);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    '%s marks it',
    async (name) => {
      expect(
        nameOf(await post(open, COLOR, json({ type: 't', data: CORAL }, { [name]: '1' }))),
      ).toBe('Coral');
    },
  );

  test('without these headers has no envelope', async () => {
    expect((await post(open, COLOR, json({ data: CORAL }))).status).toBe(400);
  });

  test('that gives a parameter in its data and beside them is a 400', async () => {
    const body = { data: { category: 'retail', business: 'x' }, category: 'other', business: null };
    expect(faultsOf(await post(open, DIRECTORY, json(body, STANDARD)))).toEqual([
      ['not-one-value', 'category', '#/category'],
    ]);
  });

  test('a fault says where it is, in the data or beside them', async () => {
    const body = { data: { R: 256 }, G: 256 };
    expect(faultsOf(await post(open, COLOR, json(body, STANDARD))).sort()).toEqual([
      ['missing-parameter', 'B', '#/data/B'],
      ['out-of-range', 'G', '#/G'],
      ['out-of-range', 'R', '#/data/R'],
    ]);
  });

  test.each([[null], [{}], [[]], [{ colour: 1 }], [{ _limit: 2 }], ['text'], [[1]]])(
    'whose data are %j is not answered with everything',
    async (data) => {
      const sent = json({ type: 't', timestamp: 'now', data }, STANDARD);
      expect((await post(open, DIRECTORY, sent)).status).toBe(400);
    },
  );

  test('that is called as the prototype changes nothing', async () => {
    const body = `{"data": {"__proto__": {"R": 1}, "R": 255, "G": 127, "B": 80}, "__proto__": {"G": 2}}`;
    const answer = await post(open, COLOR, { headers: { ...json(0).headers, ...STANDARD }, body });
    expect([nameOf(answer), ({} as { R?: number }).R]).toEqual(['Coral', undefined]);
  });
});

describe('_map.<parameter> in the query', () => {
  const foreign = {
    category: 'not asked for',
    colour: { red: 255, 'gr/een': '127', list: [80, 'x'] },
    tags: ['retail', 'no such'],
    blank: ' ',
    nothing: null,
    object: {},
    flag: true,
  };
  const picking = (query: string, sent: Sent = json(foreign)) =>
    post(open, COLOR, sent, `?${query}`);
  const CORAL_QUERY = '_map.R=/colour/red&_map.G=/colour/gr~1een&_map.B=/colour/list/0';

  test('picks arguments out of a foreign body, beside those that the query fixes', async () => {
    const answer = await picking(`${CORAL_QUERY}&list=css`);
    expect([nameOf(answer), answer.body._warnings]).toEqual(['coral', []]);
    expect(answer.body.params.list).toBe('css');
  });

  test.each<[string, string, Sent]>([
    ['a list of JSON', '_map.R=/0&_map.G=/1&_map.B=/2', json([255, 127, 80])],
    [
      'a form',
      '_map.R=/red&_map.G=/rest/0&_map.B=/rest/1',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'red=255&rest=127&rest=80',
      },
    ],
    [
      'the envelope of an event',
      '_map.R=/data/r&_map.G=/G&_map.B=/data/b',
      event({ G: 127, data: { r: 255, b: 80 } }),
    ],
    [
      'the envelope of Standard Webhooks',
      '_map.R=/data/r&_map.G=/timestamp&_map.B=/data/b',
      json({ timestamp: 127, data: { r: 255, b: 80 } }, STANDARD),
    ],
  ])('picks out of %s', async (_, query, sent) => {
    expect(nameOf(await picking(query, sent))).toBe('Coral');
  });

  test('picks lists, whole or by their members; options too', async () => {
    for (const query of ['_map.category=/tags', '_map.category=/tags/0&_map.category=/tags/1']) {
      const { body } = await post(
        open,
        DIRECTORY,
        json(foreign),
        `?${query}&_map._limit=/colour/list/0`,
      );
      expect([body.params.total, body.params.count]).toEqual([61, 61]);
    }
    const { body } = await post(
      open,
      DIRECTORY,
      json({ ...foreign, n: 2 }),
      '?_map.category=/tags&_map._limit=/n',
    );
    expect([body.params.total, body.params.count]).toEqual([61, 2]);
  });

  test.each<[string, string, (string | undefined)[]]>([
    ['an unknown parameter', '_map.X=/a', ['unknown-parameter', '_map.X', undefined]],
    [
      'a parameter in another case',
      '_map.r=/a',
      ['unknown-parameter', '_map.r', undefined, '_map.R'],
    ],
    ['no parameter', '_map.=/a', ['unknown-parameter', '_map.', undefined]],
    ['another case', '_MAP.R=/colour/red', ['unknown-parameter', '_MAP.R', undefined, '_map.R']],
    ['brackets', '_map[R]=/colour/red', ['unknown-parameter', '_map[R]', undefined, '_map.R']],
    ['no underscore', 'map.R=/colour/red', ['unknown-parameter', 'map.R', undefined, '_map.R']],
    ['a blank', '_map.R=', ['not-a-pointer', '_map.R', undefined]],
    [
      'a path with points',
      '_map.R=colour.red',
      ['not-a-pointer', '_map.R', undefined, '/colour/red'],
    ],
    [
      'a path of another kind',
      '_map.R=$.list[0]',
      ['not-a-pointer', '_map.R', undefined, '/list/0'],
    ],
    ['a tilde alone', '_map.R=/a~b', ['not-a-pointer', '_map.R', undefined]],
    ['a member that is not there', '_map.R=/a', ['nothing-at-pointer', 'R', '#/a']],
    [
      'a member in another case',
      '_map.R=/colour/Red',
      ['nothing-at-pointer', 'R', '#/colour/Red', '/colour/red'],
    ],
    [
      'two members in another case',
      '_map.R=/Colour/Red',
      ['nothing-at-pointer', 'R', '#/Colour/Red', '/colour/red'],
    ],
    [
      'a member that is there, in one that is not',
      '_map.R=/color/hue',
      ['nothing-at-pointer', 'R', '#/color/hue'],
    ],
    [
      'an index beyond the list',
      '_map.R=/colour/list/2',
      ['nothing-at-pointer', 'R', '#/colour/list/2'],
    ],
    ['what is inherited', '_map.R=/toString', ['nothing-at-pointer', 'R', '#/toString']],
    ['null', '_map.R=/nothing', ['missing-parameter', 'R', '#/nothing']],
    ['a blank member', '_map.R=/blank', ['missing-parameter', 'R', '#/blank']],
    ['an object', '_map.R=/object', ['not-a-number', 'R', '#/object']],
    ['a list for one value', '_map.R=/tags', ['not-one-value', 'R', '#/tags']],
    ['true', '_map.R=/flag', ['not-a-number', 'R', '#/flag']],
    ['a text', '_map.R=/colour/list/1', ['not-a-number', 'R', '#/colour/list/1']],
    ['the same name fixed', '_map.R=/colour/red&R=1', ['not-one-value', 'R', undefined]],
  ])('refuses %s, and says where', async (_, query, fault) => {
    const answer = await picking(`${query}&G=127&B=80`);
    expect(answer.status).toBe(400);
    expect(faultsOf(answer)).toContainEqual(fault);
  });

  test('suggests a name that has a slash in it', async () => {
    const sent = json({ 'colour/red': 255 });
    const answer = await post(open, COLOR, sent, '?_map.R=/colour/red&G=127&B=80');
    expect(faultsOf(answer)).toEqual([['nothing-at-pointer', 'R', '#/colour/red', '/colour~1red']]);
    const mended = await post(open, COLOR, sent, '?_map.R=/colour~1red&G=127&B=80');
    expect(nameOf(mended)).toBe('Coral');
  });

  test('suggests no other index of a list: another index is another value', async () => {
    const sent = json({ list: Array.from({ length: 12 }, () => 1) });
    const answer = await picking('_map.R=/list/20&G=1&B=2', sent);
    expect(faultsOf(answer)).toEqual([['nothing-at-pointer', 'R', '#/list/20']]);
  });

  test('refuses all that is wrong at once', async () => {
    const answer = await picking('_map.R=/x&_map.G=y&_map.Q=/z&B=300&_limt=3');
    expect(answer.body.errors.map(({ code }: { code: string }) => code).sort()).toEqual([
      'not-a-pointer',
      'nothing-at-pointer',
      'out-of-range',
      'unknown-parameter',
      'unknown-parameter',
    ]);
  });

  test('a list that was picked has its faults at its members', async () => {
    const body = json({ tags: ['', 'a', true], one: 'b', no: false });
    const whole = await post(open, DIRECTORY, body, '?_map.category=/tags');
    expect(faultsOf(whole)).toEqual([['not-text', 'category', '#/tags/2']]);
    const members = await post(
      open,
      DIRECTORY,
      body,
      '?_map.category=/tags/0&_map.category=/one&_map.category=/no',
    );
    expect(faultsOf(members)).toEqual([['not-text', 'category', '#/no']]);
  });

  test.each([
    ['all that is picked is blank', '?_map.category=/blank&_map.business=/nothing'],
    ['options alone are picked', '?_map._limit=/colour/red'],
    ['options alone are fixed beside it', '?_map.category=/blank&_limit=3'],
  ])('never answers with everything: %s', async (_, query) => {
    expect((await post(open, DIRECTORY, json(foreign), query)).status).toBe(400);
  });

  test('a blank beside a filter is not given, as everywhere', async () => {
    const { body } = await post(
      open,
      DIRECTORY,
      json(foreign),
      '?_map.category=/blank&_map.business=/nothing&type_of_business=laundries',
    );
    const plain = await open.post('business-directory', { type_of_business: 'laundries' });
    expect(body).toEqual(plain.body);
  });

  test('GET with it is a run that has no body to pick from, on the page too', async () => {
    const answer = await open.get(`${COLOR}?_map.R=/r`);
    expect(faultsOf(answer)).toContainEqual(['nothing-at-pointer', 'R', undefined]);
    expect((await open.get(`${COLOR}?_MAP.R=/r`)).status).toBe(400);
    const html = await open.get(`${COLOR}?_map.R=/r`, { accept: 'text/html' });
    expect([html.status, html.text]).toEqual([400, expect.stringContaining('there is no body')]);
  });

  test('an empty body, and one of white space, have nothing to pick', async () => {
    for (const body of ['', ' \n']) {
      const answer = await picking('_map.R=/r&G=1&B=2', { ...json(0), body });
      expect(faultsOf(answer)).toContainEqual(['nothing-at-pointer', 'R', undefined]);
    }
  });

  test('a name that tools append is no picking', async () => {
    const { status } = await post(open, COLOR, json(CORAL), '?map_id=7&_ga=1');
    expect(status).toBe(200);
  });

  test('a thousand pointers at a long list are answered', async () => {
    const blanks = Array.from({ length: 80_000 }, () => 0);
    const query = Array.from({ length: 900 }, () => '_map.R=/a').join('&');
    const answer = await picking(`${query}&G=1&B=2`, json({ a: blanks }));
    expect(faultsOf(answer)).toContainEqual(['list-too-long', '_map.R', undefined]);
  });
});

describe('a handshake', () => {
  const told = ({ status, text, headers }: Answer) => [
    status,
    text,
    headers.get('content-type'),
    headers.get('x-content-type-options'),
  ];
  const echoed = (text: string) => [200, text, 'text/plain; charset=utf-8', 'nosniff'];
  const HOSTILE = '<script>alert(1)</script>';

  test.each(['subscribe', 'unsubscribe'])('of WebSub and Meta (%s) is echoed', async (mode) => {
    const query = new URLSearchParams({
      'hub.mode': mode,
      'hub.challenge': HOSTILE,
      category: 'x',
    });
    expect(told(await open.get(`${DIRECTORY}?${query}`))).toEqual(echoed(HOSTILE));
  });

  test('of Microsoft Graph is echoed', async () => {
    const query = `?${new URLSearchParams({ category: 'retail', validationToken: `${HOSTILE} é` })}`;
    const answer = await post(open, DIRECTORY, { headers: {}, body: '' }, query);
    expect(told(answer)).toEqual(echoed(`${HOSTILE} é`));
  });

  test('of Slack’s Events API is echoed', async () => {
    const sent = json({ token: 't', challenge: HOSTILE, type: 'url_verification' });
    expect(told(await post(open, COLOR, sent))).toEqual(echoed(HOSTILE));
  });

  test('of GitHub, a ping, is answered with nothing', async () => {
    const sent = json({ zen: 'z', hook_id: 1 }, { 'x-github-event': 'ping' });
    const answer = await post(open, COLOR, sent, '?_map.R=/r');
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('of CloudEvents lets everybody send', async () => {
    const headers = {
      'webhook-request-origin': 'events.example.com',
      'webhook-request-rate': '120',
    };
    const answer = await open.send(COLOR, { method: 'OPTIONS', headers });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'webhook-allowed-origin': '*',
      'webhook-allowed-rate': '*',
      allow: expect.stringContaining('POST'),
      'access-control-allow-origin': '*',
    });
  });

  test('is not given by an address that takes no events, nor by the CORS preflight', async () => {
    const headers = { 'webhook-request-origin': 'events.example.com' };
    const list = await open.send('/api_v2/blocks', { method: 'OPTIONS', headers });
    const preflight = await open.send(COLOR, { method: 'OPTIONS' });
    for (const answer of [list, preflight]) {
      expect([answer.status, answer.headers.get('webhook-allowed-origin')]).toEqual([204, null]);
    }
  });

  test.each([
    ['a challenge that is too long', `?hub.mode=subscribe&hub.challenge=${'x'.repeat(1025)}`],
    ['a blank one', '?hub.mode=subscribe&hub.challenge='],
    ['two of them', '?hub.mode=subscribe&hub.challenge=a&hub.challenge=b'],
    ['another mode', '?hub.mode=denied&hub.challenge=a'],
  ])('is not %s', async (_, query) => {
    const { body } = await open.get(COLOR + query);
    expect(body.name).toBe('rgb-to-color-name');
  });

  test('is not a call with a body and a token in its query', async () => {
    const answer = await post(open, COLOR, json(CORAL), '?validationToken=x');
    expect(nameOf(answer)).toBe('Coral');
  });

  test('with a wrong signature is refused', async () => {
    const sent = json({ challenge: 'c', type: 'url_verification' }, STANDARD);
    const answers = await Promise.all([
      post(checked, COLOR, sent),
      post(checked, COLOR, { ...sent, headers: { ...sent.headers, 'x-github-event': 'ping' } }),
      post(checked, COLOR, { headers: STANDARD, body: '' }, '?validationToken=x'),
      checked.get(`${COLOR}?hub.mode=subscribe&hub.challenge=x`, STANDARD),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});
