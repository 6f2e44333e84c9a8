import type { Server } from 'node:http';
import { BLOCKS_PATH } from '../block/addresses.ts';
import { type AllBlocks, CHANNELS } from '../channels/channels.ts';
import { openapiFile, openapiOfBlock } from '../channels/openapi/openapi-document.ts';
import type { ReadSecrets } from '../channels/slack/slash-command.ts';
import { type ServiceSettings, textOf } from '../http/answer.ts';
import { blockRoutes } from '../http/block-routes.ts';
import { callBlockBy } from '../http/call-block.ts';
import { type CatalogFiles, catalogRoutes } from '../http/catalog-routes.ts';
import { ROW_ADDRESSES } from '../http/request.ts';
import type { Routes } from '../http/routes.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { type Service, serviceOf } from '../http/service.ts';
import { textsOf } from '../portals/block-index.ts';
import { listBlock } from '../portals/listed-block.ts';
import { recordOf } from '../portals/record.ts';
import { CONNECTION_BOUNDS } from './connections.ts';
import { type ServerSettings, serverOf } from './node-http.ts';

export type LocalSettings = ServiceSettings &
  ServerSettings & {
    /** The signing secret of the Slack app. */
    readonly slackSecrets?: ReadSecrets;
  };

/** All functions as one service. Channels without data call a block by a POST to this service. */
export function localService(
  blocks: readonly ServedBlock[],
  settings: LocalSettings,
  files: CatalogFiles = {},
): Service {
  const call = callBlockBy(async (block, text) => {
    const bytes = Buffer.from(text);
    const { status, body } = await service({
      method: 'POST',
      origin: 'http://localhost',
      path: `${BLOCKS_PATH}/${block}`,
      query: '',
      headers: {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        prefer: ROW_ADDRESSES,
      },
      body: async () => bytes,
    });
    return { status, body: await textOf(body) };
  });
  const { slackSecrets } = settings;
  const service = serviceOf(localRoutes({ blocks, call, slackSecrets }, files), settings);
  return service;
}

/** A server of these blocks. */
export function localServer(
  blocks: readonly ServedBlock[],
  settings: LocalSettings,
  files?: CatalogFiles,
): Server {
  return serverOf(localService(blocks, settings, files), CONNECTION_BOUNDS, settings).server;
}

/** A deployed block's function has the document in a file. */
function withDocument(served: ServedBlock): ServedBlock {
  return { openapi: openapiOfBlock(served), ...served };
}

/**
 * The addresses of all Lambda functions in one table, the same as in each function. `files` are
 * those that browsers and programs load beside the blocks.
 */
function localRoutes(all: AllBlocks, files: CatalogFiles): Routes {
  const { blocks } = all;
  const catalog = catalogRoutes({
    blocks: blocks.map(({ block, manifest, profile }) => listBlock(block, manifest, profile?.())),
    files: { ...files, ...openapiFile(blocks) },
    records: () =>
      blocks.map(({ block, manifest, filesNow }) => recordOf(block, manifest, filesNow?.())),
    texts: () =>
      blocks.map(({ block, manifest, profile }) => textsOf({ block, manifest, ...profile?.() })),
  });
  const channels = CHANNELS.map(({ routes }) => routes(all));
  const tables = [catalog, ...channels, ...blocks.map(withDocument).map(blockRoutes)];
  return {
    at: new Map(tables.flatMap(({ at }) => [...at])),
    below: new Map(tables.flatMap(({ below = [] }) => [...below])),
    elsewhere: catalog.elsewhere,
  };
}
