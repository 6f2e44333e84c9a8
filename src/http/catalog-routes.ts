import { faultsOfWords } from '../arguments/check.ts';
import { BLOCKS_PATH, belowRoot, CURRENT, fileReference } from '../block/addresses.ts';
import { markOfFiles } from '../formats/files.ts';
import type { BlockTexts } from '../portals/block-index.ts';
import { BlockFinder, type BlocksFound } from '../portals/find-blocks.ts';
import type { FoundBlock, ListedBlock } from '../portals/listed-block.ts';
import { SERVICE, SERVICE_DESCRIPTION } from '../portals/publication.ts';
import type { PortalRecord } from '../portals/record.ts';
import { ROBOTS, robotsText, SITE_FILES } from '../portals/site-files.ts';
import { invalidArguments, Problem } from '../problem/errors.ts';
import { nearName } from '../text/near-name.ts';
import { percentDecoded, withoutSlashes } from '../text/path.ts';
import { shorten } from '../text/wording.ts';
import { dateText } from '../values/calendar.ts';
import type { Scheduler } from '../work/scheduler.ts';
import { sha256 } from '../work/sha256.ts';
import {
  type Answered,
  addressUnknown,
  CACHED_JSON,
  compressed,
  PAGE_HEADERS,
  type Run,
  rootOf,
} from './answer.ts';
import { answerCached } from './etag.ts';
import {
  answerNotFound,
  isForPerson,
  keyOf,
  loadCatalog,
  refuseAddressOf,
  refusedPage,
} from './not-found.ts';
import { refuseNames, unreadNames } from './read-given.ts';
import { type HttpRequest, pageAddress, wantsFlat } from './request.ts';
import type { Handler, Route, Routes } from './routes.ts';

/** Files that are the same for everyone, by their paths below the service's root. */
export type CatalogFiles = Readonly<
  Record<
    string,
    { readonly type: string; readonly text: string | ((scheduler: Scheduler) => Promise<string>) }
  >
>;

export type Catalog = {
  readonly blocks: readonly ListedBlock[];
  /** The files that browsers and programs load beside the blocks. */
  readonly files: CatalogFiles;
  /** What portals are told of the blocks. */
  readonly records?: readonly PortalRecord[];
  /**
   * The ends of the addresses of blocks' files, by the blocks' addresses, where these lead here:
   * API Gateway brings only what is below a block's address to the block.
   */
  readonly endings?: Readonly<Record<string, readonly string[]>>;
};

type CatalogSettings = Omit<Catalog, 'records'> & {
  /** The same; where they change while the service runs, as they are now. */
  readonly records?: readonly PortalRecord[] | (() => readonly PortalRecord[]);
  /** What each block is found by, read at the first search. */
  readonly texts: () => readonly BlockTexts[];
};

/** The blocks in their order, and what finds them. */
type Listing = { readonly blocks: readonly ListedBlock[]; readonly finder: BlockFinder };

/** The addresses that concern all blocks: the list, files, and refusals of all other addresses. */
export function catalogRoutes(settings: CatalogSettings): Routes {
  const { blocks, files, records = [], endings = {}, texts } = settings;
  const listing = { blocks, finder: new BlockFinder(texts) };
  const listed = read((run) =>
    isForPerson(run.request) ? answerCatalogPage(run, listing) : answerList(run, listing),
  );
  const at = new Map(['/', BLOCKS_PATH].map((path) => [path, listed]));
  for (const [path, file] of Object.entries(files)) {
    const headers = { 'Content-Type': file.type, Vary: 'Accept-Encoding' };
    at.set(
      `/${path}`,
      read(async (run) => {
        const text = typeof file.text === 'string' ? file.text : await file.text(run.scheduler);
        return compressed(run, answerCached(run, text, headers));
      }),
    );
  }
  for (const [path, GET] of siteFiles(records)) at.set(`/${path}`, read(GET));
  for (const [address, ends] of Object.entries(endings)) {
    for (const end of ends) {
      at.set(
        `${BLOCKS_PATH}/${address}.${end}`,
        // Old clients are led nowhere.
        read((run) =>
          wantsFlat(run.request) ? answerElsewhere(run, blocks) : leadToFile(run, address, end),
        ),
      );
    }
  }
  return { at, elsewhere: { block: null, any: (run) => answerElsewhere(run, blocks) } };
}

/** Leads to a file below its block's address, with the key, if the query has one. */
function leadToFile(run: Run, address: string, end: string): Answered {
  const { query } = run.request;
  refuseNames(query, [], 'a file, which has all rows');
  const { toRoot } = pageAddress(run.request);
  const below = `${toRoot}${belowRoot(fileReference(address, end, CURRENT))}`;
  const key = keyOf(run.request);
  const Location = key === undefined ? below : `${below}?api_key=${encodeURIComponent(key)}`;
  return { status: 302, headers: { Location, 'Cache-Control': 'private, no-store' }, body: null };
}

/** A route that only reads. */
function read(GET: Handler): Route {
  return { block: null, allowed: ['GET', 'HEAD', 'OPTIONS'], GET };
}

/** The documents for portals and search engines. */
function siteFiles(all: NonNullable<CatalogSettings['records']>): [string, Handler][] {
  const catalog = { title: SERVICE, description: SERVICE_DESCRIPTION };
  const documents = Object.entries(SITE_FILES).map(([path, file]): [string, Handler] => [
    path,
    (run) => {
      const root = rootOf(run);
      if (root === undefined) throw addressUnknown();
      const { publication = {} } = run.settings;
      const records = typeof all === 'function' ? all() : all;
      const text = file.text({ catalog, records, publication, root });
      const headers = { ...file.headers, 'Content-Type': file.type, Vary: 'Accept-Encoding' };
      return compressed(run, answerCached(run, text, headers, markOfRecords(records)));
    },
  ]);
  const robots: Handler = (run) =>
    answerCached(run, robotsText(run.settings.publication ?? {}, rootOf(run)), {
      'Content-Type': 'text/plain; charset=utf-8',
    });
  return [...documents, [ROBOTS, robots]];
}

