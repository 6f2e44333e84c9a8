import type { KnownBlock } from '@slack/types';
import type { Members } from '../arguments/given.ts';
import { BLOCKS_PATH } from '../http/routes.ts';
import { SLACK_LIMITS } from './limits.ts';

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
