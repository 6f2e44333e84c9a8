import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asShown, comparable } from '../support/channel-answer.ts';
import { channelsOf } from '../support/channels.ts';
import { command } from '../support/command.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { randomArguments } from '../support/random-arguments.ts';
import { recipes, TYPED_CELLS } from '../support/recipes.ts';
import { callers, type Service } from '../support/service.ts';
import { rowOf, typedBlock } from '../support/typed-block.ts';

let blockyard: string;
let checkout: string;
let service: Service;
beforeAll(async () => {
  const made = await recipes();
  blockyard = made.installed;
  checkout = made.checkout;
  service = { ...callers(made.url), log: [], close: async () => {} };
});
afterAll(cleanUp);

describe('a type is a file and a line: years are', () => {
  const built = async (given: unknown) => {
    const { status, body } = await service.post('bridges', given);
    return status === 200
      ? body.params.results.map((row: { bridge: string }) => row.bridge)
      : [status, body.errors[0].code, body.errors[0].detail];
  };

  test('filtered: by equality, by their ends, by what they are not', async () => {
    expect(await built({ built: 1909 })).toEqual(['Manhattan']);
    expect(await built({ built_min: '1900', _sort: '-built' })).toEqual(['Hell Gate', 'Manhattan']);
    expect(await built({ _not: { built: [1883, 1916] } })).toEqual(['Manhattan', 'None']);
    expect(await built({ _empty: 'built' })).toEqual(['None']);
    expect(await built({ built: 'long ago' })).toEqual([
      400,
      'not-a-number',
      expect.stringContaining('expected a year such as 2020'),
    ]);
    expect(await built({ built: 12345 })).toEqual([
      400,
      'out-of-range',
      expect.stringContaining('expected a year such as 2020'),
    ]);
  });

  test('described, with their schemas', async () => {
    const { body } = await service.get('/api_v2/blocks/bridges');
    const found = body.parameters.filter(({ field }: { field?: string }) => field === 'built');
    expect(found).toMatchObject([
      { name: 'built', op: 'is', type: 'year', list: true, range: { min: 1883, max: 1916 } },
      { name: 'built_min', op: 'min', type: 'year' },
      { name: 'built_max', op: 'max', type: 'year' },
    ]);
    expect(body.input_schema.properties.built_min).toMatchObject({ type: 'integer', minimum: 1 });
    expect(body.input_schema.properties._not.properties.built.type).toEqual(['integer', 'array']);
    const { items } = body.output_schema.properties.results;
    expect(items.properties.built.type).toEqual(['integer', 'null']);
  });

  test('in the OpenAPI document, with a schema of their own', async () => {
    const { body } = await service.get('/openapi.json');
    const { parameters } = body.paths['/blocks/bridges'].get;
    const { schema } = parameters.find(({ name }: { name: string }) => name === 'built');
    expect(schema.$ref).toBe('#/components/schemas/year.list.text');
    expect(body.components.schemas).toHaveProperty(['year.list.text']);
  });

  test('on the page: boxes, words and cells', async () => {
    const { text } = await service.get('/api_v2/blocks/bridges?built_min=1900&_view=table', {
      accept: 'text/html',
    });
    expect(text).toContain('name="built_min" value="1900"');
    expect(text).toMatch(/Built is at least the year 1900/);
    expect(text).toMatch(/<td class="n[^"]*"[^>]*>1909<\/td>/);
  });

  test('in CSV', async () => {
    const { text } = await service.get('/api_v2/blocks/bridges?built_max=1900&_format=csv');
    expect(text).toBe('bridge,built\r\nBrooklyn,1883\r\n');
  });

  test("in the client's types", async () => {
    const types = await readFile(path.join(checkout, 'client/src/blocks.ts'), 'utf8');
    expect(types).toMatch(
      /bridges: \{[\s\S]*?built\?: number \| number\[\];[\s\S]*?built: number \| null;/,
    );
  });

  test('in a tool of MCP, in chat and on the command line', async () => {
    const described = await service.send('/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'describe', arguments: { block: 'bridges' } },
      }),
    });
    expect(described.text).toMatch(/\\nbuilt\|year\|[^|]*\|1883\.\.\d+\\n/);
    const typed = await command(
      process.execPath,
      ['bin/blockyard.js', 'run', 'bridges', 'from:1900..', '--url', service.url],
      { cwd: blockyard, env: { PATH: process.env.PATH } },
    );
    expect(typed.output).toContain('Manhattan');
    expect(typed.output).toContain('2 of 4 rows');
  });
});

test('a type that is told by the shape of its cells is found in a new file', async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'offices.csv');
  const add = async (content: string) => {
    await writeFile(file, content);
    return command(process.execPath, ['bin/blockyard.js', 'add', file, '--blocks', folder], {
      cwd: blockyard,
      env: { PATH: process.env.PATH },
    });
  };
  const added = await add('office,write to\nNorth,north@example.org\nSouth,south@example.org\n');
  expect(added.output).toMatch(/write_to +email +has e-mail addresses/);
  const block = await readFile(path.join(folder, 'functions/offices/block.json'), 'utf8');
  expect(JSON.parse(block).fields).toMatchObject([{ type: 'text' }, { type: 'email' }]);
  await rm(path.join(folder, 'functions'), { recursive: true });
  const mixed = await add('office,write to\nNorth,north@example.org\nSouth,at the door\n');
  expect(mixed.output).toMatch(/write_to +text +"at the door" is no e-mail address/);
});

test('a form holds yes and no, where both are asked for', async () => {
  const { text } = await service.get('/api_v2/blocks/typed?outdoors=yes&outdoors=no', {
    accept: 'text/html',
  });
  const boxes = text.match(/<input type="checkbox"[^>]*name="outdoors"[^>]*>/g) ?? [];
  expect(boxes.map((box) => [/value="(\w+)"/.exec(box)?.[1], box.includes('checked')])).toEqual([
    ['true', true],
    ['false', true],
  ]);
  expect(text.replace(/<[^>]+>/g, '')).toContain('Outdoors is yes or no');
});

test('a block of every type gives the same rows, cell by cell, through every channel', async () => {
  const rows = TYPED_CELLS.map(rowOf);
  expect((await service.post('typed', {})).body.params.results).toEqual(rows);
  const { 'JSON by POST': reference, ...others } = channelsOf(typedBlock);
  if (reference === undefined) throw new Error('JSON by POST is the one to compare with');
  const filled = new Set<string>();
  await fc.assert(
    fc.asyncProperty(randomArguments(typedBlock, rows), async (given) => {
      const call = { service, block: typedBlock, arguments: given };
      const wanted = await reference(call);
      if (wanted.rows.length > 0) for (const name of Object.keys(given)) filled.add(name);
      for (const [channel, ask] of Object.entries(others)) {
        const answer = await ask(call);
        const expected = asShown(wanted, answer);
        expect({ channel, ...comparable(answer, expected) }).toEqual({
          channel,
          ...comparable(expected, expected),
        });
      }
    }),
    {
      seed: 9,
      numRuns: Number(process.env.CHANNEL_CALLS ?? 20),
    },
  );
  // Most filters found some rows: those of few values are asked seldom.
  expect(filled.size).toBeGreaterThan(15);
});
