import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A running emulator, as those know it who deploy to it. */
export type Emulator = {
  readonly endpoint: string;
  /** All that belongs to it, gone when it ends. */
  readonly folder: string;
  /** A file here is a fault that it is to have. */
  readonly faults: string;
  readonly home: string;
  readonly python: string;
};

/** The name under which a process hands the emulator to those that it starts. */
const VARIABLE = 'BLOCKYARD_TEST_EMULATOR';

export function withEmulator(emulator: Emulator): NodeJS.ProcessEnv {
  return { [VARIABLE]: JSON.stringify(emulator) };
}

/** esbuild, which is in Go, then collects garbage a fourth as often: it has little, and ends soon. */
const GOGC = '400';

/** The emulator that these tests run with. */
export function theEmulator(): Emulator {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('There is no emulator. Run: npm run test:deploy');
  return JSON.parse(text);
}

/** All that a command is to know of this machine: nothing of whoever runs the tests. */
export function environmentOf({ endpoint, folder, home }: Emulator): NodeJS.ProcessEnv {
  return {
    PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      path.delimiter,
    ),
    HOME: home,
    TMPDIR: folder,
    CDK_HOME: path.join(home, 'cdk'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    GOGC,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}

export type Call = readonly [service: string, operation: string, parameters?: object];

/** Who asks each emulator: to start it takes longer than most calls. It ends with this process. */
const asking = new Map<string, (line: string) => Promise<string>>();

/** Asks the account itself, as its owner: each call with all its pages. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export async function askAws(emulator: Emulator, calls: readonly Call[]): Promise<any[]> {
  const input = calls.map(([service, operation, parameters = {}]) => [
    service,
    operation,
    parameters,
  ]);
  const { endpoint } = emulator;
  const ask = asking.get(endpoint) ?? startAsking(emulator);
  asking.set(endpoint, ask);
  const { answers, error } = JSON.parse(await ask(JSON.stringify(input)));
  if (error !== undefined) throw new Error(`${JSON.stringify(input)}: ${error}`);
  return answers;
}

function startAsking(emulator: Emulator): (line: string) => Promise<string> {
  const script = path.join(import.meta.dirname, 'emulator', 'ask_aws.py');
  const child = spawn(emulator.python, [script], {
    cwd: emulator.folder,
    env: environmentOf(emulator),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // This process ends though it waits for more to ask.
  for (const pipe of [child.stdin, child.stdout]) (pipe as Socket).unref();
  child.unref();
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  let before: Promise<unknown> = Promise.resolve();
  return (line) => {
    const answered = before.then(async () => {
      child.ref();
      child.stdin.write(`${line}\n`);
      const { value, done } = await answers.next();
      child.unref();
      if (done === true) throw new Error('ask_aws.py has ended.');
      return value as string;
    });
    before = answered.catch(() => {});
    return answered;
  };
}

/**
 * Makes a stack's next import of a table lose its last row or its last column, or flip a bit of that
 * column. Gives what says whether it has.
 */
export async function damageImport(
  { faults }: Emulator,
  stackName: string,
  fault: 'row' | 'column' | 'bit',
): Promise<{ isDone(): boolean }> {
  const file = path.join(faults, `damage-an-item-of-${stackName}`);
  await writeFile(file, fault);
  return { isDone: () => !existsSync(file) };
}
