import path from 'node:path';
import { parseArgs } from 'node:util';
import { IS_COMPILED, OWN_CODE } from '../src/import/own-code.ts';

/** The folder with `functions/` and `seed-data/`, unless a command names one by `--blocks`. */
export function defaultBlocks(): string {
  return path.resolve(process.env.BLOCKYARD_BLOCKS || (IS_COMPILED ? '.' : OWN_CODE));
}

/** Takes `--blocks FOLDER` out of a command's words. Throws a one-line Error if it has no value. */
export function takeBlocks(words: readonly string[]): { blocks: string; args: string[] } {
  const { value, args } = takeOption('blocks', words, '--blocks ../our-data');
  return { blocks: value === undefined ? defaultBlocks() : path.resolve(value), args };
}

/** Takes an option with a value likewise; the first one, if it is given twice. */
export function takeOption(name: string, words: readonly string[], example: string) {
  const options = { [name]: { type: 'string' as const } };
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const args = [...words];
  let value: string | undefined;
  for (const token of tokens.toReversed()) {
    if (token.kind !== 'option' || token.name !== name) continue;
    if (!token.value) throw new Error(`--${name} needs a value: ${example}`);
    args.splice(token.index, token.inlineValue ? 1 : 2);
    value = token.value;
  }
  return { value, args };
}
