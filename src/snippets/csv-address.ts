import { formText, percentEncoded } from './form-text.ts';
import type { SnippetCall } from './snippet.ts';

/** The address that answers a call as CSV; it does not have the key. */
export function csvAddress({ url, arguments: sent }: SnippetCall): string {
  const pairs = Object.entries({ ...sent, _format: 'csv' }).flatMap(([name, value]) =>
    [value].flat().map((member) => [name, formText(member)] as const),
  );
  const query = pairs.map(([name, text]) => `${percentEncoded(name)}=${percentEncoded(text)}`);
  return `${url}?${query.join('&')}`;
}
