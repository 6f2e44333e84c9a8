import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Language } from '../languages/language.ts';
import { MESSAGES_OF_SCRIPT } from '../languages/script.ts';
import { SERVICE_DESCRIPTION as DESCRIPTION, SERVICE } from '../portals/publication.ts';
import { ANSWER_CUT, COUNTED_TWICE, type Warning } from '../problem/errors.ts';
import { shorten } from '../text/wording.ts';

export { DESCRIPTION, SERVICE };

type ShellProps = {
  readonly language: Language;
  readonly title: string;
  /** The title where a link is shown, if that is longer. */
  readonly shared?: string;
  readonly description: string;
  readonly toRoot: string;
  /** The key, which assets need too on a service with access by key. */
  readonly key?: string | undefined;
  /** The page's canonical address, without blank arguments. */
  readonly canonical?: string | undefined;
  /** What search engines are told of it: JSON in which no `<` stands. */
  readonly jsonLd?: string | undefined;
  /** Where the first stops of the keyboard lead, by the ids of the places. */
  readonly skipTo?: Readonly<Record<string, string | undefined>>;
  /** The script that it loads: a map needs more. */
  readonly script?: 'page' | 'map' | undefined;
  /** Set on the list of blocks, which has a search of its own. */
  readonly hasSearch?: true;
  /** Set if the page is for a frame in another page: it has its contents alone. */
  readonly isEmbedded?: true;
  readonly children: Child;
};

/** The frame of every page: the head, a link to the catalogue, and links for programs. Its parts may be promises. */
export async function page(props: ShellProps): Promise<string> {
  const { title, shared = title, description, toRoot, key, canonical, children } = props;
  const { skipTo = {}, hasSearch, isEmbedded, language, script = 'page' } = props;
  const { say, parts } = language;
  const asset = (name: string) =>
    `${toRoot}${name}${key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`}`;
  const words = language.name === 'en' ? undefined : wordsOfScript(language);
  const document = (
    <html lang={language.name}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" property="og:description" content={description} />
        <meta property="og:title" content={shared} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={asset('assets/page.css')} />
        {canonical === undefined ? '' : <link rel="canonical" href={canonical} />}
        <script type="module" src={asset(`assets/${script}.js`)}></script>
        {props.jsonLd && <script type="application/ld+json">{raw(props.jsonLd)}</script>}
        {isEmbedded ? <base target="_blank" /> : ''}
      </head>
      {isEmbedded ? (
        <body class="embed" data-words={words}>
          {children}
        </body>
      ) : (
        <body data-words={words}>
          {Object.entries(skipTo).map(
            ([id, place]) =>
              place !== undefined && (
                <a class="skip" href={`#${id}`}>
                  {place}
                </a>
              ),
          )}
          <header class="top">
            <a class="brand" href={asset('')}>
              {SERVICE}
            </a>
            {hasSearch ? (
              <span>{say(DESCRIPTION)}</span>
            ) : (
              <Search toRoot={toRoot} language={language} apiKey={key} />
            )}
          </header>
          {children}
          <footer>
            <p>
              {parts('For programs: {openapi}, {client}, {blocks}.', {
                openapi: <a href={asset('openapi.json')}>OpenAPI</a>,
                client: <a href={asset('client.js')}>{say('JavaScript client')}</a>,
                blocks: <a href={asset('api_v2/blocks')}>{say('all blocks as JSON')}</a>,
              })}
            </p>
          </footer>
        </body>
      )}
    </html>
  );
  return `${html`<!doctype html>`}${await document.toString()}`;
}

function wordsOfScript({ say }: Language): string {
  return JSON.stringify(
    Object.fromEntries(MESSAGES_OF_SCRIPT.map((message) => [message, say(message)])),
  );
}

/** Marks text as HTML that is already escaped. */
export function trusted(text: string) {
  return raw(text);
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath fill='%23075' d='M0 0h3v3H0zM5 0h3v3H5zM0 5h3v3H0z'/%3E%3Cpath fill='%23c50' d='M5 5h3v3H5z'/%3E%3C/svg%3E";

/** A search for blocks, from any page. */
function Search(props: { toRoot: string; apiKey: string | undefined; language: Language }) {
  const { toRoot, apiKey, language } = props;
  const { say } = language;
  return (
    <form action={toRoot}>
      <input name="q" type="search" aria-label={say('Find data')} placeholder={say('Find data')} />
      {apiKey === undefined ? '' : <input type="hidden" name="api_key" value={apiKey} />}
      {language.name === 'en' ? '' : <input type="hidden" name="_lang" value={language.name} />}
      <button type="submit">{say('Find')}</button>
    </form>
  );
}

/** The warnings of an answer. What a page has links for, it says with these. */
export function Warnings(props: { warnings: readonly Warning[] }) {
  const warnings = props.warnings.filter(
    ({ title }) => title !== ANSWER_CUT && title !== COUNTED_TWICE,
  );
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
export function Unused(props: {
  names: readonly string[];
  of: 'This block' | 'A row’s address' | 'The list of blocks';
  language: Language;
}) {
  const { names, of, language } = props;
  const { say } = language;
  if (names.length === 0) return null;
  const more = names.length - MOST_UNUSED;
  return (
    <p class="unused">
      <strong>{say('Not used')}: </strong>
      {names.slice(0, MOST_UNUSED).map((name, i) => (
        <>
          {i === 0 ? '' : ', '}
          <code>{shorten(name)}</code>
        </>
      ))}
      {more > 0 ? ` ${say('and {count} more', { count: more })}` : ''}.{' '}
      {names.length === 1
        ? say('{what} has no parameter of this name: what is below is not filtered by it.', {
            what: say(of),
          })
        : say('{what} has no parameter of these names: what is below is not filtered by it.', {
            what: say(of),
          })}
    </p>
  );
}

/** Names that a page did not use and lists. */
const MOST_UNUSED = 10;
