import { inLanguage, type Language } from '../languages/language.ts';
import { ROWS_NOUN } from '../languages/names.ts';
import type { ProblemTitle } from '../problem/errors.ts';
import { periodText } from './block-head.tsx';
import type { ListedBlock } from './listed-block.ts';
import { DESCRIPTION, page, SERVICE, Unused } from './page-shell.tsx';

type CatalogView = {
  readonly language: Language;
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
  const { blocks, all, search, refused, url, toRoot, key, language } = view;
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
              'Each block answers at one address: as a page here, as JSON, CSV and more to programs, in any language.',
            )}
          </p>
        </header>
        <Unused names={view.unused} of="The list of blocks" language={language} />
        <Search view={view} />
        <BlockList {...{ blocks, toRoot, language }} keyed={keptBy(key, language)} />
        <p class="printed">
          {url}
          {search === '' ? '' : `?q=${encodeURIComponent(search)}`}
        </p>
      </main>
    ),
  });
}

function foundIn({ blocks, all, refused, language: { say } }: CatalogView): string {
  if (refused !== undefined) return say('not looked for');
  const count = blocks.length;
  return count === 0
    ? say('none of {all} blocks', { all })
    : say('{count} of {all} blocks', { count, all });
}

function Search({ view }: { view: CatalogView }) {
  const { search, refused, key, language } = view;
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
              aria-describedby={search === '' ? undefined : 'found'}
            />
            {key === undefined ? '' : <input type="hidden" name="api_key" value={key} />}
            {language.name === 'en' ? (
              ''
            ) : (
              <input type="hidden" name="_lang" value={language.name} />
            )}
            <button type="submit">{say('Find')}</button>
          </div>
        </form>
      </search>
      {search === '' ? (
        ''
      ) : (
        <p id="found" class={refused === undefined ? undefined : 'error'}>
          {refused ?? sentenceOf(view)}{' '}
          <a href={keptBy(key, language) || '?'}>{say('Show all blocks')}</a>
        </p>
      )}
    </>
  );
}

/** What the search found; each word has to begin a word of a block's title, texts or columns. */
function sentenceOf({ blocks, all, search: words, language: { say } }: CatalogView): string {
  const count = blocks.length;
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

type BlockListProps = {
  readonly blocks: readonly ListedBlock[];
  readonly toRoot: string;
  /** The query to append to every link: the key, if any. */
  readonly keyed: string;
  readonly language: Language;
};

/** Longer lists have no pictures, or no descriptions either, so that a page stays below 30 KB. */
const MOST_PICTURED = 60;
const MOST_PICTURE_LENGTH = 60_000;
const MOST_DESCRIBED = 200;

/** Blocks, each a link to its page, with what is known of its data. */
function BlockList({ blocks, toRoot, keyed, language }: BlockListProps) {
  const length = blocks.reduce((sum, { picture }) => sum + (picture?.path.length ?? 0), 0);
  const arePictured = blocks.length <= MOST_PICTURED && length <= MOST_PICTURE_LENGTH;
  const areDescribed = blocks.length <= MOST_DESCRIBED;
  return (
    <ul class="blocks">
      {blocks.map(({ summary: { name, title, description, url }, ...data }) => (
        <li>
          {arePictured ? <BlockPicture block={data} /> : ''}
          <h2>
            <a href={`${toRoot}${url.slice(1)}${keyed}`} dir="auto">
              {title}
            </a>
          </h2>
          <p class="quiet">{factsOf(data, language)}</p>
          {areDescribed ? <p dir="auto">{description}</p> : ''}
          <p class="quiet">
            <code>{name}</code>
          </p>
        </li>
      ))}
    </ul>
  );
}

function factsOf(
  { rows, noun = ROWS_NOUN, date, period }: Omit<ListedBlock, 'summary'>,
  language: Language,
): string {
  const { say } = language;
  if (rows === undefined) return say('Computes its answer');
  const size = say('{count} {noun}', { count: rows, ...inLanguage({ noun }, language) });
  const facts = [
    size,
    ...(period === undefined ? [] : [periodText(period, language)]),
    ...(date === undefined ? [] : [say('as of {date}', { date })]),
  ];
  return facts.join(', ');
}

/** The query that carries the key, for a service with access by key. */
export function keyed(key: string | undefined): string {
  return key === undefined ? '' : `?api_key=${encodeURIComponent(key)}`;
}

/** The query of links to blocks: the key, and the language if it is not English. */
function keptBy(key: string | undefined, { name }: Language): string {
  const lang = name === 'en' ? '' : `_lang=${name}`;
  if (lang === '') return keyed(key);
  return key === undefined ? `?${lang}` : `${keyed(key)}&${lang}`;
}

/** A block's picture, which only decorates: what it shows is on the block's page. */
function BlockPicture({ block }: { block: Pick<ListedBlock, 'picture' | 'isColor'> }) {
  const { picture, isColor } = block;
  if (picture === undefined) return isColor ? <Colors /> : null;
  const { kind, width, height, path } = picture;
  return (
    <svg
      class={`picture ${kind}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={kind === 'bars' ? 'none' : undefined}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

function Colors() {
  return (
    <svg class="picture bars" viewBox="0 0 12 3" preserveAspectRatio="none" aria-hidden="true">
      {[75, 55, 35].flatMap((lightness, y) =>
        Array.from({ length: 12 }, (_, x) => (
          <rect x={x} y={y} width="1" height="1" fill={`hsl(${x * 30} 60% ${lightness}%)`} />
        )),
      )}
    </svg>
  );
}

type UnknownBlockView = {
  readonly language: Language;
  readonly blocks: readonly ListedBlock[];
  readonly title: ProblemTitle;
  readonly detail: string;
  /** The block's name or id that was probably meant. */
  readonly suggestion?: string;
  readonly toRoot: string;
  readonly key?: string | undefined;
};

/** The page at an address that no block has: the block probably meant, and all blocks. */
export function renderUnknownBlockPage(view: UnknownBlockView): Promise<string> {
  const { blocks, detail, suggestion, toRoot, key, language } = view;
  const title = language.say(view.title);
  const meant = blocks
    .map(({ summary }) => summary)
    .find(({ name, id }) => name === suggestion || id === suggestion);
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
          <p>
            {detail}{' '}
            {meant !== undefined && (
              <a class="button" href={`${toRoot}${meant.url.slice(1)}${keyed(key)}`}>
                {meant.title}
              </a>
            )}
          </p>
        </header>
        <BlockList {...{ blocks, toRoot, language }} keyed={keptBy(key, language)} />
      </main>
    ),
  });
}
