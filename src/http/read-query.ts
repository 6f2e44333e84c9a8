import type { Members } from '../arguments/arguments.ts';
import { Problem } from '../problem/errors.ts';
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
