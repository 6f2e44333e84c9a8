import { describe, expect, test } from '@jest/globals';
import { isBlank } from '../../src/arguments/given.ts';
import { quotedIfNeeded } from '../../src/channels/chat/tokenize.ts';
import { answerCommand } from '../../src/channels/slack/slack-routes.ts';
import { callBlockBy } from '../../src/http/call-block.ts';
import { descriptions } from '../chat/described.ts';
import { ERA_NAMES, messageOf, replyOf } from '../mcp/send-message.ts';
import type { Revision } from '../support/mcp-channel.ts';
import { readMembers, readRows } from '../support/mcp-text.ts';
import type { Answer } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { typeLine } from '../terminal/type-line.ts';

// What is odd about a value must not get lost on its way to a block, nor become "not given".

const service = suiteService();

/** A parameter of each kind, and others that its block needs or that make a call one. */
const PARAMETERS = [
  { block: 'census-neighborhoods', name: 'neighborhood_1', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: 'vacant_units_min', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: 'vacant_units', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_not.vacant_units', beside: '"households_min":0' },
  { block: 'census-neighborhoods', name: '_empty', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_limit', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_sort', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_fields', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_cursor', beside: '"total_population_min":0' },
  { block: 'census-neighborhoods', name: '_handling', beside: '"total_population_min":0' },
  { block: 'business-directory', name: 'phone_number', beside: '"parsed_address_min":0' },
  { block: 'rgb-to-color-name', name: 'R', beside: '"G":127,"B":80' },
  { block: 'rgb-to-color-name', name: 'list', beside: '"R":255,"G":127,"B":80' },
] as const;
type Asked = (typeof PARAMETERS)[number];

const FIELDS = {
  'census-neighborhoods': 'neighborhood_1,vacant_units',
  'business-directory': 'business,phone_number',
  'rgb-to-color-name': 'name,list',
} as const;

/** Texts, which every channel can carry. */
const TEXTS = [
  ...['', ' ', '\u00a0', '\u200b', '\u0000', 'a\u0000b', 'a\nb', '🙂', '*', '\\*', '"', '“a”'],
  ...['0', '-0', '255', '255.0', '+2', '.5', '5.', '5,000', '0x10', '1e2', '1e-400', '1e999'],
  ...['-1e999', '9'.repeat(400), '12345678901234567890', 'NaN', 'Infinity', '-Infinity'],
  ...['null', 'undefined', 'true', 'false', '[]', '{}', '[object Object]', '-', '--', '..', 'a,b'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'canton', 'strict', 'css'],
  ...['x'.repeat(256), 'x'.repeat(257), '-vacant_units', 'vacant_units,,neighborhood_1'],
];

/** Values as JSON writes them. */
const VALUES = [
  ...['""', '" "', '"\\n"', '"NaN"', '"null"', '"-0"', '"1e-400"', '"12345678901234567890"'],
  ...['"__proto__"', '"canton"', '"css"', '"lenient"', '"-vacant_units"', '"718*"'],
  ...['null', 'true', 'false', '0', '-0', '2', '255', '255.0', '0.1', '1e2', '1e-400', '-1e-400'],
  ...['1e999', '-1e999', '9'.repeat(400), `-${'9'.repeat(400)}`, '12345678901234567890'],
  ...['"\\ud800"', '"\\udc00a"', '"\\ufffd"', '"\\u0000"', '"1e999"'],
  ...['[]', '[""]', '[null," "]', '[[]]', '[[1]]', '[{}]', '[true]', '[-0]', '[2]', '[1e999]'],
  ...['["canton",1e999]', '["canton",null]', '["canton","canton"]', '["canton",["a"]]'],
  ...['["718*",-1e999]', `[${Array(101).fill('"a"')}]`, '{}', '{"a":1}', '{"a":1e999}'],
  ...['{"__proto__":1}', '{"constructor":1}', '{"toJSON":1}', '{"length":0}', '{"0":"canton"}'],
];

/** Each channel is sent every value, each for one or two of the parameters; the gate asks all. */
const ONE_IN = Number(process.env.ODD_VALUES_ONE_IN ?? 10);

function shareOf<T>(values: readonly T[], asked: Asked, channel: string): readonly T[] {
  const start = PARAMETERS.indexOf(asked) + channel.length;
  return values.filter((_, i) => (start + i) % ONE_IN === 0);
}

/** What a block made of a call: its rows, or all that was wrong. A tool has 20 rows at most. */
function outcomeOf(body: Answer['body']) {
  if (body?.params !== undefined) {
    const { results, total, ...value } = body.params;
    if (results === undefined) return { value };
    return { total, rows: results.slice(0, 20).map((row: object) => JSON.stringify(row)) };
  }
  const faults = body?.errors?.map(
    ({ code, parameter }: { code: string; parameter?: string }) => `${code} ${parameter}`,
  );
  return { code: body?.code, faults: faults?.sort() };
}

/** Few fields, since Slack asks for fewer than a POST. */
function besideOf({ block, name, beside }: Asked): string {
  return name === '_fields' ? beside : `${beside},"_fields":"${FIELDS[block]}"`;
}

function bodyOf(asked: Asked, value: string): string {
  return `{${besideOf(asked)},${JSON.stringify(asked.name)}:${value}}`;
}

const post = (block: string, body: string, headers = {}, query = '') =>
  service.post(block, body, { headers, query });

const posted = new Map<string, Promise<Answer>>();

/** What a POST makes of a call, which each channel is compared with; asked once. */
async function wantedOf(block: string, body: string) {
  const key = `${block} ${body}`;
  const answer = posted.get(key) ?? post(block, body);
  posted.set(key, answer);
  return outcomeOf((await answer).body);
}

async function callTool(revision: Revision, block: string, given: string) {
  const message = messageOf(revision, {
    method: 'tools/call',
    params: { name: block, arguments: 'HERE' as never },
  });
  const body = message.body.replace('"HERE"', () => given);
  const { headers } = message;
  const { result, error } = replyOf(await service.send('/mcp', { method: 'POST', headers, body }));
  // The message itself is refused: no tool was called.
  if (error !== undefined) return { refused: error.code as number };
  const [{ text }] = result.content;
  const { body: wanted } = await post(block, given);
  if (result.isError) {
    // The old form, too, does not refer to the list of names.
    const details: string[] =
      wanted?._errors?.map(({ message }: { message: string }) => message) ?? [];
    const isTold = details.slice(0, 10).every((detail) => text.includes(detail.slice(0, 299)));
    // A tool tells the same in words, without the codes of faults.
    return isTold && text.includes(`(${wanted.code})`) ? outcomeOf(wanted) : { text };
  }
  if (!text.includes('<row>')) {
    const isRows = / of \d+ /.test(text.split('\n')[0]);
    return isRows ? { total: readRows(text).total, rows: [] } : { value: readMembers(text) };
  }
  const { total, rows, columns } = readRows(text);
  const outcome = { total, rows: rows.slice(0, 20).map((row) => JSON.stringify(row)) };
  // Unless a call says which, a tool does not show all fields.
  const same = wanted.params?.results.slice(0, 20).map((row: Record<string, unknown>) => {
    return JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])));
  });
  return JSON.stringify(same) === JSON.stringify(outcome.rows)
    ? { ...outcomeOf(wanted), total }
    : outcome;
}

