import type { Child } from 'hono/jsx';
import { PAGE_NAMES } from '../block/views.ts';
import { snippetsOf } from '../snippets/snippets-of.ts';
import type { Page } from './page.ts';

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
      {snippets.map(({ language, title, text }, i) => (
        <details name="snippet" open={i === 0}>
          <summary>{title}</summary>
          <pre id={`s-${language}`}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </section>
  );
}
