import type { Output } from '../query/output.ts';
import type { HttpRequest } from './request.ts';

/** What every format of rows says beside them: how many match, and where more are. */
export function rowsHeaders(request: HttpRequest, output: Output): Record<string, string> {
  if (output.kind === 'value') return {};
  return {
    ...(output.next === null ? {} : { Link: nextLink(request, output.next) }),
    ...(output.total === null ? {} : { 'X-Total-Count': String(output.total) }),
  };
}

/** A reference with a query only, so that it holds behind any path prefix (RFC 8288). */
function nextLink(request: HttpRequest, next: string): string {
  const query = new URLSearchParams(request.query);
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}
