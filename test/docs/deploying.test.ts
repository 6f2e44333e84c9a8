import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DefaultStackSynthesizer } from 'aws-cdk-lib';
import { IDLE, LOG_BYTES } from '../../bench/scaling/cost-tables.ts';
import { withTables } from '../../bench/scaling/document-tables.ts';
import { hostileTables } from '../../bench/scaling/hostile-tables.ts';
import { GATEWAY_REFUSALS } from '../../lib/blocks-api.ts';
import { environmentName, OPTIONS } from '../../lib/deployment-options.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import { createClient } from '../../src/dynamodb/client.ts';
import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';
import { PROBLEMS } from '../../src/problem/errors.ts';
import { invokeFunction } from '../lambda/invoke-function.ts';
import { seededEnvironment } from '../lambda/seeded-environment.ts';
import { builtService, synthesizeUnchecked } from '../support/deployment.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT } from '../support/service.ts';
import { shippedBlock } from '../support/shipped-blocks.ts';
import { acknowledged, alarmRows, blockRows } from './deploying-template.ts';
import { fencesOf, headingsOf, readDocument, tableOf } from './markdown.ts';

const document = readDocument('docs/deploying.md');
const scaling = readDocument('docs/scaling.md');
const EVERYTHING = {
  access: 'keys',
  apiLogRole: 'create',
  alarmEmail: 'ops@example.org',
  budget: '25',
  budgetEmail: 'money@example.org',
  dashboard: 'true',
  domainName: 'data.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
};

let service: BuiltService;
let open: ReturnType<typeof synthesizeUnchecked>;
let everything: ReturnType<typeof synthesizeUnchecked>;
beforeAll(async () => {
  service = await builtService();
  open = synthesizeUnchecked(service);
  everything = synthesizeUnchecked(service, EVERYTHING);
});
afterAll(cleanUp);

/** On a difference: the lines on the left are the table that the document should have. */
function expectTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  expect(tableOf(document, header)?.map(lineOf)).toEqual(rows.map(lineOf));
}

const sectionOf = (title: string) => headingsOf(document).find(({ text }) => text === title)?.body;
const rowOf = (header: readonly string[], first: string) =>
  tableOf(document, header)
    ?.find(([cell]) => cell === first)
    ?.join(' | ');

describe('the options', () => {
  test('are those that are read, each with its default and its meaning', () => {
    expectTable(
      ['option', 'environment', 'default', 'expected', 'meaning'],
      Object.entries(OPTIONS).map(([name, option]) => [
        `\`${name}\``,
        `\`${environmentName(name)}\``,
        option.default ?? '',
        option.expected,
        option.meaning,
      ]),
    );
  });

  test('are the only ones that any document names', () => {
    // The folder of the blocks, and a caller's key, are no options of the stack.
    const others = ['BLOCKYARD_BLOCKS', 'BLOCKYARD_KEY'];
    const known = new Set([...Object.keys(OPTIONS).map(environmentName), ...others]);
    for (const file of [
      'README.md',
      'docs/deploying.md',
      'docs/architecture.md',
      'docs/storage.md',
    ]) {
      const text = readDocument(file);
      const named = [...text.matchAll(/\bBLOCKYARD_[A-Z_]+\b/g)].map(([name]) => name);
      const given = [...text.matchAll(/ -c (\w+)=/g)].map(([, name]) =>
        environmentName(name ?? ''),
      );
      expect([...named, ...given].filter((name) => !known.has(name))).toEqual([]);
    }
  });
});

