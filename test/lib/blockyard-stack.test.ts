import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { partOf } from '../../lib/blockyard-stack.ts';
import { NAMESPACE } from '../../lib/service-metrics.ts';
import type { BuiltService } from '../../src/build/build-service.ts';
import { METRICS_NAMESPACE } from '../../src/lambda/lambda-settings.ts';
import {
  builtService,
  type Resource,
  synthesize,
  synthesizeUnchecked,
} from '../support/deployment.ts';
import { stepsBefore, stepsOf } from '../support/deployment-walk.ts';
import { cleanUp } from '../support/process.ts';

const DOMAIN = {
  domainName: 'data.example.org',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b',
};
const SECRETS = {
  slackSecret: '/blockyard/slack',
  secretKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b-2c3d',
};
const EVERYTHING = {
  ...DOMAIN,
  ...SECRETS,
  apiLogRole: 'create',
  access: 'keys',
  alarmEmail: 'ops@example.org',
  budget: '25',
  budgetEmail: 'money@example.org',
  dashboard: 'true',
};

let service: BuiltService;
let open: ReturnType<typeof synthesize>;
let keys: ReturnType<typeof synthesize>;
/** With every option that changes one thing by itself. */
let chosen: ReturnType<typeof synthesize>;
let everything: ReturnType<typeof synthesize>;
beforeAll(async () => {
  service = await builtService();
  // First, since the rules are made ready anew for a type of resources that was not there before.
  everything = synthesize(service, EVERYTHING);
  open = synthesize(service);
  keys = synthesize(service, { access: 'keys' });
  chosen = synthesize(service, {
    ...{ memory: '1769', reservedConcurrency: '7', removalPolicy: 'retain', logRetention: '7' },
    ...{ throttleRate: '7', throttleBurst: '9', dashboard: 'true', tags: 'team=data' },
    alarmEmail: 'ops@example.org',
  });
});
afterAll(cleanUp);

const names = () => service.blocks.map(({ block }) => block.name);
const datasets = () =>
  service.blocks.flatMap(({ block, table }) => (table ? [{ block, table }] : []));
const logicalStart = (name: string) => name.replaceAll('-', '');
const isCheck = (id: string) => /^(?:Part\d+)?CheckFunction/.test(id);
/** The parts of the stack that the shipped blocks are in. */
const parts = () => new Set(names().map(partOf)).size;

/** The statements of all policies of a function's role. */
function statementsOf({ resources, ofType }: typeof open, start: string) {
  const [role] = Object.entries(resources).find(
    ([id, { Type }]) => Type === 'AWS::IAM::Role' && id.startsWith(start),
  ) as [string, Resource];
  return [...ofType('AWS::IAM::Policy'), ...ofType('AWS::IAM::ManagedPolicy')]
    .filter(([, { Properties }]) =>
      Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role),
    )
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
}