type SendJson = (block: string, body: string) => Promise<object>;

/** The channels whose arguments are JSON. */
const JSON_CHANNELS: Readonly<Record<string, SendJson>> = {
  ...Object.fromEntries(
    ERA_NAMES.map((revision): [string, SendJson] => [
      `MCP, ${revision}`,
      (block, body) => callTool(revision, block, body),
    ]),
  ),
  'CloudEvents, structured': async (block, body) => {
    const event = `{"specversion":"1.0","id":"1","source":"/t","type":"t","data":${body}}`;
    const headers = { 'content-type': 'application/cloudevents+json' };
    return outcomeOf((await post(block, event, headers)).body);
  },
  'CloudEvents, binary': async (block, body) => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/t', 'ce-type': 't' };
    return outcomeOf((await post(block, body, headers)).body);
  },
  'Standard Webhooks': async (block, body) => {
    const event = `{"type":"t","timestamp":"2026-11-21T14:45:00Z","data":${body}}`;
    return outcomeOf((await post(block, event, { 'webhook-id': 'msg_1' })).body);
  },
  'a foreign body, picked from': async (block, body) => {
    const pairs = Object.keys(JSON.parse(body)).map((name) => [`_map.${name}`, `/a/0/${name}`]);
    const query = `?${new URLSearchParams(pairs)}`;
    return outcomeOf((await post(block, `{"a":[${body}]}`, {}, query)).body);
  },
};

