import { csvAddress } from './csv-address.ts';
import type { SnippetCall } from './snippet.ts';

/** R, without packages: it reads CSV, and no JSON. */
export function r(call: SnippetCall): string {
  const address = `"${csvAddress(call)}"`;
  const connection =
    call.key === undefined ? address : `url(${address}, headers = c("x-api-key" = "${call.key}"))`;
  return `rows <- read.csv(${connection}, check.names = FALSE)
print(rows)`;
}