describe('functions', () => {
  test('one for each block, for the catalogue, for MCP and to drain, one to check each part; with keys, one to find them', () => {
    const described = (stack: typeof open) =>
      stack
        .ofType('AWS::Lambda::Function')
        .map(([, { Properties }]) => Properties.Description)
        .filter((text) => text !== undefined);
    expect(described(open)).toHaveLength(names().length + parts() + 3);
    for (const name of names()) {
      expect(described(open)).toContainEqual(expect.stringMatching(`^Block ${name}: `));
    }
    expect(described(keys)).toContain("Finds a request's key");
    expect(described(open)).not.toContain("Finds a request's key");
  });

  test('run on Node 24, arm64, traced, and log JSON into a log of theirs', () => {
    const ours = keys
      .ofType('AWS::Lambda::Function')
      .filter(([id, { Properties }]) => Properties.Description !== undefined && !isCheck(id));
    for (const [, { Properties }] of ours) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: 1024,
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) } },
        Environment: {
          Variables: {
            BUILD: expect.stringMatching(/^[0-9a-f]{20}$/),
            SERVICE_NAME: 'blockyard',
          },
        },
      });
    }
  });

  test('have 10 s for a call, those that wait for two of them 25 s, and those that stream and the check all that Lambda gives', () => {
    const timeouts = everything
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.Description !== undefined)
      .map(([id, { Properties }]) => [
        id.replace(/^Part\d+|(?:Service)?Function[0-9A-F]{8}$/g, ''),
        Properties.Timeout,
      ]);
    expect(Object.fromEntries(timeouts)).toEqual({
      ...Object.fromEntries(
        names().map((name) => [logicalStart(name), name === 'rgb-to-color-name' ? 10 : 900]),
      ),
      Catalog: 10,
      ChannelKeysAuthorizer: 10,
      Drain: 10,
      Mcp: 25,
      Slack: 25,
      Check: 900,
    });
  });

  test('stream nothing with streaming=false, and wait no longer than API Gateway then does', () => {
    const { ofType } = synthesizeUnchecked(service, { streaming: 'false' });
    const blocks = ofType('AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.Environment?.Variables.TABLE_NAME !== undefined,
    );
    expect(blocks).toHaveLength(datasets().length);
    for (const [, { Properties }] of blocks) {
      expect(Properties.Timeout).toBe(29);
      expect(Properties.Environment.Variables.STREAMING).toBe('false');
    }
    const integrations = ofType('AWS::ApiGateway::Method').map(
      ([, { Properties }]) => Properties.Integration,
    );
    expect(integrations.length).toBeGreaterThan(0);
    for (const one of integrations) {
      expect([one.ResponseTransferMode, one.TimeoutInMillis]).toEqual([undefined, undefined]);
      expect(JSON.stringify(one.Uri)).not.toContain('response-streaming');
    }
    // Streaming is what the default has.
    const streamed = open
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => Properties.Integration.ResponseTransferMode);
    expect(streamed).toContain('STREAM');
  });

  test('have as much memory as was chosen', () => {
    chosen.template.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { MemorySize: 1769 },
      names().length + parts() + 3,
    );
  });

  test('of blocks, and no others, keep calls for themselves where that is chosen', () => {
    const reserved = ({ ofType }: typeof open) =>
      ofType('AWS::Lambda::Function').flatMap(([, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[Properties.Description.split(':')[0], Properties.ReservedConcurrentExecutions]],
      );
    expect(reserved(open)).toEqual([]);
    expect(reserved(chosen).sort()).toEqual(names().map((name) => [`Block ${name}`, 7]));
    // The next deployment counts these as its own.
    chosen.template.hasOutput('ReservedConcurrency', { Value: String(7 * names().length) });
  });

  test('are not traced where that is not wanted, and always told whose pages may read', () => {
    const allowOrigin = 'https://data.example.org';
    const { template, ofType } = synthesize(service, {
      tracing: 'false',
      access: 'keys',
      allowOrigin,
    });
    const told = (of: typeof open.ofType) =>
      of('AWS::Lambda::Function')
        .filter(([, { Properties }]) => Properties.Environment?.Variables?.BUILD !== undefined)
        .map(([, { Properties }]) => Properties.Environment.Variables.ALLOW_ORIGIN);
    expect(told(ofType)).toEqual(new Array(names().length + 4).fill(allowOrigin));
    expect(told(open.ofType)).toEqual(new Array(names().length + 3).fill('*'));
    template.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { TracingConfig: Match.anyValue() },
      0,
    );
    expect(JSON.stringify(template.toJSON())).not.toContain('xray');
  });

  test('are told who publishes them, if that is stated, and whether keys are needed', () => {
    const told = ({ ofType }: typeof open) =>
      ofType('AWS::Lambda::Function').flatMap(([, { Properties }]) => {
        const { BUILD, PUBLISHER, PUBLISHER_EMAIL, ACCESS } =
          Properties.Environment?.Variables ?? {};
        return BUILD === undefined ? [] : [[PUBLISHER, PUBLISHER_EMAIL, ACCESS].join()];
      });
    expect(new Set(told(open))).toEqual(new Set([',,open']));
    expect(new Set(told(keys))).toEqual(new Set([',,keys']));
    const said = { publisher: 'Made City', publisherEmail: 'data@city.example' };
    expect(new Set(told(synthesizeUnchecked(service, said)))).toEqual(
      new Set(['Made City,data@city.example,open']),
    );
  });

  test('are told who may embed their pages: with keys nobody, unless it is chosen', () => {
    const told = ({ ofType }: typeof open) => [
      ...new Set(
        ofType('AWS::Lambda::Function')
          .filter(([, { Properties }]) => Properties.Environment?.Variables?.BUILD !== undefined)
          .map(([, { Properties }]) => Properties.Environment.Variables.ALLOW_FRAMES),
      ),
    ];
    const allowFrames = 'https://data.example.org';
    expect(told(open)).toEqual(['*']);
    expect(told(keys)).toEqual(['none']);
    expect(told(synthesizeUnchecked(service, { allowFrames }))).toEqual([allowFrames]);
    expect(told(synthesizeUnchecked(service, { access: 'keys', allowFrames: '*' }))).toEqual(['*']);
  });

  test('are called through an alias of a version that was checked before', () => {
    const aliases = open.ofType('AWS::Lambda::Alias');
    expect(aliases).toHaveLength(names().length + 3);
    // The one that finds keys is checked like all others.
    for (const [, alias] of keys.ofType('AWS::Lambda::Alias')) {
      const [version] = alias.Properties.FunctionVersion['Fn::GetAtt'];
      expect(keys.resources[version]?.Type).toBe('AWS::Lambda::Version');
      const [check] = (alias.DependsOn ?? [])
        .map((id) => keys.resources[id])
        .filter((resource) => /^Custom::/.test(resource?.Type ?? ''));
      if (check?.Type === 'Custom::BlockCheck') {
        expect(check.Properties.Version).toEqual({ Ref: version });
        continue;
      }
      expect(check).toMatchObject({
        Type: 'Custom::Trigger',
        Properties: {
          HandlerArn: { Ref: version },
          InvocationType: 'RequestResponse',
          ExecuteOnHandlerChange: true,
          // A start of up to 10 s, and the call.
          Timeout: '60000',
        },
      });
    }
  });

  const checks = () =>
    open
      .ofType('Custom::BlockCheck')
      .map(([id, check]) => [check.Properties.Block, check, id] as const);

  test("of blocks are checked by their part's function, which is told their versions and their tables", () => {
    expect(
      checks()
        .map(([block]) => block)
        .sort(),
    ).toEqual(names());
    for (const [block, { Properties }] of checks()) {
      const start = logicalStart(block);
      const table = service.blocks.find(({ block: { name } }) => name === block)?.table;
      expect(Properties).toEqual({
        ServiceToken: {
          'Fn::GetAtt': [expect.stringMatching(`^Part${partOf(block)}CheckFunction`), 'Arn'],
        },
        // The function's 15 minutes, and one.
        ServiceTimeout: '960',
        Block: block,
        FunctionName: { Ref: expect.stringMatching(`^${start}ServiceFunction`) },
        Version: { Ref: expect.stringMatching(`^${start}.*CurrentVersion`) },
        Alias: 'live',
        ...(table === undefined
          ? {}
          : { Table: { Ref: expect.stringContaining(`Version${table.version}`) } }),
      });
      const [, alias] = open.ofType('AWS::Lambda::Alias').find(([id]) => id.startsWith(start)) as [
        string,
        Resource,
      ];
      expect(alias.DependsOn?.some((id) => RegExp(`^(?:Part\\d+)?Check${start}`).test(id))).toBe(
        true,
      );
    }
  });

  test("the check of a block comes after its function's permission to read its table, and its own", () => {
    const tables = new Map(datasets().map(({ block, table }) => [block.name, table]));
    for (const [block, check] of checks()) {
      const before = (check.DependsOn ?? []).join();
      expect(before).toContain('CheckInvoke');
      const table = tables.get(block);
      if (table === undefined) continue;
      expect(before).toContain(`Read${table.version}`);
      expect(before).toContain('CheckCount');
    }
  });

  test('an old version, and its table, go only after every part has moved its aliases, and a wait', () => {
    const [, drain] = open.ofType('Custom::Trigger').find(([id]) => id.startsWith('Drain')) as [
      string,
      Resource,
    ];
    expect(drain.DependsOn).toEqual(
      expect.arrayContaining(names().map((name) => `Part${partOf(name)}`)),
    );
    const told = ({ ofType }: typeof open) =>
      ofType('AWS::Lambda::Function').find(([id]) => id.startsWith('Drain'))?.[1].Properties
        .Environment.Variables.VERSIONS;
    const changed = service.blocks.map((built, i) =>
      i === 0 ? { ...built, environment: { ...built.environment, MORE: '1' } } : built,
    );
    // It is another function, and so called again, whenever a block has another version.
    expect(told(synthesizeUnchecked({ ...service, blocks: changed }))).not.toEqual(told(open));
    expect(told(synthesizeUnchecked(service))).toEqual(told(open));
    expect(told(open)).toMatch(/^[0-9a-f]{20}$/);
  });
});

