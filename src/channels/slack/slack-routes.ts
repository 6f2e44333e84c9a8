import type { BlockDescription } from '../../block/describe-block.ts';
import { type Answered, JSON_TYPE, type Run } from '../../http/answer.ts';
import type { CallBlock } from '../../http/call-block.ts';
import { readBytes } from '../../http/read-body.ts';
import type { HttpRequest } from '../../http/request.ts';
import { pageAddress } from '../../http/request.ts';
import { elapsedMs } from '../../http/run-record.ts';
import { type Route, type Routes, refuseAddress } from '../../http/service.ts';
import { Problem } from '../../problem/errors.ts';
import { answerCommand } from './answer-command.ts';
import {
  checkSignature,
  isServerCheck,
  type ReadSecrets,
  readSlashCommand,
  SIGNATURE_HEADERS,
} from './slash-command.ts';

export const SLACK_PATH = '/integrations/slack';

/** Slack waits 3 s for an answer; the difference is for the network. */
const ANSWER_WITHIN_MS = 2500;

export type SlackChannel = {
  readonly blocks: readonly BlockDescription[];
  readonly call: CallBlock;
  /** The app's signing secrets; without them the address only says how to set Slack up. */
  readonly secrets?: ReadSecrets | undefined;
};

/** The blocks as a slash command of Slack. */
export function slackRoutes(channel: SlackChannel): Routes {
  const { secrets } = channel;
  const route: Route =
    secrets === undefined
      ? { block: null, any: refuseUnset }
      : { block: null, allowed: ['POST'], POST: (run) => answerSlack(run, channel, secrets) };
  return { at: new Map([[SLACK_PATH, route]]), elsewhere: { block: null, any: refuseAddress } };
}

function refuseUnset(): never {
  throw new Problem('not-found', NOT_SET_UP);
}

const NOT_SET_UP =
  'Slack is not set up here: on one machine SLACK_SIGNING_SECRET holds the signing secret of the Slack app; a deployment has slackSecret, which says where it is kept. docs/slack.md says how.';

async function answerSlack(
  { request, runId, began }: Run,
  { blocks, call }: SlackChannel,
  secrets: ReadSecrets,
): Promise<Answered> {
  const { headers } = request;
  const body = await readBytes(request);
  const isUnsigned = SIGNATURE_HEADERS.every((name) => headers[name] === undefined);
  if (isUnsigned && isServerCheck(body)) return { status: 200, headers: NOT_KEPT, body: null };
  checkSignature({ headers, body, secrets: await secrets(), now: Date.now() });
  const root = rootOf(request);
  const { message, outcome } = await answerCommand(readSlashCommand(body), {
    blocks,
    call,
    runId,
    withinMs: ANSWER_WITHIN_MS - elapsedMs(began),
    ...(root === undefined ? {} : { root }),
  });
  return {
    status: 200,
    headers: { ...NOT_KEPT, 'Content-Type': JSON_TYPE },
    body: JSON.stringify(message),
    outcome,
  };
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** The service's address; undefined if the request has a key, which must not get into messages. */
function rootOf(request: HttpRequest): string | undefined {
  if (new URLSearchParams(request.query).has('api_key')) return undefined;
  const { url, toRoot } = pageAddress(request);
  return new URL(toRoot, url).href;
}
