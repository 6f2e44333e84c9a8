import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Answer, PATHS, ROOT } from '../support/service.ts';
import { suiteService } from '../support/suite-service.ts';

const document = readFileSync(path.join(ROOT, 'docs/loose-requests.md'), 'utf8');
const rows = [...document.matchAll(/^\| `(.+?)` \| .*? \| `(.+?)`.*\|$/gm)].map(
  ([, sent, expected]) => [sent, expected] as [string, string],
);

test('the document has the rows that it had, at least', () => {
  expect(rows.length).toBeGreaterThanOrEqual(69);
});

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  const service = suiteService(cacheBytes);

  test.each(rows)('%s', async (sent, expected) => {
    const answer = await send(sent);
    expect(`${shown(answer)} `).toContain(`${expected} `);
    expect(answer.status).toBeLessThan(500);
  });

  async function send(sent: string): Promise<Answer> {
    const [, kind = '', address = '', content = ''] = /^(\w+) (\S+) ?(.*)$/.exec(sent) ?? [];
    const url = `/api_v2/blocks/${address}`;
    if (kind === 'GET') return service.get(url);
    const type = kind === 'FORM' ? 'application/x-www-form-urlencoded' : 'application/json';
    return service.send(url, {
      method: kind === 'FORM' ? 'POST' : kind,
      headers: { 'content-type': type },
      body: content,
    });
  }
});

/** An answer as the document writes it. */
function shown({ status, body }: Answer): string {
  if (status === 200) return `200 total ${body.params.total} 200`;
  const [{ code, suggestion }] = body.errors;
  return [status, code, suggestion].filter((part) => part !== undefined).join(' ');
}
