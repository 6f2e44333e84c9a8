import type { Members } from '../arguments/given.ts';
import { isPassedOver } from '../block/wire-names.ts';
import { invalidArguments, MOST_FAULTS, Problem } from '../problem/errors.ts';
import { shorten } from '../values/wording.ts';
import { gather } from './gather.ts';

/** Decodes a query (without its `?`) into members; a name sent twice becomes a list. */
export function readQuery(query: string): Members {
  const members = gather(new URLSearchParams(query));
  for (const [name, value] of Object.entries(members)) {
    // URLSearchParams and API Gateway replace bytes that are not UTF-8 with U+FFFD.
    if ([value].flat().some((text) => (text as string).includes('\ufffd'))) {
      const detail = `The value of ${name} in the query is not UTF-8, percent-encoded.`;
      throw new Problem('invalid-encoding', detail, {
        faults: [{ code: 'invalid-encoding', detail, parameter: name }],
      });
    }
  }
  return members;
}

/** The names of a query that an address does not read: more may have been meant. */
export function unreadNames(query: string, read: readonly string[]): string[] {
  const names = new Set(new URLSearchParams(query).keys());
  return [...names].filter((name) => !read.includes(name) && !isPassedOver(name));
}

/** Throws a Problem with the names that an address does not read. `of` says what is there. */
export function refuseNames(query: string, read: readonly string[], of: string): void {
  const faults = unreadNames(query, read)
    .slice(0, MOST_FAULTS + 1)
    .map((name) => {
      const parameter = shorten(name);
      const detail = `${parameter} is not a parameter of ${of}.`;
      return { code: 'unknown-parameter' as const, detail, parameter, allowed: read };
    });
  if (faults.length > 0) throw invalidArguments(faults);
}
