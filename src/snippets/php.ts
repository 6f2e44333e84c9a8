import { hasUnseen, literal, type Notation, quoted, type SnippetCall } from './snippet.ts';

/** A PHP 8 program without extensions. */
export function php({ url, arguments: sent, key }: SnippetCall): string {
  const apiKey = key === undefined ? '' : `, ${string(`x-api-key: ${key}`)}`;
  return `<?php
$arguments = ${literal(sent, NOTATION, '    ')};
$options = [
    'method' => 'POST',
    'header' => ['Content-Type: application/json'${apiKey}],
    'content' => json_encode($arguments),
    'ignore_errors' => true,
];
$url = ${string(url)};
$answer = json_decode(file_get_contents($url, false, stream_context_create(['http' => $options])));
$params = $answer->params ?? throw new Exception($answer->detail);
echo json_encode($params, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\\n";`;
}

const NOTATION: Notation = {
  string,
  name: (name) => `${string(name)} => `,
  list: ['[', ']'],
  // As objects, since an array with the names 0, 1, 2 would be sent as a list.
  record: ['(object) [', ']'],
  constants: { null: 'null', true: 'true', false: 'false' },
};

// Single quotes are safer, since only `'` and `\` are special; but they have no Unicode escapes.
function string(text: string): string {
  if (!hasUnseen(text)) {
    return quoted(text, { quote: "'", special: { '\\': '\\\\', "'": "\\'" }, codePoint: String });
  }
  return quoted(text, {
    quote: '"',
    special: { '\\': '\\\\', '\n': '\\n', '"': '\\"', $: '\\$' },
    codePoint: (hex) => `\\u{${hex}}`,
  });
}
