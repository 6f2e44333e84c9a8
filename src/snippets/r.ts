import { csvAddress, type SnippetCall } from './snippet.ts';

/** An R program without packages; it reads CSV, since R has no JSON reader. */
export function r(call: SnippetCall): string {
  const address = `"${csvAddress(call)}"`;
  const connection =
    call.key === undefined ? address : `url(${address}, headers = c("x-api-key" = "${call.key}"))`;
  return `rows <- read.csv(${connection}, check.names = FALSE)
print(rows)`;
}
