import { OF_CHARTS } from '../arguments/check-examples.ts';
import type { Arguments } from '../arguments/given.ts';
import type { Block } from '../block/block.ts';
import { Q } from '../block/parameter.ts';
import { inLanguage, type Language } from '../languages/language.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { languageName } from '../languages/names.ts';
import { About } from '../page/about.tsx';
import { BlockHead } from '../page/block-head.tsx';
import { AskForm, FilterForm, PhoneBar } from '../page/filter-form.tsx';
import type { Links } from '../page/links.ts';
import {
  changed,
  hrefOf,
  keptOf,
  type PageState,
  pageState,
  pairsOf,
  refusalOfLength,
  sentPairs,
  valuesOf,
  withQuestion,
} from '../page/links.ts';
import type { DatasetPage, Found, Page } from '../page/page.ts';
import { readForPage, refuseNumbersOf, withoutNames } from '../page/page-arguments.ts';
import { page as pageShell, Unused } from '../page/page-shell.tsx';
import { ShareMenus } from '../page/share-menus.tsx';
import { datasetScript } from '../portals/dataset-ld.ts';
import type { Fault, ProblemTitle } from '../problem/errors.ts';
import { dateText } from '../values/calendar.ts';
import type { Budget } from '../work/budget.ts';
import { type RefusedRead, refused } from './refused.tsx';
import {
  type Arrival,
  type Door,
  type Read,
  type Reading,
  type SearchHint,
  stateOf,
  type View,
  type ViewKind,
  type ViewQuery,
} from './view.ts';

/** A page's door, with the views that its tabs are of. */
export function doorOf(arrival: Arrival, kinds: readonly ViewKind[]): Door {
  const { block, manifest, unused } = arrival;
  const given = withoutNames(arrival.given, unused);
  const sent = sentPairs(given);
  const tooLong = refusalOfLength(sent);
  const language = languageOf(sent, block);
  const door = {
    ...{ ...arrival, given, language, tooLong, kinds, today: dateText(Date.now()) },
    sent: tooLong === undefined ? sent : [],
  };
  if (block.answers === 'value') return { ...door, block, manifest: undefined };
  if (manifest === undefined) throw new TypeError(`${block.name} has no manifest.`);
  return { ...door, block, manifest };
}

/** The language of a page: the one that is asked for, or else the block's. */
export function languageOf(sent: PageState, { lang }: Pick<Block, 'lang'>): Language {
  return LANGUAGES[languageName(valuesOf(sent, '_lang')[0], lang)];
}

/** Reads the arguments of a page. Throws a Problem with every fault. */
export function readPage(door: Door, budget: Budget): Arguments {
  if (door.tooLong !== undefined) throw door.tooLong;
  refuseNumbersOf(door.language.name, door.sent, door);
  return readForPage(door.readArguments, { ...door.given, canWarn: true }, budget);
}

/** The page of a block, of what is known at its door and of what it asks. */
function pageAt(door: Door, budget: Budget, query?: ViewQuery): Page {
  const { language, profile, today, kept } = door;
  const links = linksAt(door, query);
  const turn = (steps: number) => budget.checkpoint(steps);
  const page = { language, links, today, kept, turn, values: query?.values ?? {} };
  if (door.manifest === undefined) return { ...page, block: door.block };
  const { block, manifest, whole, files } = door;
  return { ...page, block: inLanguage(block, language), manifest, profile, whole, files };
}

function linksAt(door: Door, query?: ViewQuery): Links {
  const { block, address, mayBeFramed } = door;
  const { name, isImplied, added = {} } = query ?? {};
  // A filter of the block's first question can be dropped as one that was sent.
  const hasFilters = Object.keys(added).some((one) => !OF_CHARTS.includes(one));
  const sent = hasFilters ? [...door.sent, ...pairsOf(added)] : door.sent;
  const state = pageState(block, sent);
  const own = new Set(['api_key', ...Object.keys(added)]);
  const asked = hrefOf(state.filter(([one]) => !own.has(one)));
  return {
    ...{ address, mayBeFramed, sent, added: pairsOf(added), view: name },
    state: isImplied && name !== undefined ? changed(state, { _view: name }) : state,
    key: valuesOf(state, 'api_key')[0],
    canonical: `${address.url}${asked}`.replace(/\?$/, ''),
  };
}

