import { describe, expect, test } from '@jest/globals';
import { environmentName, OPTIONS, readOptions } from '../../lib/deployment-options.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b';

describe('the options of a deployment', () => {
  test('have a default each, but for what only its owner can know', () => {
    expect(readOptions({}, {})).toEqual({
      streaming: true,
      stackName: 'blockyard',
      partition: 'aws',
      bootstrapStack: 'CDKToolkit',
      bootstrapQualifier: 'hnb659fds',
      stage: 'prod',
      access: 'open',
      allowOrigin: '*',
      throttleRate: 50,
      throttleBurst: 100,
      keyRate: 10,
      keyBurst: 20,
      keyQuota: 10_000,
      allowFrames: undefined,
      domainName: undefined,
      certificateArn: undefined,
      publicUrl: undefined,
      publisher: undefined,
      publisherUrl: undefined,
      publisherEmail: undefined,
      columnCacheBytes: 134_217_728,
      answerMegabytes: 199,
      memory: 1024,
      reservedConcurrency: undefined,
      logRetention: 30,
      apiLogRole: 'existing',
      tracing: true,
      concurrencyAlarm: 800,
      alarmEmail: undefined,
      budget: undefined,
      budgetEmail: undefined,
      dashboard: false,
      removalPolicy: 'destroy',
      tags: {},
    });
  });

  test('come from the context before the environment; a blank is none', () => {
    const environment = { BLOCKYARD_STAGE: 'test', BLOCKYARD_ACCESS: 'keys' };
    const options = readOptions({ stage: 'dev', access: '' }, environment);
    expect(options).toMatchObject({ stage: 'dev', access: 'keys' });
  });

  test.each([
    ['stackName', 'city-data', 'city-data'],
    ['access', 'keys', 'keys'],
    ['allowFrames', 'none', 'none'],
    ['publicUrl', 'https://data.example.org', 'https://data.example.org/'],
    ['publisher', 'Made City', 'Made City'],
    ['allowFrames', 'https://a.org, http://b.org:81', 'https://a.org, http://b.org:81'],
    ['throttleRate', '5', 5],
    ['columnCacheBytes', '0', 0],
    ['logRetention', '3653', 3653],
    ['tracing', 'false', false],
    ['dashboard', 'true', true],
    ['apiLogRole', 'create', 'create'],
    ['reservedConcurrency', '5', 5],
    ['removalPolicy', 'retain', 'retain'],
    ['alarmEmail', 'ops@example.org', 'ops@example.org'],
    ['slackSecret', '/blockyard/slack', '/blockyard/slack'],
    [
      'slackSecret',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:slack-a1B2c3',
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:slack-a1B2c3',
    ],
    ['tags', 'team=data, cost centre = 12=b', { team: 'data', 'cost centre': '12=b' }],
    ['tags', 'Größe:a/b=,x=ops+1@a.b_c-d', { 'Größe:a/b': '', x: 'ops+1@a.b_c-d' }],
  ])('%s may be %j', (name, text, value) => {
    expect(readOptions({ [name]: text }, {})).toMatchObject({ [name]: value });
    expect(readOptions({}, { [environmentName(name)]: text })).toMatchObject({ [name]: value });
  });

  test.each([
    ['stackName', '1st'],
    ['stage', 'a-b'],
    ['secretKeyArn', 'alias/mine'],
    ['access', 'key'],
    ['allowOrigin', 'data.example.org'],
    ['allowFrames', 'data.example.org'],
    ['publicUrl', 'https://data.example.org/?a=1'],
    ['publisherUrl', 'city.example'],
    ['publisherEmail', 'nobody'],
    ['allowFrames', '* https://data.example.org'],
    ['throttleRate', '0'],
    ['throttleRate', '1.5'],
    ['throttleBurst', '-1'],
    ['keyQuota', '1e3'],
    ['columnCacheBytes', '64MB'],
    ['reservedConcurrency', '0'],
    ['answerMegabytes', '200'],
    ['answerMegabytes', '0'],
    ['memory', '100'],
    ['memory', '10241'],
    ['logRetention', '31'],
    ['tracing', 'yes'],
    ['alarmEmail', 'ops'],
    ['budget', '0'],
    ['budget', '9.5'],
    ['budget', '1000001'],
    ['budgetEmail', 'ops'],
    ['domainName', 'https://example.org'],
    ['certificateArn', 'abc'],
    ['removalPolicy', 'keep'],
    ['tags', 'team'],
    ['tags', 'aws:team=a'],
    ['tags', 'AWS:team=a'],
    ['tags', 'a#b=c'],
    ['tags', 'team=a!'],
    ['tags', 'team=a,team=b'],
    ['tags', `${'k'.repeat(129)}=a`],
    ['tags', `team=${'v'.repeat(257)}`],
    ['tags', Array.from({ length: 51 }, (_, i) => `t${i}=a`).join()],
  ])('%s cannot be %j, and one line says what was expected', (name, text) => {
    const refused = () => readOptions({ [name]: text }, {});
    expect(refused).toThrow(`${name} is ${JSON.stringify(text)}; expected `);
    expect(refused).toThrow(/^[^\n]+\.$/);
  });

  test.each([
    ['slackSecret', '8f742231b10e8888abcd99yyyzzz85a5'],
    ['slackSecret', '/aws/reserved'],
  ])('%s cannot be %j, which is not repeated: it may be the secret', (name, text) => {
    const refused = () => readOptions({}, { [environmentName(name)]: text });
    expect(refused).toThrow(`${name} is no name of a secret; expected a SecureString parameter`);
    expect(refused).not.toThrow(text);
  });

  test('whose pages may read is chosen where keys are asked for, and only there', () => {
    const allowOrigin = 'https://a.example.org,https://b.example.org';
    expect(readOptions({ access: 'keys', allowOrigin }, {})).toMatchObject({ allowOrigin });
    expect(() => readOptions({ allowOrigin }, {})).toThrow(
      'allowOrigin goes with access=keys: without keys anybody may read.',
    );
  });

  test('a secret may be done without', () => {
    expect(readOptions({ slackSecret: 'none' }, {}).slackSecret).toBeUndefined();
  });

  test.each([
    [{ acess: 'keys' }, {}, 'There is no option acess. Did you mean access?'],
    [{ colour: 'red' }, {}, 'There is no option colour. The options are stackName, partition,'],
    [{}, { BLOCKYARD_ACESS: 'keys' }, 'Did you mean BLOCKYARD_ACCESS?'],
    [{}, { BLOCKYARD_WEBHOOK_SECRET: '/a' }, 'There is no option BLOCKYARD_WEBHOOK_SECRET.'],
  ])('%j %j names no option', (context, environment, message) => {
    expect(() => readOptions(context, environment)).toThrow(message);
  });

  test("the CDK's own context passes", () => {
    const context = {
      '@aws-cdk/core:checkSecretUsage': true,
      'aws:cdk:enable-path-metadata': true,
    };
    expect(() => readOptions(context, { PATH: '/bin' })).not.toThrow();
  });

  test('a domain and its certificate go together', () => {
    const domainName = 'data.example.org';
    expect(readOptions({ domainName, certificateArn: CERTIFICATE }, {})).toMatchObject({
      domainName,
      certificateArn: CERTIFICATE,
    });
    expect(() => readOptions({ domainName }, {})).toThrow('go together');
    expect(() => readOptions({ certificateArn: CERTIFICATE }, {})).toThrow('go together');
  });

  test('a budget and the address to write to go together', () => {
    const both = { budget: '25', budgetEmail: 'money@example.org' };
    expect(readOptions(both, {})).toMatchObject({ ...both, budget: 25 });
    const line = 'budget and budgetEmail go together; one of them is missing.';
    expect(() => readOptions({ budget: '25' }, {})).toThrow(line);
    expect(() => readOptions({ budgetEmail: both.budgetEmail }, {})).toThrow(line);
  });

  test('each default is one that could be written', () => {
    for (const option of Object.values(OPTIONS)) {
      if (option.default !== undefined) expect(option.read(option.default)).toBeDefined();
    }
  });
});
