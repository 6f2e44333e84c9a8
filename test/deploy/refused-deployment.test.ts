import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp } from '../support/process.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import {
  assemblyOf,
  copyFor,
  type Deployed,
  type DeployedService,
  type DeployOptions,
  DYNAMODB,
  deploy,
  MEMORY,
  resourcesOf,
} from './deployed-service.ts';
import { CORRUPT_EDITION, nextEdition, SECOND_MARK } from './edition.ts';
import { askAws, damageImport, theEmulator } from './emulator.ts';
import { steadyRequests } from './steady-requests.ts';

const emulator = theEmulator();
afterAll(cleanUp);

/** What tells one version of a service from another. */
type Held = {
  readonly tables: Record<string, string>;
  readonly versions: Record<string, string>;
  /** The version that each function's alias is of. */
  readonly live: readonly string[];
};

async function heldBy(service: DeployedService): Promise<Held> {
  const [tables, versions, functions] = await Promise.all(
    ['AWS::DynamoDB::Table', 'AWS::Lambda::Version', 'AWS::Lambda::Function'].map((type) =>
      resourcesOf(emulator, service, type),
    ),
  );
  const aliases = await askAws(
    emulator,
    Object.values(functions ?? {}).map((FunctionName) => [
      'lambda',
      'list_aliases',
      { FunctionName },
    ]),
  );
  const live = aliases.flatMap(({ Aliases }) =>
    Aliases.map((alias: Record<string, string>) => `${alias.AliasArn} ${alias.FunctionVersion}`),
  );
  return { tables: tables ?? {}, versions: versions ?? {}, live };
}

type Refused = {
  readonly deployed: Deployed;
  readonly before: Answer;
  /** While the deployment ran and was undone. */
  readonly meanwhile: readonly Answer[];
  readonly after: Answer;
  readonly stack: string;
  readonly heldBefore: Held;
  readonly heldAfter: Held;
};

/** Deploys what must not come to be, and looks at what answers before, meanwhile and after. */
async function deployInVain(
  service: DeployedService,
  options: DeployOptions,
  ask: (of: Service) => Promise<Answer>,
): Promise<Refused> {
  const caller = await startService(service.cacheBytes);
  const heldBefore = await heldBy(service);
  const before = await ask(caller);
  const requests = steadyRequests(() => ask(caller));
  const deploying = deploy(emulator, service, { ...options, isBundled: true });
  const deployed = await deploying.finally(() => requests.stop());
  const [{ Stacks }] = await askAws(emulator, [
    ['cloudformation', 'describe_stacks', { StackName: service.stackName }],
  ]);
  return {
    deployed,
    before,
    meanwhile: await requests.stop(),
    after: await ask(caller),
    stack: Stacks[0].StackStatus,
    heldBefore,
    heldAfter: await heldBy(service),
  };
}

/** The service's copy of the checkout, in which one block's function is built from another handler. */
async function copyWithHandler(change: (handler: string) => string): Promise<string> {
  const checkout = await copyFor(emulator, MEMORY);
  const file = path.join(checkout, 'functions', 'rgb-to-color-name', 'handler.ts');
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  return checkout;
}

function expectNothingChanged({ before, meanwhile, after, ...seen }: Refused): void {
  expect(before.status).toBe(200);
  expect(meanwhile.length).toBeGreaterThan(10);
  for (const { status, text } of [...meanwhile, after]) {
    expect([status, text]).toEqual([200, before.text]);
  }
  expect(seen.heldAfter).toEqual(seen.heldBefore);
  // Two datasets', and one of the version before, to which --back could still return.
  expect(Object.keys(seen.heldBefore.tables)).toHaveLength(3);
}

