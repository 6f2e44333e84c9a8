import type { BlockSummary } from '../core/describe-block.ts';
import { page } from './page-shell.tsx';
import { DESCRIPTION, SERVICE } from './service-name.ts';

export type CatalogView = {
  readonly blocks: readonly BlockSummary[];
  readonly toRoot: string;
  readonly key?: string | undefined;
};

/** The list of all blocks as HTML. */
export function renderCatalogPage({ blocks, toRoot, key }: CatalogView): string {
  const query = key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
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
        <ul class="blocks">
          {blocks.map(({ name, title, description, url }) => (
            <li>
              <h2>
                <a href={`${toRoot}${url.slice(1)}${query}`}>{title}</a>
              </h2>
              <p>{description}</p>
              <p class="quiet">
                <code>{name}</code>
              </p>
            </li>
          ))}
        </ul>
      </main>
    ),
  });
}
