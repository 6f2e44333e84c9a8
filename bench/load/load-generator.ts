import type { Measured, Slice } from './slice.ts';
import { startProcess } from './start-process.ts';

export type LoadGenerator = {
  run(slice: Slice): Promise<Measured>;
  stop(): Promise<void>;
};

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const { child, stop } = await startProcess(new URL('load-process.ts', import.meta.url));
  return {
    stop,
    run: (slice) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('the load generator ended'));
        child.once('exit', ended);
        child.once('message', (measured) => {
          child.off('exit', ended);
          resolve(measured as Measured);
        });
        child.send(slice);
      }),
  };
}
