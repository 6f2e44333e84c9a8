import { faultTexts } from '../chat/fault-texts.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import type { AskedCommand } from './asked-command.ts';
import { ephemeral, remarks, type SlackMessage, sections } from './message.ts';

/** What was wrong with a line, and where to find how it is written. */
export function mistakeMessage(faults: readonly string[], helpLine: string): SlackMessage {
  return ephemeral(faults[0] ?? '', [
    ...sections(faults),
    ...remarks([`How to write it: ${helpLine}`]),
  ]);
}

/** What was wrong with the arguments, and how they are written. */
export function refusedMessage(
  asked: AskedCommand,
  { title, errors }: ProblemDetails,
): SlackMessage {
  const faults = faultTexts(asked.block, asked.typed, errors);
  return ephemeral(`${title}: ${faults[0] ?? ''}`, [
    ...sections([asked.line, ...faults.map((fault) => `• ${fault}`)]),
    ...remarks([`How to write it: ${asked.helpLine}`]),
  ]);
}

/** What broke on our side is for the log, which the run's id is looked up in. */
export function unansweredMessage(asked: AskedCommand, runId: string): SlackMessage {
  const text = 'This could not be answered just now. Try again soon.';
  return ephemeral(text, [...sections([text, asked.line]), ...remarks([`Run ${runId}`])]);
}

/** The run goes on without us: its answer would come after Slack has stopped waiting. */
export function unfinishedMessage(asked: AskedCommand): SlackMessage {
  const text = 'Still looking: this takes longer than Slack waits.';
  return ephemeral(text, [...sections([text, asked.line]), ...asked.link]);
}
