import type { Output } from '../core/output.ts';
import type { RunContext } from './run-app.ts';

/** What every format of rows says beside them: how many match, and where more are. */
export function rowsHeaders(c: RunContext, output: Output): Record<string, string> {
  if (output.kind === 'value') return {};
  return {
    ...(output.next === null ? {} : { Link: nextLink(c, output.next) }),
    ...(output.total === null ? {} : { 'X-Total-Count': String(output.total) }),
  };
}

/** A reference with a query only, so that it holds behind any path prefix (RFC 8288). */
function nextLink(c: RunContext, next: string): string {
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
