import { numberText } from '../values/wording.ts';
import { BlockList, keyed } from './block-list.tsx';
import type { ListedBlock } from './listed-block.ts';
import { DESCRIPTION, page, SERVICE } from './page-shell.tsx';
import { Unused } from './warnings.tsx';

export type CatalogView = {
  /** The blocks to list. */
  readonly blocks: readonly ListedBlock[];
  /** How many there are in all. */
  readonly all: number;
  /** The words that the blocks were found by; blank for all. */
  readonly search: string;
  /** Names in the address that the list does not take. */
  readonly unused: readonly string[];
  /** What is wrong with these words. */
  readonly refused?: string;
  /** The page's absolute address without its query. */
  readonly url: string;
  readonly toRoot: string;
  readonly key?: string | undefined;
};

/** The list of all blocks, or of those that words find, as HTML. */
export function renderCatalogPage(view: CatalogView): Promise<string> {
  const { blocks, all, search, refused, url, toRoot, key } = view;
  const found = search === '' ? '' : `“${search}”: ${foundIn(view)}`;
  return page({
    title: `${refused === undefined ? '' : 'Error: '}${found === '' ? `${SERVICE}: ${DESCRIPTION}` : `${found} - ${SERVICE}`}`,
    description: `${numberText(all)} data functions, each a page and an address for programs.`,
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
        <Unused names={view.unused} of="The list of blocks" />
        <Search view={view} />
        <BlockList blocks={blocks} toRoot={toRoot} keyed={keyed(key)} />
        <p class="printed">
          {url}
          {search === '' ? '' : `?q=${encodeURIComponent(search)}`}
        </p>
      </main>
    ),
  });
}

function foundIn({ blocks, all, refused }: CatalogView): string {
  if (refused !== undefined) return 'not looked for';
  return `${blocks.length === 0 ? 'none' : numberText(blocks.length)} of ${numberText(all)} blocks`;
}

function Search({ view }: { view: CatalogView }) {
  const { search, refused, key } = view;
  return (
    <>
      <search>
        <form class="search" method="get">
          <label for="q">Find blocks by words</label>
          <div>
            <input
              id="q"
              name="q"
              type="search"
              value={search}
              maxlength={256}
              aria-invalid={refused === undefined ? undefined : 'true'}
              aria-describedby={search === '' ? undefined : 'found'}
            />
            {key === undefined ? '' : <input type="hidden" name="api_key" value={key} />}
            <button type="submit">Find</button>
          </div>
        </form>
      </search>
      {search === '' ? (
        ''
      ) : (
        <p id="found" class={refused === undefined ? undefined : 'error'}>
          {refused ?? sentenceOf(view)} <a href={keyed(key) || '?'}>Show all blocks</a>
        </p>
      )}
    </>
  );
}

/** What the search found; each word has to begin a word of a block's title, texts or columns. */
function sentenceOf({ blocks, all, search }: CatalogView): string {
  if (blocks.length === 0) {
    return `None of the ${numberText(all)} blocks is about “${search}”. Try fewer words, or only their beginnings.`;
  }
  const verb = blocks.length === 1 ? 'is' : 'are';
  return `${numberText(blocks.length)} of ${numberText(all)} blocks ${verb} about “${search}”.`;
}
