import type { BlockSummary } from '../block/describe-block.ts';
import { BlockList, keyed } from './block-list.tsx';
import { DESCRIPTION, page, SERVICE } from './page-shell.tsx';

export type CatalogView = {
  readonly blocks: readonly BlockSummary[];
  readonly toRoot: string;
  readonly key?: string | undefined;
};

/** The list of all blocks as HTML. */
export function renderCatalogPage({ blocks, toRoot, key }: CatalogView): string {
  return page({
    title: `${SERVICE}: ${DESCRIPTION}`,
    description: `${blocks.length} data functions: ${blocks.map(({ title }) => title).join(', ')}.`,
    toRoot,
    key,
    children: (
      <main>
        <header>
          <h1>{DESCRIPTION}</h1>
          <p>
            Each block answers at one address: as a page here, as JSON, CSV and more to programs, in
            any language.
          </p>
        </header>
        <BlockList blocks={blocks} toRoot={toRoot} keyed={keyed(key)} />
      </main>
    ),
  });
}
