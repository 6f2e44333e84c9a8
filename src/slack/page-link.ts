import type { KnownBlock } from '@slack/types';
import type { Members } from '../arguments/arguments.ts';
import { BLOCKS_PATH } from '../http/routes.ts';
import { SLACK_LIMITS } from './limits.ts';

const LABEL = 'Open as a page';

/**
 * A link to a block's page with the same arguments; nothing where the address is longer than Slack
 * takes. No button: after a click Slack warns of an app that does not answer interactions.
 */
export function pageLink(root: string | undefined, block: string, given: Members): KnownBlock[] {
  if (root === undefined) return [];
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const url = new URL(`${BLOCKS_PATH.slice(1)}/${block}`, root);
  url.search = new URLSearchParams(pairs).toString();
  // The query is percent-encoded: of what would end the link, only the ampersand is left.
  const text = `<${url.href.replaceAll('&', '&amp;')}|${LABEL}>`;
  if (text.length > SLACK_LIMITS.sectionCharacters) return [];
  return [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
}
