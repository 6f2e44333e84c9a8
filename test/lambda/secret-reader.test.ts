import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { secretReader } from '../../src/lambda/secret-reader.ts';
import { type AwsAnswer, startAwsEndpoint } from './aws-endpoint.ts';

const PARAMETER = '/blockyard/slack';
const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:slack-a1B2c3';
const MINUTE = 60_000;

let aws: Awaited<ReturnType<typeof startAwsEndpoint>>;
let answer: AwsAnswer;
beforeEach(async () => {
  aws = await startAwsEndpoint(() => answer);
});
afterEach(() => aws.stop());

const parameter = (Value: string, Type = 'SecureString'): AwsAnswer => ({
  body: JSON.stringify({ Parameter: { Name: PARAMETER, Type, Value } }),
});
const DENIED: AwsAnswer = { status: 400, body: '{"__type":"AccessDeniedException"}' };

/** A refusal that tells a caller nothing, and the log what it was. */
const unavailable = (cause: RegExp) => ({
  code: 'secret-unavailable',
  detail: 'The signature cannot be checked just now. Try again soon.',
  headers: { 'Retry-After': '1' },
  cause: expect.objectContaining({ message: expect.stringMatching(cause) }),
});

describe('a secret is read', () => {
  test('from a SecureString parameter, by its name, decrypted', async () => {
    answer = parameter('first second\n');
    expect(await secretReader(PARAMETER)()).toEqual(['first', 'second']);
    expect(aws.calls).toEqual([
      {
        operation: 'GetParameter',
        body: JSON.stringify({ Name: PARAMETER, WithDecryption: true }),
      },
    ]);
  });

  test('from Secrets Manager, by its ARN', async () => {
    answer = { body: JSON.stringify({ ARN, SecretString: 'whsec_abc' }) };
    expect(await secretReader(ARN)()).toEqual(['whsec_abc']);
    expect(aws.calls).toEqual([
      { operation: 'GetSecretValue', body: JSON.stringify({ SecretId: ARN }) },
    ]);
  });

  test('once in five minutes', async () => {
    let now = 0;
    const read = secretReader(PARAMETER, () => now);
    answer = parameter('old');
    await read();
    answer = parameter('new');
    now = 5 * MINUTE - 1;
    expect(await read()).toEqual(['old']);
    expect(aws.calls).toHaveLength(1);
    now = 5 * MINUTE;
    expect(await read()).toEqual(['new']);
  });
});

describe('a secret that cannot be read', () => {
  test.each([
    [
      'no permission to read it',
      DENIED,
      /^The secret \/\S+ cannot be read: AccessDeniedException: /,
    ],
    [
      'none at that name',
      { status: 400, body: '{"__type":"ParameterNotFound"}' },
      /read: ParameterNotFound: /,
    ],
    ['an empty one', parameter(' \n'), /is empty/],
    ['one that is kept in plain', parameter('plain', 'String'), /is not a SecureString/],
  ])('is a 503 that tells its caller nothing: %s', async (_, given, cause) => {
    answer = given;
    await expect(secretReader(PARAMETER)()).rejects.toMatchObject(unavailable(cause));
  });

  test('is asked for again at the next delivery', async () => {
    const read = secretReader(PARAMETER);
    answer = DENIED;
    await expect(read()).rejects.toMatchObject({ code: 'secret-unavailable' });
    answer = parameter('there');
    expect(await read()).toEqual(['there']);
  });

  test('leaves the one before in force, and is asked for again after ten seconds', async () => {
    let now = 0;
    const read = secretReader(PARAMETER, () => now);
    answer = parameter('old');
    await read();
    answer = DENIED;
    now = 6 * MINUTE;
    expect(await read()).toEqual(['old']);
    const asked = aws.calls.length;
    expect(await read()).toEqual(['old']);
    expect(aws.calls).toHaveLength(asked);
    answer = parameter('new');
    now += 10_000;
    expect(await read()).toEqual(['new']);
  });
});
