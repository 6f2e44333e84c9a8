import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inspect } from 'node:util';
import { runCommandLine } from '../src/channels/terminal/run-command-line.ts';
import { type Shell, shellOf } from './shell.ts';

// The SDK's warning is about versions that are published from 2027 on, and we pin one that runs on
// Node 20: who serves uses none of them. Who deploys is asked for Node 22 in a line of our own.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

type Command = (args: readonly string[], shell: Shell) => Promise<number>;

/** Each command's code is loaded only if it is called. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (args, shell) => (await import('./start.ts')).runStart(args, shell),
  deploy: withCdk('deploy', async () => (await import('./deploy.ts')).runDeploy),
  destroy: withCdk('destroy', async () => (await import('./deploy.ts')).runDestroy),
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
  deploy:
    '[--back] [--blocks FOLDER] [--yes] [-c option=value …]; docs/deploying.md has the options',
  destroy: '[--yes] [-c option=value …]; removes the stack with its tables, files and logs',
} as const;

/**
 * A failure in one line: what to do about it or, if it is our fault, how to see more. `failed` says
 * what did not come about.
 */
export function failureLine(failed: string, error: unknown): string {
  if (!(error instanceof Error) || isOurs(error)) {
    return `${failed}, by a fault of its own: ${firstLine(String(error))}. --debug shows where.`;
  }
  return `${failed}: ${reasonOf(error)}`;
}

/** Errors that Node makes of faulty code; what we throw for people is none of these. */
function isOurs(error: Error): boolean {
  const faults = [TypeError, RangeError, ReferenceError, SyntaxError];
  return errno(error) === undefined && faults.some((fault) => error instanceof fault);
}

/** An error of the system: what it did not do, and where. */
type SystemError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** Of a copy, or a renaming. */
  readonly dest?: string;
};

function errno(error: Error): SystemError | undefined {
  const { code, syscall } = error as SystemError;
  return typeof code === 'string' && typeof syscall === 'string' ? error : undefined;
}

function reasonOf(error: Error): string {
  const system = errno(error);
  const { code = '', syscall, address, port, hostname, path: from, dest } = system ?? {};
  if (system !== undefined) {
    const place = port === undefined ? address : `${address}:${port}`;
    if (code === 'EADDRINUSE') {
      return `${place} is in use; stop what listens there, or choose another by --port.`;
    }
    if (syscall === 'listen') {
      return `cannot listen on ${place} (${code}); set HOST or PORT.`;
    }
    if (hostname !== undefined) {
      const fix = hostname === process.env.HOST ? '; set HOST to an address of this one' : '';
      return `no machine is called ${JSON.stringify(hostname)} (${code})${fix}.`;
    }
    const file = dest ?? from;
    const said = SAID[code as keyof typeof SAID];
    if (said !== undefined) return `${said}${file === undefined ? '' : `: ${file}`} (${code}).`;
  }
  const { cause } = error;
  const told = firstLine(error.message);
  const inner = cause instanceof Error ? firstLine(cause.message) : '';
  return told.includes(inner) ? told : `${told} (${inner})`;
}

/** What people can see to: the disk, permissions, what is where, and the network. */
const SAID = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left in the quota of the disk',
  EFBIG: 'a file would be larger than this process may write',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk can only be read',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'this is a folder',
  EEXIST: 'this is there already',
  ENOTEMPTY: 'this is there already',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk fails',
  ECONNREFUSED: 'nobody answers there',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
} as const;

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}

/**
 * What to install before a deployment, in a line; undefined if all is there. A package leaves the
 * CDK to those who deploy, since it is far larger than all else.
 */
function missingForDeploy(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  const found = (name: string, file: string) =>
    (resolve.paths(name) ?? []).find((folder) => existsSync(path.join(folder, name, file)));
  const own = found('blockyard', 'package.json');
  // A checkout installs all of it.
  if (own === undefined) return undefined;
  const manifest = readFileSync(path.join(own, 'blockyard', 'package.json'), 'utf8');
  const wanted = Object.entries<string>(JSON.parse(manifest).peerDependencies);
  const missing = wanted.filter(([name]) => found(name, 'package.json') === undefined);
  if (missing.length === 0) return undefined;
  const words = missing.map(([name, version]) => `${name}@${version}`).join(' ');
  return `blockyard deploys by the AWS CDK, which is not installed here. Run: npm install --save-dev ${words}`;
}
