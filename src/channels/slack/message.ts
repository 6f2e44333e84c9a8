import type { KnownBlock, MessageAttachment, PlainTextElement } from '@slack/types';
import type { Members } from '../../arguments/given.ts';
import { BLOCKS_PATH } from '../../block/addresses.ts';
import { inOneLine } from '../../text/wording.ts';

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
    attachments: attachments.length === 0 ? undefined : attachments,
  };
}

/** Plain text, since Slack's markup would turn the stars of `*court*` into bold type. */
export function plainText(text: string): PlainTextElement {
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

/** Puts as many lines into sections as fit, then says how many are left out. */
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
  return texts
    .slice(0, MOST_REMARKS)
    .map((text) => ({ type: 'context', elements: [plainText(text)] }));
}

/**
 * Slack's bounds by its reference (docs.slack.dev, read in November 2026): blocks of a message,
 * characters of a section, cells of a data table with its header. Where it gives no number, the
 * bound is ours, well below what Slack was seen to take.
 */
export const SLACK_LIMITS = {
  blocks: 50,
  sectionCharacters: 3000,
  /** Slack advises at most 20. */
  attachments: 20,
  tableRows: 101,
  tableColumns: 20,
  tableCharacters: 10_000,
  /** Our bound on the text that replaces a message where blocks are not shown. */
  fallbackCharacters: 1000,
  /** Our bounds: a row of 20 such cells under 20 such titles still fits in a table. */
  cellCharacters: 300,
  titleCharacters: 100,
} as const;

/** Shown for an empty text, which Slack refuses. */
export const NOTHING = '—';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text for Slack of at most `most` characters. Its three control characters become entities:
 * they could notify a channel or hide a link (docs.slack.dev, "Escaping text"). It is one line: a
 * cell with a line end would pass for a line of ours.
 */
export function slackText(text: string, most: number): string {
  // Escaping only lengthens a text, so the characters after `most` would be cut in any case.
  const beginning = inOneLine(text.slice(0, most + 1));
  const escaped = beginning.replace(/[&<>]/g, (character) => ENTITIES[character] as string);
  if (escaped.trim() === '') return NOTHING;
  if (escaped.length <= most) return escaped;
  // Do not cut inside an entity or a surrogate pair.
  return `${escaped.slice(0, most - 1).replace(/(?:&[a-z]{0,3}|[\ud800-\udbff])$/, '')}…`;
}

/** Turns the entities that Slack sends back into the characters that were typed. */
export function typedText(sent: string): string {
  return sent.replace(/&(amp|lt|gt);/g, (_, name) => TYPED[name] as string);
}

const TYPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

const LABEL = 'Open as a page';

/**
 * A link to a block's page with the same arguments; empty if the address is too long for Slack. It
 * is not a button: on a click, Slack warns if the app does not answer interactions.
 */
export function pageLink(root: string | undefined, block: string, given: Members): KnownBlock[] {
  if (root === undefined) return [];
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const url = new URL(`${BLOCKS_PATH.slice(1)}/${block}`, root);
  url.search = new URLSearchParams(pairs).toString();
  // The query is percent-encoded, so the ampersand is the only special character left to escape.
  const text = `<${url.href.replaceAll('&', '&amp;')}|${LABEL}>`;
  if (text.length > SLACK_LIMITS.sectionCharacters) return [];
  return [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
}
