import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { BlockDescription } from '../../src/block/describe-block.ts';
import { slackRoutes } from '../../src/channels/slack/slack-routes.ts';
import type { CallBlock } from '../../src/http/call-block.ts';
import type { RunRecord } from '../../src/http/run-record.ts';
import { serviceOf } from '../../src/http/service.ts';
import { Problem } from '../../src/problem/errors.ts';
import { PRODUCTION, SETTINGS } from '../support/ample.ts';
import { requestOf } from '../support/request-of.ts';
import { suiteService } from '../support/suite-service.ts';
import { commandBody, SLACK_SECRET, signed } from './signed-request.ts';

const PATH = '/integrations/slack';
const secrets = async () => [SLACK_SECRET];

const service = suiteService();

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Message = any;

async function ask(text: string, more: { path?: string; headers?: object } = {}): Promise<Message> {
  const { headers, ...init } = signed(commandBody(text));
  const sent = { ...init, headers: { ...headers, ...more.headers } };
  const { status, body } = await service.send(more.path ?? PATH, sent);
  expect([status, body.response_type]).toEqual([200, 'ephemeral']);
  return body;
}

/** All that a message says in sections, remarks and swatches; not its table. */
function saidBy({ blocks, attachments = [] }: Message): string {
  const all = [...blocks, ...attachments.flatMap((one: Message) => one.blocks)];
  return all
    .flatMap(({ text, elements = [] }) => [text, ...elements])
    .flatMap((text) => text?.text ?? [])
    .join('\n');
}

function tableOf({ blocks }: Message): Message {
  return blocks.find(({ type }: Message) => type === 'data_table');
}

function linkOf(message: Message): string | undefined {
  return /<(\S+)\|Open as a page>/.exec(saidBy(message))?.[1]?.replaceAll('&amp;', '&');
}

