import path from 'node:path';
import { takeOption } from '../src/channels/terminal/command-line.ts';
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
