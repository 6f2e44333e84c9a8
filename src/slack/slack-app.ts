import type { Hono } from 'hono/quick';
import type { BlockDescription } from '../core/describe-block.ts';
import { Refusal } from '../core/errors.ts';
import type { CallBlock } from '../http/call-block.ts';
import { pageAddress } from '../http/page-address.ts';
import { readBytes } from '../http/read-bytes.ts';
import { queryOf } from '../http/rows-headers.ts';
import {
  type AppSettings,
  answer,
  JSON_TYPE,
  type RunContext,
  type RunEnv,
  refuseMethod,
  runApp,
} from '../http/run-app.ts';
import { elapsedMs } from '../http/run-record.ts';
import { answerCommand } from './answer-command.ts';
import type { ReadSecrets } from './read-secrets.ts';
import { checkSignature, SIGNATURE_HEADERS } from './signature.ts';
import { isServerCheck, readSlashCommand } from './slash-command.ts';

export const SLACK_PATH = '/integrations/slack';

/** Slack waits 3 s for an answer; the rest is for the way there and back. */
const ANSWER_WITHIN_MS = 2500;

export type SlackDoor = {
  readonly blocks: readonly BlockDescription[];
  readonly call: CallBlock;
  /** The app's signing secret; without it, nothing is at the address but how to set it up. */
  readonly secrets?: ReadSecrets;
};

/** The blocks as a slash command of Slack. */
export function slackApp(door: SlackDoor, settings: AppSettings): Hono<RunEnv> {
  const { secrets } = door;
  const app = runApp(settings, null);
  if (secrets === undefined) {
    app.all(SLACK_PATH, () => {
      throw new Refusal('not-found', NOT_SET_UP);
    });
    return app;
  }
  app.post(SLACK_PATH, (c) => answerSlack(c, door, secrets));
  app.all(SLACK_PATH, (c) => refuseMethod(c, ['POST']));
  return app;
}

const NOT_SET_UP =
  'Slack is not set up here: on one machine SLACK_SIGNING_SECRET holds the signing secret of the Slack app; a deployment has slackSecret, which says where it is kept. docs/slack.md says how.';

async function answerSlack(
  c: RunContext,
  { blocks, call }: SlackDoor,
  secrets: ReadSecrets,
): Promise<Response> {
  const { headers } = c.req.raw;
  const body = await readBytes(c.req.raw);
  const isUnsigned = SIGNATURE_HEADERS.every((name) => !headers.has(name));
  if (isUnsigned && isServerCheck(body)) return answer(c, null, 200, NOT_KEPT);
  checkSignature({ headers, body, secrets: await secrets(), now: Date.now() });
  const { runId, began } = c.get('run');
  const root = rootOf(c);
  const { message, outcome } = await answerCommand(readSlashCommand(body), {
    blocks,
    call,
    runId,
    withinMs: ANSWER_WITHIN_MS - elapsedMs(began),
    ...(root === undefined ? {} : { root }),
  });
  return answer(
    c,
    JSON.stringify(message),
    200,
    { ...NOT_KEPT, 'Content-Type': JSON_TYPE },
    outcome,
  );
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** Where the service is; not where it takes a key, which has no place in a message. */
function rootOf(c: RunContext): string | undefined {
  if (new URLSearchParams(queryOf(c)).has('api_key')) return undefined;
  const { url, toRoot } = pageAddress(c);
  return new URL(toRoot, url).href;
}
