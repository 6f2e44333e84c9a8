import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rows, run } from '../../client/src/client.ts';
import { PATHS, type Service, startService } from '../support/service.ts';
import { refusal } from './refusal.ts';
import { type Scripted, scriptedServer } from './scripted-server.ts';

async function all<Row>(each: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of each) found.push(row);
  return found;
}

describe.each(PATHS)('on the %s path', (_, cacheBytes) => {
  let service: Service;
  let requests: string[];
  let options: { base_url: string; fetch: typeof fetch };
  beforeAll(async () => {
    service = await startService(cacheBytes);
    options = {
      base_url: service.url,
      fetch: (url, init) => {
        requests.push(String(init?.body));
        return fetch(url, init);
      },
    };
  });
  afterAll(() => service.close());

  test.each([1, 7, 1000])('gives every row once, in order, by pages of %d', async (limit) => {
    const filters = { category: 'retail', parsed_address_min: 300 };
    const { params } = await service
      .post('business-directory', filters)
      .then(({ body }) => body as { params: { results: unknown[]; next: null } });
    expect(params.next).toBe(null);
    requests = [];
    const found = await all(rows('business-directory', { ...filters, _limit: limit }, options));
    expect(found).toEqual(params.results);
    expect(requests.length).toBeGreaterThanOrEqual(Math.ceil(found.length / limit));
    expect(found.length).toBeGreaterThan(7);
  });

  test('gives none where none match', async () => {
    expect(await all(rows('business-directory', { business: 'no such name' }, options))).toEqual(
      [],
    );
  });

  test('asks for a page when its first row is needed, and for none after a break', async () => {
    requests = [];
    const each = rows('census-neighborhoods', { _limit: 2 }, options);
    expect(requests).toHaveLength(0);
    await each.next();
    await each.next();
    expect(requests).toHaveLength(1);
    await each.next();
    expect(requests).toHaveLength(2);
    for await (const _row of each) break;
    expect(await each.next()).toEqual({ done: true, value: undefined });
    expect(requests).toHaveLength(2);
  });

  test('goes on from a cursor', async () => {
    const { params } = await run('census-neighborhoods', { _limit: 50 }, options);
    const rest = await all(
      rows('census-neighborhoods', { _limit: 2, _cursor: params.next as string }, options),
    );
    expect(rest).toHaveLength(6);
    const whole = await run('census-neighborhoods', {}, options);
    expect([...params.results, ...rest]).toEqual(whole.params.results);
  });

  test('throws a refusal before any row', async () => {
    const filters = { catgory: 'retail' } as Record<string, unknown>;
    const { code } = await refusal(rows('business-directory' as string, filters, options).next());
    expect(code).toBe('invalid-arguments');
  });
});

describe('no rows are left out without a word', () => {
  const page = (results: unknown[], next: unknown): Scripted => ({
    body: { params: { results, count: results.length, total: null, next } },
  });
  const gone = {
    type: 'docs/errors.md#cursor-expired',
    detail: 'Start again.',
    code: 'cursor-expired',
    errors: [{ code: 'cursor-expired', detail: 'Start again.' }],
    _errors: [{ title: 'Gone', message: 'Start again.' }],
  };

  /** The rows until the end or an error. */
  async function until(...answers: Scripted[]) {
    const server = await scriptedServer(...answers);
    const found: unknown[] = [];
    let error: unknown;
    try {
      const args = { species: 'Ginkgo', _limit: 2, _cursor: 'start' };
      for await (const { id } of rows('trees', args, { base_url: server.url })) found.push(id);
    } catch (thrown) {
      error = thrown;
    } finally {
      await server.close();
    }
    const asked = server.received.map(({ body }) => JSON.parse(body));
    return { found, error, asked };
  }

  test('a page that is empty, and has a next, is not the end', async () => {
    const { found, error, asked } = await until(
      page([], 'a'),
      page([{ id: 1 }], 'b'),
      page([], 'c'),
      page([{ id: 2 }], null),
    );
    expect([found, error]).toEqual([[1, 2], undefined]);
    expect(asked).toEqual(
      ['start', 'a', 'b', 'c'].map((_cursor) => ({ species: 'Ginkgo', _limit: 2, _cursor })),
    );
  });

  test('a cursor that has expired on the way is an error, after the rows before', async () => {
    const { found, error } = await until(page([{ id: 1 }], 'a'), { status: 410, body: gone });
    expect(found).toEqual([1]);
    expect(error).toMatchObject({ status: 410, code: 'cursor-expired', message: 'Start again.' });
  });

  test.each<[string, Scripted, RegExp]>([
    [
      'a page that breaks off',
      { ...page([{ id: 2 }], null), isCut: true, headers: { 'content-length': '999' } },
      /terminated/,
    ],
    [
      'a page without a next',
      { body: { params: { results: [{ id: 2 }] } } },
      /^trees does not answer with rows\.$/,
    ],
    [
      'a page without rows',
      { body: { params: { next: null } } },
      /^trees does not answer with rows\.$/,
    ],
    ["a proxy's page", { body: '<h1>Busy</h1>' }, /^No block's answer: HTTP 200 from /],
  ])('%s is an error', async (_, second, message) => {
    const { found, error } = await until(page([{ id: 1 }], 'a'), second);
    expect(found).toEqual([1]);
    expect((error as Error).message).toMatch(message);
  });

  test('a block that answers with one value has no rows', async () => {
    const { found, error } = await until({ body: { params: { name: 'Coral' } } });
    expect([found, String(error)]).toEqual([[], 'TypeError: trees does not answer with rows.']);
  });
});
