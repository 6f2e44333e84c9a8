import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkSignature } from '../../src/channels/slack/slash-command.ts';
import { Problem } from '../../src/problem/errors.ts';
import { signatureOf } from './signed-request.ts';

// The example of Slack's page "Verifying requests from Slack".
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const AT = 1531420618;
const SIGNATURE = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const BODY =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';

type Altered = {
  signature?: string;
  timestamp?: string;
  body?: string | Uint8Array;
  secrets?: readonly string[];
  now?: number;
};

/** `accepted`, or what the refusal says. */
function verdict({ signature = SIGNATURE, timestamp = String(AT), ...more }: Altered): string {
  const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp };
  const { body = BODY, secrets = [SECRET], now = AT * 1000 } = more;
  try {
    checkSignature({ headers, body: Buffer.from(body), secrets, now });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.code}: ${error.detail}`;
  }
}

const REFUSED = 'signature-refused: The signature is not accepted.';

test.each<[string, Altered]>([
  ["Slack's published example", {}],
  ['300 s old', { now: (AT + 300) * 1000 + 999 }],
  ['300 s ahead', { now: (AT - 300) * 1000 }],
  ['the second of two secrets', { secrets: ['another', SECRET] }],
])('accepts %s', (_, altered) => {
  expect(verdict(altered)).toBe('accepted');
});

test.each<[string, Altered]>([
  ['another secret', { secrets: ['another'] }],
  ['no secret', { secrets: [] }],
  ['an altered byte', { body: BODY.replace('roadrunner', 'roadrunneR') }],
  ['a byte more', { body: `${BODY}&` }],
  ['the body in base64', { body: Buffer.from(BODY).toString('base64') }],
  ['301 s old', { now: (AT + 301) * 1000 }],
  ['301 s ahead', { now: (AT - 301) * 1000 }],
  ['a time that was not signed', { timestamp: String(AT + 1) }],
  ['no signature', { signature: '' }],
  ['no time', { timestamp: '' }],
  ['the signature twice', { signature: `${SIGNATURE}, ${SIGNATURE}` }],
  ['the time twice', { timestamp: `${AT}, ${AT}` }],
  ['a shorter signature', { signature: SIGNATURE.slice(0, -1) }],
  ['a longer signature', { signature: `${SIGNATURE}0` }],
  ['capitals', { signature: SIGNATURE.toUpperCase() }],
  ['no version', { signature: SIGNATURE.slice(3) }],
  ['another version', { signature: SIGNATURE.replace('v0', 'v1') }],
  ...[`${AT}.0`, `+${AT}`, `0x${AT.toString(16)}`].map((timestamp): [string, Altered] => [
    `the time ${timestamp}, though it is signed`,
    { timestamp, signature: signatureOf(BODY, SECRET, timestamp) },
  ]),
  ['a time that is no number', { timestamp: 'NaN' }],
])('refuses %s, and says nothing of why', (_, altered) => {
  expect(verdict(altered)).toBe(REFUSED);
});

describe('over any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const secret = fc.string({ minLength: 1, maxLength: 40 });

  test('accepts what is signed as Slack signs', () => {
    fc.assert(
      fc.property(bytes, secret, (body, own) => {
        const signature = signatureOf(body, own, AT);
        expect(verdict({ body, signature, secrets: [own] })).toBe('accepted');
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  test('refuses whatever else is signed', () => {
    fc.assert(
      fc.property(bytes, bytes, secret, (body, other, own) => {
        fc.pre(Buffer.compare(body, other) !== 0);
        const signature = signatureOf(other, own, AT);
        expect(verdict({ body, signature, secrets: [own] })).toBe(REFUSED);
      }),
      { numRuns: 500, seed: 4 },
    );
  });
});
