import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { datasetOf } from '../../src/block/block.ts';
import { loadBlocks } from '../../src/import/load-blocks.ts';
import { mcpClient, type Revision } from '../support/mcp-channel.ts';
import { readMembers, readRows } from '../support/mcp-text.ts';
import { ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';
import { ERA_NAMES, sendMessage } from './send-message.ts';

// biome-ignore lint/suspicious/noExplicitAny: a tool's answer is of any shape
type Any = any;

const service = suiteService();

/** All fields of the census, so that rows are long. */
const allFields = (await loadBlocks(path.join(ROOT, 'functions'))).flatMap(({ block }) =>
  block.name === 'census-neighborhoods'
    ? (datasetOf(block)?.fields ?? []).map(({ name }) => name)
    : [],
);

describe.each(ERA_NAMES)('a call by a client of %s', (revision: Revision) => {
  const call = async (name: string, given: Record<string, unknown>) => {
    const client = await mcpClient(service.url, revision);
    const result: Any = await client.callTool({ name, arguments: given });
    expect(result.content).toHaveLength(1);
    expect(result.structuredContent).toBeUndefined();
    const [{ text }]: [{ text: string }] = result.content;
    return { isError: result.isError, text, ...readRows(text) };
  };

  test('says how many values a long list has, and the first that no row has', async () => {
    const category = [...Array.from({ length: 9999 }, (_, i) => `x${i}`), 'Retail'];
    const { text, total } = await call('business-directory', { category, _limit: 2 });
    expect(total).toBe(61);
    expect(text).toContain('where Category is one of 10,000 values');
    expect(text).toContain('No row has 9,999 of the 10,000 values of category');
    const { url } = service;
    expect(text).toContain(
      `\nThe same by POST of these arguments to: ${url}/api_v2/blocks/business-directory\n`,
    );
  });

  test('has the rows of a POST, and says in words what was asked', async () => {
    const given = { persons_per_acre_min: '+3e1', _sort: '-persons_per_acre', _limit: 3 };
    const { sentence, columns, rows, behind, more } = await call('census-neighborhoods', given);
    const { results } = (await service.post('census-neighborhoods', given)).body.params;
    expect(sentence).toBe(
      '4 of 56 neighborhoods where Persons per acre is at least 30, by Persons per acre, highest first.',
    );
    expect(columns.join()).toBe(
      'neighborhood_1,total_population,persons_per_acre,_25_34,households,persons_per_hh,vacant_units',
    );
    const shown = (row: Any) => Object.fromEntries(columns.map((name) => [name, row[name]]));
    expect(rows).toEqual(results.map(shown));
    expect(behind[0]).toMatch(
      /^Here are 1 to 3\. 1 more follows: call again with the same arguments and _cursor: \S+$/,
    );
    expect(more).toBe(1);
    expect(behind[1]).toMatch(/^7 of 40 fields are shown; _fields takes others, such as under_5, /);
    expect(behind[4]).toMatch(/^All rows as a file: /);
    expect(behind).toHaveLength(6);
  });

  test.each([
    ['census-neighborhoods', { _fields: ['_65'], _limit: 3 }],
    ['census-neighborhoods', { _sort: '-households', _limit: 2 }],
    ['business-directory', { category: 'retail', _limit: 3 }],
    ['business-directory', { _near: '-73.997,40.68', _within: '300m', _limit: 4 }],
    ['business-directory', { _or: [{ category: 'services' }, { business: '*a*' }], _limit: 4 }],
    ['business-directory', { _not: { category: 'retail' }, _limit: 4 }],
    ['business-directory', { _group: 'category', _having: { count_min: 40 } }],
  ])('of %s by %j names the version, and the address that has the same', async (name, given) => {
    const { columns, rows, addresses, address = '', text, cursor } = await call(name, given);
    const { version } = (await service.get(`/api_v2/blocks/${name}/datapackage.json`)).body;
    expect(text).toContain(`; block ${name}, version ${version}, and the address.`);
    const { params } = await (await fetch(address)).json();
    const shown = params.results.map((row: Any) =>
      Object.fromEntries(columns.map((column) => [column, row[column]])),
    );
    expect([rows.length > 0, shown]).toEqual([true, rows]);
    expect(address).not.toContain('api_key');
    for (const [i, own] of addresses.entries()) {
      const { params: one } = await (await fetch(own as string)).json();
      const { _distance, ...row } = rows[i] as Any;
      expect(one).toMatchObject({ row, address: own, block: name, version });
    }
    expect(addresses).toHaveLength('_group' in given ? 0 : rows.length);
    if (cursor === undefined) return;
    // The next page has an address too, which begins behind this one.
    const next = await call(name, { ...given, _cursor: cursor });
    const page = (await (await fetch(next.address as string)).json()).params;
    expect(page.results.map((row: Any) => row[columns[0] as string])).toEqual(
      next.rows.map((row) => row[columns[0] as string]),
    );
    expect(next.rows).not.toEqual(rows);
  });

  test('two numbers of each row are all in one answer, with what names the rows', async () => {
    const given = { _xy: ['total_units', 'vacant_units'], total_units_min: 10_000 };
    const { text, columns } = await call('census-neighborhoods', given);
    expect(columns).toEqual(['neighborhood_1', 'total_units', 'vacant_units']);
    expect(text).toContain('2 of 56 neighborhoods');
    expect(text).not.toContain('_limit');
    expect(text).not.toContain('Left out:');
  });

  test('shows the fields that are filtered by, and those alone that are asked for', async () => {
    const filtered = await call('census-neighborhoods', { asian_population_min: 1500 });
    expect(filtered.columns.at(-1)).toBe('asian_population');
    const asked = await call('census-neighborhoods', { _fields: ['neighborhood_1', '_65'] });
    expect(asked.columns).toEqual(['neighborhood_1', '_65']);
    expect(asked.text).not.toContain('fields are shown');
  });

  test.each([
    ['where it is not given', {}],
    ['where it is blank', { _limit: '' }],
    ['where it is null', { _limit: null }],
    ['where it is large', { _limit: 1000 }],
  ])('answers with as many rows as 8,000 bytes have, %s', async (_, given) => {
    const client = await mcpClient(service.url, revision);
    const all = { _fields: allFields, ...given };
    const result = await client.callTool({ name: 'census-neighborhoods', arguments: all });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(8000);
    const { rows, more, total, address } = await call('census-neighborhoods', all);
    const same = await (await fetch(address as string)).json();
    expect(same.params.results).toEqual(rows);
    expect(rows.length).toBeGreaterThan(10);
    expect([total, more]).toEqual([56, 56 - rows.length]);
  });

  test('comes to every row by its cursors, and counts what is left', async () => {
    const seen: unknown[] = [];
    let given: Record<string, unknown> = { _fields: allFields };
    for (;;) {
      const page = await call('census-neighborhoods', given);
      seen.push(...page.rows);
      expect(seen.length + (page.more ?? 0)).toBe(56);
      if (page.cursor === undefined) break;
      given = { ...given, _cursor: page.cursor };
    }
    const { results } = (await service.post('census-neighborhoods', {})).body.params;
    expect(seen).toEqual(results);
  });

  test('takes a cursor of a POST too, and does not count what it cannot know', async () => {
    const given = { _fields: ['neighborhood_1'], _limit: 3 };
    const { next, results } = (await service.post('census-neighborhoods', given)).body.params;
    const { rows, behind } = await call('census-neighborhoods', { ...given, _cursor: next });
    expect(rows).not.toEqual(results);
    expect(behind[0]).toMatch(/^3 of 56 are here\. For more call again with the same arguments/);
  });

  test('a value is whole where all of it fits, however long one member is beside the others', async () => {
    const given = { R: 0, G: 0, B: 85, alternatives: 10 };
    const { text } = await call('rgb-to-color-name', given);
    const { alternatives } = (await service.post('rgb-to-color-name', given)).body.params;
    expect(text).toContain(JSON.stringify(alternatives));
  });

  test('for a value tells its members', async () => {
    const given = { R: 255, G: 127, B: 80, alternatives: 2 };
    const { text } = await call('rgb-to-color-name', given);
    const { body } = await service.post('rgb-to-color-name', given);
    expect(readMembers(text)).toEqual(body.params);
    expect(text).toContain('\nname: Coral\nhex: #ff7f50\nrgb: [255,127,80]\nexact: true\n');
    const [, address = ''] = /^The same at: (.*)$/m.exec(text) ?? [];
    expect((await (await fetch(address)).json()).params).toEqual(body.params);
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
    const { text } = await call('census-neighborhoods', given);
    const { body } = await service.post('census-neighborhoods', given);
    expect(body._warnings).toHaveLength(1);
    expect(text).toContain(`Note: ${body._warnings[0].message}`);
  });

  test('that cannot be is a tool error with every fault and its mending', async () => {
    const given = { catgory: 'retail', zip_code_min: '5,000' };
    const { text, isError } = await call('business-directory', given);
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'The arguments are not valid (invalid-arguments).',
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
    const names = Array.from({ length: 60 }, (_, i) => [`${i} ${long}`, i]);
    const given = { ...Object.fromEntries(names), _fields: Array(90).fill('x1') };
    const { text } = await call('census-neighborhoods', given);
    expect(text.match(/There are: /g)).toHaveLength(1);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(7000);
    expect(text).toMatch(/^140 more are left out\.$/m);
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
    const told = answers.map(({ content: [{ text }] }: Any) => readMembers(text));
    expect(told).toEqual(posted.map(({ body }) => body.params));
    expect(new Set(posted.map(({ body }) => body.params.name)).size).toBeGreaterThan(10);
  });
});
