import { formText, jsonText, percentEncoded, type SnippetCall, sendable } from './snippet.ts';

/**
 * A command line to paste into any shell, so it escapes all characters of a value that are special
 * in one: cmd has no single quotes, PowerShell takes curly ones too, fish reads `\\` within them.
 */
export function curl({ url, arguments: sent, key }: SnippetCall): string {
  const words = [quotedWhereNeeded(url), ...header({ ...(key && { key }) }), ...body(sent)];
  return ['curl', ...words].join(' ');
}

/** A command line that reads what is at an address. */
export function curlOfAddress(address: string, key: string | undefined): string {
  const { url, ...its } = sendable({ url: address, arguments: {}, ...(key && { key }) });
  return ['curl', quotedWhereNeeded(url), ...header(its)].join(' ');
}

function header({ key }: Pick<SnippetCall, 'key'>): string[] {
  return key === undefined ? [] : [`-H 'x-api-key: ${key}'`];
}

function body(sent: SnippetCall['arguments']): string[] {
  const values = Object.entries(sent);
  // A GET without any argument describes the block.
  if (values.length === 0) return ['-G -d _format=json'];
  if (!values.every(([name, value]) => LISTS.has(name) || isOfForm(value))) {
    const json = jsonText(sent, (character) => IN_JSON.test(character));
    return ["-H 'Content-Type: application/json'", `-d '${json}'`];
  }
  const pairs = values.flatMap(([name, value]) =>
    [value].flat().map((member) => {
      const text = percentEncoded(formText(member), IN_FORM).replaceAll('%20', '+');
      return `-d ${quotedWhereNeeded(`${percentEncoded(name)}=${text}`)}`;
    }),
  );
  // Rows are read by GET, except by what an address has no room for.
  return pairs.join('&').length > LONGEST_QUERY ? pairs : ['-G', ...pairs];
}

/** Characters of a query. API Gateway takes 10,240 bytes of request line and headers. */
const LONGEST_QUERY = 8000;

const IN_FORM = /[\w.,:/*()-]/;
const IN_JSON = /[\w .,:/*()"\\{}[\]+-]/;

/** Options that are lists also where a form has one text: names of columns, without commas. */
const LISTS = new Set(['_group', '_measure', '_sort', '_fields']);

/** Whether a form can say the same as JSON; it has no types and no lists of one member. */
function isOfForm(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 1 && value.every(isTextOrNumber);
  return isTextOrNumber(value);
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function quotedWhereNeeded(text: string): string {
  return /^[\w=.:/%+-]+$/.test(text) ? text : `'${text}'`;
}
