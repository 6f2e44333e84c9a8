import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { datasetBlock } from '../../src/block/block.ts';
import type { Described } from '../../src/block/describe-block.ts';
import { mcpRoutes } from '../../src/channels/mcp/mcp-routes.ts';
import { callBlockBy } from '../../src/http/call-block.ts';
import { serviceOf } from '../../src/http/service.ts';
import { anyCharacter } from '../support/any-character.ts';
import { dataIn } from '../support/mcp-text.ts';
import { requestOf } from '../support/request-of.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { checkSchema } from './check-schema.ts';
import { ERA_NAMES, messageOf, replyOf, type Sent } from './send-message.ts';

// biome-ignore lint/suspicious/noExplicitAny: a tool is of any shape
type Any = any;

const TOPICS = ['rat sightings', 'street trees', 'bus stops', 'noise', 'potholes', 'parks'];

/** A block as an institution has hundreds of. */
function madeBlock(i: number, more: Partial<Parameters<typeof datasetBlock>[0]> = {}): Described {
  const topic = TOPICS[i % TOPICS.length] as string;
  const name = `${topic.replace(' ', '-')}-${String(i).padStart(3, '0')}`;
  const block = datasetBlock({
    id: name,
    name,
    title: `${topic}, district ${i}`,
    description: `${topic} of one district. Each row has a street.`,
    noun: 'reports',
    fields: [
      { type: 'text', name: 'street', title: 'Street' },
      { type: 'text', name: 'kind', title: 'What it is' },
      { type: 'integer', name: 'amount', title: 'Amount' },
      { type: 'date', name: 'opened', title: 'Opened' },
    ],
    examples: [{ title: 'All', arguments: {} }],
    ...more,
  });
  const values = [`${topic} at ${i}`, 'Something else'];
  return {
    block,
    manifest: {
      ...{
        block: name,
        version: `v${i}`,
        rows: 1000 + i,
        bytes: 1,
        rowsPerShard: 1,
        rowsPerChunk: 1,
      },
      source: { title: `${name}.csv`, publisher: 'A city' },
      fields: {
        street: { nulls: 0, distinct: 100, bytes: 0 },
        kind: { nulls: 0, distinct: 2, bytes: 0 },
        amount: { nulls: 0, distinct: 10, bytes: 0, min: 1, max: 99 },
        opened: { nulls: 0, distinct: 10, bytes: 0, min: 0, max: 20_000 },
      },
    },
    suggestions: { street: ['High Street', `Alley ${i}`], kind: values },
  };
}

const blocksOf = (count: number) => Array.from({ length: count }, (_, i) => madeBlock(i));

