import { expect, test } from '@jest/globals';
import { suiteService } from '../support/suite-service.ts';

const service = suiteService();

const DIRECTORY = 'business-directory';
const codes = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `x${from + i}`);

test('a list takes 10,000 values in a POST, and tells which no row has', async () => {
  const list = [...codes(9998), 'Retail', 'SERVICES'];
  const { body, status } = await service.post(DIRECTORY, { category: list, _limit: 1 });
  expect(status).toBe(200);
  expect(body.params.total).toBe(100);
  expect(body.params.notFound.category).toEqual(codes(9998));
  const { title, message, parameter } = body._warnings.at(-1);
  expect([title, parameter]).toEqual(['Values not found', 'category']);
  expect(message).toMatch(
    /^No row has 9,998 of the 10,000 values of category: “x0”, .* and 9,988 more\.$/,
  );
  const { body: not } = await service.post(DIRECTORY, { _not: { category: list }, _limit: 1 });
  expect([not.params.total, not.params.notFound]).toEqual([20, undefined]);
  const next = { category: list, _limit: 1, _cursor: body.params.next };
  const { body: second } = await service.post(DIRECTORY, next);
  expect([second.params.count, second.params.notFound]).toEqual([1, undefined]);
});

test('what is not found of keys is told whatever the other filters', async () => {
  const asked = { business: ['ABILENE', 'NOBODY', 'NO ONE'], category: 'no such category' };
  const { body } = await service.post(DIRECTORY, asked);
  expect(body.params.total).toBe(0);
  expect(body.params.notFound).toEqual({ business: ['NOBODY', 'NO ONE'] });
  // A choice among a few values of another column is no list of keys.
  const few = await service.post(DIRECTORY, { zip_code: ['11231', '00000'] });
  expect(few.body.params.notFound).toBeUndefined();
  const many = Array.from({ length: 101 }, (_, i) => 11_200 + i);
  const { body: long } = await service.post(DIRECTORY, { zip_code: many });
  expect(long.params.notFound.zip_code).toEqual(many.filter((one) => one !== 11_231));
});

test('10,001 values are one fault, and of 10,000 wrong ones 50 are listed', async () => {
  const { body, status } = await service.post(DIRECTORY, { category: codes(10_001) });
  expect(status).toBe(400);
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0]).toMatchObject({ code: 'list-too-long', pointer: '#/category' });
  expect(body.errors[0].detail).toContain('at most 10,000');
  const wrong = await service.post(DIRECTORY, { parsed_address: codes(10_000) });
  expect(wrong.body.errors).toHaveLength(50);
  expect(wrong.body.errors[49].pointer).toBe('#/parsed_address/49');
});

test('a page says how many values a long list has instead of listing them', async () => {
  const list = [...codes(300), 'Retail'].map((one) => `category=${one}`).join('&');
  const { text } = await service.get(`/api_v2/blocks/${DIRECTORY}?${list}`, {
    accept: 'text/html',
  });
  expect(text).toContain('Category is one of 301 values');
  expect(text).toContain('No row has 300 of the 301 values of category');
  // Each link that keeps the filter has the list, as the address has; nothing else repeats it.
  expect(text.length).toBeLessThan(2_000_000);
  const { status } = await service.post(DIRECTORY, { category: codes(9000), _format: 'html' });
  expect(status).toBe(400);
});
