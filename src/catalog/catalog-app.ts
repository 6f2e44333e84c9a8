import type { Hono } from 'hono/quick';
import type { BlockSummary } from '../core/describe-block.ts';
import { Refusal } from '../core/errors.ts';
import { nearName } from '../core/near-name.ts';
import { answerCached } from '../http/answer-cached.ts';
import { PAGE_HEADERS } from '../http/answer-page.ts';
import { answerFile } from '../http/answer-text.ts';
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
} from '../http/run-app.ts';

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
      acceptedFormat(c.req.header('accept') ?? null, ['json', 'html']) === 'html'
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
    throw unknownBlock(c.req.param('block'), blocks);
  });
  return app;
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

function unknownBlock(address: string, blocks: readonly BlockSummary[]): Refusal {
  const allowed = [...new Set(blocks.flatMap(({ id, name }) => [name, id]))];
  const suggestion = nearName(address, allowed);
  const fix =
    suggestion === undefined
      ? `The blocks are ${blocks.map(({ name }) => name).join(', ')}.`
      : `Did you mean ${suggestion}?`;
  const shown = address.length <= 100 ? address : `${address.slice(0, 100)}…`;
  const detail = `There is no block ${JSON.stringify(shown.toWellFormed())}. ${fix}`;
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
