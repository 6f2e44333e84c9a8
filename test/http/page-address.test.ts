import { expect, test } from '@jest/globals';
import { pageAddress, readTarget, type Target } from '../../src/http/request.ts';

/** The address of a page that is asked for at a path, with these headers; `visible` is the channel's. */
function addressOf(path: string, headers: Record<string, string> = {}, visible?: string) {
  return pageAddress({
    ...(readTarget('http', 'data.example', path) as Target),
    method: 'GET',
    headers,
    body: async () => Buffer.of(),
    ...(visible === undefined ? {} : { seenPath: visible }),
  });
}

const BLOCK = '/api_v2/blocks/trees';

test.each([
  ['a block', BLOCK, {}, undefined, `http://data.example${BLOCK}`, '../../'],
  [
    'with a slash at its end',
    `${BLOCK}/`,
    {},
    undefined,
    `http://data.example${BLOCK}/`,
    '../../../',
  ],
  ['with a query', `${BLOCK}?a=b#c`, {}, undefined, `http://data.example${BLOCK}`, '../../'],
  ['the root', '/', {}, undefined, 'http://data.example/', './'],
  ['below a stage', BLOCK, {}, `/prod${BLOCK}`, `http://data.example/prod${BLOCK}`, '../../'],
  ["a stage's root", '/', {}, '/prod/', 'http://data.example/prod/', './'],
  ["a stage's root without its slash", '/', {}, '/prod', 'http://data.example/prod', './prod/'],
  ['beside the root', '/nothing', {}, undefined, 'http://data.example/nothing', './'],
  [
    "beside a stage's root",
    '/nothing',
    {},
    '/prod/nothing',
    'http://data.example/prod/nothing',
    './',
  ],
  [
    'with headers that anybody may send',
    BLOCK,
    { 'x-forwarded-prefix': '/open', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.org' },
    undefined,
    `http://data.example${BLOCK}`,
    '../../',
  ],
])('%s', (_, path, headers, visible, url, toRoot) => {
  expect(addressOf(path, headers, visible)).toEqual({ url, toRoot });
  // What matters of it: from the page, it leads to the root.
  const root = new URL(toRoot, url).pathname;
  expect(`${root}${path.split('?')[0]?.slice(1)}`.replace(/\/$/, '')).toBe(
    new URL(url).pathname.replace(/\/$/, ''),
  );
});
