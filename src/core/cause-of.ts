import { Refusal } from './errors.ts';

/** What a refusal is due to, for whoever deploys: its own words are for callers, and tell nothing. */
export function causeOf(error: unknown): Error {
  const cause = error instanceof Refusal ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause ?? error));
}