describe('the commands', () => {
  const shell = fencesOf(document)
    .filter(({ lang }) => lang === 'sh')
    .map(({ text }) => text)
    .join('\n');

  test('ask for outputs that the stack has', () => {
    const asked = [...shell.matchAll(/OutputKey=='(\w+)'/g)].map(([, name]) => name);
    const outputs = Object.keys(everything.template.toJSON().Outputs);
    expect(new Set(asked)).toEqual(new Set(['ApiId', 'BaseUrl', 'UsagePlanId', 'CnameTarget']));
    expect(outputs).toEqual(expect.arrayContaining(asked));
  });

  test('name the stack that a deploy makes', () => {
    const names = [...shell.matchAll(/--stack-name (\S+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set([OPTIONS.stackName.default]));
  });

  test('make, find, try, disable and delete a key', () => {
    const keys = fencesOf(sectionOf('Keys') ?? '').map(({ text }) => text);
    const commands = [...keys.join('\n').matchAll(/aws apigateway ([\w-]+)/g)].map(
      ([, one]) => one,
    );
    expect(commands).toEqual([
      'create-api-key',
      'create-usage-plan-key',
      'get-api-key',
      'get-api-keys',
      'get-usage',
      'update-api-key',
      'delete-api-key',
    ]);
    expect(keys.join('\n')).toMatch(/curl .*-H "x-api-key: \$KEY"/);
  });

  test("the roles to deploy with are those of the CDK's bootstrap", () => {
    expect(document).toContain(`\`cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-*\``);
  });
});

describe('permissions', () => {
  test('every wildcard of a role is named, with all that it allows', () => {
    const named: Readonly<Record<string, string>> = {
      'AWS::DynamoDB::Table': '<table>',
      'AWS::S3::Bucket': "<files' bucket>",
    };
    // biome-ignore lint/suspicious/noExplicitAny: a template's values are of any shape
    const textOf = (value: any): string =>
      typeof value === 'string'
        ? value
        : 'Fn::Join' in value
          ? value['Fn::Join'][1].map(textOf).join('')
          : 'Ref' in value
            ? '<>'
            : 'Fn::Sub' in value
              ? "<the bootstrap's bucket>"
              : (named[everything.resources[value['Fn::GetAtt'][0]]?.Type ?? ''] ?? '<function>');
    const found = new Map<string, Set<string>>();
    for (const { Properties } of Object.values(everything.resources)) {
      const policies = [Properties ?? {}, ...(Properties?.Policies ?? [])];
      const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument?.Statement ?? []);
      for (const { Resource = [], Action, Effect } of statements) {
        if (Effect === 'Deny') continue;
        for (const text of [Resource].flat().map(textOf)) {
          if (!text.includes('*')) continue;
          const name = text
            .replace(/^arn:<>:(?:lambda:<>:<>:|s3:::)?/, '')
            .replace(/^(<files' bucket>)\/[\w-]+\//, '$1/<block>/')
            .replace('/blockyard-files-', '/<stack>-files-')
            .replace('logs:<>:<>:*', 'logs:*')
            .replace('blockyard_', '<stack>_');
          const actions = found.get(name) ?? new Set();
          for (const action of [Action].flat()) actions.add(action);
          found.set(name, actions);
        }
      }
    }
    const rows = tableOf(document, ['resource', 'actions', 'why']) ?? [];
    const documented = rows.map(([resource = '', actions = '']) => [
      resource.replaceAll('`', ''),
      actions.replaceAll('`', '').split(', ').sort(),
    ]);
    expect(documented.sort()).toEqual(
      [...found].map(([name, actions]) => [name, [...actions].sort()]).sort(),
    );
    for (const [, , why = ''] of rows) expect(why.length).toBeGreaterThan(40);
  });
});

describe('what it costs', () => {
  test('slow readers and floods: as it follows from the bounds and the prices', () => {
    expect(document).toBe(withTables(document, hostileTables()));
  });

  const sizeOf = (file: string): number => {
    const stat = statSync(file);
    if (!stat.isDirectory()) return stat.size;
    return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
  };
  test('idle: no more ships than is reckoned with', () => {
    const tableBytes = service.blocks.reduce((sum, { table }) => {
      if (table === undefined) return sum;
      const copies = 1 + (table.shape.GlobalSecondaryIndexes ?? []).length;
      // 100 bytes of each item are DynamoDB's own (AWS: "DynamoDB Item sizes").
      return sum + copies * (table.bytes + 100 * table.rows);
    }, 0);
    const files = [
      ...service.blocks.flatMap(({ code, table }) => (table ? [code, table.file] : [code])),
      service.catalog,
      service.keyAuthorizer,
      service.drain,
    ];
    expect(open.ofType('AWS::CloudWatch::Alarm')).toHaveLength(IDLE.alarms);
    expect(tableBytes / 2 ** 30).toBeLessThan(IDLE.tableGb);
    expect(files.reduce((sum, file) => sum + sizeOf(file), 0) / 2 ** 30).toBeLessThan(IDLE.fileGb);
    const [, , together] = tableOf(scaling, ['what', 'how much', 'USD a month'])?.at(-1) ?? [];
    expect(Number(together)).toBeLessThan(1);
    for (const text of [document, readDocument('README.md')]) {
      expect(text).toContain(` is ${together} USD a month`);
    }
  });

  test('idle: nothing in the stack is paid by the hour but alarms', () => {
    const types = new Set(Object.values(open.resources).map(({ Type }) => Type));
    for (const type of types) {
      expect(type).toMatch(
        /^AWS::(?:ApiGateway|CloudWatch::Alarm|DynamoDB::Table|IAM|Lambda|Logs|S3)|^Custom::(?:Trigger|BlockCheck|BlockFiles)$|^AWS::CloudFormation::Stack$/,
      );
    }
    const text = JSON.stringify(open.template.toJSON());
    expect(text).not.toMatch(/ProvisionedThroughput|ProvisionedConcurrency|CacheCluster|KMSMaster/);
  });

  test('functions have the memory that is reckoned with', () => {
    const sizes = open
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.Description !== undefined)
      .map(([, { Properties }]) => Properties.MemorySize);
    expect(new Set(sizes)).toEqual(new Set([1024]));
    expect(scaling).toContain('1,024 MB, arm64');
  });
});

describe('logs, metrics and alarms', () => {
  type Line = Readonly<Record<string, unknown>>;
  let lines: Line[];
  let ofOneRun: Line[];
  beforeAll(async () => {
    const emulator = await startEmbeddedDynamodb();
    const client = createClient(emulator);
    try {
      const loaded = await shippedBlock('business-directory');
      const seeded = {
        ...(await seededEnvironment(loaded, client, await temporaryFolder())),
        COLUMN_CACHE_BYTES: '0',
        DYNAMODB_ENDPOINT: emulator.endpoint,
      };
      const handler = 'lambda/dataset.ts';
      const recorded = (file: string) => {
        const event = JSON.parse(readFileSync(path.join(ROOT, 'test/lambda/events', file), 'utf8'));
        const requestContext = { ...event.requestContext, requestId: crypto.randomUUID() };
        return { ...event, requestContext };
      };
      const row = recorded('post-json.json');
      const { runs } = await invokeFunction(
        handler,
        [row, recorded('post-json.json'), recorded('post-unknown-name.json')],
        seeded,
      );
      const broken = await invokeFunction(handler, [recorded('post-json.json')], {
        ...seeded,
        DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
      });
      const written = [...runs, ...broken.runs].map(({ stdout, stderr }) => [...stdout, ...stderr]);
      lines = written.flat();
      ofOneRun = written[1] ?? [];
    } finally {
      client.destroy();
      await emulator.stop();
    }
  });

  const isMetrics = (line: Line) => '_aws' in line;
  const sizeOf = (line: unknown) => Buffer.byteLength(JSON.stringify(line));
  const firstCells = (header: readonly string[], rows = tableOf(document, header)) =>
    rows?.map(([cell]) => cell?.replaceAll('`', ''));

  test("the members of a run's line are listed, and no other", () => {
    const members = lines.filter((line) => !isMetrics(line)).flatMap(Object.keys);
    expect(new Set(firstCells(['member', 'what']))).toEqual(new Set(members));
  });

  test("the members of the access log's line are listed, in its order", () => {
    const [, second] = (sectionOf('Logs') ?? '').split('API Gateway writes a line');
    expect(firstCells(['member', 'what'], tableOf(second ?? '', ['member', 'what']))).toEqual(
      Object.keys(accessLog()),
    );
  });

  function accessLog(): Record<string, string> {
    const [stage] = open.ofType('AWS::ApiGateway::Stage');
    return JSON.parse(stage?.[1].Properties.AccessLogSetting.Format);
  }

  test('the metrics are those that are sent, with their units', () => {
    type Sent = { Metrics: { Name: string; Unit: string }[] };
    const sent = lines
      .filter(isMetrics)
      .flatMap(({ _aws }) => (_aws as { CloudWatchMetrics: Sent[] }).CloudWatchMetrics)
      .flatMap(({ Metrics }) => Metrics.map(({ Name, Unit }) => `${Name} ${Unit}`));
    const rows = tableOf(document, ['metric', 'unit', 'what']) ?? [];
    expect(new Set(rows.map(([name, unit]) => `${name?.replaceAll('`', '')} ${unit}`))).toEqual(
      new Set(sent),
    );
  });

  test('the lines are as long as they are reckoned to be', () => {
    const [run, metrics] = [false, true].map((wanted) =>
      ofOneRun
        .filter((line) => isMetrics(line) === wanted)
        .reduce((sum, line) => sum + sizeOf(line), 0),
    );
    const values: Record<string, string> = {
      '$context.requestId': 'a64e2a24-9d0b-4b3e-8c1c-5a2f6f1f0d11',
      '$context.requestTimeEpoch': '1795246392414',
      '$context.httpMethod': 'POST',
      '$context.resourcePath': '/api_v2/blocks/business-directory',
      '$context.status': '200',
      '$context.integration.integrationStatus': '200',
      '$context.error.responseType': '-',
      '$context.responseLatency': '42',
      '$context.integration.timeToFirstContent': '17',
      '$context.responseLength': '12345',
    };
    const access = sizeOf(
      Object.fromEntries(
        Object.entries(accessLog()).map(([name, variable]) => [name, values[variable]]),
      ),
    );
    for (const [name, bytes] of Object.entries({ run, metrics, access })) {
      const ratio = (bytes as number) / LOG_BYTES[name as keyof typeof LOG_BYTES];
      expect({ name, isNear: Math.abs(ratio - 1) < 0.1 }).toEqual({ name, isNear: true });
    }
  });

  test('the queries use members that lines have', () => {
    const queries = fencesOf(document).filter(({ lang }) => lang === 'insights');
    const known = new Set([...lines.flatMap(Object.keys), ...Object.keys(accessLog())]);
    expect(queries.length).toBeGreaterThanOrEqual(4);
    for (const { text } of queries) {
      const made = [...text.matchAll(/\bas (\w+)/g)].map(([, name]) => name);
      const words = text.replace(/"[^"]*"/g, '').match(/(?<![@\w])[a-zA-Z]\w*/g) ?? [];
      const unknown = words.filter(
        (word) => !known.has(word) && !made.includes(word) && !INSIGHTS.has(word),
      );
      expect(unknown).toEqual([]);
    }
  });

  test('the alarms are those of the stack', () => {
    expectTable(['alarm', 'metric', 'statistic', 'above', 'meaning'], alarmRows(open));
    for (const [, { Properties }] of open.ofType('AWS::CloudWatch::Alarm')) {
      expect(Properties).toMatchObject({
        Period: 300,
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    }
  });
});

/** Words of Logs Insights' own. */
const INSIGHTS = new Set(
  'filter or and fields sort desc limit ispresent stats count sum pct as by'.split(' '),
);

describe('quotas', () => {
  const HEADER = ['limit', 'how much', 'then'];
  const { throttleRate, throttleBurst, keyRate, keyBurst, keyQuota, columnCacheBytes } = OPTIONS;
  const whole = (text: string | undefined) => Number(text).toLocaleString('en-US');

  test.each([
    [
      "the stage's throttle",
      `${throttleRate.default} requests a second, ${throttleBurst.default} at once`,
    ],
    ["a key's throttle", `${keyRate.default} a second, ${keyBurst.default} at once`],
    ["a key's quota", `${whole(keyQuota.default)} a day`],
  ])('%s is the default one', (limit, text) => {
    expect(rowOf(HEADER, limit)).toContain(text);
  });

  test('what API Gateway answers then is what it is told to answer', () => {
    const answers = [...GATEWAY_REFUSALS].map(([{ responseType }, { code, retryAfter }]) => [
      responseType,
      `${PROBLEMS[code].status} [\`${code}\`](errors.md#${code})${retryAfter === undefined ? '' : `, \`Retry-After\` ${retryAfter}`}`,
    ]);
    const answerOf = (kind: string) => answers.find(([type]) => type === kind)?.[1] ?? '';
    expect(rowOf(HEADER, "the stage's throttle")).toContain(answerOf('THROTTLED'));
    expect(rowOf(HEADER, "a key's quota")).toContain(answerOf('QUOTA_EXCEEDED'));
    expect(rowOf(HEADER, 'a body')).toContain(answerOf('REQUEST_TOO_LARGE'));
    expect(answerOf('INTEGRATION_TIMEOUT')).toContain(
      rowOf(HEADER, 'a function that does not answer')?.split(' | ')[2],
    );
    // A refused call of a function has no kind of its own.
    const refused = GATEWAY_REFUSALS_BY_NAME.get('DEFAULT_5XX');
    expect(rowOf(HEADER, "Lambda, an account's region")).toContain(
      `[\`${refused}\`](errors.md#${refused})`,
    );
  });

  const GATEWAY_REFUSALS_BY_NAME = new Map(
    [...GATEWAY_REFUSALS].map(([{ responseType }, { code }]) => [responseType, code]),
  );

  test('a URL may be as long as the kind of endpoint allows', () => {
    const [api] = open.ofType('AWS::ApiGateway::RestApi');
    const isRegional =
      api?.[1].Properties.EndpointConfiguration?.Types.includes('REGIONAL') ?? false;
    expect(rowOf(HEADER, 'a URL')).toContain(`${isRegional ? '10,240' : '8,192'} characters`);
  });

  test('a block of each kind has so many resources, and so many fit', () => {
    expectTable(
      ['a block', 'resources of its nested stack', 'with keys', 'of the API', 'blocks'],
      blockRows(service),
    );
  });

  test('as much is held in memory as the default says', () => {
    const mebibytes = Number(columnCacheBytes.default) / 2 ** 20;
    expect(sectionOf('How far it scales')).toContain(`by default ${mebibytes} MiB`);
  });
});

describe('what is said of a deploy', () => {
  test('the wait before an old table goes is the one that is kept', () => {
    const source = readFileSync(path.join(ROOT, 'lambda/drain.ts'), 'utf8');
    expect(source).toContain('DRAIN_MS = 6000;');
    expect(sectionOf('Updating data')).toContain('After 6 s');
  });

  test('every rule of cdk-nag that is acknowledged is listed, with where and why', () => {
    expectTable(
      ['rule', 'where', 'why'],
      acknowledged([open, everything]).map(({ rule, where, why }) => [rule, where, why]),
    );
  });
});
