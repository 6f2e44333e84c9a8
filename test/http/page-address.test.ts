import { expect, test } from '@jest/globals';
import { pageAddress } from '../../src/http/page-address.ts';
import { readTarget, type Target } from '../../src/http/request.ts';

/** The address of a page that is asked for at a path, behind what these headers and `visible` say. */
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
  [
    'behind a proxy that says what it took off',
    BLOCK,
    { 'x-forwarded-prefix': '/open/data/', 'x-forwarded-proto': 'https' },
    undefined,
    `https://data.example/open/data${BLOCK}`,
    '../../',
  ],
  [
    'behind one that says nonsense',
    BLOCK,
    { 'x-forwarded-prefix': '//evil.example', 'x-forwarded-proto': 'javascript' },
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
