import { describe, expect, test } from '@jest/globals';
import type { Answer, Service } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { marked } from '../support/webhook-channels.ts';

const service = suiteService();

const JSON_TYPE = 'application/json';
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

describe('a signature', () => {
  const body = JSON.stringify({ type: 't', timestamp: '2026-11-21T14:45:00Z', data: CORAL });

  test.each([
    ['of Standard Webhooks', { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,AAAA' }],
    ['of another version, and of long ago', { 'webhook-timestamp': '1', 'webhook-signature': 'x' }],
    ['that is not there', { 'webhook-id': 'msg_1' }],
    ['of GitHub', { 'x-hub-signature-256': 'sha256=00' }],
  ])('%s is not checked: the delivery is read', async (_, headers) => {
    const isMarked = Object.keys(headers).some((name) => name.startsWith('webhook-'));
    const text = isMarked ? body : JSON.stringify(CORAL);
    const sent = { headers: { 'content-type': JSON_TYPE, ...headers }, body: text };
    expect(nameOf(await post(service, COLOR, sent))).toBe('Coral');
  });
});

describe('an event of CloudEvents', () => {
  test('in structured mode gives its data, and its attributes are no arguments', async () => {
    const answer = await post(service, COLOR, event({ data: CORAL, R: 1, subject: 's', ext: 'e' }));
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
    expect(nameOf(await post(service, COLOR, event(members)))).toBe('Coral');
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
    const { status, body } = await post(service, COLOR, event(members));
    expect([status, body.code]).toEqual([400, code]);
  });

  test('with data of a type that is not read is a 415', async () => {
    const sent = event({ datacontenttype: 'image/png', data_base64: 'AAAA' });
    expect((await post(service, COLOR, sent)).status).toBe(415);
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
    const answer = await post(service, DIRECTORY, sent);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid-arguments']);
    const fixed = await post(service, DIRECTORY, sent, '?category=retail');
    expect([fixed.status, fixed.body.params.total]).toEqual([200, 61]);
  });

  test('a fault says where in the event it is', async () => {
    const answer = await post(
      service,
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
    expect(faultsOf(await post(service, COLOR, encoded))).toEqual([
      ['out-of-range', 'R', '#/data_base64'],
    ]);
  });

  test.each([
    ['two', [CORAL, CORAL]],
    ['one', [CORAL]],
    ['none', []],
  ])('does not come with others: a batch of %s is a 400', async (_, events) => {
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const answer = await post(service, COLOR, json(events, headers), '?_map.R=/0/R&G=1&B=2');
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
        const { status, body: told } = await post(service, DIRECTORY, marked(type, text));
        expect([status, told.errors?.[0]?.code]).toEqual([400, 'missing-parameter']);
      }
      const fixed = await post(service, DIRECTORY, marked(JSON_TYPE, body), '?category=retail');
      expect(fixed.status).toBe(200);
    },
  );

  test.each(['webhook-id', 'webhook-signature'])(
    'is known by %s: unknown names are ignored and named',
    async (name) => {
      const sent = { ...CORAL, colour: 'red' };
      const { status, body } = await post(service, COLOR, json(sent, { [name]: 'v1,x' }));
      expect([status, body._warnings.map((w: { parameter: string }) => w.parameter)]).toEqual([
        200,
        ['colour'],
      ]);
    },
  );

  test('gives its data, and what is beside them but for the type and the time', async () => {
    const body = { type: 't', timestamp: 'now', id: 'evt_1', G: 127, data: { R: 255, B: 80 } };
    const answer = await post(service, COLOR, json(body, STANDARD));
    expect(nameOf(answer)).toBe('Coral');
    expect(answer.body._warnings.map((w: { parameter: string }) => w.parameter)).toEqual(['id']);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    '%s marks it',
    async (name) => {
      expect(
        nameOf(await post(service, COLOR, json({ type: 't', data: CORAL }, { [name]: '1' }))),
      ).toBe('Coral');
    },
  );

  test('without these headers has no envelope', async () => {
    expect((await post(service, COLOR, json({ data: CORAL }))).status).toBe(400);
  });

  test('that gives a parameter in its data and beside them is a 400', async () => {
    const body = { data: { category: 'retail', business: 'x' }, category: 'other', business: null };
    expect(faultsOf(await post(service, DIRECTORY, json(body, STANDARD)))).toEqual([
      ['not-one-value', 'category', '#/category'],
    ]);
  });

  test.each([
    [{ _not: { category: 'retail' }, data: { _not: { business: 'x' } } }, '_not'],
    [{ _not: 'bad', data: { _not: { business: 'x' } } }, '_not'],
    [{ '_not.category': 'retail', data: { _not: { category: 'services' } } }, '_not.category'],
    [{ _not: { category: 'retail' }, data: { '_not.category': 'services' } }, '_not.category'],
    [{ _empty: 'business', data: { _empty: 'category' } }, '_empty'],
  ])('a filter is passed over in neither: %j', async (body, name) => {
    expect(faultsOf(await post(service, DIRECTORY, json(body, STANDARD)))).toContainEqual([
      'not-one-value',
      name,
      expect.any(String),
    ]);
  });

  test.each([
    [{ _not: { category: 'retail' }, data: { business: '*' } }],
    [{ business: '*', data: { _not: { category: 'retail' } } }],
    [{ _not: { category: 'retail' }, data: { _not: {}, business: '*' } }],
  ])('what is turned round counts on either side: %j', async (body) => {
    const answer = await post(service, DIRECTORY, json(body, STANDARD));
    const wanted = await post(
      service,
      DIRECTORY,
      json({ business: '*', '_not.category': 'retail' }),
    );
    expect([answer.status, answer.body.params.total]).toEqual([200, wanted.body.params.total]);
  });

  test('a fault says where it is, in the data or beside them', async () => {
    const body = { data: { R: 256 }, G: 256 };
    expect(faultsOf(await post(service, COLOR, json(body, STANDARD))).sort()).toEqual([
      ['missing-parameter', 'B', '#/data/B'],
      ['out-of-range', 'G', '#/G'],
      ['out-of-range', 'R', '#/data/R'],
    ]);
  });

  test.each([[null], [{}], [[]], [{ colour: 1 }], [{ _limit: 2 }], ['text'], [[1]]])(
    'whose data are %j is not answered with everything',
    async (data) => {
      const sent = json({ type: 't', timestamp: 'now', data }, STANDARD);
      expect((await post(service, DIRECTORY, sent)).status).toBe(400);
    },
  );

  test('that is called as the prototype changes nothing', async () => {
    const body = `{"data": {"__proto__": {"R": 1}, "R": 255, "G": 127, "B": 80}, "__proto__": {"G": 2}}`;
    const answer = await post(service, COLOR, {
      headers: { ...json(0).headers, ...STANDARD },
      body,
    });
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
    post(service, COLOR, sent, `?${query}`);
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
        service,
        DIRECTORY,
        json(foreign),
        `?${query}&_map._limit=/colour/list/0`,
      );
      expect([body.params.total, body.params.count]).toEqual([61, 61]);
    }
    const { body } = await post(
      service,
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
    const answer = await post(service, COLOR, sent, '?_map.R=/colour/red&G=127&B=80');
    expect(faultsOf(answer)).toEqual([['nothing-at-pointer', 'R', '#/colour/red', '/colour~1red']]);
    const mended = await post(service, COLOR, sent, '?_map.R=/colour~1red&G=127&B=80');
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
    const whole = await post(service, DIRECTORY, body, '?_map.category=/tags');
    expect(faultsOf(whole)).toEqual([['not-text', 'category', '#/tags/2']]);
    const members = await post(
      service,
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
    expect((await post(service, DIRECTORY, json(foreign), query)).status).toBe(400);
  });

  test('a blank beside a filter is not given, as everywhere', async () => {
    const { body } = await post(
      service,
      DIRECTORY,
      json(foreign),
      '?_map.category=/blank&_map.business=/nothing&type_of_business=laundries',
    );
    const plain = await service.post('business-directory', { type_of_business: 'laundries' });
    expect(body).toEqual(plain.body);
  });

  test('GET with it is a run that has no body to pick from, on the page too', async () => {
    const answer = await service.get(`${COLOR}?_map.R=/r`);
    expect(faultsOf(answer)).toContainEqual(['nothing-at-pointer', 'R', undefined]);
    expect((await service.get(`${COLOR}?_MAP.R=/r`)).status).toBe(400);
    const html = await service.get(`${COLOR}?_map.R=/r`, { accept: 'text/html' });
    expect([html.status, html.text]).toEqual([400, expect.stringContaining('there is no body')]);
  });

  test('an empty body, and one of white space, have nothing to pick', async () => {
    for (const body of ['', ' \n']) {
      const answer = await picking('_map.R=/r&G=1&B=2', { ...json(0), body });
      expect(faultsOf(answer)).toContainEqual(['nothing-at-pointer', 'R', undefined]);
    }
  });

  test('a name that tools append is no picking', async () => {
    const { status } = await post(service, COLOR, json(CORAL), '?map_id=7&_ga=1');
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
    expect(told(await service.get(`${DIRECTORY}?${query}`))).toEqual(echoed(HOSTILE));
  });

  test('of Microsoft Graph is echoed', async () => {
    const query = `?${new URLSearchParams({ category: 'retail', validationToken: `${HOSTILE} é` })}`;
    const answer = await post(service, DIRECTORY, { headers: {}, body: '' }, query);
    expect(told(answer)).toEqual(echoed(`${HOSTILE} é`));
  });

  test('of Slack’s Events API is echoed', async () => {
    const sent = json({ token: 't', challenge: HOSTILE, type: 'url_verification' });
    expect(told(await post(service, COLOR, sent))).toEqual(echoed(HOSTILE));
  });

  test('of GitHub, a ping, is answered with nothing', async () => {
    const sent = json({ zen: 'z', hook_id: 1 }, { 'x-github-event': 'ping' });
    const answer = await post(service, COLOR, sent, '?_map.R=/r');
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('of CloudEvents lets everybody send', async () => {
    const headers = {
      'webhook-request-origin': 'events.example.com',
      'webhook-request-rate': '120',
    };
    const answer = await service.send(COLOR, { method: 'OPTIONS', headers });
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
    const list = await service.send('/api_v2/blocks', { method: 'OPTIONS', headers });
    const preflight = await service.send(COLOR, { method: 'OPTIONS' });
    for (const answer of [list, preflight]) {
      expect([answer.status, answer.headers.get('webhook-allowed-origin')]).toEqual([204, null]);
    }
  });

  const LONGEST = 'x'.repeat(1024);
  const ways: readonly (readonly [string, string, (value?: string) => Promise<Answer>])[] = [
    [
      'WebSub',
      'hub.challenge',
      (value) => service.get(`${COLOR}?hub.mode=subscribe${queryOf('hub.challenge', value)}`),
    ],
    [
      'Microsoft Graph',
      'validationToken',
      (value) =>
        post(service, COLOR, { headers: {}, body: '' }, `?a=1${queryOf('validationToken', value)}`),
    ],
    [
      'Slack’s Events API',
      'challenge',
      (challenge) => post(service, COLOR, json({ type: 'url_verification', challenge })),
    ],
  ];
  const queryOf = (name: string, value?: string) =>
    value === undefined ? '' : `&${name}=${value}`;

  test.each(ways)('of %s has at most 1,024 characters, or is a 400', async (_, parameter, ask) => {
    expect(told(await ask(LONGEST))).toEqual(echoed(LONGEST));
    const { status, body } = await ask(`${LONGEST}x`);
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid-arguments',
      [
        {
          code: 'text-too-long',
          detail: `${parameter} has 1,025 characters; at most 1,024 are sent back.`,
          parameter,
          ...(parameter === 'challenge' ? { pointer: '#/challenge' } : {}),
        },
      ],
    ]);
  });

  test.each(ways)('of %s with a blank challenge is a 400', async (_, parameter, ask) => {
    const { status, body } = await ask('');
    expect([status, body.errors[0].code, body.errors[0].parameter]).toEqual([
      400,
      'missing-parameter',
      parameter,
    ]);
  });

  test('has one challenge, and a text', async () => {
    const answers = await Promise.all([
      service.get(`${COLOR}?hub.mode=subscribe`),
      service.get(`${COLOR}?hub.mode=subscribe&hub.challenge=a&hub.challenge=b`),
      post(service, COLOR, json({ type: 'url_verification', challenge: 7 })),
      post(service, COLOR, json({ type: 'url_verification', challenge: 'a\ud800' })),
      service.get(`${COLOR}?hub.mode=unsubscribe&hub.challenge=&R=1&G=2&B=3`),
    ]);
    expect(answers.map(({ status, body }) => [status, body.errors[0].code])).toEqual([
      [400, 'missing-parameter'],
      [400, 'not-one-value'],
      [400, 'not-text'],
      [400, 'not-text'],
      [400, 'missing-parameter'],
    ]);
  });

  test('is not another mode, nor a type without a challenge', async () => {
    const denied = await service.get(`${COLOR}?hub.mode=denied&hub.challenge=${LONGEST}x`);
    expect(faultsOf(denied).slice(0, 2)).toEqual([
      ['unknown-parameter', 'hub.mode', undefined],
      ['unknown-parameter', 'hub.challenge', undefined],
    ]);
    const typed = await post(service, COLOR, json({ ...CORAL, type: 'url_verification' }));
    expect(faultsOf(typed)).toEqual([['unknown-parameter', 'type', '#/type']]);
  });

  test('is not an event in an envelope, whatever its challenge', async () => {
    const long = { ...URL_VERIFICATION, challenge: `${LONGEST}x` };
    expect(nameOf(await post(service, COLOR, event({ ...long, data: CORAL })))).toBe('Coral');
  });

  test('is not a call with a body and a token in its query', async () => {
    const answer = await post(service, COLOR, json(CORAL), '?validationToken=x');
    expect(nameOf(answer)).toBe('Coral');
  });
});
