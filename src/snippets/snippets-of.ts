import { curl } from './curl.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { r } from './r.ts';
import { ruby } from './ruby.ts';
import { csvAddress, type Snippet, type SnippetCall, sendable } from './snippet.ts';
import { spreadsheet } from './spreadsheet.ts';

type Language = {
  readonly language: string;
  readonly title: string;
  readonly write: (call: SnippetCall) => string;
  readonly reads: 'JSON' | 'CSV' | 'what is asked for';
  /** The most characters of the address, for languages that have the arguments in it. */
  readonly longestAddress?: number;
};

const LANGUAGES: readonly Language[] = [
  { language: 'curl', title: 'curl', write: curl, reads: 'what is asked for' },
  { language: 'javascript', title: 'JavaScript', write: javascript, reads: 'JSON' },
  { language: 'python', title: 'Python', write: python, reads: 'JSON' },
  { language: 'ruby', title: 'Ruby', write: ruby, reads: 'JSON' },
  { language: 'php', title: 'PHP', write: php, reads: 'JSON' },
  // API Gateway takes 10,240 bytes of request line and headers; R sends few headers.
  { language: 'r', title: 'R', write: r, reads: 'CSV', longestAddress: 9000 },
  { language: 'go', title: 'Go', write: go, reads: 'JSON' },
  // The bound of Excel's WEBSERVICE; none is documented for IMPORTDATA.
  {
    language: 'spreadsheet',
    title: 'Spreadsheet',
    write: spreadsheet,
    reads: 'CSV',
    longestAddress: 2048,
  },
];

/** One call in every language, except those for which its address would be too long. */
export function snippetsOf(call: SnippetCall): Snippet[] {
  const sent = sendable(call);
  const { _format, ...others } = sent.arguments;
  const { length } = csvAddress(sent);
  return LANGUAGES.filter(({ longestAddress = Infinity }) => length <= longestAddress).map(
    ({ language, title, write, reads }) => ({
      language,
      title,
      // A program that reads JSON must not ask for another format.
      text: write(reads === 'JSON' ? { ...sent, arguments: others } : sent),
    }),
  );
}
