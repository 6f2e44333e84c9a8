import { nearName } from '../core/near-name.ts';

/** What a block is called. */
export type Named = { readonly id: string; readonly name: string };

export type Found<B> = { readonly block: B } | { readonly candidates: readonly B[] };

/**
 * The block that a word means: its name or id, else a word of its name that no other has. Without
 * one, those that it may have meant.
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

export function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[-_]/);
}
