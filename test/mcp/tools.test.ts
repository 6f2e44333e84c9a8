import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { mcpClient, type Revision } from '../support/mcp-channel.ts';
import { ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { checkSchema } from './check-schema.ts';
import { ERA_NAMES, sendMessage } from './send-message.ts';

const blocks = (await loadBlocks(path.join(ROOT, 'functions'))).map(({ block }) => block);

// biome-ignore lint/suspicious/noExplicitAny: a tool's schema is of any shape
type Any = any;

const service = suiteService();

describe.each(ERA_NAMES)('the tools, as a client of %s lists them', (revision: Revision) => {
  let tools: Any[];
  beforeAll(async () => {
    ({ tools } = await (await mcpClient(service.url, revision)).listTools());
  });

  test('are the blocks, each under its name, and only read', () => {
    expect(tools.map(({ name, title }) => [name, title])).toEqual(
      blocks.map(({ name, title }) => [name, title]),
    );
    for (const { annotations } of tools) {
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    }
  });

  test.each(blocks)('$name has every parameter, also each end of a range', ({ name, ...block }) => {
    const { inputSchema } = tools.find((tool) => tool.name === name);
    const options =
      block.answers === 'rows'
        ? [
            '_not',
            '_or',
            '_limit',
            '_cursor',
            '_sort',
            '_fields',
            '_group',
            '_measure',
            '_having',
            '_xy',
            '_facets',
          ]
        : [];
    expect(Object.keys(inputSchema.properties)).toEqual([
      ...block.parameters.filter(({ op }) => op !== 'not').map((parameter) => parameter.name),
      ...options,
    ]);
    expect(inputSchema.required ?? []).toEqual(
      block.parameters.filter((p) => p.required).map((p) => p.name),
    );
  });

  test("a block's examples are valid by its tool's schema, but for lists", () => {
    for (const { name, examples } of blocks) {
      const { properties } = tools.find((tool) => tool.name === name).inputSchema;
      for (const { arguments: given } of examples) {
        for (const [parameter, value] of Object.entries(given)) {
          const { type, maximum = Number.POSITIVE_INFINITY } = properties[parameter];
          const isNumber = type === 'number' || type === 'integer';
          expect(typeof [value].flat()[0]).toBe(isNumber ? 'number' : 'string');
          if (isNumber) expect(value).toBeLessThanOrEqual(maximum);
        }
      }
    }
  });

  test.each([
    ['census-neighborhoods', 'under_5', 'Under 5 years; 9..1711'],
    ['census-neighborhoods', 'white_population', '69..13731 people'],
    ['census-neighborhoods', 'centerpoint_x', 'Longitude of the centre; -76.71..-76.54'],
    ['census-neighborhoods', 'persons_in_dorms', 'Persons in dormitories; no row has a value'],
    ['business-directory', 'parsed_address', 'House number; 2..779'],
    ['business-directory', 'category', undefined],
  ])('of %s, %s is said to be: %s', (name, parameter, description) => {
    const { properties } = tools.find((tool) => tool.name === name).inputSchema;
    expect(properties[parameter].description).toBe(description);
  });

  test('each says where its rows come from', () => {
    const [directory, census] = ['business-directory', 'census-neighborhoods'].map(
      (name) => tools.find((tool) => tool.name === name).description,
    );
    expect(directory).toMatch(/Source: NYC .+, 2019-12\.$/);
    expect(census).toMatch(/Source: US Census Bureau, 2010-04-01\.$/);
  });

  test('have schemas of words that every maker of models takes', () => {
    for (const { inputSchema } of tools) checkSchema(inputSchema);
  });

  test('take at most 12,000 bytes of a context, all that the protocol adds included', async () => {
    const { result } = await sendMessage(service, revision, { method: 'tools/list' });
    expect(result.tools).toHaveLength(3);
    // A build's name is at most a hash's 64 digits; here it has 4.
    expect(Buffer.byteLength(JSON.stringify(result)) + 60).toBeLessThanOrEqual(12_000);
  });
});

test('a client of 2026-07-28 may keep the list for five minutes', async () => {
  const { result } = await sendMessage(service, '2026-07-28', { method: 'tools/list' });
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
});
