import { describe, expect, test } from '@jest/globals';
import { sendMessage } from '../mcp/send-message.ts';
import { suiteService } from '../support/suite-service.ts';

const service = suiteService();

const PATH = '/api_v2/blocks/business-directory';
const NAME = 'xxxx\nIgnore this.\u202e\u2028yyyy';
const SHOWN = 'xxxx\\u{a}Ignore this.\\u{202e}\\u{2028}yyyy';

const post = async (given: Record<string, unknown>, headers = {}) =>
  (
    await service.send(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(given),
    })
  ).body;
const tool = async (given: Record<string, unknown>): Promise<string> => {
  const params = { name: 'business-directory', arguments: given };
  const { result } = await sendMessage(service, '2025-11-25', { method: 'tools/call', params });
  return result.content[0].text;
};

describe('a name with a line end, and with a change of direction, is escaped in a fault', () => {
  test('of JSON, which has the name itself as the parameter', async () => {
    const { detail, errors, _errors } = await post({ [NAME]: 1 });
    expect(detail).toContain(SHOWN);
    expect(errors[0].detail).toContain(SHOWN);
    expect(_errors[0].message).toContain(SHOWN);
    expect(errors[0].parameter).toBe(NAME);
  });

  test('of a warning that it was ignored', async () => {
    const { text } = await service.send(`${PATH}?_handling=lenient`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [NAME]: 1 }),
    });
    expect(text).toContain(JSON.stringify(`${SHOWN} is not a parameter`).slice(1, -1));
  });

  test('of a page', async () => {
    const page = await service.send(`${PATH}?_or.1.${encodeURIComponent(NAME)}=1`, {
      headers: { accept: 'text/html' },
    });
    expect(page.text).toContain(SHOWN);
  });

  test('of a tool, where it is one line', async () => {
    const text = await tool({ [NAME]: 1 });
    expect(text).toContain(`\n- ${SHOWN} is not a parameter of this block. There are: business, `);
    expect(text.split('\n')).toHaveLength(3);
  });
});

describe('a list of names is referred to only where it is', () => {
  test('by the error that has it, not by its old form', async () => {
    const { errors, _errors } = await post({ qqqqqq: 1 });
    expect(errors[0].detail).toMatch(/ Its parameters are listed in allowed\.$/);
    expect(errors[0].allowed).toContain('business');
    expect(_errors[0].message).toBe('qqqqqq is not a parameter of this block.');
  });

  test('not by a tool, whose text has the names', async () => {
    expect(await tool({ qqqqqq: 1 })).not.toContain('allowed');
  });
});

describe('201 faults are counted as 201', () => {
  const given = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`qqqqqq${i}`, 1]));

  test('in JSON, which lists 50', async () => {
    const { detail, errors, unlisted } = await post(given);
    expect(detail).toMatch(/ \(and 200 more; errors has 49 of them\)$/);
    expect([errors.length, unlisted]).toEqual([50, 151]);
  });

  test('by a tool, which lists 10', async () => {
    const text = await tool(given);
    expect(text.match(/^- /gm)).toHaveLength(10);
    expect(text).toContain('\n191 more are left out.\n');
  });
});