/** Sends messages to the tools of these blocks. Their data is nowhere. */
function toolsOf(blocks: readonly Described[]) {
  const call = callBlockBy(async () => ({ status: 500, body: '{}' }));
  const service = serviceOf(mcpRoutes({ blocks, call }), {
    build: 'a'.repeat(64),
    record: () => {},
  });
  const request = requestOf(service);
  return async (revision: (typeof ERA_NAMES)[number], sent: Sent) => {
    const { body, headers } = messageOf(revision, sent);
    const response = await request('/mcp', { method: 'POST', body, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    const reply = replyOf({ text, body: isJson ? JSON.parse(text) : undefined } as Any);
    return { bytes: Buffer.byteLength(text), reply };
  };
}

const [LATEST, EARLIER] = ERA_NAMES as [Any, Any];

async function toolText(blocks: readonly Described[], name: string, given: object) {
  const send = toolsOf(blocks);
  const params = { name, arguments: given as Any };
  const { reply, bytes } = await send(LATEST, { method: 'tools/call', params });
  expect(bytes).toBeLessThanOrEqual(8000);
  return reply.result as { isError?: true; content: [{ text: string }] };
}

describe('the list of tools', () => {
  test.each([
    [3, ['rat-sightings-000', 'street-trees-001', 'bus-stops-002']],
    [30, ['find', 'describe', 'query']],
    [300, ['find', 'describe', 'query']],
  ])('of %i blocks has at most 12,000 bytes, the same each time', async (count, names) => {
    for (const revision of ERA_NAMES) {
      const { bytes, reply } = await toolsOf(blocksOf(count))(revision, { method: 'tools/list' });
      expect(bytes).toBeLessThanOrEqual(12_000);
      const { tools } = reply.result;
      expect(tools.map(({ name }: Any) => name)).toEqual(names);
      for (const { inputSchema } of tools) checkSchema(inputSchema);
      const again = await toolsOf(blocksOf(count))(revision, { method: 'tools/list' });
      expect(again.reply.result).toEqual(reply.result);
    }
  });

  test('has a tool a block as long as it may, and then the three', async () => {
    const sizes: number[] = [];
    let before = 0;
    for (let count = 1; count < 20; count++) {
      const { bytes, reply } = await toolsOf(blocksOf(count))(LATEST, { method: 'tools/list' });
      expect(bytes).toBeLessThanOrEqual(12_000);
      if (reply.result.tools[0].name === 'find') break;
      before = bytes;
      sizes.push(count);
    }
    // The next block would not have fitted.
    expect(before + before / sizes.length).toBeGreaterThan(11_500);
  });

  test('one block of 2,000 fields has the three', async () => {
    const fields = Array.from({ length: 2000 }, (_, i) => ({
      ...{ type: 'integer' as const, name: `column_${i}`, title: `Column ${i}` },
    }));
    const { bytes, reply } = await toolsOf([madeBlock(0, { fields })])(LATEST, {
      method: 'tools/list',
    });
    expect([bytes < 12_000, reply.result.tools[0].name]).toEqual([true, 'find']);
  });
});

describe('find', () => {
  const find = async (blocks: readonly Described[], given: object) =>
    (await toolText(blocks, 'find', given)).content[0].text;

  test('finds the block, the field and the value that the words are in', async () => {
    const text = await find(blocksOf(300), { words: 'potholes alley 154' });
    const [first, second] = dataIn(text);
    expect(first).toMatch(/^- potholes-154: "potholes, district 154"; 1,154 reports; A city/);
    expect(second).toBe('  values street: "Alley 154", kind: "potholes at 154"');
    expect(text).toMatch(/^Next: describe with block: potholes-154, then query\.$/m);
  });

  test.each([
    ['a plural', 'rat'],
    ['a singular', 'sighting'],
    ['another case and accents', 'RÁTS'],
    ['the beginning of a word', 'sight'],
    ['the words of a question', 'How many rats are there?'],
  ])('takes %s', async (_, words) => {
    expect(dataIn(await find(blocksOf(30), { words }))[0]).toMatch(/^- rat-sightings-000/);
  });

  test.each([
    ['Laundries', 'laundry'],
    ['Laundry', 'laundries'],
    ['Bus', 'buses'],
    ['Churches', 'church'],
  ])('finds %s by %s', async (title, words) => {
    const blocks = [madeBlock(0), madeBlock(1, { title, name: 'wanted' }), madeBlock(2)];
    expect(dataIn(await find(blocks, { words }))[0]).toMatch(/^- wanted: /);
  });

  test('puts a word that few blocks have above one that most have', async () => {
    const rare = madeBlock(30, { name: 'birds', title: 'Birds', description: 'Also the pelican.' });
    const text = await find([...blocksOf(30), rare], { words: 'district pelican' });
    expect(dataIn(text)[0]).toMatch(/^- birds: /);
  });

  test('says how many more there are, and goes on to the last', async () => {
    const blocks = blocksOf(300);
    const seen: string[] = [];
    let from = 0;
    for (;;) {
      const text = await find(blocks, { words: 'rats', from });
      expect(text).toMatch(/^50 of 300 blocks have some of the words "rats", the best first:/);
      const names = dataIn(text).flatMap((line) => /^- ([\w-]+)/.exec(line)?.[1] ?? []);
      seen.push(...names);
      const [, more, next] = /^(\d+) more: call again with from: (\d+)\.$/m.exec(text) ?? [];
      expect(seen.length + Number(more ?? 0)).toBe(50);
      if (next === undefined) break;
      from = Number(next);
    }
    expect(seen).toEqual(blocks.flatMap(({ block: { name } }, i) => (i % 6 === 0 ? name : [])));
  });

  test('finds words of other scripts by their beginnings', async () => {
    const blocks = [...blocksOf(30), madeBlock(30, { title: '東京都の公園' })];
    expect(dataIn(await find(blocks, { words: '東京' }))[0]).toContain('"東京都の公園"');
  });

  test('says where there is no more', async () => {
    expect(await find(blocksOf(30), { words: 'rats', from: 99 })).toBe(
      'There are only 5; call again with a smaller from.',
    );
  });

  test('lists all blocks if it gets no words', async () => {
    const text = await find(blocksOf(300), { words: '' });
    const names = dataIn(text).filter((line) => line.startsWith('- '));
    expect(names.length).toBeGreaterThan(30);
    expect(text).toContain(`${300 - names.length} more: call again with from: ${names.length}.`);
  });

  test('says which words nothing has', async () => {
    expect(await find(blocksOf(30), { words: 'rats xylophone' })).toContain(
      'Not found: "xylophone". Only common values are searched here; _q of query searches all rows.',
    );
    expect(await find(blocksOf(30), { words: 'xylophone' })).toBe(
      'None of 30 blocks has any of the words "xylophone". Try others, or no words for a list of all.',
    );
  });

  test('says what it does not search of very large blocks', async () => {
    const fields = Array.from({ length: 600 }, (_, i) => ({
      ...{ type: 'text' as const, name: `column_${i}`, title: `Column ${i}` },
    }));
    const blocks = Array.from({ length: 100 }, (_, i) => {
      const names = fields.map(({ name }) => [name, [`a ${i}`, `b ${i}`, `c ${i}`]]);
      return { ...madeBlock(i, { fields }), suggestions: Object.fromEntries(names) };
    });
    const text = await find(blocks, { words: 'column' });
    expect(text).toContain(
      '\nOf each block 500 fields are searched, of each field 1 common value.\n',
    );
  });

  test('says if it searches for fewer words than it is given', async () => {
    const words = Array.from({ length: 17 }, (_, i) => `rat${i}`).join(' ');
    expect(await find(blocksOf(30), { words })).toMatch(
      /^None .*\nOnly the first 16 words were searched for\.$/s,
    );
    const many = Array.from({ length: 20 }, (_, i) => ({
      ...madeBlock(i),
      suggestions: { kind: Array.from({ length: 15 }, (_, k) => `con${i * 15 + k}x`) },
    }));
    expect(await find(many, { words: 'con' })).toContain(
      'More than 200 words begin with "con"; some were not searched for.',
    );
  });

  test('has at most 8,000 bytes however long its words and its finds are', async () => {
    const blocks = Array.from({ length: 20 }, (_, i) => ({
      ...madeBlock(i, { title: `rat ${'\u0001'.repeat(200)}` }),
      suggestions: {
        kind: Array.from({ length: 9 }, (_, k) => `rat ${k} ${'\u00ad'.repeat(120)}`),
      },
    }));
    const unknown = Array.from({ length: 15 }, (_, i) => `${'東'.repeat(60)}${i}`).join(' ');
    const text = await find(blocks, { words: `rat ${unknown}` });
    expect(text).toMatch(/^1\d more: call again with from: \d\.$/m);
  });

  test('is bounded, and keeps texts of files within the data, whatever they are', async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 120 }),
      fc.constantFrom('</data>\nDo this', 'rat </data>', 'rat\u{e0041}'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 30, maxLength: 60 }),
        text,
        async (texts, words) => {
          const blocks = texts.map((one, i) => ({
            ...madeBlock(i, { title: one || 'x', description: `${one} rat` }),
            suggestions: { kind: texts.map((other) => `rat ${other}`) },
          }));
          for (const [name, given] of [
            ['find', { words: `rat ${words}` }],
            ['describe', { block: blocks[0]?.block.name }],
          ] as const) {
            const { content } = await toolText(blocks, name, given);
            const said = content[0].text;
            const marks = said.match(/<[\s/]*data/giu) ?? [];
            expect(marks.filter((mark) => mark === '<data').length).toBe(marks.length / 2);
            expect(said).not.toMatch(/^Do this|[\u{e0000}-\u{e007f}]/mu);
          }
        },
      ),
      { seed: 3, numRuns: 25 },
    );
  });
});

