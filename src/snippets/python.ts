import { literal, type Notation, quoted, type SnippetCall } from './snippet.ts';

/** A Python 3 program without packages. */
export function python({ url, arguments: sent, key }: SnippetCall): string {
  const apiKey = key === undefined ? '' : `, "x-api-key": ${pythonString(key)}`;
  return `import json
import urllib.error
import urllib.request

arguments = ${pythonLiteral(sent)}
request = urllib.request.Request(
    ${pythonString(url)},
    data=json.dumps(arguments).encode(),
    headers={"Content-Type": "application/json"${apiKey}},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.dumps(json.load(response)["params"], indent=2))
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["detail"])`;
}

/** A JSON value as a Python literal. */
export function pythonLiteral(value: unknown): string {
  return literal(value, NOTATION, '    ');
}

export function pythonString(text: string): string {
  return quoted(text, {
    quote: '"',
    special: { '\\': '\\\\', '\n': '\\n', '"': '\\"' },
    codePoint: (hex) =>
      hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`,
  });
}

const NOTATION: Notation = {
  string: pythonString,
  name: (name) => `${pythonString(name)}: `,
  list: ['[', ']'],
  record: ['{', '}'],
  constants: { null: 'None', true: 'True', false: 'False' },
};
