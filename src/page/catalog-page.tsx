import { raw } from 'hono/html';
import type { SmallPicture } from '../block/manifest.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { languageName, ROWS_NOUN } from '../languages/names.ts';
import { MOST_BEGUN } from '../portals/block-index.ts';
import type { FoundBlock, Hit, ListedBlock } from '../portals/listed-block.ts';
import type { ProblemTitle } from '../problem/errors.ts';
import { wordsAsked } from '../text/pattern.ts';
import { COLUMNS_ARE, shorten } from '../text/wording.ts';
import { periodText, withoutTitle } from './block-head.tsx';
import { inEnglish } from './faults.tsx';
import { hrefOf, type PageState, pairsOf } from './links.ts';
import { DESCRIPTION, page, SERVICE, Unused } from './page-shell.tsx';

type CatalogView = {
  readonly language: Language;
  /** The blocks of this page. */
  readonly blocks: readonly FoundBlock[];
  /** How many blocks the list has before this page, and in all; and how many blocks there are. */
  readonly before: number;
  readonly found: number;
  readonly all: number;
  /** Words of the search that no block has, and what each may have meant. */
  readonly near?: ReadonlyMap<string, string>;
  /** Words that begin more words than were searched; how many values of a column are, if not all. */
  readonly begun?: readonly string[];
  readonly values?: number;
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
  /** The day on which it is shown. */
  readonly today: string;
};

/** The list of all blocks, or of those that words find, as HTML. */
export function renderCatalogPage(view: CatalogView): Promise<string> {
  const { blocks, all, search, refused, url, toRoot, key, language, today } = view;
  const kept = keptBy(key, language);
  const { say } = language;
  const title =
    search === ''
      ? `${SERVICE}: ${say(DESCRIPTION)}`
      : `${say('“{words}”', { words: search })}: ${foundIn(view)} - ${SERVICE}`;
  return page({
    language,
    title: refused === undefined ? title : say('Error: {title}', { title }),
    description: say('{count} data functions, each a page and an address for programs.', {
      count: all,
    }),
    toRoot,
    key,
    hasSearch: true,
    children: (
      <main>
        <header>
          <h1>{say(DESCRIPTION)}</h1>
          <p>
            {say(
              'Each block is one table: a page with figures, map and filters, its files, and an API at the same address.',
            )}
          </p>
        </header>
        <Unused names={view.unused} of="The list of blocks" language={language} />
        <Search view={view} />
        <BlockList blocks={blocks} toRoot={toRoot} language={language} kept={kept} today={today} />
        <Pages view={view} />
        <p class="printed">
          {url}
          {search === '' ? '' : `?q=${encodeURIComponent(search)}`}
        </p>
      </main>
    ),
  });
}

/** Blocks on a page of the list. */
export const BLOCKS_ON_PAGE = 24;

function foundIn({ found: count, all, refused, language: { say } }: CatalogView): string {
  if (refused !== undefined) return say('not looked for');
  return count === 0
    ? say('none of {all} blocks', { all })
    : say('{count} of {all} blocks', { count, all });
}

function Search({ view }: { view: CatalogView }) {
  const { search, refused, begun = [], values, key, language } = view;
  const { say } = language;
  return (
    <>
      <search>
        <form class="search" method="get">
          <label for="q">{say('Find blocks by words')}</label>
          <div>
            <input
              id="q"
              name="q"
              type="search"
              value={search}
              maxlength={256}
              aria-invalid={refused === undefined ? undefined : 'true'}
              aria-describedby={search === '' && refused === undefined ? undefined : 'found'}
            />
            {key === undefined ? '' : <input type="hidden" name="api_key" value={key} />}
            {language.name !== 'en' && <input type="hidden" name="_lang" value={language.name} />}
            <button type="submit">{say('Find')}</button>
          </div>
        </form>
      </search>
      {search === '' && refused === undefined ? (
        ''
      ) : (
        <div>
          <p id="found" class={refused === undefined ? undefined : 'error'}>
            {refused ?? sentenceOf(view)}{' '}
            <a href={hrefOf(keptBy(key, language))}>{say('Show all blocks')}</a>
          </p>
          {begun.length > 0 && (
            <p class="quiet">
              {say('More than {count} words begin with “{words}”; some were not searched for.', {
                count: MOST_BEGUN,
                words: begun.join(' '),
              })}
            </p>
          )}
          {refused === undefined && view.found === 0 && (
            <p class="quiet">
              {say(
                'Of columns, common values are searched. The search on the page of a block goes through all of its rows.',
              )}
            </p>
          )}
          {values !== undefined && (
            <p class="quiet">
              {say('Of each column, only the {count} most common values are searched.', {
                count: values,
              })}
            </p>
          )}
        </div>
      )}
      <Near view={view} />
    </>
  );
}