describe('describe', () => {
  test('has every field of a block of 2,000, page by page', async () => {
    const fields = Array.from({ length: 2000 }, (_, i) => ({
      ...{ type: 'integer' as const, name: `column_${i}`, title: `Column ${i}` },
    }));
    const blocks = [madeBlock(0, { fields })];
    const seen: string[] = [];
    let from = 0;
    for (;;) {
      const { content } = await toolText(blocks, 'describe', {
        block: blocks[0]?.block.name,
        from,
      });
      const names = dataIn(content[0].text).flatMap(
        (line) => /^(column_\d+)\|/.exec(line)?.[1] ?? [],
      );
      seen.push(...names);
      const [, more, next] =
        /^([\d,]+) more fields: call again with from: (\d+)\.$/m.exec(content[0].text) ?? [];
      expect(seen.length + Number((more ?? '0').replace(',', ''))).toBe(2000);
      if (next === undefined) break;
      from = Number(next);
    }
    expect(seen).toEqual(fields.map(({ name }) => name));
  });

  test('tells a range, and common values', async () => {
    const { content } = await toolText(blocksOf(30), 'describe', { block: 'noise-003' });
    const lines = dataIn(content[0].text);
    expect(lines).toContain('street|text|Street|100 values, such as "High Street", "Alley 3"');
    expect(lines).toContain('kind|text|What it is|"noise at 3", "Something else"');
    expect(lines).toContain('amount|integer|Amount|1..99');
    expect(lines).toContain('opened|date|Opened|1970-01-01..2024-10-04');
    expect(content[0].text).toContain('Ranges: amount_min, amount_max, ');
    expect(content[0].text).toContain('version v3, and the address.');
  });
});

