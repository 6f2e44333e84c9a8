import type { KnownBlock, MessageAttachment, PlainTextElement } from '@slack/types';
import { SLACK_LIMITS } from './limits.ts';
import { slackText } from './slack-text.ts';

/** An answer to a slash command, visible only to the person who asked. */
export type SlackMessage = {
  readonly response_type: 'ephemeral';
  /** The text for screen readers, and for places where blocks are not shown. */
  readonly text: string;
  readonly mrkdwn: false;
  readonly blocks: readonly KnownBlock[];
  readonly attachments?: readonly MessageAttachment[];
};

/** A message with a fallback text that says what it is about. */
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

/** Plain text, since Slack's markup would turn the stars of `*court*` into bold type. */
export function plain(text: string): PlainTextElement {
  return {
    type: 'plain_text',
    text: slackText(text, SLACK_LIMITS.sectionCharacters),
    emoji: false,
  };
}

/** Longer than any sentence of ours, and enough to recognise other people's text. */
const MOST_LINE = 600;

/** Nobody reads more in a chat. */
const MOST_SECTIONS = 6;

/** Lines as sections: as many lines as fit, then the number of the others. */
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

/** Bounds the remarks, so that they do not fill a chat; a block usually gives one or two. */
const MOST_REMARKS = 20;

/** Remarks in small type. */
export function remarks(texts: readonly string[]): KnownBlock[] {
  return texts.slice(0, MOST_REMARKS).map((text) => ({ type: 'context', elements: [plain(text)] }));
}
