import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mcpClient, type Revision } from '../support/mcp-channel.ts';
import { type Service, startService } from '../support/service.ts';
import { ERA_NAMES, sendMessage } from './send-message.ts';

// biome-ignore lint/suspicious/noExplicitAny: a tool's answer is of any shape
type Any = any;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe.each(ERA_NAMES)('a call by a client of %s', (revision: Revision) => {
  const call = async (name: string, given: Record<string, unknown>) => {
    const client = await mcpClient(service.url, revision);
    const result: Any = await client.callTool({ name, arguments: given });
    expect(result.content).toHaveLength(1);
    const [{ text }]: [{ text: string }] = result.content;
    return { ...result, text } as Omit<Any, 'text'> & { text: string };
  };

  test('says how many values a long list has, and the first that no row has', async () => {
    const category = [...Array.from({ length: 9999 }, (_, i) => `x${i}`), 'Retail'];
    const { text, structuredContent } = await call('business-directory', { category, _limit: 2 });
    expect(structuredContent.total).toBe(61);
    expect(text).toContain('where Category is one of 10,000 values');
    expect(text).toContain('No row has 9,999 of the 10,000 values of category');
  });

  test('has the same data as a POST, and says in words what was asked', async () => {
    const given = { persons_per_acre_min: '+3e1', _sort: '-persons_per_acre', _limit: 3 };
    const { text, structuredContent, isError } = await call('census-neighborhoods', given);
    const { body } = await service.post('census-neighborhoods', given);
    const { results, next } = body.params;
    const { block, version, addresses, ...same } = structuredContent;
    expect(same).toEqual({ ...body.params, _warnings: body._warnings });
    expect(isError).toBeUndefined();
    const [sentence, header, ...lines] = text.split('\n');
    expect(sentence).toBe('4 of 56 neighborhoods where Persons per acre is at least 30.');
    expect(header).toBe(
      'neighborhood_1 | total_population | persons_per_acre | _25_34 | households | persons_per_hh | vacant_units | <row>',
    );
    expect(lines.slice(0, 3).map((line) => line.split(' | ')[0])).toEqual(
      results.map((row: Any) => row.neighborhood_1),
    );
    expect(lines[3]).toMatch(/^7 of 40 fields are shown; all are in structuredContent/);
    expect(lines[4]).toBe(
      `Cite a row by its address: ${service.url}/api_v2/blocks/census-neighborhoods/rows/<row>`,
    );
    expect(lines[5]).toBe(`More follow: call again with the same arguments and _cursor: ${next}`);
  });

  test.each([
    ['census-neighborhoods', { _fields: ['_65'], _limit: 3 }],
    ['business-directory', { category: 'retail', _limit: 3 }],
  ])('of %s names the version, and the address of each row to cite it by', async (name, given) => {
    const { text, structuredContent } = await call(name, given);
    const { block, version, addresses, results } = structuredContent;
    expect(block).toBe(name);
    const [, folder] = /^Cite a row by its address: (\S+)<row>$/m.exec(text) ?? [];
    const lines = text.split('\n').slice(2);
    expect(addresses).toHaveLength(results.length);
    for (const [i, address] of addresses.entries()) {
      const { params } = await (await fetch(address)).json();
      expect(params).toMatchObject({ row: results[i], address, block: name, version });
      expect(`${folder}${lines[i]?.split(' | ').at(-1)}`).toBe(address);
    }
  });

  test('shows the fields that are filtered by, and those alone that are asked for', async () => {
    const filtered = await call('census-neighborhoods', { asian_population_min: 1500 });
    expect(filtered.text.split('\n')[1]).toMatch(/ \| asian_population \| <row>$/);
    const asked = await call('census-neighborhoods', { _fields: ['neighborhood_1', '_65'] });
    expect(asked.text.split('\n')[1]).toBe('neighborhood_1 | _65 | <row>');
  });

  test.each([
    ['where it is not given', {}],
    ['where it is blank', { _limit: '' }],
    ['where it is null', { _limit: null }],
  ])('answers with 20 rows, %s', async (_, given) => {
    const { structuredContent } = await call('business-directory', given);
    expect(structuredContent).toMatchObject({ count: 20, total: 120 });
  });

  test('comes to every row by its cursors', async () => {
    const seen: unknown[] = [];
    let next: string | null = null;
    do {
      const page: Any = await call('census-neighborhoods', {
        _fields: ['neighborhood_1'],
        ...(next === null ? {} : { _cursor: next }),
      });
      seen.push(...page.structuredContent.results);
      next = page.structuredContent.next;
    } while (next !== null);
    expect(new Set(seen.map((row: Any) => row.neighborhood_1)).size).toBe(56);
    expect(seen).toHaveLength(56);
  });

  test('for a value tells its members', async () => {
    const given = { R: 255, G: 127, B: 80, alternatives: 2 };
    const { text, structuredContent } = await call('rgb-to-color-name', given);
    const { body } = await service.post('rgb-to-color-name', given);
    expect(structuredContent).toEqual(body.params);
    expect(text.split('\n').slice(0, 4)).toEqual([
      'name: Coral',
      'hex: #ff7f50',
      'rgb: 255, 127, 80',
      'exact: true',
    ]);
    expect(text).toMatch(/^alternatives:\nname \| hex \| rgb \| distance\n.+\n.+$/m);
  });

  test('where no row matches says why, and what may have been meant', async () => {
    const { text } = await call('business-directory', { category: 'retial', zip_code_min: 1 });
    expect(text).toContain('0 of 120 businesses where Category is “retial” and');
    expect(text).toContain('Did you mean “Retail”?');
    expect(text).toMatch(/^- category: .* by itself: no businesses\./m);
    expect(text).toMatch(/^- zip_code_min: .* by itself: 120 businesses\./m);
  });

  test('tells of warnings', async () => {
    const given = { persons_in_dorms_min: 1 };
    const { text, structuredContent } = await call('census-neighborhoods', given);
    expect(structuredContent._warnings).toHaveLength(1);
    expect(text).toContain(`Note: ${structuredContent._warnings[0].message}`);
  });

  test('that cannot be is a tool error with every fault and its mending', async () => {
    const given = { catgory: 'retail', zip_code_min: '5,000' };
    const { text, isError, structuredContent } = await call('business-directory', given);
    const { body } = await service.post('business-directory', given);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ code: 'invalid-arguments', errors: body.errors });
    expect(text.split('\n')).toEqual([
      'The arguments are not valid.',
      '- catgory is not a parameter of this block. Did you mean category?',
      '- zip_code_min is "5,000", which is not a number; expected a number such as 5, -76.61 or 1e3. Write 5000.',
      'Mend the arguments and call again.',
    ]);
  });

  test('with a name near none is told the names that there are', async () => {
    const { text } = await call('rgb-to-color-name', { R: 1, G: 2, B: 3, brightness: 1 });
    expect(text).toContain('There are: R, G, B, list, alternatives, ');
    expect(text).not.toMatch(/_format|_explain/);
  });

  test('with many wrong names is answered in few words, and the names that there are once', async () => {
    const long = 'é'.repeat(2000);
    const names = Array.from({ length: 60 }, (_, i) => [`${long} ${i}`, i]);
    const given = { ...Object.fromEntries(names), _fields: Array(90).fill('x1') };
    const { text, structuredContent } = await call('census-neighborhoods', given);
    expect(text.match(/There are: /g)).toHaveLength(1);
    expect(text.length).toBeLessThan(4000);
    expect(text).toMatch(/^\d+ more are left out\.$/m);
    const { errors } = structuredContent;
    expect(errors.filter(({ allowed }: Any) => allowed !== undefined)).toHaveLength(1);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(20_000);
  });

  test('for another form of answer is refused, not passed over', async () => {
    const { text, isError } = await call('business-directory', { _format: 'csv' });
    expect(isError).toBe(true);
    expect(text).toContain('_format is not a parameter of a tool');
    const explained = await call('business-directory', { category: 'retail', _explain: true });
    expect(explained.isError).toBe(true);
    expect(explained.text).toContain('_explain is not a parameter of a tool');
  });

  test('of a tool that is not there is an error of the protocol with the nearest name', async () => {
    const client = await mcpClient(service.url, revision);
    const called = client.callTool({ name: 'busines-directory', arguments: {} });
    await expect(called).rejects.toMatchObject({
      code: -32602,
      message: 'There is no tool busines-directory. Did you mean business-directory?',
    });
    const far = client.callTool({ name: 'weather', arguments: {} });
    await expect(far).rejects.toThrow(
      'There is no tool weather. There are: business-directory, census-neighborhoods, rgb-to-color-name.',
    );
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'with an argument %s is refused for it',
    async (name) => {
      const given = JSON.parse(`{ "R": 1, "G": 2, "B": 3, "${name}": 4 }`);
      const params = { name: 'rgb-to-color-name', arguments: given };
      const { result } = await sendMessage(service, revision, { method: 'tools/call', params });
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0].text).toContain(`${name} is not a parameter`);
    },
  );

  test('20 at once are answered each with its own', async () => {
    const client = await mcpClient(service.url, revision);
    const reds = Array.from({ length: 20 }, (_, i) => i * 12);
    const answers = await Promise.all(
      reds.map((R) =>
        client.callTool({ name: 'rgb-to-color-name', arguments: { R, G: 0, B: 0, list: 'full' } }),
      ),
    );
    const posted = await Promise.all(
      reds.map((R) => service.post('rgb-to-color-name', { R, G: 0, B: 0, list: 'full' })),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      posted.map(({ body }) => body.params),
    );
    expect(new Set(posted.map(({ body }) => body.params.name)).size).toBeGreaterThan(10);
  });
});
