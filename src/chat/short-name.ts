import type { BlockDescription } from '../core/describe-block.ts';
import { findBlock, type Named, wordsOf } from './find-block.ts';
import { termsOf } from './terms.ts';

/**
 * The shortest word of a block's name that means it among these blocks, and that is none of the
 * names it takes itself, which would look like one. Without such a word, or blocks, its name.
 */
export function shortNameOf(block: BlockDescription, blocks: readonly Named[]): string {
  const own = new Set(termsOf(block).flatMap(({ names }) => names));
  const isItsOwn = (word: string) => {
    const found = findBlock(word, blocks);
    return 'block' in found && found.block.id === block.id;
  };
  const words = wordsOf(block.name).filter((word) => word.length >= 3 && !own.has(word));
  return words.sort((a, b) => a.length - b.length).find(isItsOwn) ?? block.name;
}
