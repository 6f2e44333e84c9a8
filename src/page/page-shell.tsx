import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Warning } from '../problem/errors.ts';
import { numberText, shorten } from '../text/wording.ts';

export const SERVICE = 'blockyard';
export const DESCRIPTION = 'Open data as functions';

type ShellProps = {
  readonly title: string;
  readonly description: string;
  readonly toRoot: string;
  /** The key, which assets need too on a service with access by key. */
  readonly key?: string | undefined;
  /** The page's canonical address, without blank arguments. */
  readonly canonical?: string | undefined;
  readonly children: Child;
};

/** The frame of every page: the head, a link to the catalogue, and links for programs. Its parts may be promises. */
export async function page(props: ShellProps): Promise<string> {
  const { title, description, toRoot, key, canonical, children } = props;
  const asset = (name: string) =>
    `${toRoot}${name}${key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`}`;
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={asset('assets/page.css')} />
        {canonical === undefined ? '' : <link rel="canonical" href={canonical} />}
        <script type="module" src={asset('assets/page.js')}></script>
      </head>
      <body>
        <header class="top">
          <a href={asset('')}>{SERVICE}</a> <span>{DESCRIPTION}</span>
        </header>
        {children}
        <footer>
          <p>
            For programs: <a href={asset('openapi.json')}>OpenAPI</a>,{' '}
            <a href={asset('client.js')}>JavaScript client</a>,{' '}
            <a href={asset('api_v2/blocks')}>all blocks as JSON</a>.
          </p>
        </footer>
      </body>
    </html>
  );
  return `${html`<!doctype html>`}${await document.toString()}`;
}

/** Marks text as HTML that is already escaped. */
export function trusted(text: string) {
  return raw(text);
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath fill='%23186' d='M0 0h3v3H0zM5 0h3v3H5zM0 5h3v3H0z'/%3E%3Cpath fill='%23f80' d='M5 5h3v3H5z'/%3E%3C/svg%3E";

/** The warnings of an answer. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings">
      {warnings.map(({ title, message }) => (
        <li>
          <strong>{title}.</strong> {message}
        </li>
      ))}
    </ul>
  );
}

/** What a page did not use of its address. A filter may have been meant, so it is said first. */
export function Unused({ names, of }: { names: readonly string[]; of: string }) {
  if (names.length === 0) return null;
  const more = names.length - MOST_UNUSED;
  return (
    <p class="unused">
      <strong>Not used: </strong>
      {names.slice(0, MOST_UNUSED).map((name, i) => (
        <>
          {i === 0 ? '' : ', '}
          <code>{shorten(name)}</code>
        </>
      ))}
      {more > 0 ? ` and ${numberText(more)} more` : ''}. {of} has no parameter of{' '}
      {names.length === 1 ? 'this name' : 'these names'}: what is below is not filtered by it.
    </p>
  );
}

/** Names that a page did not use and lists. */
const MOST_UNUSED = 10;
