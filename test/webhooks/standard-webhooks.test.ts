import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Refusal } from '../../src/core/errors.ts';
import {
  checkSignature,
  checkWebhookSecrets,
  type Signed,
} from '../../src/webhooks/standard-webhooks.ts';

/** Published with the specification, and repeated by its libraries in every language. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  now: 1614265330,
  body: '{"test": 2432232314}',
  signed: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
} as const;
const GOOD = VECTOR.signed['webhook-signature'];

type Delivery = { secrets: readonly string[]; now: number; body: string; signed: Signed };

function outcomeOf(changed: Partial<Delivery>): string {
  const { secrets, now, body, signed } = { secrets: [VECTOR.secret], ...VECTOR, ...changed };
  try {
    checkSignature(signed, Buffer.from(body), secrets, now);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${error.code}: ${error.detail} ${JSON.stringify([error.faults, error.headers])}`;
  }
}

const signedBy = (more: Partial<Signed>): Partial<Delivery> => ({
  signed: { ...VECTOR.signed, ...more },
});

describe('accepts', () => {
  test.each<[string, Partial<Delivery>]>([
    ['the published vector', {}],
    ['a secret without its prefix', { secrets: [VECTOR.secret.slice('whsec_'.length)] }],
    ['the second of two secrets', { secrets: ['whsec_AAAAAAAAAAAAAAAA', VECTOR.secret] }],
    ['a signature that is 300 s old', { now: VECTOR.now + 300 }],
    ['a signature that is 300 s ahead', { now: VECTOR.now - 300 }],
    [
      'the right one of several',
      signedBy({ 'webhook-signature': `v1,${'A'.repeat(43)}= v1a,hnO3/+8= v2,x ${GOOD}` }),
    ],
  ])('%s', (_, changed) => expect(outcomeOf(changed)).toBe('accepted'));
});

describe('refuses, always with the same words', () => {
  const refused = outcomeOf({ body: '' });

  test('which name no reason', () => {
    const detail = 'The signature is not accepted.';
    const faults = [{ code: 'signature-refused', detail }];
    expect(refused).toBe(`signature-refused: ${detail} ${JSON.stringify([faults, {}])}`);
  });

  test.each<[string, Partial<Delivery>]>([
    ['another secret', { secrets: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'] }],
    ['an altered byte of the body', { body: VECTOR.body.replace('4}', '5}') }],
    ['a space that was left out', { body: VECTOR.body.replace(' ', '') }],
    ['another id', signedBy({ 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJel' })],
    ['another time', signedBy({ 'webhook-timestamp': '1614265331' })],
    ['a signature that is 301 s old', { now: VECTOR.now + 301 }],
    ['a signature that is 301 s ahead', { now: VECTOR.now - 301 }],
    ['no id', signedBy({ 'webhook-id': null })],
    ['no time', signedBy({ 'webhook-timestamp': null })],
    ['no signature', signedBy({ 'webhook-signature': null })],
    ['a blank id', signedBy({ 'webhook-id': '' })],
    ['a blank signature', signedBy({ 'webhook-signature': '' })],
    [
      'a doubled id',
      signedBy({ 'webhook-id': `${VECTOR.signed['webhook-id']}, ${VECTOR.signed['webhook-id']}` }),
    ],
    ['a doubled time', signedBy({ 'webhook-timestamp': '1614265330, 1614265330' })],
    ['a doubled signature', signedBy({ 'webhook-signature': `${GOOD}, ${GOOD}` })],
    ['a signature and a wrong one, doubled', signedBy({ 'webhook-signature': `${GOOD}, v1,AA==` })],
    ['two spaces between', signedBy({ 'webhook-signature': `v1,AA==  ${GOOD}` })],
    ['a time with more behind it', signedBy({ 'webhook-timestamp': '1614265330.0' })],
    ['a time with a zero before it', signedBy({ 'webhook-timestamp': '01614265330' })],
    ['a time in hex', signedBy({ 'webhook-timestamp': '0x60378872' })],
    ['a shorter signature', signedBy({ 'webhook-signature': GOOD.slice(0, -1) })],
    ['a longer signature', signedBy({ 'webhook-signature': `${GOOD}=` })],
    ['one letter for a signature', signedBy({ 'webhook-signature': 'v1,A' })],
    ['a signature without its version', signedBy({ 'webhook-signature': GOOD.slice(3) })],
    ['another version', signedBy({ 'webhook-signature': GOOD.replace('v1', 'v1a') })],
    ['a letter beyond ASCII', signedBy({ 'webhook-signature': GOOD.replace('g', 'ĝ') })],
    ['the body in base64', { body: Buffer.from(VECTOR.body).toString('base64') }],
  ])('%s', (_, changed) => expect(outcomeOf(changed)).toBe(refused));

  test('an id whose end could be taken for the time', () => {
    const id = 'msg.1614265330';
    const signature = new Webhook(VECTOR.secret).sign(id, new Date(VECTOR.now * 1000), VECTOR.body);
    const signed = { ...VECTOR.signed, 'webhook-id': id, 'webhook-signature': signature };
    expect(outcomeOf({ signed })).toBe(refused);
  });
});

describe('a secret that is none of a delivery’s business', () => {
  test.each([[[]], [['']], [['whsec_']], [['not base64!']], [[VECTOR.secret, 'pass phrase']]])(
    '%j: nothing can be checked, which is our fault',
    (secrets) => {
      expect(outcomeOf({ secrets })).toMatch(/^secret-unavailable: .*"Retry-After":"1"/);
      expect(() => checkWebhookSecrets(secrets)).toThrow(/^(?:member 2 of )?WEBHOOK_SECRET is /);
    },
  );

  test('what is told of it at the start does not hold it', () => {
    expect(() => checkWebhookSecrets(['hush! hush!'])).toThrow(/^(?!.*hush).*$/);
  });

  const sixteen = 'A'.repeat(21);
  test.each([[[VECTOR.secret]], [[`${sixteen}A==`, `${sixteen}A`, `whsec_${sixteen}A==`]]])(
    '%j is one',
    (secrets) => expect(() => checkWebhookSecrets(secrets)).not.toThrow(),
  );

  test.each(['password', 'whsec_YQ==', `${'A'.repeat(20)}`])(
    '%s is too short to be one',
    (secret) => {
      expect(() => checkWebhookSecrets([secret])).toThrow(/^WEBHOOK_SECRET is of \d+ bytes; /);
    },
  );
});

/** What might go wrong between a sender and us; `accepted` is for the specification's library to say. */
type Change = 'nothing' | 'body' | 'id' | 'time' | 'signature' | 'secret' | 'one more signature';

