import type { Block } from '../block/block.ts';
import { curl } from '../channels/snippets/curl.ts';
import { sendable } from '../channels/snippets/snippet.ts';

/** A command line to paste that runs the block's first example. */
export function curlLine(url: string, { name, examples }: Block): string {
  const call = { url: `${url}/api_v2/blocks/${name}`, arguments: examples[0]?.arguments ?? {} };
  return curl(sendable(call));
}