describe('rows', () => {
  test('are counted, said as they were understood, and in a table with the key fields', async () => {
    const message = await ask('directory category:retail street:*court* number:400..');
    expect(message.text).toBe('11 of 120 businesses');
    expect(saidBy(message)).toContain(
      '11 of 120 businesses\n/block directory category:retail street:*court* number:400..',
    );
    const { caption, rows, row_header_column_index: header } = tableOf(message);
    expect({ caption, header, rows: rows.length }).toEqual({
      ...{ caption: '11 of 120 businesses', header: 0, rows: 12 },
    });
    expect(rows[0].map(({ text }: Message) => text)).toEqual([
      ...['Business name', 'Type of business', 'Category'],
      ...['Street address', 'House number', 'Phone number'],
    ]);
  });

  test('the link leads to the page with the same filters', async () => {
    const link = linkOf(await ask('directory category:retail street:*court* number:400..')) ?? '';
    const page = await fetch(link, { headers: { accept: 'text/html' } });
    const { origin, pathname, searchParams } = new URL(link);
    expect([origin, pathname]).toEqual([service.url, '/api_v2/blocks/business-directory']);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ category: 'retail', location_1_location: '*court*', parsed_address_min: '400' },
    });
    expect(await page.text()).toContain('11 of 120 businesses');
  });

  test('the first ten link to themselves by their names, as the table has them', async () => {
    for (const line of [
      'directory category:retail street:*court* number:400..',
      'census vacant_units:1700..',
    ]) {
      const message = await ask(line);
      const [, ...rows] = tableOf(message).rows;
      const links = [...saidBy(message).matchAll(/<(\S+\/rows\/\S+?)\|([^>]*)>/g)];
      expect(links).toHaveLength(Math.min(10, rows.length));
      for (const [i, [, href = '', name]] of links.entries()) {
        expect(name).toBe(rows[i][0].text);
        const { row, address } = (await (await fetch(href.replaceAll('&amp;', '&'))).json()).params;
        expect(address).toBe(href);
        expect(Object.values(row)).toContain(name?.replaceAll('&amp;', '&'));
      }
    }
  });

  test('where the address takes a key there is no link, and no key', async () => {
    const message = await ask('census canton', { path: `${PATH}?api_key=a-key` });
    expect(linkOf(message)).toBeUndefined();
    expect(JSON.stringify(message)).not.toContain('a-key');
  });

  test('a link longer than Slack takes is left out', async () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, i) => `category:${'a'.repeat(240)}${i}`).join(' ');
    expect(linkOf(await ask(`directory ${values(11)}`))).toBeDefined();
    expect(linkOf(await ask(`directory ${values(12)}`))).toBeUndefined();
  });

  test('more than a table holds: the count is of all, and what is left out is said', async () => {
    const message = await ask('directory state:ny');
    const shown = tableOf(message).rows.length - 1;
    expect(shown).toBeLessThan(101);
    expect(saidBy(message)).toMatch(new RegExp(`^${shown} of 1\\d\\d are shown here\\.$`, 'm'));
  });

  test('what is filtered or sorted by is a column', async () => {
    const { rows } = tableOf(await ask('census asian_population:500.. _sort:-roommates'));
    const titles = rows[0].map(({ text }: Message) => text);
    expect(titles).toEqual(
      expect.arrayContaining(['Asian population', 'Nonfamily households of several persons']),
    );
  });

  test('chosen fields are the columns, as many as fit', async () => {
    const two = await ask('census canton _fields:households,total_population');
    expect(tableOf(two).rows[0].map(({ text }: Message) => text)).toEqual([
      ...['Households', 'Population'],
    ]);
    const { output_schema: schema } = (await service.get('/api_v2/blocks/census-neighborhoods'))
      .body;
    const { _distance, ...own } = schema.properties.results.items.properties;
    const names = Object.keys(own);
    const all = await ask(`census canton _fields:${names.join(',')}`);
    expect(tableOf(all).rows[0]).toHaveLength(20);
    expect(saidBy(all)).toContain(`${names.length - 20} more fields do not fit`);
  });

  test('a number has its value, and few decimals to read', async () => {
    const { rows } = tableOf(await ask('census canton'));
    expect(rows[1][2]).toEqual({
      ...{ type: 'raw_number', value: 22.750549006290846, text: '22.751' },
    });
  });

  test('none: why, and what may have been meant', async () => {
    const message = await ask('census catonn');
    expect(message.text).toBe('0 of 56 neighborhoods');
    expect(tableOf(message)).toBeUndefined();
    expect(saidBy(message)).toContain(
      'catonn by itself: no neighborhoods. Did you mean “Canton”? Without it: 56 neighborhoods.',
    );
  });
});