describe('permissions', () => {
  test("a part's check may read its tables, call its new versions, ask which is live, and copy and remove files; nothing else", () => {
    for (const part of new Set(names().map(partOf))) {
      const own = service.blocks.filter(({ block }) => partOf(block.name) === part);
      const tables = own.flatMap(({ table }) => table ?? []);
      const statements = statementsOf(open, `Part${part}Check`);
      const of = (action: string) =>
        statements
          .filter(({ Action }) => [Action].flat().includes(action))
          .flatMap(({ Resource }) => Resource);
      expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(
        new Set([
          'dynamodb:Query',
          'dynamodb:BatchGetItem',
          'dynamodb:Scan',
          'lambda:InvokeFunction',
          'lambda:GetAlias',
          'logs:CreateLogStream',
          'logs:PutLogEvents',
          's3:GetObject',
          's3:PutObject',
          's3:DeleteObject',
        ]),
      );
      expect(of('lambda:InvokeFunction').map(({ Ref }) => Ref)).toEqual(
        own.map(({ block: { name } }) =>
          expect.stringMatching(`^${logicalStart(name)}ServiceFunctionCurrentVersion`),
        ),
      );
      expect(of('dynamodb:Query').map((one) => one['Fn::GetAtt'][0])).toEqual(
        tables.map(({ version }) => expect.stringContaining(`Version${version}`)),
      );
      expect(of('dynamodb:Scan').map((one) => one['Fn::Join'][1][1])).toEqual(
        tables.map(() => '/index/*'),
      );
    }
  });

  test('a function may write its own log, trace, and read its own table and files; nothing else', () => {
    for (const { block, table } of service.blocks) {
      const statements = statementsOf(open, logicalStart(block.name));
      const actions = statements.flatMap(({ Action }) => Action);
      expect(actions.sort()).toEqual([
        ...(table === undefined ? [] : ['dynamodb:BatchGetItem', 'dynamodb:Query']),
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        ...(table === undefined ? [] : ['s3:GetObject']),
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ]);
      const [log] = statements.filter(({ Action }) => Action.includes('logs:PutLogEvents'));
      expect(log.Resource['Fn::GetAtt'][0]).toMatch(RegExp(`^${logicalStart(block.name)}`));
    }
  });

  test("exactly the table of its dataset's version, and that table's indexes", () => {
    for (const { block, table } of datasets()) {
      const [query] = statementsOf(open, logicalStart(block.name)).filter(({ Action }) =>
        Action.includes('dynamodb:Query'),
      );
      const [arn, ...indexes] = [query.Resource].flat();
      expect(arn['Fn::GetAtt'][0]).toContain(`Version${table.version}`);
      expect(indexes.map((index) => index['Fn::Join'][1])).toEqual([[arn, '/index/*']]);
    }
  });

  test("permission to read a table is a policy of that version's, so that an old one outlives the change", () => {
    for (const { table } of datasets()) {
      const policies = open
        .ofType('AWS::IAM::Policy')
        .filter(([, policy]) => JSON.stringify(policy).includes('dynamodb:'))
        .map(([id]) => id);
      expect(policies.filter((id) => id.includes(`Read${table.version}`))).toHaveLength(1);
    }
  });

  test('no statement but those of X-Ray has a bare wildcard', () => {
    const bare = Object.entries(keys.resources)
      .flatMap(([, { Properties }]) => [
        ...(Properties?.PolicyDocument?.Statement ?? []),
        ...(Properties?.Policies ?? []).flatMap(
          // biome-ignore lint/suspicious/noExplicitAny: policies of a template
          (policy: any) => policy.PolicyDocument.Statement,
        ),
      ])
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    expect(new Set(bare)).toEqual(new Set(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']));
  });
});

describe('the channels to all blocks', () => {
  let signed: ReturnType<typeof synthesize>;
  beforeAll(() => {
    signed = synthesizeUnchecked(service, SECRETS);
  });

  test('Slack has a function and an address where there is a secret to check it with', () => {
    const of = (stack: typeof open) =>
      stack
        .ofType('AWS::Lambda::Function')
        .filter(([, { Properties }]) => /Slack/.test(Properties.Description ?? ''));
    expect(of(open)).toEqual([]);
    expect(of(signed)).toHaveLength(1);
    const parts = (stack: typeof open) =>
      stack
        .ofType('AWS::ApiGateway::Resource')
        .map(([, { Properties }]) => Properties.PathPart)
        .filter((part) => /slack|integrations/.test(part));
    expect(parts(open)).toEqual([]);
    expect(parts(signed).sort()).toEqual(['integrations', 'slack']);
  });

  const namesOf = ({ ofType }: typeof open): string[] =>
    ofType('AWS::Lambda::Function').flatMap(([, { Properties }]) => Properties.FunctionName ?? []);

  test.each(['Mcp', 'Slack'])("%s calls the blocks' functions, and no others", (channel) => {
    const statements = statementsOf(signed, channel);
    const [invoke] = statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
    expect(invoke.Resource['Fn::Join'][1].at(-1)).toBe(':function:blockyard_*:live');
    expect(
      namesOf(signed)
        .filter((name) => /^blockyard_/.test(name))
        .sort(),
    ).toEqual(
      names()
        .map((name) => `blockyard_${name}`)
        .sort(),
    );
    expect(statements.flatMap(({ Action }) => Action).filter((a) => /dynamodb/.test(a))).toEqual(
      [],
    );
  });

  test("one function may read Slack's secret, by the key that it has, and no other may", () => {
    const reading = (start: string, of = signed) =>
      statementsOf(of, start).filter(({ Action }) => /ssm|secretsmanager|kms/.test(Action));
    const decrypt = (via: string) => ({
      Action: 'kms:Decrypt',
      Effect: 'Allow',
      Resource: SECRETS.secretKeyArn,
      Condition: {
        StringEquals: {
          'kms:ViaService': {
            'Fn::Join': ['', [`${via}.`, { Ref: 'AWS::Region' }, '.amazonaws.com']],
          },
        },
      },
    });
    const [parameter, ...more] = reading('Slack');
    expect(parameter.Action).toBe('ssm:GetParameter');
    expect(parameter.Resource['Fn::Join'][1].at(-1)).toBe(':parameter/blockyard/slack');
    expect(more).toEqual([decrypt('ssm')]);
    const slackSecret = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:slack-a1B2c3';
    expect(reading('Slack', synthesizeUnchecked(service, { ...SECRETS, slackSecret }))).toEqual([
      { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: slackSecret },
      decrypt('secretsmanager'),
    ]);
    for (const start of ['Mcp', 'Catalog', ...names().map(logicalStart)]) {
      expect([start, reading(start)]).toEqual([start, []]);
    }
  });

  test('a function is told where its secret is; no template or function has the secret', () => {
    const settings = signed
      .ofType('AWS::Lambda::Function')
      .flatMap(([, { Properties }]) => Object.entries(Properties.Environment?.Variables ?? {}))
      .filter(([name]) => /SECRET/.test(name));
    expect(settings).toEqual([['SLACK_SECRET_NAME', SECRETS.slackSecret]]);
    expect(JSON.stringify(signed.template.toJSON())).not.toMatch(/\{\{resolve:/);
    // The next deployment is told what it would take away.
    signed.template.hasOutput('SlackSecret', { Value: SECRETS.slackSecret });
  });

  test("a channel is checked once the blocks' versions are live, and it may call them", () => {
    const steps = stepsOf(signed);
    for (const channel of ['Mcp', 'Slack']) {
      const [id, check] = signed
        .ofType('Custom::Trigger')
        .find(([id]) => id.startsWith(`${channel}Service`)) as [string, Resource];
      const before = stepsBefore(steps, id);
      for (const name of names()) expect(before).toContain(`Part${partOf(name)}`);
      const named = check.DependsOn?.join() ?? '';
      expect(named).toContain(`${channel}Invoke`);
      if (channel === 'Slack') expect(named).toContain('SlackSecretRead');
    }
  });
});

describe('tables', () => {
  test('one for each dataset, on demand, with the keys and indexes of a local one', () => {
    expect(open.ofType('AWS::DynamoDB::Table')).toHaveLength(datasets().length);
    for (const { table } of datasets()) {
      open.template.hasResourceProperties('AWS::DynamoDB::Table', { ...table.shape });
    }
  });

  test('are filled by DynamoDB from the gzipped items', () => {
    for (const [, { Properties }] of open.ofType('AWS::DynamoDB::Table')) {
      expect(Properties.ImportSourceSpecification).toMatchObject({
        InputFormat: 'DYNAMODB_JSON',
        InputCompressionType: 'GZIP',
        S3BucketSource: { S3KeyPrefix: expect.stringMatching(/^[0-9a-f]{64}\.gz$/) },
      });
      expect(Properties.SSESpecification).toBeUndefined();
    }
  });

  test('have logical ids that change with the data, and with nothing else', () => {
    const ids = (stack: typeof open) => stack.ofType('AWS::DynamoDB::Table').map(([id]) => id);
    const [first] = service.blocks.filter(({ table }) => table !== undefined);
    const withChange = (change: object) => ({
      ...service,
      blocks: service.blocks.map((built) => (built === first ? { ...built, ...change } : built)),
    });
    const reworded = withChange({ block: { ...first?.block, title: 'Another title' } });
    expect(ids(synthesizeUnchecked(reworded as BuiltService))).toEqual(ids(open));
    expect(ids(keys)).toEqual(ids(open));
    const table = { ...first?.table, version: '0123456789abcdef0123' };
    const [before, after] = [
      ids(open),
      ids(synthesizeUnchecked(withChange({ table }) as BuiltService)),
    ];
    expect(after.filter((id) => before.includes(id))).toHaveLength(before.length - 1);
    expect(after.join()).toContain('0123456789abcdef0123');
  });

  test('go with the stack, or stay where that is wanted', () => {
    const policies = (stack: typeof open) =>
      ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup']
        .flatMap((type) => stack.ofType(type))
        .flatMap(([, { DeletionPolicy, UpdateReplacePolicy }]) => [
          DeletionPolicy,
          UpdateReplacePolicy,
        ]);
    expect(new Set(policies(open))).toEqual(new Set(['Delete']));
    expect(new Set(policies(chosen))).toEqual(new Set(['Retain']));
  });
});

describe('the API', () => {
  const paths = ({ resources, ofType }: typeof open) => {
    const pathOf = (id: string): string => {
      const { Properties } = resources[id] as Resource;
      const parent = Properties.ParentId.Ref;
      return `${parent === undefined ? '' : pathOf(parent)}/${Properties.PathPart}`;
    };
    return ofType('AWS::ApiGateway::Resource').map(([id]) => pathOf(id));
  };

  test('has an address for each id and name, with all that lies below, and the catalogue for all the rest', () => {
    const addresses = service.blocks.flatMap(({ block }) =>
      [...new Set([block.id, block.name])].flatMap((address) => [address, `${address}/{proxy+}`]),
    );
    expect(paths(open).sort()).toEqual(
      [
        '/api_v2',
        '/api_v2/blocks',
        '/api_v2/blocks/{proxy+}',
        '/api_v2/{proxy+}',
        '/mcp',
        '/{proxy+}',
        ...addresses.map((address) => `/api_v2/blocks/${address}`),
      ].sort(),
    );
  });

  test('calls aliases, for any method; nothing is validated before a function sees it', () => {
    const methods = open.ofType('AWS::ApiGateway::Method');
    expect(methods).toHaveLength(paths(open).length + 1);
    for (const [, { Properties }] of methods) {
      expect(Properties).toMatchObject({
        HttpMethod: 'ANY',
        AuthorizationType: 'NONE',
        Integration: { Type: 'AWS_PROXY' },
      });
      expect(Properties.RequestValidatorId).toBeUndefined();
      expect(JSON.stringify(Properties.Integration.Uri)).toMatch(/Live[0-9A-F]{8}"/);
    }
  });

  test('is in its region, takes bytes of any type, and packs no answer', () => {
    open.template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
      MinimumCompressionSize: Match.absent(),
    });
  });

  test('throttles the stage', () => {
    const throttle = (stack: typeof open) =>
      stack.ofType('AWS::ApiGateway::Stage').map(([, { Properties }]) => Properties.MethodSettings);
    expect(throttle(open)).toEqual([
      [
        expect.objectContaining({
          ResourcePath: '/*',
          HttpMethod: '*',
          ThrottlingRateLimit: 50,
          ThrottlingBurstLimit: 100,
        }),
      ],
    ]);
    const [[limits]] = throttle(chosen) as [[object]];
    expect(limits).toMatchObject({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 });
  });

  test('logs each request, without query, address of the caller, headers or keys', () => {
    const [[, { Properties }]] = open.ofType('AWS::ApiGateway::Stage') as [[string, Resource]];
    const format = JSON.parse(Properties.AccessLogSetting.Format);
    expect(Object.values(format)).toEqual([
      '$context.requestId',
      '$context.requestTimeEpoch',
      '$context.httpMethod',
      '$context.resourcePath',
      '$context.status',
      '$context.integration.integrationStatus',
      '$context.error.responseType',
      '$context.responseLatency',
      '$context.integration.timeToFirstContent',
      '$context.responseLength',
    ]);
    expect(Properties.MethodSettings[0]).toMatchObject({ DataTraceEnabled: false });
    expect(Properties.MethodSettings[0].LoggingLevel).toBeUndefined();
  });

  test("makes the region's role for API Gateway's logs only where that is said, and then it stays", () => {
    const made = synthesizeUnchecked(service, { apiLogRole: 'create' });
    const ofLogs = (stack: typeof open) => [
      ...stack.ofType('AWS::ApiGateway::Account'),
      ...stack
        .ofType('AWS::IAM::Role')
        .filter((role) => JSON.stringify(role).includes('apigateway.amazonaws.com')),
    ];
    expect(ofLogs(open)).toEqual([]);
    expect(ofLogs(made)).toHaveLength(2);
    for (const [, { DeletionPolicy, UpdateReplacePolicy }] of ofLogs(made)) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    const [[, stage]] = made.ofType('AWS::ApiGateway::Stage') as [[string, Resource]];
    expect(stage.DependsOn).toContain(made.ofType('AWS::ApiGateway::Account')[0]?.[0]);
  });

  test('has one address: at a domain, that of API Gateway is off, and its stage is deployed anew', () => {
    const isOff = ({ ofType }: typeof open) =>
      ofType('AWS::ApiGateway::RestApi').map(
        ([, { Properties }]) => Properties.DisableExecuteApiEndpoint,
      );
    const atDomain = synthesizeUnchecked(service, DOMAIN);
    expect([isOff(open), isOff(atDomain)]).toEqual([[false], [true]]);
    // The stage's copy of an API has the setting of its time.
    const deployments = [open, atDomain].map(({ ofType }) =>
      ofType('AWS::ApiGateway::Deployment').map(([id]) => id),
    );
    expect(deployments[0]).not.toEqual(deployments[1]);
  });

  test('says its address, at the stage or at a domain', () => {
    open.template.hasOutput('BaseUrl', {
      Value: { 'Fn::Join': ['', Match.arrayWith(['/prod'])] },
    });
    const { template } = everything;
    template.hasOutput('BaseUrl', { Value: 'https://data.example.org' });
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'data.example.org',
      RegionalCertificateArn: DOMAIN.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      Stage: { Ref: Match.stringLikeRegexp('Stageprod') },
      BasePath: Match.absent(),
    });
  });
});

describe('access by key', () => {
  test('asks the authorizer for every request, remembers nothing, and looks at no one place', () => {
    keys.template.resourceCountIs('AWS::ApiGateway::Authorizer', 1);
    keys.template.hasResourceProperties('AWS::ApiGateway::Authorizer', {
      Type: 'REQUEST',
      AuthorizerResultTtlInSeconds: 0,
      IdentitySource: Match.absent(),
    });
    keys.template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      ApiKeySourceType: 'AUTHORIZER',
    });
  });

  test('is needed for every method but OPTIONS, by which a browser asks beforehand, and robots.txt', () => {
    const [[robots] = []] = keys
      .ofType('AWS::ApiGateway::Resource')
      .filter(([, { Properties }]) => Properties.PathPart === 'robots.txt');
    const all = keys.ofType('AWS::ApiGateway::Method').map(([, { Properties }]) => Properties);
    const isRobots = ({ ResourceId }: (typeof all)[number]) => ResourceId.Ref === robots;
    expect(all.filter(isRobots)).toMatchObject([{ HttpMethod: 'ANY', AuthorizationType: 'NONE' }]);
    const methods = all.filter((method) => !isRobots(method));
    const needed = ['ANY', 'CUSTOM', true];
    expect(
      new Set(
        methods.map(({ HttpMethod, AuthorizationType, ApiKeyRequired }) =>
          JSON.stringify([HttpMethod, AuthorizationType, ApiKeyRequired]),
        ),
      ),
    ).toEqual(new Set([JSON.stringify(needed), JSON.stringify(['OPTIONS', 'NONE', null])]));
    expect(methods.filter(({ HttpMethod }) => HttpMethod === 'ANY')).toHaveLength(
      methods.length / 2,
    );
  });

  test('has a plan with rate, burst and quota', () => {
    keys.template.hasResourceProperties('AWS::ApiGateway::UsagePlan', {
      ApiStages: [{ Stage: { Ref: Match.stringLikeRegexp('Stageprod') } }],
      Throttle: { RateLimit: 10, BurstLimit: 20 },
      Quota: { Limit: 10_000, Period: 'DAY' },
    });
    expect(open.ofType('AWS::ApiGateway::UsagePlan')).toEqual([]);
  });
});

