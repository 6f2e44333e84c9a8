import type { Output } from '../query/run.ts';
import type { HttpRequest } from './request.ts';

/** The headers of every answer with rows: how many rows match, and where the next page is. */
export function rowsHeaders(request: HttpRequest, output: Output): Record<string, string> {
  if (output.kind === 'value') return {};
  return {
    ...(output.next === null ? {} : { Link: nextLink(request, output.next) }),
    'X-Total-Count': String(output.total),
  };
}

/** A link of only a query, so that it works behind any path prefix (RFC 8288). */
function nextLink(request: HttpRequest, next: string): string {
  const query = new URLSearchParams(request.query);
  query.set('_cursor', next);
  return `<?${query}>; rel="next"`;
}