describe('a new version that does not stand its check is undone, and the old one answers on', () => {
  let throwing: Refused;
  let mistaken: Refused;
  let secretless: Refused;
  const damaged: Partial<Record<'row' | 'column' | 'bit', Refused>> = {};

  beforeAll(async () => {
    const edition = await nextEdition(SECOND_MARK);
    const third = await nextEdition('Brooklyn, third edition');
    const withHandler = async (change: (handler: string) => string) =>
      deployInVain(MEMORY, { checkout: await copyWithHandler(change), edition }, (service) =>
        service.post('rgb-to-color-name', { R: 255, G: 127, B: 80 }),
      );
    const toMemory = async () => {
      throwing = await withHandler(
        () => "export const handler = async () => { throw new Error('This handler is broken.'); };",
      );
      mistaken = await withHandler((handler) =>
        handler.replace('createRun(', "((_) => () => ({ name: 'Mauve' }))("),
      );
      secretless = await deployInVain(
        MEMORY,
        { edition, context: { slackSecret: '/blockyard-tests/nowhere' } },
        (service) => service.post('rgb-to-color-name', { R: 255, G: 127, B: 80 }),
      );
    };
    const toDynamodb = async () => {
      const checkout = await copyFor(emulator, DYNAMODB);
      for (const kind of ['row', 'column', 'bit'] as const) {
        const fault = await damageImport(emulator, DYNAMODB.stackName, kind);
        // The import alone differs.
        const deployment =
          kind === 'row' ? { checkout, edition: third } : { assembly: assemblyOf(checkout) };
        damaged[kind] = await deployInVain(DYNAMODB, deployment, (service) =>
          service.post('business-directory', { type_of_business: 'laundries' }),
        );
        expect(fault.isDone()).toBe(true);
      }
    };
    await Promise.all([toMemory(), toDynamodb()]);
  });

  test('a handler that throws', () => {
    const { deployed, stack } = throwing;
    expect([deployed.code, stack]).toEqual([1, 'UPDATE_ROLLBACK_COMPLETE']);
    expect(deployed.output).toContain('This handler is broken.');
    expect(deployed.output).toMatch(/^blockyard is not deployed: cdk deploy failed/m);
    expectNothingChanged(throwing);
  });

  test('a first example that answers otherwise than it did when it was built', () => {
    const { deployed, stack } = mistaken;
    expect([deployed.code, stack]).toEqual([1, 'UPDATE_ROLLBACK_COMPLETE']);
    expect(deployed.output).toMatch(/The first example of rgb-to-color-name answers .*Mauve/);
    expectNothingChanged(mistaken);
  });

  test('a secret that is not where it is said to be', () => {
    const { deployed, stack } = secretless;
    expect([deployed.code, stack]).toEqual([1, 'UPDATE_ROLLBACK_COMPLETE']);
    expect(deployed.output).toContain(
      'The secret /blockyard-tests/nowhere cannot be read: ParameterNotFound',
    );
    expectNothingChanged(secretless);
  });

  // An import that leaves out an item says that it is complete.
  test.each([
    ['a row short', 'row', 'The table has 1,120 rows; the dataset has 1,121.'],
    ['a column short', 'column', 'The table has no item column/~length directory.'],
    ['damaged by a bit', 'bit', 'Chunk 0 of the column ~length is damaged.'],
  ] as const)('a table that is %s', (_, kind, message) => {
    const { deployed, stack } = damaged[kind] as Refused;
    expect([deployed.code, stack]).toEqual([1, 'UPDATE_ROLLBACK_COMPLETE']);
    expect(deployed.output).toContain(message);
    expectNothingChanged(damaged[kind] as Refused);
  });
});

test.each([
  [
    'no bootstrap',
    { AWS_REGION: 'eu-west-1' },
    'account 000000000000 has no CDK bootstrap in eu-west-1. Run: npx cdk bootstrap aws://000000000000/eu-west-1, or name the stack of yours: -c bootstrapStack=…',
  ],
  [
    'no credentials',
    { AWS_ACCESS_KEY_ID: undefined },
    'there are no AWS credentials. Set AWS_PROFILE, or run: aws configure (or aws sso login)',
  ],
  [
    'no region',
    { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined },
    'there is no AWS region. Set AWS_REGION, or run: aws configure',
  ],
  [
    'a choice that could delete the role by which API Gateway writes logs',
    { BLOCKYARD_API_LOG_ROLE: 'existing' },
    "blockyard has made API Gateway's role to write logs, and apiLogRole=existing could delete it. Leave apiLogRole out.",
  ],
  [
    'a slip in an option',
    { BLOCKYARD_ACESS: 'keys' },
    'There is no option BLOCKYARD_ACESS. Did you mean BLOCKYARD_ACCESS?',
  ],
])('%s stops a deployment at once, with what to do', async (_, environment, line) => {
  const { code, output } = await deploy(emulator, MEMORY, { environment, isBundled: true });
  expect([code, output]).toEqual([1, `blockyard is not deployed: ${line}\n`]);
});

test('a reservation that the account has not stops a deployment at once, with the numbers', async () => {
  const environment = { BLOCKYARD_RESERVED_CONCURRENCY: '99999' };
  const { code, output } = await deploy(emulator, MEMORY, { environment, isBundled: true });
  expect(code).toBe(1);
  // How many the emulator has follows from this machine's memory.
  expect(output).toMatch(
    /^blockyard is not deployed: 299,997 calls at once \(reservedConcurrency=99999 for each of 3 functions\) would leave -[\d,]+ of the account's [\d,]+ unreserved, and AWS keeps 100\. At most reservedConcurrency=\d+ can be had\.\n$/,
  );
});

test('a corrupt seed file stops a deployment before anything is sent', async () => {
  const stack = async () => {
    const [answer] = await askAws(emulator, [
      ['cloudformation', 'describe_stack_events', { StackName: MEMORY.stackName }],
    ]);
    return answer.StackEvents[0];
  };
  const before = await stack();
  const { code, output } = await deploy(emulator, MEMORY, {
    edition: CORRUPT_EDITION,
    isBundled: true,
  });
  expect(code).toBe(1);
  const lines = output.split('\n').filter((line) => /sha256|not the file/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^blockyard cannot be built: .*brooklyn-11231-businesses/);
  expect(output).toMatch(/^blockyard is not deployed: cdk diff failed/m);
  expect(await stack()).toEqual(before);
});

test('a domain, which would end the address that is called, changes nothing unless somebody agrees', async () => {
  const certificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/0a1b';
  const context = { domainName: 'data.example.org', certificateArn };
  const before = await heldBy(MEMORY);
  const { code, output } = await deploy(emulator, MEMORY, { context, isBundled: true });
  expect(code).toBe(1);
  expect(output).toMatch(
    /addresses end with this deployment; whoever calls them gets an error:\n {2}https:\/\/\w+\.execute-api\.us-east-1\.amazonaws\.com\/prod\n/,
  );
  expect(output).toContain('Say --yes to end them.');
  expect(await heldBy(MEMORY)).toEqual(before);
});
