import type { PageAddress } from '../page/block-view.ts';
import type { HttpRequest } from './request.ts';

/**
 * The address of the request's page, as the caller sees it, by what its channel says: headers that
 * anybody may send count nowhere here. Links are relative, so they need only the path.
 */
export function pageAddress({ origin, path, seenPath = path }: HttpRequest): PageAddress {
  return { url: `${origin}${seenPath}`, toRoot: toRoot(path, seenPath) };
}

/** The relative link from a page to the service's root: `../` for each folder above the page. */
function toRoot(path: string, visible: string): string {
  const depth = path.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // A stage's address without its trailing slash: a link must repeat the last part of the path.
  const last = visible.split('/').at(-1) ?? '';
  return last === '' ? './' : `./${last}/`;
}
