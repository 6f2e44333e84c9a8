import type { Hono } from 'hono/quick';
import type { BlockDescription } from '../core/describe-block.ts';
import type { CallBlock } from '../http/call-block.ts';
import type { ReadSecrets } from '../http/read-secrets.ts';
import { type AppSettings, type RunEnv, runApp } from '../http/run-app.ts';

export const SLACK_PATH = '/integrations/slack';

export type SlackDoor = {
  readonly blocks: readonly BlockDescription[];
  readonly call: CallBlock;
  /** The app's signing secret; without it, nothing is at the address but how to set it up. */
  readonly secrets?: ReadSecrets;
};

/** The blocks as a slash command of Slack. */
export function slackApp(_door: SlackDoor, settings: AppSettings): Hono<RunEnv> {
  return runApp(settings, null);
}
