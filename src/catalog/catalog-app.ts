import type { Hono } from 'hono/quick';
import type { BlockSummary } from '../core/describe-block.ts';
import { PROBLEMS, Refusal } from '../core/errors.ts';
import { nearName } from '../core/near-name.ts';
import { shorten } from '../core/shorten.ts';
import { answerCached } from '../http/answer-cached.ts';
import { PAGE_HEADERS } from '../http/answer-page.ts';
import { answerFile, answerText } from '../http/answer-text.ts';
import { loadPages } from '../http/load-pages.ts';
import { pageAddress } from '../http/page-address.ts';
import { acceptedFormat } from '../http/read-format.ts';
import {
  type AppSettings,
  BLOCKS_PATH,
  type RunContext,
  type RunEnv,
  refuseMethod,
  runApp,
  wantsFlat,
} from '../http/run-app.ts';
import { outcomeOfRefusal } from '../http/run-record.ts';

/** A file that is the same for everybody, by its path below the service's root. */
export type CatalogFiles = Readonly<
  Record<string, { readonly type: string; readonly text: string }>
>;

export type Catalog = {
  readonly blocks: readonly BlockSummary[];
  /** What browsers and programs load beside the blocks. */
  readonly files: CatalogFiles;
};

/** Everything that is about all blocks: the list, its files, and the refusals where there is no block. */
export function catalogApp({ blocks, files }: Catalog, settings: AppSettings): Hono<RunEnv> {
  const app = runApp(settings, null);
  const list = JSON.stringify({ blocks });
  const methods = ['GET', 'HEAD', 'OPTIONS'];
  for (const path of ['/', BLOCKS_PATH]) {
    app.get(path, (c) =>
      isForPerson(c)
        ? answerCatalogPage(c, blocks, settings)
        : answerCached(c, list, settings.build),
    );
    app.all(path, (c) => refuseMethod(c, methods));
  }
  for (const [path, { type, text }] of Object.entries(files)) {
    app.get(`/${path}`, (c) => answerFile(c, text, { 'Content-Type': type }, settings.build));
    app.all(`/${path}`, (c) => refuseMethod(c, methods));
  }
  app.all(`${BLOCKS_PATH}/:block`, (c) => {
    const refusal = unknownBlock(c.req.param('block'), blocks);
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    const isPage = isRead && !wantsFlat(c) && isForPerson(c);
    if (!isPage) throw refusal;
    return answerUnknownBlock(c, blocks, refusal);
  });
  return app;
}

function isForPerson(c: RunContext): boolean {
  return acceptedFormat(c.req.header('accept') ?? null, ['json', 'html']) === 'html';
}

async function answerCatalogPage(
  c: RunContext,
  blocks: readonly BlockSummary[],
  { build }: AppSettings,
): Promise<Response> {
  const { renderCatalogPage } = await loadPages();
  const key = c.req.query('api_key');
  const { toRoot } = pageAddress(c);
  return answerFile(c, renderCatalogPage({ blocks, toRoot, key }), PAGE_HEADERS, build);
}

async function answerUnknownBlock(
  c: RunContext,
  blocks: readonly BlockSummary[],
  refusal: Refusal,
): Promise<Response> {
  const { renderUnknownBlockPage } = await loadPages();
  const { title, status } = PROBLEMS[refusal.code];
  const suggestion = refusal.faults[0]?.suggestion;
  const text = renderUnknownBlockPage({
    blocks,
    title,
    detail: refusal.detail,
    toRoot: pageAddress(c).toRoot,
    key: c.req.query('api_key'),
    ...(suggestion === undefined ? {} : { suggestion }),
  });
  const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
  return answerText(c, text, status, headers, outcomeOfRefusal(refusal));
}

function unknownBlock(address: string, blocks: readonly BlockSummary[]): Refusal {
  const allowed = [...new Set(blocks.flatMap(({ id, name }) => [name, id]))];
  const suggestion = nearName(address, allowed);
  const fix =
    suggestion === undefined
      ? `The blocks are ${blocks.map(({ name }) => name).join(', ')}.`
      : `Did you mean ${suggestion}?`;
  const detail = `There is no block ${JSON.stringify(shorten(address))}. ${fix}`;
  return new Refusal('unknown-block', detail, {
    faults: [
      {
        code: 'unknown-block',
        detail,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  });
}
