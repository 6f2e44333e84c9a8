import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandThatWorks, endCommands } from '../support/command.ts';
import { endTree } from '../support/process-tree.ts';
import { ROOT } from '../support/service.ts';
import { bundleCheckout } from './bundled-checkout.ts';
import { CDK, DYNAMODB, deployWell, MEMORY, SLACK } from './deployed-service.ts';
import { askAws, type Emulator, environmentOf, withEmulator } from './emulator.ts';
import { inventory } from './inventory.ts';
import { type StartedEmulator, startEmulator } from './start-emulator.ts';

/**
 * `npm run test:deploy [-- lane] [Jest's arguments]`: a lane has an emulator of AWS of its own, so
 * that two lanes can run at once. Without a name the lanes run one after the other. The suites of
 * each are in `jest.deploy.config.js`; these services are deployed before them.
 */
const LANES = { service: [MEMORY, DYNAMODB], apart: [] } as const;
type Lane = keyof typeof LANES;

const [first = '', ...rest] = process.argv.slice(2);
const isNamed = Object.hasOwn(LANES, first);
const lanes = isNamed ? [first as Lane] : (Object.keys(LANES) as Lane[]);
const given = isNamed ? rest : process.argv.slice(2);

const { TMPDIR = tmpdir() } = process.env;
let started: StartedEmulator | undefined;
let tests: ChildProcess | undefined;

async function end(): Promise<void> {
  if (tests?.pid !== undefined && tests.exitCode === null) await endTree(tests.pid);
  await endCommands();
  await started?.stop();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    console.error(`\n${signal}: ending what runs.`);
    void end().finally(() => process.exit(1));
  });
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return result;
}

/** From a folder without an app, which would be built for nothing. */
async function bootstrap(emulator: Emulator): Promise<void> {
  await commandThatWorks(CDK, ['bootstrap', 'aws://000000000000/us-east-1'], {
    cwd: emulator.folder,
    env: environmentOf(emulator),
  });
}

async function runTests(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<number> {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  jest.push(path.join(ROOT, 'node_modules/jest/bin/jest.js'), '--config=jest.deploy.config.js');
  tests = spawn(process.execPath, [...jest, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    tests?.once('error', reject);
    tests?.once('close', (code) => resolve(code ?? 1));
  });
}

/** Says how many calls got a 503 and were repeated, as `askedAgain` does, and which. */
function tellAskedAgain(file: string): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const which = [...new Set(lines)].join(', ');
  console.log(`Calls that got a 503 and were repeated: ${lines.length}${which && ` (${which})`}`);
}

/** The exit code of a lane's tests, from an empty account to one that is left as it was. */
async function runLane(lane: Lane): Promise<number> {
  let code = 1;
  try {
    started = await timed('Emulator', startEmulator);
    const { emulator } = started;
    // What the tests write goes when the emulator goes, however that comes about.
    process.env.TMPDIR = emulator.folder;
    await timed('cdk bootstrap', () => bootstrap(emulator));
    const { name: Name, value: Value } = SLACK;
    await askAws(emulator, [
      ['ssm', 'put_parameter', { Name, Value, Type: 'SecureString', Overwrite: true }],
    ]);
    const before = await inventory(emulator);
    await bundleCheckout(emulator);
    const askedAgain = path.join(emulator.folder, 'asked-again.txt');
    const [resident, dynamodb] = await timed('npm run deploy', () =>
      Promise.all(
        // They differ in a setting.
        LANES[lane].map((service, i) => deployWell(emulator, service, { isBundled: i > 0 })),
      ),
    );
    code = await timed('Tests', () =>
      runTests(
        {
          ...withEmulator(emulator),
          DEPLOYED_MEMORY_URL: resident?.url,
          DEPLOYED_DYNAMODB_URL: dynamodb?.url,
          DEPLOYED_BEFORE: JSON.stringify(before),
          DEPLOY_LANE: lane,
          ASKED_AGAIN: askedAgain,
        },
        ['--passWithNoTests', ...given],
      ),
    );
    tellAskedAgain(askedAgain);
  } catch (error) {
    console.error((error as Error).message);
  } finally {
    const lines = code === 0 ? '' : await started?.lastLines().catch(() => '');
    if (lines) console.error(`The emulator's last lines:\n${lines}`);
    await end();
    process.env.TMPDIR = TMPDIR;
  }
  return code;
}

let code = 0;
for (const lane of lanes) code = (await runLane(lane)) || code;
process.exit(code);
