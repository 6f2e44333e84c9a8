import { type Snippet, sendable } from './snippet.ts';

/**
 * Programs that open a dataset's files where they are: each reads the parts that it needs. `addressOf`
 * tells where a file is, by its ending.
 */
export function snippetsOfFiles(addressOf: (extension: string) => string): Snippet[] {
  // Without a quotation mark or a backslash, so that it needs no escapes in any of these.
  const at = (extension: string) => sendable({ url: addressOf(extension), arguments: {} }).url;
  return [
    {
      language: 'duckdb',
      title: 'DuckDB',
      text: `SELECT count(*) AS rows FROM '${at('parquet')}';`,
    },
    {
      language: 'polars',
      title: 'Polars',
      text: `import polars

rows = polars.scan_parquet("${at('parquet')}")
print(rows.head(5).collect())`,
    },
    {
      language: 'pandas',
      title: 'pandas',
      text: `import pandas

rows = pandas.read_parquet("${at('parquet')}")
print(rows.head(5))`,
    },
    {
      language: 'browser',
      title: 'Browser',
      text: `const response = await fetch('${at('ndjson')}');
const lines = (await response.text()).trimEnd().split('\\n');
const rows = lines.map((line) => JSON.parse(line));
console.log(rows.length, rows[0]);`,
    },
  ];
}