/** What a page shows: a view, and what was read for it. */
export type Shown = {
  readonly door: Door;
  readonly page: Page;
  readonly view: Omit<View, 'read'>;
  readonly read: Read;
  /** What was spent on it. */
  readonly budget: Budget;
};

/** Reads what a view shows; where it has nothing to show, another one, with a budget of its own. */
export async function readView(
  query: ViewQuery,
  door: Door,
  warnings: Arguments['warnings'],
  budget: Budget,
  more: () => Budget,
): Promise<Shown> {
  const { view } = query;
  const page = pageAt(door, budget, query);
  const read = await view.read(query, { of: door, page, warnings, budget } as Reading);
  if ('instead' in read) return readView(read.instead, door, warnings, more(), more);
  const { answered = query } = read;
  const isSame = answered === query;
  return { door, view, read, budget, page: isSame ? page : pageAt(door, budget, answered) };
}

/** What a page shows of a problem. */
export function refusedView(
  door: Door,
  problem: {
    readonly title: ProblemTitle;
    readonly detail: string;
    readonly faults: readonly Fault[];
  },
  runId: string,
  budget: Budget,
): Shown {
  const read: RefusedRead = { ...problem, runId };
  return { door, view: refused, read, budget, page: pageAt(door, budget) };
}

/**
 * A block's page as HTML. The answer is before the form, so that a phone shows it first. The script
 * replaces the parts that have an id.
 */
export function renderBlockPage({ door, page, view, read }: Shown): Promise<string> {
  const { block, language, links, values } = page;
  const { say } = language;
  const words = view.words(read, page);
  const shell = {
    ...words,
    language,
    toRoot: links.address.toRoot,
    key: links.key,
    canonical: links.canonical,
  };
  if (values._embed === true) {
    const children = <Embedded door={door} page={page} view={view} read={read} />;
    return pageShell({ ...shell, children, isEmbedded: true });
  }
  const taken = view.files?.(read, page);
  const isDataset = block.answers === 'rows';
  return pageShell({
    ...shell,
    skipTo: {
      answer: say(view.skip),
      filters: view.filters && isDataset ? say('To filters') : undefined,
      form: view.filters && !isDataset ? say('To form') : undefined,
    },
    jsonLd: jsonLdOf(door),
    children: (
      <main>
        <header class="head">
          <div id="acts">
            {taken && page.manifest !== undefined && (
              <ShareMenus page={page} words={words} taken={taken} />
            )}
          </div>
          <BlockHead page={page} />
        </header>
        {page.manifest !== undefined && (
          <>
            <div id="views">
              <ViewTabs door={door} page={page} found={read} />
            </div>
            <div id="strip">{view.strip?.(read, page)}</div>
          </>
        )}
        {/* Present from the start: screen readers ignore text in a status added later. */}
        <p id="said" class="unseen" role="status"></p>
        <div class={view.filters === 'beside' ? 'columns' : 'whole'}>
          <div id="answer">
            <Unused names={door.unused} of="This block" language={language} />
            <Hints page={page} hints={read.hints} />
            <Empty page={page} />
            {view.show(read, page)}
            <p class="printed">{links.canonical}</p>
          </div>
          {view.filters && <Form page={page} found={read} filters={view.filters} />}
        </div>
        {view.listsExamples || page.manifest?.rows === 0 ? '' : <Examples page={page} />}
        <About page={page} />
        {view.filters && page.manifest !== undefined ? <PhoneBar page={page} found={read} /> : ''}
      </main>
    ),
  });
}

/** What search engines are told of a dataset. */
function jsonLdOf(door: Door): string | undefined {
  const { site, files } = door;
  if (site === undefined || door.manifest === undefined) return undefined;
  return datasetScript(door.block, door.manifest, site.publication, site.root, files);
}