test('keeps each option that is not the default in an output, and no other', () => {
  const kept = ({ template }: typeof open) =>
    Object.entries<{ Value: string }>(template.toJSON().Outputs).flatMap(([name, { Value }]) =>
      name.startsWith('Option') ? [[name, Value]] : [],
    );
  expect(kept(open)).toEqual([]);
  expect(kept(keys)).toEqual([['OptionAccess', 'keys']]);
  expect(kept(chosen)).toEqual(
    expect.arrayContaining([
      ['OptionDashboard', 'true'],
      ['OptionTags', 'team=data'],
      ['OptionThrottleRate', '7'],
    ]),
  );
});

describe('what is watched', () => {
  test('seven alarms for the whole stack, whatever the number of blocks; one request trips none', () => {
    const alarms = open.ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    expect(
      alarms.map(({ MetricName, Statistic, ExtendedStatistic, Threshold }) => [
        MetricName,
        Statistic ?? ExtendedStatistic,
        Threshold,
      ]),
    ).toEqual([
      ['5XXError', 'Sum', 2],
      ['blockyard-Throttles', 'Sum', 10],
      ['Duration', 'TC(2000:)', 5],
      ['StoreFaults', 'Sum', 2],
      ['Errors', 'Sum', 4],
      ['ConcurrentExecutions', 'Maximum', 800],
      ['BrokenStreams', 'Sum', 2],
    ]);
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ TreatMissingData: 'notBreaching', Period: 300 });
      expect(alarm.AlarmActions).toBeUndefined();
      // A call by MCP runs two functions, which may both fail: more than two counts of it there are not.
      expect(alarm.Threshold).toBeGreaterThanOrEqual(2);
    }
  });

  test("the authorizer's refusals are no errors", () => {
    const alarms = keys.ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const [errors] = alarms.filter(({ Metrics }) => Metrics !== undefined);
    const [expression, ...metrics] = errors.Metrics;
    expect(expression.Expression).toBe('all - FILL(refused, 0)');
    const refused = metrics.find(({ Id }: { Id: string }) => Id === 'refused');
    expect(refused.MetricStat.Metric).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'Errors' },
      Dimensions: [
        {
          Name: 'FunctionName',
          Value: { Ref: expect.stringMatching(/^ChannelKeysAuthorizerFunction/) },
        },
      ],
    });
  });

  test('each call has a line with its memory and what is billed, and a request one trace with its stage', () => {
    for (const [, { Properties }] of open.ofType('AWS::Lambda::Function')) {
      const { SystemLogLevel = 'INFO' } = Properties.LoggingConfig ?? {};
      expect(SystemLogLevel).toBe('INFO');
    }
    const isTraced = ({ ofType }: typeof open) =>
      ofType('AWS::ApiGateway::Stage').map(([, { Properties }]) => Properties.TracingEnabled);
    const untraced = synthesizeUnchecked(service, { tracing: 'false' });
    expect([isTraced(open), isTraced(untraced)]).toEqual([[true], [false]]);
  });

  test("look where the functions' own metrics are", () => {
    expect(NAMESPACE).toBe(METRICS_NAMESPACE);
  });

  test('are mailed where an address is given', () => {
    const { template, ofType } = chosen;
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.org',
    });
    const [[topic]] = ofType('AWS::SNS::Topic') as [[string, Resource]];
    for (const [, { Properties }] of ofType('AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }]);
    }
  });

  test("the account's cost only where a budget is given: at 80 and 100 % of it, and by its forecast", () => {
    open.template.resourceCountIs('AWS::Budgets::Budget', 0);
    const [[, { Properties }]] = everything.ofType('AWS::Budgets::Budget') as [[string, Resource]];
    expect(Properties.Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 25, Unit: 'USD' },
    });
    expect(
      Properties.NotificationsWithSubscribers.map(
        // biome-ignore lint/suspicious/noExplicitAny: a template's properties are of any shape
        ({ Notification: { NotificationType, Threshold }, Subscribers }: any) => [
          NotificationType,
          Threshold,
          Subscribers,
        ],
      ),
    ).toEqual(
      [
        ['ACTUAL', 80],
        ['ACTUAL', 100],
        ['FORECASTED', 100],
      ].map((one) => [...one, [{ SubscriptionType: 'EMAIL', Address: 'money@example.org' }]]),
    );
  });

  test('a dashboard is there only where it is wanted', () => {
    open.template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    const [[, { Properties }]] = chosen.ofType('AWS::CloudWatch::Dashboard') as [
      [string, Resource],
    ];
    const body = JSON.stringify(Properties.DashboardBody);
    for (const name of names()) {
      expect(body).toContain(`${name}: calls, errors, throttles`);
      expect(body).toContain(`blockyard_${name}`);
    }
  });

  test('every log is kept as long as was chosen', () => {
    const days = (stack: typeof open) =>
      stack.ofType('AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.RetentionInDays);
    expect(days(open)).toHaveLength(names().length + parts() + 5);
    expect(new Set(days(open))).toEqual(new Set([30]));
    expect(new Set(days(chosen))).toEqual(new Set([7]));
    // Each function writes into a group of the stack's, the CDK's own too.
    for (const [, { Properties }] of open.ofType('AWS::Lambda::Function')) {
      expect(open.resources[Properties.LoggingConfig.LogGroup.Ref]?.Type).toBe(
        'AWS::Logs::LogGroup',
      );
    }
  });

  test('tags are on what can have them', () => {
    const { ofType } = chosen;
    for (const type of [
      'AWS::Lambda::Function',
      'AWS::DynamoDB::Table',
      'AWS::ApiGateway::RestApi',
    ]) {
      for (const [id, { Properties }] of ofType(type)) {
        if (id.startsWith('AWSCDK')) continue;
        expect(Properties.Tags).toContainEqual({ Key: 'team', Value: 'data' });
      }
    }
  });
});

