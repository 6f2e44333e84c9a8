import { isBlank, type Members } from '../../arguments/given.ts';
import type { BlockDescription } from '../../block/describe-block.ts';
import { PAGE_NAMES } from '../../block/views.ts';
import { type Answered, JSON_TYPE, type Run } from '../../http/answer.ts';
import type { BlockAnswer, CallBlock } from '../../http/call-block.ts';
import { readBytes } from '../../http/read-body.ts';
import type { HttpRequest } from '../../http/request.ts';
import { pageAddress } from '../../http/request.ts';
import { type Route, type Routes, refuseAddress } from '../../http/routes.ts';
import { elapsedMs, type Outcome, outcomeOfProblem } from '../../http/run-record.ts';
import { asProblem } from '../../http/service.ts';
import { PROBLEMS, Problem } from '../../problem/errors.ts';
import type { ProblemDetails } from '../../problem/problem.ts';
import type { RowsParams } from '../../query/answer-in-words.ts';
import { numberText } from '../../text/wording.ts';
import { valueWithin } from '../../work/waiting.ts';
import { type Command, shortNameOf } from '../chat/command.ts';
import { readCommand } from '../chat/read-command.ts';
import { tokenize } from '../chat/tokenize.ts';
import { faultsOfValues, faultTexts, usageOf, usageOfBlock, valuesToCheck } from '../chat/usage.ts';
import { writeCommand } from '../chat/write-command.ts';
import { argumentsToRun, rowsMessage, valueMessage } from './answer-message.ts';
import { ephemeral, pageLink, remarks, type SlackMessage, sections } from './message.ts';
import {
  type AskedCommand,
  checkSignature,
  isServerCheck,
  type ReadSecrets,
  readSlashCommand,
  SIGNATURE_HEADERS,
  type SlashCommand,
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
  { request, settings, runId, began }: Run,
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
    withinMs: (settings.runWithinMs ?? ANSWER_WITHIN_MS) - elapsedMs(began),
    root,
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

type CommandRun = {
  readonly blocks: readonly BlockDescription[];
  readonly call: CallBlock;
  /** The service's address for links; absent if a link would not be useful. */
  readonly root?: string;
  readonly withinMs: number;
  readonly runId: string;
};

/** A message, and the outcome of its run. */
type CommandAnswer = { readonly message: SlackMessage; readonly outcome: Outcome };

/** The most characters of a line: more than a person types, or Slack takes. */
const MOST_LINE = 8000;

/** Reads a slash command, runs the block that it names, and answers with a message. */
export async function answerCommand(
  { name, text }: SlashCommand,
  run: CommandRun,
): Promise<CommandAnswer> {
  const { blocks, call, root, withinMs, runId } = run;
  if (text.length > MOST_LINE) {
    const fault = `The line has ${numberText(text.length)} characters; at most ${numberText(MOST_LINE)} are read here.`;
    return { message: mistakeMessage([fault], `${name} help`), outcome: {} };
  }
  const command = readCommand(tokenize(text), blocks);
  if (command.kind === 'help') {
    return { message: usageMessage({ name, blocks, ...command }), outcome: {} };
  }
  const { block } = command;
  const helpOf = block === undefined ? 'help' : `${shortNameOf(block, blocks)} help`;
  const helpLine = `${name} ${helpOf}`;
  if (command.kind === 'invalid' || unshownOf(command.arguments).length > 0) {
    const faults = await faultsOf(command, run);
    return { message: mistakeMessage(faults, helpLine), outcome: {} };
  }
  const { arguments: given, typed } = command;
  const asked: AskedCommand = {
    block: command.block,
    given,
    sent: argumentsToRun(command.block, given),
    typed,
    line: `${name} ${writeCommand(command.block, given, blocks)}`,
    helpLine,
    root,
    link: pageLink(root, command.block.name, given),
  };
  try {
    const answer = await valueWithin(call(asked.block.name, asked.sent), withinMs);
    return answer === undefined
      ? { message: unfinishedMessage(asked), outcome: {} }
      : messageOfAnswer(asked, answer);
  } catch (error) {
    return {
      message: unansweredMessage(asked, runId),
      outcome: outcomeOfProblem(asProblem(error)),
    };
  }
}

/** All faults of a line: those found while reading it, and the block's own in the rest. */
async function faultsOf(
  command: Exclude<Command, { kind: 'help' }>,
  { call, withinMs }: CommandRun,
): Promise<string[]> {
  const faults = command.kind === 'invalid' ? [...command.faults] : [];
  const { block } = command;
  const understood = command.kind === 'invalid' ? command.understood : command;
  if (block === undefined || understood === undefined) return faults;
  const unshown = unshownOf(understood.arguments);
  faults.push(...unshown.map((option) => `${option} means nothing in Slack: leave it out.`));
  const values = Object.entries(understood.arguments).filter(([name]) => !unshown.includes(name));
  if (values.length === 0) return faults;
  const toCheck = { ...understood, arguments: Object.fromEntries(values) };
  try {
    const answer = await valueWithin(call(block.name, valuesToCheck(toCheck)), withinMs);
    return answer?.kind === 'refused' && PROBLEMS[answer.problem.code].status < 500
      ? [...faults, ...faultsOfValues(block, understood, answer.problem.errors)]
      : faults;
  } catch {
    // Even if the block fails, the known faults are reported; the block's own run records why.
    return faults;
  }
}

/** The given options that mean nothing in a message. */
function unshownOf(given: Members): string[] {
  return UNSHOWN.filter((option) => Object.hasOwn(given, option) && !isBlank(given[option]));
}

function messageOfAnswer(asked: AskedCommand, answer: BlockAnswer): CommandAnswer {
  if (answer.kind === 'answered') {
    const { params, warnings } = answer;
    if (asked.block.noun === undefined) {
      return { message: valueMessage(asked, params, warnings), outcome: {} };
    }
    const found = params as RowsParams;
    return {
      message: rowsMessage(asked, found, warnings),
      outcome: { rows: found.results.length },
    };
  }
  const { problem } = answer;
  const { code, errors, instance } = problem;
  const outcome: Outcome = { code, faults: [...new Set(errors.map((fault) => fault.code))] };
  if (PROBLEMS[code].status < 500) return { message: refusedMessage(asked, problem), outcome };
  // The record of the block's own run says what broke.
  const blockRun = instance.replace('urn:uuid:', '');
  return {
    message: unansweredMessage(asked, blockRun),
    outcome: { ...outcome, cause: `run ${blockRun} of ${asked.block.name}` },
  };
}

/** Options that mean nothing in a message. */
const UNSHOWN = ['_format', '_raw', '_bom', '_explain', '_geometry', ...PAGE_NAMES];

type UsageAsked = {
  /** The command's name in the workspace. */
  readonly name: string;
  readonly blocks: readonly BlockDescription[];
  /** The block that was named, if one was. */
  readonly block?: BlockDescription;
};

/** A message that says what can be written. */
function usageMessage({ name, blocks, block }: UsageAsked): SlackMessage {
  const { title, lines } =
    block === undefined ? usageOf(blocks) : usageOfBlock(block, blocks, UNSHOWN);
  return ephemeral(
    title,
    sections([
      `${title}. Write ${name}, then:`,
      ...lines.map(({ command, meaning }) => `• ${command} (${meaning})`),
    ]),
  );
}

/** The faults of a line, and how to get help. */
function mistakeMessage(faults: readonly string[], helpLine: string): SlackMessage {
  return ephemeral(faults[0] ?? '', [
    ...sections(faults),
    ...remarks([`How to write it: ${helpLine}`]),
  ]);
}

/** The faults of the arguments, and how to get help. */
function refusedMessage(asked: AskedCommand, { title, errors }: ProblemDetails): SlackMessage {
  const faults = faultTexts(asked.block, asked.typed, errors);
  return ephemeral(`${title}: ${faults[0] ?? ''}`, [
    ...sections([asked.line, ...faults.map((fault) => `• ${fault}`)]),
    ...remarks([`How to write it: ${asked.helpLine}`]),
  ]);
}

/** Says that the run failed on our side; the log has the cause, by the run's id. */
function unansweredMessage(asked: AskedCommand, runId: string): SlackMessage {
  const text = 'This could not be answered just now. Try again soon.';
  return ephemeral(text, [...sections([text, asked.line]), ...remarks([`Run ${runId}`])]);
}

/** Says that the run is not finished: its answer would come after Slack has stopped waiting. */
function unfinishedMessage(asked: AskedCommand): SlackMessage {
  const text = 'Still looking: this takes longer than Slack waits.';
  return ephemeral(text, [...sections([text, asked.line]), ...asked.link]);
}
