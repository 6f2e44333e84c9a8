import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { command } from '../support/command.ts';
import { readMembers, readRows } from '../support/mcp-text.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { isInstalled, toolCommand, toolPackage, toolPython } from '../support/tools.ts';

/** `npm run test:deploy` installs it; the suite needs Node 22 or newer. */
const NODE_24 = path.join(ROOT, 'test/deploy/runtime/node_modules/.bin/node');

// biome-ignore lint/suspicious/noExplicitAny: another version's client has types of its own
type Any = any;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service?.close();
  await cleanUp();
});

describe('the client of the package before this one', () => {
  const open = async (): Promise<Any> => {
    const folder = path.join(toolPackage('@modelcontextprotocol/sdk'), 'dist/esm/client');
    const load = (file: string) => import(pathToFileURL(path.join(folder, file)).href);
    // One after the other: Jest does not link two at once that share a module.
    const { Client } = await load('index.js');
    const { StreamableHTTPClientTransport } = await load('streamableHttp.js');
    const client = new Client({ name: 'tests', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url)));
    return client;
  };

  test('lists the tools, and calls them', async () => {
    const client = await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }: Any) => name)).toEqual([
      'business-directory',
      'census-neighborhoods',
      'rgb-to-color-name',
    ]);
    const given = { R: 255, G: 127, B: 80 };
    const answer = await client.callTool({ name: 'rgb-to-color-name', arguments: given });
    expect(answer.structuredContent).toBeUndefined();
    expect(readMembers(answer.content[0].text).name).toBe('Coral');
    await client.close();
  });

  test('finds a block by words, has it described, and queries it', async () => {
    const client = await open();
    const call = async (name: string, given: object) => {
      const { content } = await client.callTool({ name, arguments: given });
      return content[0].text as string;
    };
    expect(await call('find', { words: 'laundries' })).toContain('\n- business-directory: ');
    const block = 'business-directory';
    expect(await call('describe', { block })).toContain('\ntype_of_business|text|');
    const given = { type_of_business: 'Laundries', _measure: 'count' };
    const [row] = readRows(await call('query', { block, arguments: given })).rows;
    const posted = await service.post(block, given);
    expect(row).toEqual(posted.body.params.results[0]);
    await client.close();
  });

  test('is told how to mend a call', async () => {
    const client = await open();
    const given = { catgory: 'retail' };
    const answer = await client.callTool({ name: 'business-directory', arguments: given });
    expect(answer.isError).toBe(true);
    expect(answer.content[0].text).toContain('Did you mean category?');
    await expect(client.callTool({ name: 'busines-directory' })).rejects.toThrow(
      'Did you mean business-directory?',
    );
    await client.close();
  });
});

describe('the client in Python', () => {
  test.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ])(
    'lists the tools, calls them and is told how to mend a call, in mode %s',
    async (mode, revision) => {
      const script = path.join(import.meta.dirname, 'mcp_client.py');
      const { code, output } = await command(toolPython(), [script, `${service.url}/mcp`, mode], {
        cwd: await temporaryFolder(),
        env: process.env,
      });
      // Before it, the client remarks that a tool is not listed.
      const printed = output.trim().split('\n').at(-1) as string;
      expect({ code, ...JSON.parse(printed) }).toEqual({
        code: 0,
        revision,
        tools: ['business-directory', 'census-neighborhoods', 'rgb-to-color-name'],
        name: 'Coral',
        found: expect.stringContaining('type_of_business: "Laundries"'),
        refused: [true, expect.stringContaining('Did you mean category?')],
      });
    },
  );
});

describe("the protocol's own tests", () => {
  test.each([
    ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']],
    [
      '2026-07-28',
      [
        'tools-list',
        'server-sse-multiple-streams',
        'dns-rebinding-protection',
        'http-header-validation',
        'input-required-result-unsupported-methods',
        'input-required-result-validate-input',
      ],
    ],
  ])('of %s pass, but for what only their own server has', async (revision, passing) => {
    if (!isInstalled(NODE_24)) return;
    const expected = path.join(import.meta.dirname, `mcp-expected-${revision}.yaml`);
    const args = [toolCommand('conformance'), 'server', '--url', `${service.url}/mcp`];
    args.push('--requirements', revision, '--expected-failures', expected);
    const cwd = await temporaryFolder();
    args.push('--output-dir', cwd);
    const { code, output } = await command(NODE_24, args, { cwd, env: process.env });
    const found = output.slice(output.indexOf('=== SUMMARY ==='));
    if (code !== 0) console.error(found);
    expect(code).toBe(0);
    for (const scenario of passing) {
      expect(found).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    }
  });
});
