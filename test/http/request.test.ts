import { expect, test } from '@jest/globals';
import { readTarget } from '../../src/http/request.ts';
import { type Route, refuseAddress, routeAt } from '../../src/http/routes.ts';

test.each([
  ['a', '/x?y=1', 'http://a', '/x', 'y=1'],
  ['a:8787', '/', 'http://a:8787', '/', ''],
  ['A.example', '/', 'http://a.example', '/', ''],
  ['a:80', '/', 'http://a', '/', ''],
  ['[::1]:81', '/', 'http://[::1]:81', '/', ''],
  ['a', '/x/../y/./z', 'http://a', '/y/z', ''],
  ['a', '/%2e%2e/é', 'http://a', '/%C3%A9', ''],
  ['a', '/x?y=\\', 'http://a', '/x', 'y=\\'],
  ['a', '/x#y', 'http://a', '/x', ''],
  ['a', 'http://b.example:81/x?y', 'http://b.example:81', '/x', 'y'],
  ['a', 'http://b.example', 'http://b.example', '/', ''],
  ['a', 'HTTP://B.example/x', 'http://b.example', '/x', ''],
])('sent to %s, %s is at %s%s?%s', (host, target, origin, path, query) => {
  expect(readTarget('http', host, target)).toEqual({ origin, path, query });
});

test.each([
  ['a', 'x'],
  ['a', '*'],
  ['a', ''],
  ['a', '/x\\y'],
  ['a', 'http://'],
  ['a', 'ftp://a/'],
  ['a b', '/'],
  ['a/b', '/'],
  ['a@b', '/'],
  ['a, a', '/'],
  ['a:99999', '/'],
])('sent to %s, %s is no address', (host, target) => {
  expect(readTarget('http', host, target)).toBeUndefined();
});

test.each([
  ['/a/b', true],
  ['/a/b/', true],
  ['/a/b//', true],
  ['/a/%62', true],
  ['/a%2Fb', false],
  ['/a/b/c', false],
  ['/a/B', false],
  ['/a/%zz', false],
])('%s is at the route /a/b: %s', (path, isThere) => {
  const route: Route = { block: null, any: refuseAddress };
  const elsewhere: Route = { block: null, any: refuseAddress };
  expect(routeAt({ at: new Map([['/a/b', route]]), elsewhere }, path) === route).toBe(isThere);
});
