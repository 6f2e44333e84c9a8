import { faultTexts } from '../chat/fault-texts.ts';
import type { ProblemDetails } from '../problem/problem.ts';
import type { AskedCommand } from './asked-command.ts';
import { ephemeral, remarks, type SlackMessage, sections } from './message.ts';

/** The faults of a line, and how to get help. */
export function mistakeMessage(faults: readonly string[], helpLine: string): SlackMessage {
  return ephemeral(faults[0] ?? '', [
    ...sections(faults),
    ...remarks([`How to write it: ${helpLine}`]),
  ]);
}

/** The faults of the arguments, and how to get help. */
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

/** Says that the run failed on our side; the log has the cause, by the run's id. */
export function unansweredMessage(asked: AskedCommand, runId: string): SlackMessage {
  const text = 'This could not be answered just now. Try again soon.';
  return ephemeral(text, [...sections([text, asked.line]), ...remarks([`Run ${runId}`])]);
}

/** Says that the run is not finished: its answer would come after Slack has stopped waiting. */
export function unfinishedMessage(asked: AskedCommand): SlackMessage {
  const text = 'Still looking: this takes longer than Slack waits.';
  return ephemeral(text, [...sections([text, asked.line]), ...asked.link]);
}