describe.each(Object.entries(JSON_CHANNELS))('%s', (channel, send) => {
  test.each(PARAMETERS)('$name of $block means what it does in a POST', async (asked) => {
    for (const value of shareOf(VALUES, asked, channel)) {
      const body = bodyOf(asked, value);
      const wanted = await wantedOf(asked.block, body);
      expect({ value, ...(await send(asked.block, body)) }).toEqual({ value, ...wanted });
    }
  });

  test.each([
    ['a name twice', '{"R":1,"G":2,"B":3,"R":256}'],
    ['a name twice, once in escapes', '{"R":256,"G":2,"B":3,"\\u0052":1}'],
    ['a blank behind a value', '{"R":1,"G":2,"B":3,"R":null}'],
  ])('%s is refused: which is meant cannot be told', async (_, body) => {
    const { body: problem } = await post('rgb-to-color-name', body);
    expect(problem.code).toBe('invalid-json');
    const told = await send('rgb-to-color-name', body);
    expect([outcomeOf(problem), { refused: -32600 }]).toContainEqual(told);
  });
});

test.each(['__proto__', 'constructor', 'toString', '', '\u0000', '\ud800', '1e999'])(
  'a tool refuses the name %j as a POST does',
  async (name) => {
    const body = `{"R":1,"G":2,"B":3,${JSON.stringify(name)}:1e999}`;
    const wanted = await wantedOf('rgb-to-color-name', body);
    expect(wanted.code).toBe('invalid-arguments');
    for (const revision of ERA_NAMES) {
      expect(await callTool(revision, 'rgb-to-color-name', body)).toEqual(wanted);
    }
  },
);

test('an infinity is refused as the value of a number, and as a text', async () => {
  const { body } = await post('census-neighborhoods', '{"vacant_units_min":1e999,"_limit":-1e999}');
  expect(outcomeOf(body).faults).toEqual([
    'not-a-number vacant_units_min',
    'not-an-integer _limit',
  ]);
  const texts = await post('census-neighborhoods', '{"neighborhood_1":["canton",1e999]}');
  expect(outcomeOf(texts.body).faults).toEqual(['not-text neighborhood_1']);
});

type RawArguments = Readonly<Record<string, string | readonly string[]>>;
/** Undefined where the channel refuses the text by itself: it cannot be written there. */
type SendTexts = (asked: Asked, given: RawArguments) => Promise<object | undefined>;

const pairsOf = (given: RawArguments) =>
  Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one as string]),
  );

function lineOf(given: RawArguments): string[] {
  return pairsOf(given).map(([name, value]) => `${name}:${value}`);
}

/** Whether a line was not understood whole, and only what is wrong with the rest is asked. */
function isCheck(body: unknown): boolean {
  return Object.hasOwn(JSON.parse(String(body)), '?');
}

const descriptionsGot = new Map<string, { text: string; head: ResponseInit }>();

