import { pythonLiteral, pythonString } from './python-literal.ts';
import type { SnippetCall } from './snippet.ts';

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
