import path from 'node:path';
import { isWithin } from '../package/own-code.ts';
import { quoted } from './describe-draft.ts';
import type { Terminal } from './terminal.ts';
import type { WrittenBlock } from './write-block.ts';

/** Tells what was written, the words that write the same again, and what comes next. */
export function tellWritten(
  { blockFile, dataFile }: WrittenBlock,
  name: string,
  again: string,
  blocks: string | undefined,
  { out }: Terminal,
): void {
  const shown = (file: string) => path.relative(process.cwd(), file) || '.';
  out(`Written: ${shown(blockFile)}, ${shown(dataFile)}`);
  const folder = path.resolve(blockFile, '../../..');
  if (blocks === undefined && !isWithin(folder, process.cwd())) {
    out(`That is in ${folder}, where the other blocks are; --blocks . writes to this folder.`);
  }
  const into = blocks === undefined ? '' : ` --blocks ${quoted(blocks)}`;
  out(`The same again: npx blockyard ${again}${into}`);
  out('Say where the data come from and on what terms: "sources" and "licenses" there.');
  out(`Serve it: npx blockyard start${into}; it is at /api_v2/blocks/${name}`);
}
