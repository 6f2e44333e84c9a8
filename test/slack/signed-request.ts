import { createHmac } from 'node:crypto';

/** The secret of the Slack app of tests. */
export const SLACK_SECRET = 'a-secret-of-the-tests';

/** The secret that docs/slack.md signs its example with. */
export const DOCUMENTED_SECRET = 'try-it';

export type Signing = {
  readonly secret?: string;
  /** Seconds since 1970. */
  readonly at?: number;
};

/** A body with the headers that Slack would send with it. */
export function signed(
  body: string | Uint8Array<ArrayBuffer>,
  { secret = SLACK_SECRET, at = seconds() }: Signing = {},
) {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': signatureOf(body, secret, at),
    },
    body,
  };
}

export function signatureOf(
  body: string | Uint8Array,
  secret: string,
  at: number | string,
): string {
  const hmac = createHmac('sha256', secret).update(`v0:${at}:`).update(body);
  return `v0=${hmac.digest('hex')}`;
}

export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** What Slack sends of a command that was typed. */
export function commandBody(text: string, command = '/block'): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return new URLSearchParams({
    token: 'xyzz0WbapA4vBCDEFasx0q6G',
    team_id: 'T1DC2JH3J',
    channel_id: 'G8PSS9T3V',
    user_id: 'U2CERLKJA',
    user_name: 'roadrunner',
    command,
    text: escaped,
    response_url: 'https://hooks.slack.com/commands/T1DC2JH3J/397700885554/none',
    trigger_id: '398738663015.47445629121.none',
  }).toString();
}
