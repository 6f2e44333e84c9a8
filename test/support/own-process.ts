import { fork } from 'node:child_process';

/**
 * What a script sends, run in a process of its own: its memory is not that of the suites before it.
 * It may collect garbage: `gc()`.
 */
export async function inOwnProcess<T>(script: string): Promise<T> {
  const child = fork(script, { execArgv: ['--import', 'tsx', '--expose-gc'] });
  return new Promise((resolve, reject) => {
    let sent: T | undefined;
    child.once('message', (message) => {
      sent = message as T;
    });
    child.once('error', reject);
    child.once('exit', () => {
      if (sent === undefined) reject(new Error(`${script} ended before it had sent anything.`));
      else resolve(sent);
    });
  });
}
