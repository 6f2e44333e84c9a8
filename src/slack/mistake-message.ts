import { ephemeral, remarks, type SlackMessage, sections } from './message.ts';

/** What was wrong with a line, and where to find how it is written. */
export function mistakeMessage(faults: readonly string[], helpLine: string): SlackMessage {
  return ephemeral(faults[0] ?? '', [
    ...sections(faults),
    ...remarks([`How to write it: ${helpLine}`]),
  ]);
}
