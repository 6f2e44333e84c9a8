import type { KnownBlock, MessageAttachment, PlainTextElement } from '@slack/types';
import { SLACK_LIMITS } from './limits.ts';
import { slackText } from './slack-text.ts';

/** An answer to a slash command, which only who asked sees. */
export type SlackMessage = {
  readonly response_type: 'ephemeral';
  /** Read out, and shown where blocks are not. */
  readonly text: string;
  readonly mrkdwn: false;
  readonly blocks: readonly KnownBlock[];
  readonly attachments?: readonly MessageAttachment[];
};

/** A message that says in a sentence what it is about. */
export function ephemeral(
  text: string,
  blocks: readonly KnownBlock[],
  attachments: readonly MessageAttachment[] = [],
): SlackMessage {
  return {
    response_type: 'ephemeral',
    text: slackText(text, SLACK_LIMITS.fallbackCharacters),
    mrkdwn: false,
    blocks,
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** Plain, since in Slack's markup the stars of `*court*` would be gone, and the word bold. */
export function plain(text: string): PlainTextElement {
  return {
    type: 'plain_text',
    text: slackText(text, SLACK_LIMITS.sectionCharacters),
    emoji: false,
  };
}

/** Longer than a sentence of ours; of what others wrote, enough to know it by. */
const MOST_LINE = 600;

/** More is not read in a chat. */
const MOST_SECTIONS = 6;

/** Lines as sections: as many as fit, then how many did not. */
export function sections(lines: readonly string[]): KnownBlock[] {
  const texts: string[][] = [[]];
  let length = 0;
  for (const [i, line] of lines.entries()) {
    const text = slackText(line, MOST_LINE);
    length += text.length + 1;
    if (length > SLACK_LIMITS.sectionCharacters) {
      if (texts.length === MOST_SECTIONS) {
        texts.push([`And ${lines.length - i} lines more.`]);
        break;
      }
      texts.push([]);
      length = text.length + 1;
    }
    texts.at(-1)?.push(text);
  }
  return texts.map((some) => ({
    type: 'section',
    text: { type: 'plain_text', text: some.join('\n'), emoji: false },
  }));
}

/** A chat is no place for a list of remarks; a block gives one or two. */
const MOST_REMARKS = 20;

/** Remarks in small type. */
export function remarks(texts: readonly string[]): KnownBlock[] {
  return texts.slice(0, MOST_REMARKS).map((text) => ({ type: 'context', elements: [plain(text)] }));
}
