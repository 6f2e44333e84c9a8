import type { RunContext } from './run-app.ts';

/** A reference with a query only, so that it holds behind any path prefix (RFC 8288). */
export function nextLink(c: RunContext, next: string): string {
  const query = new URLSearchParams(queryOf(c));
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}

/** A request's query as it was sent, without its `?`. */
export function queryOf(c: RunContext): string {
  const { url } = c.req;
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
