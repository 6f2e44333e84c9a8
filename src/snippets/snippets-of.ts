import { csvAddress } from './csv-address.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { r } from './r.ts';
import { ruby } from './ruby.ts';
import { sendable } from './sendable.ts';
import type { Snippet, SnippetCall } from './snippet.ts';
import { spreadsheet } from './spreadsheet.ts';

type Language = {
  readonly language: string;
  readonly title: string;
  readonly write: (call: SnippetCall) => string;
  readonly reads: 'JSON' | 'CSV' | 'what is asked for';
  /** Where the arguments are in the address: of how many characters it may be. */
  readonly longestAddress?: number;
};

const LANGUAGES: readonly Language[] = [
  { language: 'curl', title: 'curl', write: curl, reads: 'what is asked for' },
  { language: 'javascript', title: 'JavaScript', write: javascript, reads: 'JSON' },
  { language: 'python', title: 'Python', write: python, reads: 'JSON' },
  { language: 'ruby', title: 'Ruby', write: ruby, reads: 'JSON' },
  { language: 'php', title: 'PHP', write: php, reads: 'JSON' },
  // API Gateway takes a request line with headers of 10,240 bytes; R's own headers are few.
  { language: 'r', title: 'R', write: r, reads: 'CSV', longestAddress: 9000 },
  { language: 'go', title: 'Go', write: go, reads: 'JSON' },
  // What Excel's WEBSERVICE takes. None is documented for IMPORTDATA.
  {
    language: 'spreadsheet',
    title: 'Spreadsheet',
    write: spreadsheet,
    reads: 'CSV',
    longestAddress: 2048,
  },
];

/** One call in every language, but for those that do not take an address as long as it would be. */
export function snippetsOf(call: SnippetCall): Snippet[] {
  const sent = sendable(call);
  const { _format, ...others } = sent.arguments;
  const { length } = csvAddress(sent);
  return LANGUAGES.filter(({ longestAddress = Infinity }) => length <= longestAddress).map(
    ({ language, title, write, reads }) => ({
      language,
      title,
      // A program that reads JSON asks for no other format.
      text: write(reads === 'JSON' ? { ...sent, arguments: others } : sent),
    }),
  );
}
