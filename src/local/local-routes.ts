import { openapiFile } from '../channels/openapi/openapi-document.ts';
import type { ReadSecrets } from '../channels/slack/signature.ts';
import { slackRoutes } from '../channels/slack/slack-routes.ts';
import { blockRoutes } from '../http/block-routes.ts';
import type { CallBlock } from '../http/call-block.ts';
import { type CatalogFiles, catalogRoutes } from '../http/catalog-routes.ts';
import { handlerOf, MCP_PATH, type Route, type Routes, routeAt } from '../http/routes.ts';
import { once, type ServedBlock } from '../http/served-block.ts';
import { listBlock } from '../page/listed-block.ts';

export type LocalChannels = {
  readonly blocks: readonly ServedBlock[];
  /** Calls one of the blocks, for channels without data of their own. */
  readonly call: CallBlock;
  /** The files that browsers and programs load beside the blocks. */
  readonly files: CatalogFiles;
  /** The signing secret of the Slack app. */
  readonly slackSecrets: ReadSecrets | undefined;
};

/** The addresses of all Lambda functions in one table, the same as in each function. */
export function localRoutes({ blocks, call, files, slackSecrets }: LocalChannels): Routes {
  const catalog = catalogRoutes({
    blocks: blocks.map(({ block, manifest, profile }) => listBlock(block, manifest, profile?.())),
    files: { ...files, ...openapiFile(blocks) },
  });
  const descriptions = once(() => blocks.map(({ description }) => JSON.parse(description())));
  const slack = slackRoutes({
    get blocks() {
      return descriptions();
    },
    call,
    ...(slackSecrets === undefined ? {} : { secrets: slackSecrets }),
  });
  const tables = [catalog, slack, ...blocks.map(blockRoutes)];
  return {
    at: new Map([...tables.flatMap(({ at }) => [...at]), [MCP_PATH, mcpRoute(blocks, call)]]),
    rows: new Map(tables.flatMap(({ rows = [] }) => [...rows])),
    elsewhere: catalog.elsewhere,
  };
}

/** Loads the MCP code at the first request for it: it is large, and most services get none. */
function mcpRoute(blocks: readonly ServedBlock[], call: CallBlock): Route {
  const load = once(async () => {
    const { mcpRoutes } = await import('../channels/mcp/mcp-routes.ts');
    return routeAt(mcpRoutes({ blocks, call }), MCP_PATH);
  });
  return { block: null, any: async (run) => handlerOf(await load(), run.request.method)(run) };
}
