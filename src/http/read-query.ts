import type { Members } from '../arguments/arguments.ts';
import { Problem } from '../problem/errors.ts';
import { gather } from './gather.ts';

/** The members of a query (a string, without `?`), decoded; a name sent twice is a list. */
export function readQuery(query: string): Members {
  const members = gather(new URLSearchParams(query));
  for (const [name, value] of Object.entries(members)) {
    // What could not be decoded has become U+FFFD, here or at API Gateway.
    if ([value].flat().some((text) => (text as string).includes('\ufffd'))) {
      const detail = `The value of ${name} in the query is not UTF-8, percent-encoded.`;
      throw new Problem('invalid-encoding', detail, {
        faults: [{ code: 'invalid-encoding', detail, parameter: name }],
      });
    }
  }
  return members;
}
