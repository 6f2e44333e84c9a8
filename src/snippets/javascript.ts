import { literal, type Notation, quoted, type SnippetCall } from './snippet.ts';

/** JavaScript with `fetch`, for browsers, Node, Deno and Bun. */
export function javascript({ url, arguments: sent, key }: SnippetCall): string {
  const apiKey = key === undefined ? '' : `, 'x-api-key': ${string(key)}`;
  return `const response = await fetch(${string(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json'${apiKey} },
  body: JSON.stringify(${literal(sent, NOTATION, '    ', '  ')}),
});
const { params, detail } = await response.json();
if (!response.ok) throw new Error(detail);
console.log(JSON.stringify(params, null, 2));`;
}

const NOTATION: Notation = {
  string,
  // `__proto__` goes in brackets, since `__proto__: …` sets no member with that name.
  name: (name) => (/^(?!__proto__$)[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `[${string(name)}]: `),
  list: ['[', ']'],
  record: ['{', '}'],
  constants: { null: 'null', true: 'true', false: 'false' },
};

function string(text: string): string {
  return quoted(text, {
    quote: "'",
    // `<` is escaped, since `</script>` would end a script in a page.
    special: { '\\': '\\\\', '\n': '\\n', "'": "\\'", '<': '\\u003c' },
    codePoint: (hex) => `\\u{${hex}}`,
  });
}