/** The views of a block's page, as links to this state in each. */
function ViewTabs({ door, page, found }: { door: Door; page: DatasetPage; found: Found }) {
  const { language, links } = page;
  const isOffered = (kind: ViewKind) =>
    door.manifest !== undefined && kind.offered?.(door) !== false;
  const kinds = door.kinds.filter((kind) => kind.name === links.view || isOffered(kind));
  return (
    <nav class="tabs" aria-label={language.say('Views of these data')}>
      {kinds.map((kind) => (
        <a
          href={hrefOf(stateOf(kind, links))}
          aria-current={kind.name === links.view ? 'page' : undefined}
        >
          {language.say(kind.title)}
          {kind.badge && <Badge of={kind.badge} page={page} found={found} />}
        </a>
      ))}
    </nav>
  );
}

type BadgeProps = {
  readonly of: NonNullable<ViewKind['badge']>;
  readonly page: DatasetPage;
  readonly found: Found;
};

/** How many figures, rows or columns there are, beside the name of their view. */
function Badge({ of, page: { block, language }, found }: BadgeProps) {
  const counts = {
    figures: block.figures?.length,
    rows: found.matching,
    columns: block.fields.length,
  };
  const count = counts[of];
  if (count === undefined) return null;
  return (
    <small>
      {' '}
      {language.number(count)}
      {of === 'rows' && <span class="vh"> {block.noun}</span>}
    </small>
  );
}

/** What a view shows alone, for a frame in another page: with its title, and where it is from. */
function Embedded({ door, page, view, read }: Omit<Shown, 'budget'>) {
  const { block, manifest, language, links } = page;
  const { say } = language;
  const asked = withQuestion(links).filter(([name]) => name !== '_view');
  const whole = hrefOf([...asked, ['_view', links.view ?? 'table']]);
  const source = manifest?.source.publisher ?? manifest?.source.title ?? block.title;
  return (
    <main>
      <div class="framed-part">
        <Unused names={door.unused} of="This block" language={language} />
        {view.embed?.(read, page) ?? <p>{say('There is nothing to show here.')}</p>}
      </div>
      <p class="plate">
        <span>{source}</span>
        <a href={whole}>{say('{title}, all of it', { title: block.title })}</a>
      </p>
    </main>
  );
}

/** What a search may have meant, as filters that find more. */
function Hints({ page, hints = [] }: { page: Page; hints?: readonly SearchHint[] }) {
  const { say, number } = page.language;
  if (hints.length === 0) return null;
  return (
    <p class="hint">
      {hints.map(({ field, value, word, others, rows }, i) => (
        <>
          {word === hints[i - 1]?.word ? '' : `${say('“{word}” is close to', { word })} `}
          <a
            class="plain"
            href={hrefOf(
              changed(page.links.state, {
                [Q]: others === '' ? null : others,
                [field.name]: value,
                _cursor: null,
              }),
            )}
          >
            <bdi>
              {say('{field} is {value}', {
                field: field.title,
                value: value.replaceAll('\\*', '*'),
              })}
              {others === '' ? '' : ` ${say('and “{words}”', { words: others })}`}: {number(rows)}
            </bdi>
          </a>{' '}
        </>
      ))}
    </p>
  );
}

/** Says that a table has no rows at all: no filter is to blame. */
function Empty({ page: { manifest, language } }: { page: Page }) {
  if (manifest?.rows !== 0) return null;
  return <p class="hint">{language.say('This table is empty: its file has no rows.')}</p>;
}

function Examples({ page: { block, links, language } }: { page: Page }) {
  const { state } = links;
  const key = keptOf(state);
  return (
    <nav class="about" aria-label={language.say('Examples')}>
      <ul class="examples">
        {block.examples.map(({ title, arguments: given }) => (
          <li>
            <a href={hrefOf(changed(key, textsOf(given)))}>{title}</a>
          </li>
        ))}
        {block.answers === 'rows' && state.length !== key.length && (
          <li>
            <a href={hrefOf(key)}>{language.say('All {noun}', { noun: block.noun })}</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, [value].flat().map(String)]),
  );
}

type FormProps = { page: Page; found: Found; filters: 'beside' | 'sheet' };

function Form({ page, found, filters }: FormProps) {
  if (page.manifest !== undefined) {
    return <FilterForm page={page} found={found} isSheet={filters === 'sheet'} />;
  }
  const { say } = page.language;
  return (
    <>
      <nav class="to-form" aria-label={say('On this page')}>
        <a href="#form">{say('Ask')}</a>
      </nav>
      <AskForm page={page} found={found} />
    </>
  );
}
