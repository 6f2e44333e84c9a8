import { readFileSync } from 'node:fs';
import { describedIn } from '../src/block/describe-block.ts';
import { mcpRoutes } from '../src/channels/mcp/mcp-routes.ts';
import { channelHandler } from '../src/lambda/channel-handler.ts';

// The build puts the blocks beside the code.
const blocks = describedIn(readFileSync(new URL('./blocks.json', import.meta.url), 'utf8'));

/** A Lambda function that offers the blocks as tools for LLMs. */
export const handler = channelHandler(
  {
    blocks: blocks.map(({ block }) => block),
    routes: (call) => mcpRoutes({ blocks, call }),
  },
  process.env,
);