/** A mark that differs where a file has another length; blank if none is known. */
function markOfRecords(records: readonly PortalRecord[]): string {
  const marks = records.map(({ files }) => markOfFiles(files)).join('');
  return /\d/.test(marks) ? `-${sha256(marks, 'hex').slice(0, 8)}` : '';
}

async function answerList(run: Run, listing: Listing): Promise<Answered> {
  refuseNames(
    run.request.query,
    LIST_TAKES,
    'the list of blocks, which takes words to find blocks by',
  );
  const { blocks, begun = [] } = await foundBy(run, listing);
  const found = {
    blocks: blocks.map(({ listed }) => listed.summary),
    begun: begun.length === 0 ? undefined : begun,
  };
  return answerCached(run, JSON.stringify(found), CACHED_JSON);
}

const LIST_TAKES = ['q', '_lang'];

/** A page has some of the blocks; the list as JSON has all. */
const PAGE_TAKES = [...LIST_TAKES, 'page'];

/**
 * The blocks that a list's `q` finds, the best first; all without it. Throws a Problem if it has no
 * words, or too many.
 */
async function foundBy(
  { request, scheduler }: Run,
  { blocks, finder }: Listing,
): Promise<{ readonly blocks: readonly FoundBlock[] } & Partial<Omit<BlocksFound, 'found'>>> {
  const text = searchedIn(request);
  if (text === '') return { blocks: allOf(blocks) };
  const faults = faultsOfWords('q', text);
  if (faults.length > 0) throw invalidArguments(faults);
  const { found, ...more } = await finder.find(text, scheduler);
  return {
    blocks: found.map(({ block, hits }) => ({ listed: blocks[block] as ListedBlock, hits })),
    ...more,
  };
}

function allOf(blocks: readonly ListedBlock[]): readonly FoundBlock[] {
  return blocks.map((listed) => ({ listed, hits: [] }));
}

function searchedIn({ query }: HttpRequest): string {
  return new URLSearchParams(query).getAll('q').join(' ').trim();
}

/** The number of the page that is asked for, from 1 on. Throws a Problem if it is none. */
function pageIn({ query }: HttpRequest): number {
  const text = new URLSearchParams(query).getAll('page').at(-1)?.trim() ?? '';
  if (text === '') return 1;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  const detail = `page is ${JSON.stringify(shorten(text))}; expected a whole number from 1 on.`;
  throw invalidArguments([{ code: 'not-an-integer', parameter: 'page', detail }]);
}

async function answerCatalogPage(run: Run, listing: Listing): Promise<Answered> {
  const { request } = run;
  const { renderCatalogPage, BLOCKS_ON_PAGE, languageAsked } = await loadCatalog();
  const view = {
    language: languageAsked(request.query),
    all: listing.blocks.length,
    search: searchedIn(request),
    unused: unreadNames(request.query, PAGE_TAKES),
    ...pageAddress(request),
    key: keyOf(request),
    today: dateText(Date.now()),
  };
  try {
    const { blocks, ...more } = await foundBy(run, listing);
    const found = blocks.length;
    // Behind the last page there is nothing to see.
    const pages = Math.max(1, Math.ceil(found / BLOCKS_ON_PAGE));
    const before = BLOCKS_ON_PAGE * (Math.min(pageIn(request), pages) - 1);
    const shown = blocks.slice(before, before + BLOCKS_ON_PAGE);
    const page = await renderCatalogPage({ ...view, ...more, blocks: shown, before, found });
    return compressed(run, answerCached(run, page, PAGE_HEADERS));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const none = { blocks: [], before: 0, found: 0 };
    const body = await renderCatalogPage({ ...view, ...none, refused: error.detail });
    return refusedPage(run, error, body);
  }
}

/** Refuses an address; a person who asks for an unknown block gets a page of all blocks. */
function answerElsewhere(run: Run, blocks: readonly ListedBlock[]): Promise<Answered> {
  const [, name] = UNKNOWN_BLOCK.exec(withoutSlashes(run.request.path)) ?? [];
  if (name === undefined) return refuseAddressOf(run);
  const problem = unknownBlock(percentDecoded(name), blocks);
  const suggestion = problem.faults[0]?.suggestion;
  return answerNotFound(run, problem, {
    blocks: allOf(blocks),
    meant: blocks
      .map(({ summary }) => summary)
      .find(({ name, id }) => name === suggestion || id === suggestion),
  });
}

const UNKNOWN_BLOCK = new RegExp(`^${BLOCKS_PATH}/([^/]+)$`);

function unknownBlock(address: string, blocks: readonly ListedBlock[]): Problem {
  const allowed = [...new Set(blocks.flatMap(({ summary: { id, name } }) => [name, id]))];
  const suggestion = nearName(address, allowed);
  const fix =
    suggestion === undefined
      ? `The blocks are ${blocks.map(({ summary }) => summary.name).join(', ')}.`
      : `Did you mean ${suggestion}?`;
  const detail = `There is no block ${JSON.stringify(shorten(address))}. ${fix}`;
  return new Problem('unknown-block', detail, { fault: { allowed, suggestion } });
}
