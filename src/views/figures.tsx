import type { Members } from '../arguments/given.ts';
import { askedBy, type BlockFigure } from '../block/block-figure.ts';
import { isHaving } from '../block/grouping.ts';
import { Q } from '../block/parameter.ts';
import type { Figure } from '../figure/figure.ts';
import { ofData, wordsOfBlock } from '../page/block-head.tsx';
import { FiltersLink } from '../page/filter-form.tsx';
import { countedBeside } from '../page/filter-order.ts';
import { inWords, Reasons, Where } from '../page/filter-words.tsx';
import {
  changed,
  hrefOf,
  keptOf,
  type PageState,
  QUESTION_NAMES,
  TABLE_NAMES,
  withoutQuestion,
} from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { trusted, Warnings } from '../page/page-shell.tsx';
import { isInvalid, isTooMuch, type Warning } from '../problem/errors.ts';
import { outOfAll } from '../query/answer-in-words.ts';
import { describeFilters } from '../query/filters-in-words.ts';
import type { FilterHelp } from '../query/why-empty.ts';
import type { Budget } from '../work/budget.ts';
import { LINKS_LEFT_OUT, readLinked } from './figure-on-page.ts';
import { searchHints } from './search-hints.ts';
import type { Given, OfDataset, Read, Reading, ViewKind, ViewQuery } from './view.ts';

/** Chooses the view of a page, and what it asks. */
type Open = (of: OfDataset, given: Given, budget: Budget) => ViewQuery;

/** The publisher's figures, as far as they can be drawn of the rows that match. */
type FiguresRead = Read & {
  readonly matching: number;
  readonly warnings: readonly Warning[];
  readonly figures: readonly FigureOfStory[];
  readonly help?: readonly FilterHelp[];
};

type FigureOfStory = Pick<BlockFigure, 'text'> & {
  readonly warnings?: readonly Warning[];
  readonly title: string;
  /** Set if the publisher wrote the title. */
  readonly isPublished: boolean;
  /** The page of this figure alone. */
  readonly href: string;
  readonly drawn:
    | {
        readonly figure: Figure;
        readonly picture: string;
        readonly caption: string;
        /** What the question filters by, besides the page. */
        readonly where: readonly string[];
      }
    | 'nothing'
    | 'too much';
};

/** Several figures that the publisher chose, on one page: what the data say. */
export function figuresView(open: Open): ViewKind<FiguresRead> {
  const figures: ViewKind<FiguresRead> = {
    name: 'figures',
    title: 'Figures',
    skip: 'To the figures',
    filters: 'sheet',
    badge: ({ block, language }) => <small> {language.number(block.figures?.length ?? 0)}</small>,
    offered: ({ block }) => block.figures !== undefined,
    isFirst: ({ block }) => block.figures !== undefined,
    ask: (_, { values }) => ({ view: figures, name: 'figures', values, added: {} }),
    read: (query, reading) => readFigures(query, reading, open),
    words: (_, page) => wordsOfBlock(page),
    strip: (found, page: DatasetPage) => <FiguresStrip page={page} found={found} />,
    show: (found, page: DatasetPage) => <Figures page={page} found={found} />,
    embed: (found, page: DatasetPage) => <Figures page={page} found={found} />,
    files: ({ matching, figures: all }, page: DatasetPage) => ({
      files: { state: withoutQuestion(page.links.state), total: matching, isOfGroups: false },
      frame: { view: 'figures', height: HEIGHT * all.length },
    }),
    state: ({ state }) =>
      changed(withoutQuestion(state), {
        ...{ _view: 'figures', _cursor: null, _sort: null, _fields: null, _limit: null },
      }),
    /** The first of them. */
    async figure({ values }, drawing) {
      const [first] = drawing.of.block.figures ?? [];
      if (first === undefined) return undefined;
      const { budget, of } = drawing;
      const asked = readAsk(of, askedBy(first), budget);
      const query = open(of, { ...asked, values: merged(asked.values, filtersOf(values)) }, budget);
      if (query.view === figures) return undefined;
      const drawn = await query.view.figure?.(query, drawing);
      return drawn && { ...drawn, values: query.values };
    },
  };
  return figures;
}

/** Pixels of a frame for one figure with its words. */
const HEIGHT = 520;

