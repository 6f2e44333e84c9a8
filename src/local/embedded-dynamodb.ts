import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Emulator } from '../dynamodb/read-client.ts';

/** A DynamoDB for this process alone: its address, and the keys that it asks for. */
export type EmbeddedDynamodb = Required<Emulator> & {
  readonly pid: number;
  /** Resolves at its end: with the reason, unless it was stopped. */
  readonly ended: Promise<Error | undefined>;
  stop(): Promise<void>;
};

/** Several attempts, because a process that was just killed may still lock the folder. */
const ATTEMPTS = 5;

/** Starts DynamoDB (dynalite) on 127.0.0.1, with its data in `folder`, or else in memory. */
export async function startEmbeddedDynamodb(folder?: string): Promise<EmbeddedDynamodb> {
  if (folder !== undefined) await makeFolder(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(folder);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(200 * attempt);
    }
  }
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
  const ended = new Promise<Error | undefined>((resolve) => {
    child.once('exit', async (code, signal) => {
      // Its last error output may still arrive after its exit.
      await Promise.race([silent, sleep(500, undefined, { ref: false })]);
      const reason = reasonOf(`${event}: `, complaint || String(signal), folder);
      resolve(code === 0 ? undefined : new Error(reason));
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
    // The key's name is sent with each request. A signature would be checked by nobody.
    credentials: { accessKeyId: secret, secretAccessKey: 'unused' },
    pid: child.pid as number,
    ended,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

function reasonOf(event: string, complaint: string, folder: string | undefined): string {
  // Other errors name the file LOCK too.
  if (complaint.includes('LEVEL_LOCKED')) {
    return `${folder} is in use by another blockyard; stop that one, or set DATA_DIR to another folder.`;
  }
  // The cause says more than the error that ended the process.
  const reason =
    /\bcause\]?: \[?(.+?)\]?(?: \{)?$/m.exec(complaint)?.[1] ??
    /^\[?(\w*Error\b.*?)\]?(?: \{)?$/m.exec(complaint)?.[1] ??
    complaint.split('\n', 1)[0];
  const fix =
    folder === undefined
      ? ''
      : `; check that ${folder} can be written; if its data are damaged, delete it`;
  return `the embedded DynamoDB ${event}${reason}${fix}`;
}
