import type { HttpRequest } from './request.ts';

/** Whether the query asks for the flat form, by `cache` in it, however that is escaped. */
export function wantsFlat({ query }: HttpRequest): boolean {
  if (/(?:^|[?&])cache(?:[=&]|$)/.test(query)) return true;
  return query.includes('%') && new URLSearchParams(query).has('cache');
}
