import type { HttpRequest } from './request.ts';

/** Whether the query asks for the flat form by having `cache`, escaped or not. */
export function wantsFlat({ query }: HttpRequest): boolean {
  if (/(?:^|[?&])cache(?:[=&]|$)/.test(query)) return true;
  return query.includes('%') && new URLSearchParams(query).has('cache');
}