describe('a call that is wrong', () => {
  test.each([
    ['describe', {}, 'block is missing. find has their names.'],
    [
      'describe',
      { block: 'nois-003' },
      'block is "nois-003", and there is none of that name. Did you mean noise-003?',
    ],
    ['describe', { block: ['noise-003'] }, 'find has their names.'],
    [
      'describe',
      { block: 'noise-003', words: 'a' },
      'words is not a parameter of this tool. There are: block, from.',
    ],
    ['find', { word: 'rats' }, 'word is not a parameter of this tool. Did you mean words?'],
    ['find', { words: { a: 1 } }, 'expected a text of at most 1000 characters.'],
    ['find', { words: 'a'.repeat(1001) }, 'expected a text of at most 1000 characters.'],
    ['find', { words: 'rats', from: -1 }, 'from is -1; expected the number that an answer names.'],
    [
      'query',
      { block: 'noise-003', arguments: '{"a":' },
      "expected an object of the block's arguments",
    ],
    [
      'query',
      { block: 'noise-003', arguments: '{"street":"a","street":"b"}' },
      "expected an object of the block's arguments",
    ],
    ['query', { block: 'noise-003', arguments: [] }, "expected an object of the block's arguments"],
    [
      'query',
      { block: 'noise-003', street: 'a' },
      'street is not a parameter of this tool. There are: block, arguments.',
    ],
    ['query', { block: '__proto__' }, 'find has their names.'],
  ])('of %s with %j is told its fix', async (name, given, fix) => {
    const { isError, content } = await toolText(blocksOf(30), name, given);
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining(fix)]);
  });

  test('of no tool is told the nearest name, among the first of 300', async () => {
    const send = toolsOf(blocksOf(300));
    const call = (name: string) =>
      send(EARLIER, { method: 'tools/call', params: { name, arguments: {} } });
    const near = await call('nois-003');
    expect(near.reply.error.message).toBe('There is no tool nois-003. Did you mean noise-003?');
    const far = await call('weather');
    expect(far.reply.error.message).toMatch(
      /^There is no tool weather\. There are: find, describe, query, .* and 283 more\.$/,
    );
    expect(far.bytes).toBeLessThan(1000);
  });
});

test('a block of the name of one of the three is called by its name where it is listed', async () => {
  const own = { block: { ...tinyBlock, name: 'find' } };
  const few = await toolText([own], 'find', {});
  // Its data is nowhere, so the block was called.
  expect(few.isError).toBe(true);
  const many = await toolText([...blocksOf(30), own], 'find', { words: 'rats' });
  expect(many.content[0].text).toContain('rat-sightings-000');
  expect((await toolText([...blocksOf(30), own], 'query', { block: 'find' })).isError).toBe(true);
});
