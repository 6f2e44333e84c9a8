import type { KnownBlock } from '@slack/types';
import { belowRoot } from '../http/routes.ts';
import { SLACK_LIMITS } from './limits.ts';
import { NOTHING, slackText } from './slack-text.ts';

/** Few enough to read in a chat; the page has all. */
const MOST_LINKS = 10;
const LABEL_CHARACTERS = 40;

/** The first rows of an answer, each with its address. */
export type LinkedRows = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Relative to the block's address. */
  readonly addresses: readonly string[];
};

/** Links to rows by the values of a column, since a table of Slack has none; as many as fit. */
export function rowLinks(
  root: string | undefined,
  { rows, addresses }: LinkedRows,
  column: string | undefined,
): KnownBlock[] {
  if (root === undefined || column === undefined) return [];
  const links: string[] = [];
  let left: number = SLACK_LIMITS.sectionCharacters;
  for (const [i, address] of addresses.slice(0, MOST_LINKS).entries()) {
    const { href } = new URL(belowRoot(address), root);
    const name = slackText(String(rows[i]?.[column] ?? NOTHING), LABEL_CHARACTERS);
    // A bar would end the link's address, and a line end its label.
    const link = `<${href.replaceAll('&', '&amp;')}|${name.replace(/[|\s]+/g, ' ')}>`;
    left -= link.length + SEPARATOR.length;
    if (left < 0) break;
    links.push(link);
  }
  if (links.length === 0) return [];
  const text = links.join(SEPARATOR);
  return [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
}

const SEPARATOR = ' · ';
