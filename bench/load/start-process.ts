import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Started<Hello> = {
  readonly child: ChildProcess;
  /** What the process said first. */
  readonly hello: Hello;
  stop(): Promise<void>;
};

/** Starts one of our own processes; it ends with the channel to it, so with us at the latest. */
export async function startProcess<Hello>(
  file: URL,
  args: readonly string[] = [],
): Promise<Started<Hello>> {
  const child = fork(fileURLToPath(file), [...args]);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hello = await new Promise<Hello>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Hello));
    child.once('error', reject);
    exited.then(() => reject(new Error(`${file.pathname} ended before it was ready`)));
  });
  return {
    child,
    hello,
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