test("every name that AWS does not make begins with the stack's, so that two stacks never meet", () => {
  const named = Object.values(open.resources).flatMap(({ Properties }) =>
    ['TableName', 'FunctionName', 'RoleName', 'LogGroupName', 'TopicName', 'AlarmName'].flatMap(
      (name) => (typeof Properties?.[name] === 'string' ? [Properties[name]] : []),
    ),
  );
  expect(named.sort()).toEqual(
    names()
      .map((name) => `blockyard_${name}`)
      .sort(),
  );
});

test.each([
  ['the defaults', () => open],
  ['everything', () => everything],
])("cdk-nag's AwsSolutions finds nothing in %s", (_, stack) => {
  const { app } = stack();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // It was synthesized before, without these checks.
  expect(() => app.synth({ force: true })).not.toThrow();
});

test('the stack has these resources, by their names and types, and no others', () => {
  const { Outputs: outputs } = open.template.toJSON();
  const types = Object.entries(open.resources).map(([id, { Type }]) => `${id}: ${Type}`);
  const lines = [...types, ...Object.keys(outputs).map((id) => `${id}: output`)].map((line) =>
    line
      // What follows from code and data changes with them.
      .replace(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/, '$1<code>')
      .replace(/(Deployment[0-9A-F]{8})[0-9a-f]{32}/, '$1<api>')
      .replace(/(Version|Read|Items|Files)[0-9a-f]{20}(?:[0-9A-F]{8})?(?=:)/, '$1<version>'),
  );
  expect(lines.join('\n')).toMatchSnapshot();
});
