import { fork } from 'node:child_process';
import path from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OPEN } from '../support/ample.ts';
import { ROOT } from '../support/service.ts';

/** What a process wrote for one run: its lines, each read as JSON. */
export type Written = {
  readonly answer: APIGatewayProxyResult;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of any shape
  readonly stdout: any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of any shape
  readonly stderr: any[];
};

export type Invoked = {
  readonly runs: readonly Written[];
  /** All that the process wrote, as it is. */
  readonly text: string;
};

/** Starts the process of a function, whose handler this file exports, and invokes it with these events, one after another. */
export async function invokeFunction(
  handlerFile: string,
  events: readonly APIGatewayProxyEvent[],
  env: Readonly<Record<string, string>> = {},
): Promise<Invoked> {
  const { answers, ...written } = await runFunction<APIGatewayProxyResult>(
    'function-process.ts',
    ...([path.join(ROOT, handlerFile), events, env] as const),
  );
  const of = (text: string, runId: unknown) => linesOf(text).filter((line) => line.runId === runId);
  return {
    text: written.stdout + written.stderr,
    runs: answers.map((answer) => {
      const runId = Object.entries(answer.headers ?? {}).find(([name]) => /^x-run-id$/i.test(name));
      return {
        answer,
        stdout: of(written.stdout, runId?.[1]),
        stderr: of(written.stderr, runId?.[1]),
      };
    }),
  };
}

/** The same by the process of this file, with its answers and all that it wrote. */
export async function runFunction<T>(
  processFile: string,
  handlerFile: string,
  events: readonly unknown[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly answers: T[]; readonly stdout: string; readonly stderr: string }> {
  const child = fork(path.join(import.meta.dirname, processFile), [handlerFile], {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Tests read all that a function writes, and on Lambda's Node 24 this warning is not there.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // Lambda sets these; the key is none.
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      ...OPEN,
      SERVICE_NAME: 'the-stack',
      _X_AMZN_TRACE_ID: 'Root=1-6740a1b2-0f1e2d3c4b5a69788796a5b4;Sampled=0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk) => {
      written[stream] += chunk;
    });
  }
  let answers: T[] = [];
  child.once('message', (message) => {
    answers = message as T[];
  });
  child.send(events as never);
  await new Promise((resolve) => child.once('close', resolve));
  if (answers.length !== events.length) throw new Error(`The function ended: ${written.stderr}`);
  return { answers, ...written };
}

/** Throws where a line is no JSON. */
export function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
