import type { Child } from 'hono/jsx';
import { snippetsOf } from '../snippets/snippets-of.ts';
import type { Page } from './page.ts';

/** The page's call as programs. The script adds a button to copy each. */
export function Snippets(props: { page: Page; title: string; children?: Child }) {
  const { page, title, children } = props;
  const { values, links } = page;
  const { _format, _shade, _view, _mark, _axis, _frame, _as_one, _raw, _cursor, _lang, ...given } =
    values;
  const snippets = snippetsOf({
    url: links.address.url,
    arguments: given,
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