/** What words that no block has may have meant. */
function Near({ view: { near = new Map(), search, key, language } }: { view: CatalogView }) {
  if (near.size === 0) return null;
  return (
    <p class="hint">
      {[...near].map(([word, meant]) => (
        <>
          {language.say('“{word}” is close to', { word })}{' '}
          <a class="plain" href={hrefOf([['q', meantIn(search, near)], ...keptBy(key, language)])}>
            <bdi>{meant}</bdi>
          </a>
        </>
      ))}
    </p>
  );
}

/** A search with other words for those that no block has. */
function meantIn(search: string, near: ReadonlyMap<string, string>): string {
  return wordsAsked(search)
    .map((word) => near.get(word) ?? word)
    .join(' ');
}

/** What the search found; each word has to begin a word of a block's texts, columns or values. */
function sentenceOf({ found: count, all, search: words, language: { say } }: CatalogView): string {
  if (count === 0) {
    return say(
      'None of the {all} blocks is about “{words}”. Try fewer words, or only their beginnings.',
      { all, words },
    );
  }
  return count === 1
    ? say('1 of {all} blocks is about “{words}”.', { all, words })
    : say('{count} of {all} blocks are about “{words}”.', { count, all, words });
}

/** The way to the pages of a list. */
function Pages({ view }: { view: CatalogView }) {
  const { blocks, before, found, search, key, language } = view;
  const { say, number } = language;
  const end = before + blocks.length;
  if (before === 0 && end === found) return null;
  const page = Math.floor(before / BLOCKS_ON_PAGE) + 1;
  const linkTo = (page: number) =>
    hrefOf([
      ...(search === '' ? [] : [['q', search] as const]),
      ...(page === 1 ? [] : [['page', String(page)] as const]),
      ...keptBy(key, language),
    ]);
  return (
    <nav class="pages" aria-label={say('Pages')}>
      <span>
        {language.parts('{count} of {all}', {
          count: (
            <b>
              {number(before + 1)}–{number(end)}
            </b>
          ),
          all: number(found),
        })}
      </span>{' '}
      {before > 0 && (
        <a rel="prev" href={linkTo(page - 1)}>
          {say('Previous')}
        </a>
      )}{' '}
      {end < found && (
        <a rel="next" href={linkTo(page + 1)}>
          {say('Next')}
        </a>
      )}
    </nav>
  );
}

type BlockListProps = {
  readonly blocks: readonly FoundBlock[];
  readonly toRoot: string;
  /** The pairs of every link to a block: the key and the language, if any. */
  readonly kept: PageState;
  readonly language: Language;
  readonly today: string;
};

/** Characters of a description in the list; the block's page has all. */
const MOST_OF_DESCRIPTION = 180;

