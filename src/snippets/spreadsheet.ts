import { csvAddress, percentEncoded, type SnippetCall } from './snippet.ts';

/** A formula for Google Sheets. The address needs no escaping, since it never contains `"`. */
export function spreadsheet(call: SnippetCall): string {
  const key = call.key === undefined ? '' : `&api_key=${percentEncoded(call.key)}`;
  return `=IMPORTDATA("${csvAddress(call)}${key}")`;
}
