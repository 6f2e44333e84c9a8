import type { BlockDescription } from '../block/describe-block.ts';
import { nearName } from '../values/near-name.ts';
import { termsOf } from './terms.ts';

/** What a block is called. */
export type Named = { readonly id: string; readonly name: string };

export type Found<B> = { readonly block: B } | { readonly candidates: readonly B[] };

/**
 * The block that a word means: by its name or id, or by a word that only its name has. If there is
 * none, the blocks that the word may mean.
 */
export function findBlock<B extends Named>(word: string, blocks: readonly B[]): Found<B> {
  const lower = word.toLowerCase();
  const called = blocks.find(({ id, name }) => [id, name].some((one) => one === word));
  const block =
    called ?? blocks.find(({ id, name }) => [id, name].some((one) => one.toLowerCase() === lower));
  if (block !== undefined) return { block };
  const having = blocks.filter(({ name }) => wordsOf(name).includes(lower));
  const [only] = having;
  if (only !== undefined) return having.length === 1 ? { block: only } : { candidates: having };
  const near = nearName(
    word,
    blocks.flatMap(({ name }) => [name, ...wordsOf(name)]),
  );
  return {
    candidates: blocks.filter(
      ({ name }) => near !== undefined && [name, ...wordsOf(name)].includes(near),
    ),
  };
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[-_]/);
}

/**
 * The shortest word of a block's name that means it among these blocks. The names of its parameters
 * are excluded, to avoid confusion. Returns the full name if there is no such word.
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
