import type { Child } from 'hono/jsx';
import { belowRoot, fileReference } from '../block/addresses.ts';
import { PAGE_NAMES } from '../block/views.ts';
import { snippetsOfFiles } from '../snippets/files.ts';
import type { Snippet } from '../snippets/snippet.ts';
import { snippetsOf } from '../snippets/snippets-of.ts';
import type { DatasetPage, Page } from './page.ts';

/** The same program in several languages, of which one is open. */
function Programs(props: { group: string; prefix: string; snippets: readonly Snippet[] }) {
  const { group, prefix, snippets } = props;
  return (
    <>
      {snippets.map(({ language, title, text }, i) => (
        <details name={group} open={i === 0}>
          <summary>{title}</summary>
          <pre id={`${prefix}-${language}`}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </>
  );
}

/** Programs that open the block's files where they are, if it has any. */
export function FileSnippets({ page }: { page: DatasetPage }) {
  const { files = [], block, links, language } = page;
  const { url, toRoot } = links.address;
  if (files.length === 0) return null;
  const addressOf = (extension: string) =>
    new URL(`${toRoot}${belowRoot(fileReference(block.name, extension))}`, url).href;
  return (
    <section class="snippets" aria-labelledby="file-snippets">
      <h2 id="file-snippets">{language.say('All rows as a file, opened in place')}</h2>
      <Programs group="file" prefix="f" snippets={snippetsOfFiles(addressOf)} />
    </section>
  );
}

/** The page's call as programs. The script adds a button to copy each. */
export function Snippets(props: { page: Page; title: string; children?: Child }) {
  const { page, title, children } = props;
  const { values, links } = page;
  const { _format, _shade, _raw, _cursor, ...named } = values;
  const given = Object.entries(named).filter(([name]) => !PAGE_NAMES.some((one) => one === name));
  const snippets = snippetsOf({
    url: links.address.url,
    arguments: Object.fromEntries(given),
    key: links.key,
  });
  return (
    <section class="snippets" aria-labelledby="snippets">
      <h2 id="snippets">{title}</h2>
      {children === undefined ? '' : <p class="quiet">{children}</p>}
      <Programs group="snippet" prefix="s" snippets={snippets} />
    </section>
  );
}
