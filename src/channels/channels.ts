import { type Described, describeBlock } from '../block/describe-block.ts';
import type { CallBlock } from '../http/call-block.ts';
import {
  type Handler,
  handlerOf,
  MCP_PATH,
  type Routes,
  refuseAddress,
  routeAt,
} from '../http/routes.ts';
import type { ServedBlock } from '../http/served-block.ts';
import { once } from '../work/once.ts';
import { SLACK_PATH, slackRoutes } from './slack/slack-routes.ts';
import type { ReadSecrets } from './slack/slash-command.ts';

/**
 * A channel to all blocks. It has one address, on one machine and deployed, and no data: it calls
 * the blocks. Deployed, it is a function of its own, whose code begins in `lambda/<name>.ts`.
 */
export type Channel = {
  /** The name of its folder. */
  readonly name: string;
  readonly path: string;
  /** What its function is, for whoever reads a list of functions. */
  readonly description: string;
  /** What it must know of a block; its function reads this of all blocks from a file. */
  readonly knownOf: (described: Described) => object;
  /** What is at its address in a service of one process. */
  readonly routes: (all: AllBlocks) => Routes;
  /** The option of a deployment that names its secret; without it, the channel is not deployed. */
  readonly secret?: { readonly option: 'slackSecret'; readonly setting: 'SLACK_SECRET_NAME' };
};

/** All blocks of a service in one process, and how a channel calls them. */
export type AllBlocks = {
  readonly blocks: readonly ServedBlock[];
  readonly call: CallBlock;
  /** The signing secrets of the Slack app. */
  readonly slackSecrets: ReadSecrets | undefined;
};

const mcp: Channel = {
  name: 'mcp',
  path: MCP_PATH,
  description: 'The blocks as tools of LLMs',
  knownOf: ({ block, manifest, suggestions, filesNow }) => {
    return { block, manifest, suggestions, files: filesNow?.() };
  },
  routes: ({ blocks, call }) => {
    // Loaded at the first request for it: the code is large, and most services get none.
    const load = once(async () => {
      const { mcpRoutes } = await import('./mcp/mcp-routes.ts');
      const described = blocks.map(({ block, manifest, profile, filesNow }) => ({
        block,
        manifest,
        filesNow,
        suggestions: profile?.().suggestions,
      }));
      return routeAt(mcpRoutes({ blocks: described, call }), MCP_PATH);
    });
    const any: Handler = async (run) => handlerOf(await load(), run.request.method)(run);
    const elsewhere = { block: null, any: refuseAddress };
    return { at: new Map([[MCP_PATH, { block: null, any }]]), elsewhere };
  },
};

const slack: Channel = {
  name: 'slack',
  path: SLACK_PATH,
  description: 'The blocks as a slash command of Slack',
  knownOf: ({ block, manifest }) => JSON.parse(describeBlock(block, manifest)),
  routes: ({ blocks, call, slackSecrets }) => {
    const descriptions = once(() => blocks.map(({ description }) => JSON.parse(description())));
    return slackRoutes({
      get blocks() {
        return descriptions();
      },
      call,
      secrets: slackSecrets,
    });
  },
  secret: { option: 'slackSecret', setting: 'SLACK_SECRET_NAME' },
};

/** All channels, in the order in which they are deployed. */
export const CHANNELS: readonly Channel[] = [mcp, slack];
