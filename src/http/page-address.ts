import type { PageAddress } from '../page/block-view.ts';
import type { HttpRequest } from './request.ts';

/**
 * Where the request's page is, by the request itself. A proxy that takes a prefix off says so in
 * X-Forwarded-Prefix, and which scheme it took in X-Forwarded-Proto; links are relative, and need
 * neither.
 */
export function pageAddress({ origin, path, seenPath, headers }: HttpRequest): PageAddress {
  const prefix = headers['x-forwarded-prefix'] ?? '';
  const isPrefix = /^(?:\/[\w.~-]+)*\/?$/.test(prefix);
  const visible = seenPath ?? `${isPrefix ? prefix.replace(/\/$/, '') : ''}${path}`;
  const proto = headers['x-forwarded-proto'];
  const scheme = proto === 'https' || proto === 'http' ? proto : undefined;
  return {
    url: `${scheme === undefined ? origin : origin.replace(/^https?/, scheme)}${visible}`,
    toRoot: toRoot(path, visible),
  };
}

/** From a page to the service's root: `../` for each folder that the page is in. */
function toRoot(path: string, visible: string): string {
  const depth = path.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // A stage's own address may come without its slash: the root is then within its last part.
  const last = visible.split('/').at(-1) ?? '';
  return last === '' ? './' : `./${last}/`;
}
