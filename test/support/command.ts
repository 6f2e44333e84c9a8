import { spawn } from 'node:child_process';
import { endTree } from './process-tree.ts';

export type CommandOptions = {
  readonly cwd: string;
  /** All of it: nothing of this process's own is added. */
  readonly env: NodeJS.ProcessEnv;
  /** For its standard input. */
  readonly input?: string;
  readonly withinMs?: number;
};

export type Ended = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, as they came. */
  readonly output: string;
};

const running = new Set<number>();

/** Runs a command to its end, and takes what it prints; one that takes too long is ended. */
export function command(file: string, args: readonly string[], options: CommandOptions) {
  const { cwd, env, input = '', withinMs = 280_000 } = options;
  const child = spawn(file, [...args], { cwd, env, stdio: 'pipe' });
  const pid = child.pid as number;
  running.add(pid);
  let stdout = '';
  let stderr = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
    output += text;
  });
  // One that ends without reading is no fault here: its code says what it was.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const stuck = setTimeout(() => {
    output += `\nEnded after ${withinMs} ms: ${file} ${args.join(' ')}\n`;
    void endTree(pid);
  }, withinMs);
  return new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr, output }));
  }).finally(() => {
    clearTimeout(stuck);
    running.delete(pid);
  });
}

/** Ends the commands that still run. */
export async function endCommands(): Promise<void> {
  await Promise.all([...running].map(endTree));
}

export type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a program of a document: in a folder, with little of this process's environment. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LC_ALL: 'C.UTF-8', ...more };
  const { code, stdout, stderr } = await command(program, args, { cwd, env });
  return { code, out: stdout, err: stderr };
}

/** As `command`, for one that must not fail. */
export async function commandThatWorks(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const { code, stdout, output } = await command(file, args, options);
  if (code === 0) return stdout;
  throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${output.slice(-4000)}`);
}