/** Blocks, each a link to its page, with what is known of its data. */
function BlockList({ blocks, toRoot, kept, language, today }: BlockListProps) {
  return (
    <ul class="blocks">
      {blocks.map(({ listed: { summary, ...data }, hits }) => {
        const address = `${toRoot}${summary.url.slice(1)}`;
        return (
          <li>
            <h2 class="block" dir="auto">
              <a href={kept.length === 0 ? address : address + hrefOf(kept)}>{summary.title}</a>
            </h2>
            <Description {...summary} />
            {hits.length > 0 && (
              <p class="hint">
                {hits.map((hit) => (
                  <a href={address + hrefOf([...pairsOf(hit.query), ...kept])}>
                    <HitText hit={hit} language={language} />
                  </a>
                ))}
              </p>
            )}
            {data.picture === undefined ? (
              data.isColor && <Colors />
            ) : (
              <Picture picture={data.picture} language={language} />
            )}
            <p class="quiet">{factsOf(data, today, language)}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** The figure that a block's page opens with, small, and what it shows. */
function Picture({ picture, language }: { picture: SmallPicture; language: Language }) {
  const { title, statement = '' } = picture.said[language.name];
  return (
    <>
      {raw(picture.svg)}
      <p class="quiet" dir="auto">
        <b>{title}</b> {statement}
      </p>
    </>
  );
}

/** What a block's data are. A list of columns, which `add` writes where nobody says more, is left out. */
function Description({ title, description }: ListedBlock['summary']) {
  const text = withoutTitle(description, title);
  if (text.startsWith(COLUMNS_ARE)) return null;
  return <p dir="auto">{shorten(text, MOST_OF_DESCRIPTION)}</p>;
}

/** `Type of business: Laundries (22)`. */
function HitText({ hit, language: { number } }: { hit: Hit; language: Language }) {
  if ('example' in hit) return <bdi>{hit.example}</bdi>;
  const { field, value, rows } = hit;
  return (
    <>
      <bdi>{field}</bdi>: <bdi>{value}</bdi>
      {rows === undefined ? '' : ` (${number(rows)})`}
    </>
  );
}

function factsOf(
  { rows, noun = ROWS_NOUN, date, period }: Omit<ListedBlock, 'summary'>,
  today: string,
  language: Language,
): string {
  const { say } = language;
  if (rows === undefined) return say('Computes its answer');
  const size =
    rows === 1
      ? say('1 row')
      : say('{count} {noun}', { count: rows, ...inLanguage({ noun }, language) });
  const facts = [
    size,
    ...(period === undefined ? [] : [periodText(period, today, language)]),
    ...(date === undefined ? [] : [say('as of {date}', { date })]),
  ];
  return facts.join(', ');
}

/** The query that carries the key, for a service with access by key. */
export function keyed(key: string | undefined): string {
  return key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
}

/** What links to blocks keep: the key, and the language if it is not English. */
function keptBy(key: string | undefined, { name }: Language): PageState {
  return [
    ...(key === undefined ? [] : [['api_key', key] as const]),
    ...(name === 'en' ? [] : [['_lang', name] as const]),
  ];
}

function Colors() {
  return (
    <svg class="picture" viewBox="0 0 12 3" preserveAspectRatio="none" aria-hidden="true">
      {[75, 55, 35].flatMap((lightness, y) =>
        Array.from({ length: 12 }, (_, x) => (
          <rect x={x} y={y} width="1" height="1" fill={`hsl(${x * 30} 60% ${lightness}%)`} />
        )),
      )}
    </svg>
  );
}

type NotFoundView = {
  readonly language: Language;
  /** The first blocks of the list. */
  readonly blocks: readonly FoundBlock[];
  readonly title: ProblemTitle;
  readonly detail?: string | undefined;
  /** The block that was probably meant. */
  readonly meant?: ListedBlock['summary'] | undefined;
  readonly toRoot: string;
  readonly key?: string | undefined;
  readonly today: string;
};

/** The page for an address that does not exist: the block probably meant, and all blocks. */
export function renderNotFoundPage(view: NotFoundView): Promise<string> {
  const { blocks, detail, meant, toRoot, key, language, today } = view;
  const title = language.say(view.title);
  return page({
    language,
    title,
    description: title,
    toRoot,
    key,
    children: (
      <main>
        <header>
          <h1>{title}</h1>
          {detail !== undefined && (
            <p class="refused">
              <span {...inEnglish(language)}>{detail}</span>{' '}
              {meant !== undefined && (
                <a class="button" href={`${toRoot}${meant.url.slice(1)}${keyed(key)}`}>
                  {meant.title}
                </a>
              )}
            </p>
          )}
        </header>
        {blocks.length > 0 && (
          <BlockList
            blocks={blocks}
            toRoot={toRoot}
            language={language}
            today={today}
            kept={keptBy(key, language)}
          />
        )}
        <p>
          <a class="button" href={`${toRoot}${hrefOf(keptBy(key, language))}`}>
            {language.say('Show all blocks')}
          </a>
        </p>
      </main>
    ),
  });
}

/** The language of a page that is of no block: the one that is asked for. */
export function languageAsked(query: string): Language {
  const asked = new URLSearchParams(query).get('_lang') ?? undefined;
  return LANGUAGES[languageName(asked, undefined)];
}