/** What does not change from one line to the next, asked once. */
async function got(address: string, init: RequestInit): Promise<Response> {
  const known = descriptionsGot.get(address);
  if (known !== undefined) return new Response(known.text, known.head);
  const response = await fetch(address, init);
  const { status, headers } = response;
  const text = await response.text();
  descriptionsGot.set(address, { text, head: { status, headers } });
  return new Response(text, { status, headers });
}

/** The channels whose arguments are texts. */
const TEXT_CHANNELS: Readonly<Record<string, SendTexts>> = {
  'a form': async ({ block }, given) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return outcomeOf((await post(block, `${new URLSearchParams(pairsOf(given))}`, headers)).body);
  },
  multipart: async ({ block }, given) => {
    const form = new FormData();
    for (const [name, value] of pairsOf(given)) form.append(name, value);
    const path = `/api_v2/blocks/${block}`;
    return outcomeOf((await service.send(path, { method: 'POST', body: form })).body);
  },
  GET: async ({ block }, given) => {
    const query = new URLSearchParams(pairsOf(given));
    return outcomeOf((await service.get(`/api_v2/blocks/${block}?${query}`)).body);
  },
  Slack: async ({ block }, given) => {
    const answers: object[] = [];
    const call = callBlockBy(async (name, body) => {
      const answer = await post(name, body);
      if (!isCheck(body)) answers.push(outcomeOf(answer.body));
      return { status: answer.status, body: answer.text };
    });
    const words = pairsOf(given).map(([name, value]) => `${name}:${quotedIfNeeded(value)}`);
    const text = `${block} ${words.join(' ')}`;
    const run = { blocks: descriptions, call, withinMs: 60_000, runId: '1' };
    await answerCommand({ name: '/block', text }, run);
    return answers[0];
  },
  'the command line': async ({ block }, given) => {
    const answers: object[] = [];
    const listening = (async (address: string, init: RequestInit) => {
      const response = await (init.method === 'POST' ? fetch(address, init) : got(address, init));
      if (init.method === 'POST' && !isCheck(init.body)) {
        answers.push(outcomeOf(await response.clone().json()));
      }
      return response;
    }) as typeof fetch;
    const shell = { url: service.url, fetch: listening };
    const args = ['run', block, '--format', 'json', '--', ...lineOf(given)];
    await typeLine(args, shell);
    return answers[0];
  },
};

describe.each(Object.entries(TEXT_CHANNELS))('%s', (channel, send) => {
  const isTyped = ['Slack', 'the command line'].includes(channel);
  const lists = [
    ['canton', ''],
    ['canton', 'canton'],
    ['1e999', '-0'],
    ['718*', '\u0000'],
  ];

  test.each(PARAMETERS)('$name of $block means what it does in a POST', async (asked) => {
    const beside: RawArguments = Object.fromEntries(
      Object.entries(JSON.parse(`{${besideOf(asked)}}`)).map(([name, one]) => [name, String(one)]),
    );
    for (const value of shareOf([...TEXTS, ...lists], asked, channel)) {
      const given = { ...beside, [asked.name]: value };
      const found = await send(asked, given);
      // A form's body has line breaks of its own.
      const sent = channel === 'multipart' ? { ...given, [asked.name]: withBreaks(value) } : given;
      const wanted = await wantedOf(asked.block, JSON.stringify(sent));
      if (found !== undefined) expect({ value, ...found }).toEqual({ value, ...wanted });
      else {
        // What is typed is refused before it is sent where a POST would refuse it; and a blank is.
        const isRefused = 'code' in wanted || [value].flat().some((one) => isBlank(one));
        expect({ value, isTyped, isRefused }).toEqual({ value, isTyped: true, isRefused: true });
      }
    }
  });
});

function withBreaks(value: string | readonly string[]) {
  return typeof value === 'string' ? value.replaceAll('\n', '\r\n') : value;
}
