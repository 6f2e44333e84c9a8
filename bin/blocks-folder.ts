import path from 'node:path';
import { parseArgs } from 'node:util';
import { IS_COMPILED, OWN_CODE } from '../src/package/own-code.ts';

/** The folder with `functions/` and `seed-data/`, unless a command names one by `--blocks`. */
export function defaultBlocks(): string {
  return path.resolve(process.env.BLOCKYARD_BLOCKS || (IS_COMPILED ? '.' : OWN_CODE));
}

/** Takes `--blocks FOLDER` out of a command's words. Throws a one-line Error if it has no value. */
export function takeBlocks(words: readonly string[]): { blocks: string; args: string[] } {
  const options = { blocks: { type: 'string' } } as const;
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const args = [...words];
  let blocks = defaultBlocks();
  for (const token of tokens.toReversed()) {
    if (token.kind !== 'option' || token.name !== 'blocks') continue;
    if (!token.value) throw new Error('--blocks needs a folder: --blocks ../our-data');
    args.splice(token.index, token.inlineValue ? 1 : 2);
    blocks = path.resolve(token.value);
  }
  return { blocks, args };
}
