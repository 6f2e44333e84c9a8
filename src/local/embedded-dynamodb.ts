import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Emulator } from '../dynamodb/read-client.ts';
import { retry } from '../work/waiting.ts';

/** A DynamoDB for this process alone: its address, and the keys that it requires. */
export type EmbeddedDynamodb = Required<Emulator> & {
  readonly pid: number;
  /** Resolves when it ends: with the reason, unless it was stopped. */
  readonly ended: Promise<StoreEnded | undefined>;
  stop(): Promise<void>;
};

/** The error of a DynamoDB that has ended or did not start. */
export class StoreEnded extends Error {
  /** Whether damaged data are the reason. */
  readonly isDamage: boolean;
  /** The reason alone; the message adds the fix. */
  readonly reason: string;

  constructor(reason: string, fix: string, isDamage: boolean) {
    super(reason + fix);
    this.reason = reason;
    this.isDamage = isDamage;
  }
}

/** Starts that are attempted, because a process that was just killed may still lock the folder. */
const ATTEMPTS = 5;

/** Starts DynamoDB (dynalite) on 127.0.0.1, with its data in `folder`, or else in memory. */
export async function startEmbeddedDynamodb(folder?: string): Promise<EmbeddedDynamodb> {
  if (folder !== undefined) await makeFolder(folder);
  return retry(() => start(folder), {
    isPassing: (error) => !(error instanceof StoreEnded && error.isDamage),
    mostTries: ATTEMPTS,
    delayMs: (tries) => 200 * tries,
  });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`${folder} cannot be a folder for data; set DATA_DIR to another`, { cause });
  }
}

async function start(folder: string | undefined): Promise<EmbeddedDynamodb> {
  const script = fileURLToPath(new URL('dynalite-process.js', import.meta.url));
  const child = fork(script, folder === undefined ? [] : [folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-4000);
  });
  const silent = new Promise((resolve) => child.stderr?.once('end', resolve));
  let event = 'did not start';
  const ended = new Promise<StoreEnded | undefined>((resolve) => {
    child.once('exit', async (code, signal) => {
      // The last error output may arrive after the exit.
      await Promise.race([silent, sleep(500, undefined, { ref: false })]);
      if (code === 0) return resolve(undefined);
      resolve(endOf(`${event}: `, complaint, signal, folder));
    });
  });
  const secret = randomBytes(32).toString('hex');
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    child.on('error', reject);
    child.send({ secret });
    ended.then(reject);
  });
  event = 'has ended';
  return {
    endpoint: `http://127.0.0.1:${port}`,
    // Requests send the key's name. Nobody would check a signature.
    credentials: { accessKeyId: secret, secretAccessKey: 'unused' },
    pid: child.pid as number,
    ended,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Signals of a process that crashed. Any other signal is sent by somebody. */
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGBUS', 'SIGILL', 'SIGSEGV'];

/**
 * Whether a process ended because of its data, and not because of a signal, or a disk that is full
 * or cannot be written. (LevelDB also calls it an IO error if a file is missing or cut off.)
 */
function isOfData(complaint: string, signal: NodeJS.Signals | null): boolean {
  if (signal !== null) return CRASHES.includes(signal);
  if (complaint.includes('ERR_MODULE_NOT_FOUND')) return false;
  return !complaint.includes('IO error') || /No such file|Invalid argument/.test(complaint);
}

function fixOf(said: string, signal: NodeJS.Signals | null, folder: string | undefined): string {
  if (folder === undefined) return '';
  if (signal !== null && !CRASHES.includes(signal)) return '; start blockyard again';
  if (said.includes('No space left')) return '; free some space on its disk';
  return `; check that ${folder} can be written; if its data are damaged, delete it`;
}

function endOf(
  event: string,
  complaint: string,
  signal: NodeJS.Signals | null,
  folder: string | undefined,
): StoreEnded {
  // Other errors also name the file LOCK.
  if (complaint.includes('LEVEL_LOCKED')) {
    const fix = '; stop that one, or set DATA_DIR to another folder.';
    return new StoreEnded(`${folder} is in use by another blockyard`, fix, false);
  }
  const said = complaint || String(signal);
  // The cause says more than the error that ended the process.
  const reason =
    /\bcause\]?: \[?(.+?)\]?(?: \{.*)?$/m.exec(said)?.[1] ??
    /^\[?(\w*Error\b.*?)\]?(?: \{.*)?$/m.exec(said)?.[1] ??
    said.split('\n', 1)[0];
  const fix = fixOf(said, signal, folder);
  const isDamage = folder !== undefined && isOfData(complaint, signal);
  // A damaged file may name another file with arbitrary characters.
  const readable = `the embedded DynamoDB ${event}${reason?.replace(/\p{Cc}/gu, '?')}`;
  return new StoreEnded(readable, fix, isDamage);
}
