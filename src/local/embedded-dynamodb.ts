import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type EmbeddedDynamodb = {
  readonly endpoint: string;
  readonly pid: number;
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
    await mkdir(folder, { recursive: true });
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
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    child.once('error', reject);
    exited.then(async () => {
      // Its last error output may still arrive after its exit.
      await Promise.race([silent, sleep(500, undefined, { ref: false })]);
      reject(new Error(reasonOf(complaint, folder)));
    });
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function reasonOf(complaint: string, folder: string | undefined): string {
  if (/lock/i.test(complaint)) {
    return `${folder} is in use by another blockyard; stop that one, or set DATA_DIR to another folder.`;
  }
  // The cause says more than the error that ended the process.
  const reason =
    /\[cause\]: (.+?)(?: \{)?$/m.exec(complaint)?.[1] ?? /^\w*Error\b.*$/m.exec(complaint)?.[0];
  const fix =
    folder === undefined ? '' : `; if its data in ${folder} are damaged, delete that folder`;
  return `the embedded DynamoDB did not start: ${reason ?? 'no reason given'}${fix}`;
}