test('1,000 random deliveries: accepted and refused as by the specification’s own library', () => {
  const now = 1_800_000_000;
  jest.useFakeTimers({ now: now * 1000 + 321 });
  try {
    const seen = { accepted: 0, refused: 0 };
    const secret = fc
      .uint8Array({ minLength: 24, maxLength: 64 })
      .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
    fc.assert(
      fc.property(
        fc.record({
          secret,
          other: secret,
          id: fc.stringMatching(/^msg_[A-Za-z0-9]{1,40}$/),
          body: fc.string({ unit: 'grapheme', maxLength: 200 }),
          age: fc.oneof(fc.integer({ min: -310, max: 310 }), fc.constantFrom(-301, -300, 300, 301)),
          at: fc.nat(),
          change: fc.constantFrom<Change>(
            ...(['nothing', 'nothing', 'nothing', 'body', 'id', 'time'] as const),
            ...(['signature', 'secret', 'one more signature'] as const),
          ),
        }),
        ({ secret, other, id, body, age, at, change }) => {
          const time = now - age;
          const signature = new Webhook(secret).sign(id, new Date(time * 1000), body);
          const i = 3 + (at % (signature.length - 3));
          const altered = `${signature.slice(0, i)}${signature[i] === 'A' ? 'B' : 'A'}${signature.slice(i + 1)}`;
          const signed = {
            'webhook-id': change === 'id' ? `${id}x` : id,
            'webhook-timestamp': String(change === 'time' ? time + 1 : time),
            'webhook-signature':
              change === 'signature'
                ? altered
                : change === 'one more signature'
                  ? `${altered} ${signature}`
                  : signature,
          };
          const sent = change === 'body' ? `${body} ` : body;
          const used = change === 'secret' ? other : secret;
          let wanted = 'accepted';
          try {
            new Webhook(used).verify(sent, signed, { jsonParse: false });
          } catch {
            wanted = 'refused';
          }
          seen[wanted as keyof typeof seen]++;
          const outcome = outcomeOf({ secrets: [used], now, body: sent, signed });
          expect(outcome.replace(/^signature-refused.*/, 'refused')).toBe(wanted);
        },
      ),
      { numRuns: 1000, seed: 8 },
    );
    expect(seen.accepted).toBeGreaterThan(300);
    expect(seen.refused).toBeGreaterThan(300);
  } finally {
    jest.useRealTimers();
  }
});