/** What the page's own arguments ask of each figure: its filters. */
function filtersOf(values: Members): Members {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isOfPage(name)));
}

/** Arguments that ask for a page, and filter nothing. */
const OF_PAGE: readonly string[] = [
  ...['_view', '_lang', '_embed', '_format', '_facets', '_raw', '_explain', 'api_key'],
  ...QUESTION_NAMES,
  ...TABLE_NAMES,
];

function isOfPage(name: string): boolean {
  return OF_PAGE.includes(name) || isHaving(name);
}

/** Filters of the page take the place of the question's own of the same name. */
function merged(asked: Members, filters: Members): Members {
  return { ...asked, ...filters };
}

function readAsk(of: OfDataset, query: Record<string, string | string[]>, budget: Budget): Given {
  return of.readArguments({ query, body: {}, isPost: false, isWebhook: false }, budget);
}

async function readFigures(
  { values }: ViewQuery,
  reading: Reading,
  open: Open,
): Promise<FiguresRead> {
  const { of, budget } = reading;
  const { block, manifest, profile } = of;
  const filters = filtersOf(values);
  const counted = countedBeside(block, manifest, profile, filters);
  const all = await of.plan({ ...filters, _limit: 1 }, budget, undefined, counted).run(budget);
  if (all.kind === 'value') throw new TypeError('Figures are of rows.');
  const figures: FigureOfStory[] = [];
  for (const [i, chosen] of (block.figures ?? []).entries()) {
    figures.push(await readOne(chosen, `caption-${i + 1}`, filters, reading, open));
  }
  return {
    output: all,
    matching: all.total,
    total: all.total,
    help: all.help,
    hints: filters[Q] === undefined ? [] : await searchHints(of, filters, all.total, budget),
    figures,
    facets: all.facets,
    bins: all.bins,
    warnings: [
      ...reading.warnings,
      ...all.warnings,
      ...figures.flatMap(({ warnings = [] }) => warnings),
    ],
  };
}

/** Work for one of several figures, in steps. */
const STEPS_OF_FIGURE = 10_000_000;

/** Reads one figure, as the page of its own address would. */
async function readOne(
  chosen: BlockFigure,
  captionId: string,
  filters: Members,
  reading: Reading,
  open: Open,
): Promise<FigureOfStory> {
  const { of, page } = reading;
  const budget = reading.budget.part(STEPS_OF_FIGURE);
  const asked = askedBy(chosen);
  const state = stateOf(asked, page);
  // A publisher speaks of all rows.
  const isPublished = Object.keys(filters).length === 0;
  const { title, text } = chosen;
  const said = { title, text: isPublished ? text : undefined, isPublished, href: hrefOf(state) };
  try {
    const query = open(of, readAsk(of, queryOf(state), budget), budget);
    const links = { ...page.links, state: changed(state, { _view: query.name }), added: [] };
    const asPage = { ...page, values: query.values, links: { ...links, view: query.name } };
    const drawn = await readLinked(query, { of, page: asPage, budget }, { captionId });
    if (drawn === undefined) return { ...said, drawn: 'nothing' };
    const { figure, picture, caption, output, isWhole } = drawn;
    const own = Object.entries(readAsk(of, asked, budget).values);
    const kept = own.filter(([name]) => filters[name] === undefined);
    const where = describeFilters(of.block, Object.fromEntries(kept), page.language);
    return {
      ...said,
      title: isPublished ? title : figure.title,
      drawn: { figure, picture, caption, where: where.map(({ text }) => text) },
      warnings: [...output.warnings, ...(isWhole ? [] : [LINKS_LEFT_OUT])],
    };
  } catch (error) {
    if (isTooMuch(error)) return { ...said, drawn: 'too much' };
    // What the figure asks and what the page filters by exclude each other: its own page says how.
    if (isInvalid(error)) return { ...said, drawn: 'nothing' };
    throw error;
  }
}

/** The pairs of an address as a query has them. */
function queryOf(state: PageState): Record<string, string | string[]> {
  return askedBy({ ask: new URLSearchParams(state.map(([name, one]) => [name, one])).toString() });
}