describe('a colour', () => {
  test('is named, with its members, and a swatch of it and of those like it', async () => {
    const message = await ask('rgb 254 127 80 alternatives:1');
    expect(message.text).toBe('Coral');
    expect(saidBy(message)).toMatch(/^name: Coral\nhex: #ff7f50\nrgb: \[255,127,80\]$/m);
    expect(message.attachments.map(({ color }: Message) => color)).toEqual([
      ...['#fe7f50', '#ff7f50', '#ff8656'],
    ]);
    expect(saidBy(message)).toMatch(/^#fe7f50 asked for\n#ff7f50 Coral\n#ff8656 Nectarine, /m);
  });
});

describe('what cannot be answered', () => {
  test.each(['', 'help', '?'])('%j: what there is', async (text) => {
    const said = saidBy(await ask(text));
    expect(said).toContain('Write /block, then:');
    for (const block of ['directory', 'census', 'rgb']) expect(said).toContain(`• ${block} help`);
  });

  test('a block by itself: what it takes', async () => {
    const said = saidBy(await ask('directory'));
    expect(said).toContain('category:text');
    expect(said).toContain('• directory *text* (Business name, a part of it)');
    expect(said).toContain('_sort:');
    // What it would refuse is not offered.
    expect(said).not.toMatch(/_format|_explain|_geometry/);
    expect(tableOf(await ask('directory'))).toBeUndefined();
  });

  test.each([
    ['nonsense', /nonsense.*is not a block.*directory, census or rgb/],
    ['directory number>400', /number:400\.\./],
    ['directory "court', /quote/],
    ['census canton _format:csv', /_format means nothing in Slack/],
    ['census canton _geometry:point', /_geometry means nothing in Slack/],
    ['directory phone:(718) 522-6900', /Write phone:"\(718\) 522-6900"/],
    ['census _sort:-densty', /“-densty” is not a field\. Did you mean -density\?/],
  ])('%s: a line of its own, and one that says where help is', async (text, fault) => {
    const message = await ask(text);
    const [first, ...others] = saidBy(message).split('\n');
    expect(first).toMatch(fault);
    expect(message.text).toBe(first);
    const [block = ''] = /^(?:directory|census) /.exec(text) ?? [];
    expect(others).toEqual([`How to write it: /block ${block}help`]);
    expect(tableOf(message)).toBeUndefined();
  });

  test('all faults at once: those of the line, of Slack, and of the values of the rest', async () => {
    const text =
      'directory foo:1 _format:csv phone:abc _limit:5000 number_min:9 number_max:1 name:court';
    expect(saidBy(await ask(text)).split('\n')).toEqual([
      '“foo” is not a name of this block. help after the block lists them. As text, write name:"foo:1".',
      '_format means nothing in Slack: leave it out.',
      'phone is compared by its digits, but "abc" has none.',
      '_limit is 5000; expected a whole number from 1 to 1000.',
      'number_min is 9 and number_max is 1: no row can match. Swap them, or leave one out.',
      'How to write it: /block directory help',
    ]);
    // What may be missing is what was not understood.
    expect(saidBy(await ask('rgb coral list:nope')).split('\n')).toEqual([
      '“coral” is not a colour. Write it as #ff7f50, #f75 or 255 127 80.',
      expect.stringMatching(/^list is "nope"; expected one of /),
      'How to write it: /block rgb help',
    ]);
    expect(saidBy(await ask('rgb G:300'))).toContain('R is required');
  });

  test('a fault of two parameters is said once', async () => {
    const said = saidBy(await ask('directory number_min:500 number_max:400'));
    expect(said.match(/• number_min is 500 and number_max is 400/g)).toHaveLength(1);
    expect(said).not.toContain('parsed_address');
  });

  test('what the block refuses is said, with all faults and the way to help', async () => {
    const message = await ask('directory _limit:5000 phone:abc');
    const said = saidBy(message);
    expect(said).toContain('• _limit is 5000; expected a whole number');
    expect(said).toContain('• phone is compared by its digits, but "abc" has none.');
    expect(said).toContain('/block directory help');
    expect(tableOf(message)).toBeUndefined();
  });

  test("the command is called what the workspace calls it, where that can be a command's name", async () => {
    const sent = async (command: string) =>
      saidBy((await service.send(PATH, signed(commandBody('', command)))).body);
    expect(await sent('/daten')).toContain('Write /daten, then:');
    expect(await sent('<!channel>')).toContain('Write /block, then:');
  });
});

describe('what breaks, and what takes too long', () => {
  const MISTAKEN = 'census foo:1 canton';
  let census: BlockDescription;
  beforeAll(async () => {
    census = (await service.get('/api_v2/blocks/census-neighborhoods')).body;
  });

  /** The answer to `census canton` of a service whose blocks are called like this. */
  async function answerBy(call: CallBlock, text = 'census canton', time = SETTINGS) {
    const runs: RunRecord[] = [];
    const settings = { ...time, record: (run: RunRecord) => runs.push(run) };
    const request = requestOf(
      serviceOf(slackRoutes({ blocks: [census], call, secrets }), settings),
    );
    const response = await request(PATH, signed(commandBody(text)));
    const runId = response.headers.get('x-run-id');
    return { status: response.status, message: (await response.json()) as Message, runs, runId };
  }

  test.each<[string, CallBlock]>([
    [
      'a block that throws',
      async () => {
        throw new Error('the disk is full');
      },
    ],
    [
      'a block that does not answer',
      async () => {
        throw new Problem('service-unavailable', 'x', { cause: new Error('the disk is full') });
      },
    ],
    [
      'an answer that is none',
      async () => ({ kind: 'answered', params: { results: null }, warnings: [] }),
    ],
  ])('%s: a message with the run, an error in the log', async (_, call) => {
    const { status, message, runs, runId } = await answerBy(call);
    expect(status).toBe(200);
    expect(saidBy(message)).toContain('could not be answered just now');
    expect(saidBy(message)).toContain(`Run ${runId}`);
    expect(JSON.stringify(message)).not.toMatch(/disk|TypeError/);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ status: 200, cause: expect.any(Error) });
    expect(['internal-error', 'service-unavailable']).toContain(runs[0]?.code);
  });

  test("a block's own 503: the message has the block's run, which the log has the cause of", async () => {
    const { message, runs } = await answerBy(async () => ({
      kind: 'refused',
      problem: {
        ...{ type: '', title: '', status: 503, detail: 'inside', _errors: [] },
        ...{ instance: 'urn:uuid:its-run', code: 'store-unavailable' },
        errors: [{ code: 'store-unavailable', detail: 'inside' }],
      },
    }));
    expect(saidBy(message)).toContain('Run its-run');
    expect(JSON.stringify(message)).not.toContain('inside');
    expect(runs).toMatchObject([
      { code: 'store-unavailable', cause: expect.stringContaining('its-run') },
    ]);
  });

  const never = () => new Promise<never>(() => {});

  /** The answer once Slack waits no longer, by the clock that the test moves. */
  async function lateAnswerBy(call: CallBlock, text?: string) {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      let isAnswered = false;
      let isCalled = () => {};
      const called = new Promise<void>((resolve) => {
        isCalled = resolve;
      });
      const answered = answerBy(
        (...asked) => {
          isCalled();
          return call(...asked);
        },
        text,
        PRODUCTION,
      );
      answered.then(() => {
        isAnswered = true;
      });
      await called;
      await jest.advanceTimersByTimeAsync(2499);
      await new Promise(setImmediate);
      expect(isAnswered).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      return await answered;
    } finally {
      jest.useRealTimers();
    }
  }

  test('a block that takes longer than Slack waits: where the answer will be', async () => {
    const { status, message } = await lateAnswerBy(never);
    expect(status).toBe(200);
    expect(message.text).toBe('Still looking: this takes longer than Slack waits.');
    expect(linkOf(message)).toMatch(
      /\/api_v2\/blocks\/census-neighborhoods\?neighborhood_1=canton$/,
    );
  });

  test.each<[string, () => ReturnType<typeof answerBy>]>([
    [
      'breaks',
      () =>
        answerBy(async () => {
          throw new Error('the disk is full');
        }, MISTAKEN),
    ],
    ['does not answer in time', () => lateAnswerBy(never, MISTAKEN)],
  ])('a mistake is told though the block %s', async (_, answered) => {
    const { message } = await answered();
    expect(saidBy(message)).toMatch(/^“foo” is not a name of this block.*\nHow to write it: .*$/);
  });

  test('a block that breaks after that breaks nothing else', async () => {
    let breakNow = (_: Error) => {};
    const breaking = () =>
      new Promise<never>((_, reject) => {
        breakNow = reject;
      });
    const { message } = await lateAnswerBy(breaking);
    expect(message.text).toMatch(/^Still looking/);
    breakNow(new Error('late'));
    // Jest fails a test during which a rejection is not handled.
    await new Promise(setImmediate);
  });
});
