import { readFileSync } from 'node:fs';
import type { BlockDescription } from '../src/block/describe-block.ts';
import { channelHandler } from '../src/lambda/channel-handler.ts';
import { secretReader } from '../src/lambda/secret-reader.ts';
import { slackRoutes } from '../src/slack/slack-routes.ts';

// The build puts the blocks' descriptions beside the code.
const blocks: BlockDescription[] = JSON.parse(
  readFileSync(new URL('./blocks.json', import.meta.url), 'utf8'),
);
const secrets = secretReader(process.env.SLACK_SECRET_NAME ?? '');
// Begun while Lambda still starts the function; a failure is the first request's to report.
secrets().catch(() => {});

/** The blocks as a slash command of Slack, as a Lambda function. */
export const handler = channelHandler(
  {
    blocks,
    routes: (call) => slackRoutes({ blocks, call, secrets }),
    check: secrets,
  },
  process.env,
);
