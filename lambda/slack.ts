import { readFileSync } from 'node:fs';
import type { BlockDescription } from '../src/block/describe-block.ts';
import { slackRoutes } from '../src/channels/slack/slack-routes.ts';
import { channelHandler } from '../src/lambda/channel-handler.ts';
import { type LambdaEnv, required } from '../src/lambda/function-settings.ts';
import { secretReader } from '../src/lambda/secret-reader.ts';

// The build puts the blocks' descriptions beside the code.
const blocks: BlockDescription[] = JSON.parse(
  readFileSync(new URL('./blocks.json', import.meta.url), 'utf8'),
);
const env: LambdaEnv = process.env;
const secrets = secretReader(required(env, 'SLACK_SECRET_NAME'));
// Started while Lambda still starts the function; the first request reports a failure.
secrets().catch(() => {});

/** A Lambda function that offers the blocks as a Slack slash command. */
export const handler = channelHandler(
  {
    blocks,
    routes: (call) => slackRoutes({ blocks, call, secrets }),
    check: secrets,
  },
  env,
);
