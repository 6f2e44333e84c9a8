import { readFileSync } from 'node:fs';
import type { Described } from '../src/block/describe-block.ts';
import { channelHandler } from '../src/lambda/channel-handler.ts';
import { mcpRoutes } from '../src/mcp/mcp-routes.ts';

// The build puts the blocks beside the code.
const blocks: Described[] = JSON.parse(
  readFileSync(new URL('./blocks.json', import.meta.url), 'utf8'),
);

/** The blocks as tools of LLMs, as a Lambda function. */
export const handler = channelHandler(
  {
    blocks: blocks.map(({ block }) => block),
    routes: (call) => mcpRoutes({ blocks, call }),
  },
  process.env,
);
