import { literal, type Notation, quoted, type SnippetCall } from './snippet.ts';

/** A Ruby program without gems. */
export function ruby({ url, arguments: sent, key }: SnippetCall): string {
  const apiKey = key === undefined ? '' : `, "x-api-key" => ${string(key)}`;
  return `require "json"
require "net/http"

arguments = ${literal(sent, NOTATION, '  ')}
headers = { "Content-Type" => "application/json"${apiKey} }
response = Net::HTTP.post(URI(${string(url)}), arguments.to_json, headers)
answer = JSON.parse(response.body)
abort answer["detail"] unless response.is_a?(Net::HTTPSuccess)
puts JSON.pretty_generate(answer["params"])`;
}

const NOTATION: Notation = {
  string,
  name: (name) => `${string(name)} => `,
  list: ['[', ']'],
  record: ['{', '}'],
  constants: { null: 'nil', true: 'true', false: 'false' },
};

function string(text: string): string {
  return quoted(text, {
    quote: '"',
    special: { '\\': '\\\\', '\n': '\\n', '"': '\\"', '#': '\\#' },
    codePoint: (hex) => `\\u{${hex}}`,
  });
}
