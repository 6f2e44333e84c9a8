import { createInterface } from 'node:readline/promises';
import { runAdd, runTry, type Serve } from '../src/adding/add-command.ts';
import { runCensus } from '../src/adding/census-command.ts';
import { runCheck } from '../src/adding/check-command.ts';
import { runRefresh } from '../src/adding/refresh-command.ts';
import type { Terminal } from '../src/adding/terminal.ts';
import { OWN_CODE } from '../src/package/own-code.ts';
import { defaultBlocks } from './blocks-folder.ts';

/** `blockyard add`, `try`, `check`, `refresh` and `census`. Returns the exit code. */
export async function runOwnData(command: string, args: readonly string[]): Promise<number> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const lines = isTerminal
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined;
  const terminal: Terminal = {
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    columns: process.stdout.columns,
    ...(lines === undefined ? {} : { ask: (text) => lines.question(text) }),
  };
  try {
    const blocks = defaultBlocks();
    if (command === 'add') return await runAdd(args, terminal, { blocks });
    if (command === 'check') return await runCheck(args, terminal, { blocks });
    if (command === 'census') return await runCensus(args, terminal, { blocks });
    if (command === 'refresh') return await runRefresh(args, terminal, { blocks });
    return await runTry(args, terminal, serve);
  } finally {
    lines?.close();
  }
}

/** SIGHUP: the terminal was closed. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves a folder of blocks until Ctrl-C. */
const serve: Serve = async (blocks, name) => {
  const { start } = await import('../src/local/start.ts');
  const { serverErrorLog } = await import('../src/local/server-error-log.ts');
  const { PORT } = process.env;
  const started = await start({
    root: OWN_CODE,
    blocks,
    port: PORT ? Number(PORT) : 8787,
    record: serverErrorLog((line) => console.error(line)),
  });
  console.log(`${started.url}/api_v2/blocks/${name}   Ctrl-C ends it; nothing is kept.`);
  await new Promise<void>((resolve) => {
    for (const signal of ENDS) process.once(signal, () => resolve());
  });
  await started.stop();
};