/** The address of a figure's own page, which has the filters of this one. */
function stateOf(asked: Record<string, string | string[]>, { links }: DatasetPage): PageState {
  const filters = links.state.filter(([name]) => !isOfPage(name));
  const taken = new Set(filters.map(([name]) => rootOf(name)));
  const own = Object.entries(asked)
    .filter(([name]) => !taken.has(rootOf(name)))
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return [...own, ...filters, ...keptOf(links.state)];
}

/** `_not` of `_not.kind`: what is merged as a whole. */
function rootOf(name: string): string {
  return name.startsWith('_') ? (name.split('.')[0] as string) : name;
}

type FiguresProps = { readonly page: DatasetPage; readonly found: FiguresRead };

/** How many figures there are, and of which rows; with a filter, first what it leaves, as a table says it. */
function FiguresStrip({ page, found }: FiguresProps) {
  const { block, manifest, language } = page;
  const { say } = language;
  const { noun } = block;
  const { rows } = manifest;
  const filters = describeFilters(block, page.values, language);
  const count = found.figures.length;
  const headline = outOfAll(found.matching, noun, rows, language);
  const texts = filters.map(({ text }) => text).join(` ${say('and')} `);
  return (
    <div class="strip state">
      {filters.length === 0 ? (
        <h2 id="found" tabindex={-1}>
          {say('{count} figures', { count })}
        </h2>
      ) : (
        <h2 id="found" tabindex={-1} aria-label={`${headline} ${say('where')} ${texts}`}>
          <b>{headline}</b>
          <Where filters={filters} page={page} />
        </h2>
      )}
      <span>
        {filters.length === 0
          ? say('of all {count} {noun}, chosen by the publisher', { count: rows, noun })
          : say('in {count} figures', { count })}
      </span>
      <FiltersLink page={page} />
    </div>
  );
}

function Figures({ page, found }: FiguresProps) {
  return (
    <>
      {found.help !== undefined && (
        <Reasons
          reasons={inWords(page, { rows: [], total: 0, next: null, help: found.help }).reasons}
          page={page}
        />
      )}
      <Warnings warnings={found.warnings} />
      <div class="story">
        {found.figures.map((figure, i) => (
          <OneFigure page={page} figure={figure} id={i + 1} />
        ))}
      </div>
    </>
  );
}

/** Whose outlines a map has. */
function creditOf({ picture }: Figure): string {
  const credit = picture?.layout === 'map' ? picture.credit : undefined;
  return credit === undefined ? '' : ` · ${credit}`;
}

/** A figure with what it says, and the way to ask further. */
function OneFigure(props: {
  readonly page: DatasetPage;
  readonly figure: FigureOfStory;
  readonly id: number;
}) {
  const { page, figure, id } = props;
  const { title, text, href, drawn, isPublished } = figure;
  const { say } = page.language;
  const said = isPublished ? ofData(page) : ({ dir: 'auto' } as const);
  return (
    <figure aria-labelledby={`title-${id}`}>
      <h2 class="block" id={`title-${id}`} {...said}>
        <a href={href}>{title}</a>
      </h2>
      {text !== undefined && <p {...said}>{text}</p>}
      {drawn === 'nothing' ? (
        <p class="quiet">{say('No figure can show this of these rows.')}</p>
      ) : drawn === 'too much' ? (
        <p class="quiet">
          {say('This takes more work than is left for this page. It has a page of its own.')}
        </p>
      ) : (
        <>
          {drawn.figure.refused !== undefined && <p class="hint">{drawn.figure.refused}</p>}
          {trusted(drawn.picture)}
          <figcaption>
            <p id={`caption-${id}`}>{trusted(drawn.caption)}</p>
            <div class="plate">
              <span>
                {page.manifest.source.publisher ?? page.manifest.source.title} ·{' '}
                {drawn.figure.plate.rows}
                {creditOf(drawn.figure)}
                {drawn.where.length === 0
                  ? ''
                  : ` ${say('where')} ${drawn.where.join(` ${say('and')} `)}`}
              </span>
              <nav aria-labelledby={`title-${id}`}>
                <a href={href}>{say('Ask further')}</a>{' '}
                <a href={`${href}#acts`}>{say('Share #menu')}</a>
              </nav>
            </div>
          </figcaption>
        </>
      )}
    </figure>
  );
}
