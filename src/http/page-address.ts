import type { PageAddress } from '../page/block-view.ts';
import type { HttpRequest } from './request.ts';

/**
 * The address of the request's page, as the caller sees it. A proxy that strips a prefix names it
 * in X-Forwarded-Prefix, and the caller's scheme in X-Forwarded-Proto. Links are relative, so they
 * need neither.
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

/** The relative link from a page to the service's root: `../` for each folder above the page. */
function toRoot(path: string, visible: string): string {
  const depth = path.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // A stage's address without its trailing slash: a link must repeat the last part of the path.
  const last = visible.split('/').at(-1) ?? '';
  return last === '' ? './' : `./${last}/`;
}
