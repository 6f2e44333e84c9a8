import { BlockList, keyed } from './block-list.tsx';
import type { ListedBlock } from './listed-block.ts';
import { page } from './page-shell.tsx';

export type UnknownBlockView = {
  readonly blocks: readonly ListedBlock[];
  readonly title: string;
  readonly detail: string;
  /** The block's name or id that was probably meant. */
  readonly suggestion?: string;
  readonly toRoot: string;
  readonly key?: string | undefined;
};

/** The page at an address that no block has: the block probably meant, and all blocks. */
export function renderUnknownBlockPage(view: UnknownBlockView): Promise<string> {
  const { blocks, title, detail, suggestion, toRoot, key } = view;
  const meant = blocks
    .map(({ summary }) => summary)
    .find(({ name, id }) => name === suggestion || id === suggestion);
  return page({
    title,
    description: title,
    toRoot,
    key,
    children: (
      <main>
        <header>
          <h1>{title}</h1>
          <p>
            {detail}{' '}
            {meant !== undefined && (
              <a class="button" href={`${toRoot}${meant.url.slice(1)}${keyed(key)}`}>
                {meant.title}
              </a>
            )}
          </p>
        </header>
        <BlockList blocks={blocks} toRoot={toRoot} keyed={keyed(key)} />
      </main>
    ),
  });
}
