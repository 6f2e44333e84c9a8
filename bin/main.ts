import { inspect } from 'node:util';
import { runCommandLine } from '../src/channels/terminal/run-command-line.ts';
import { failureLine } from './failure.ts';
import { missingForDeploy } from './missing-for-deploy.ts';
import { type Shell, shellOf } from './shell.ts';

// We pin an SDK that runs on Node 20; users need not see its six-line warning about later ones.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

type Command = (args: readonly string[], shell: Shell) => Promise<number>;

/** Each command's code is loaded only if it is called. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (args, shell) => (await import('./start.ts')).runStart(args, shell),
  deploy: withCdk('deploy', async () => (await import('./deploy.ts')).runDeploy),
  destroy: withCdk('destroy', async () => (await import('./destroy.ts')).runDestroy),
  ...Object.fromEntries(
    ['add', 'try', 'check', 'refresh', 'census'].map((command): [string, Command] => [
      command,
      async (args, shell) => (await import('./own-data.ts')).runOwnData(command, args, shell),
    ]),
  ),
};

/** `blockyard`: every command begins here, and every failure of a command ends here. */
export async function main(given: readonly string[]): Promise<void> {
  const { isDebug, words } = withoutDebug(given);
  const [command = '', ...args] = words;
  const own = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  // A reader that has read enough of an answer is no failure, as it is of what writes.
  const shell = shellOf(process, own === undefined ? 0 : 141);
  const fail = (error: unknown, failed: string) => {
    shell.err(isDebug ? inspect(error) : failureLine(failed, error));
    process.exit(1);
  };
  // An error that nothing waits for, also of a server that has started.
  process.on('uncaughtException', (error) => fail(error, `blockyard ${command} broke off`));
  try {
    // It may leave connections open.
    if (own !== undefined) process.exit(await own(args, shell));
    const { BLOCKYARD_URL: url, BLOCKYARD_KEY: key } = process.env;
    const { pass: out, err, columns } = shell;
    process.exitCode = await runCommandLine(words, { url, key, fetch, out, err, columns });
  } catch (error) {
    fail(error, FAILED[command as keyof typeof FAILED] ?? `blockyard ${command} failed`);
  }
}

const FAILED = {
  start: 'blockyard did not start',
  deploy: 'blockyard is not deployed',
  destroy: 'blockyard is not removed',
} as const;

/** `--debug` goes with every command; behind `--` it is a word like others. */
function withoutDebug(given: readonly string[]) {
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  const words = given.filter((word, i) => word !== '--debug' || i > end);
  return { isDebug: words.length < given.length, words };
}

function withCdk(command: keyof typeof USAGES, load: () => Promise<Command>): Command {
  return async (args, shell) => {
    if (args.some((word) => word === '--help' || word === '-h')) {
      shell.out(`npx blockyard ${command} ${USAGES[command]}`);
      return 0;
    }
    const missing = missingForDeploy();
    if (missing === undefined) return (await load())(args, shell);
    shell.err(missing);
    return 1;
  };
}

const USAGES = {
  deploy: '[--blocks FOLDER] [--yes] [-c option=value …]; docs/deploying.md has the options',
  destroy: '[--yes] [-c option=value …]; removes the stack with its tables and logs',
} as const;
