import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Console } from '../src/commands/console.ts';
import { visible } from '../src/text/wording.ts';

/** What a command prints to and asks, and what ends it. */
export type Shell = Console & {
  /** Passes on an answer's pieces; waits for a slow reader. */
  readonly pass: (piece: string | Uint8Array) => unknown;
  /**
   * Resolves once the command is told to end: by a signal, or because nobody reads its output. A
   * command that does not wait for this is ended at once, and so is one that is told twice.
   */
  readonly told: () => Promise<void>;
};

/** SIGHUP: the terminal was closed. A shell adds 128 to a signal's number. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The shell of this process; `unread` is its exit code once nobody reads what it prints. */
export function shellOf({ stdin, stdout, stderr }: NodeJS.Process, unread: number): Shell {
  let ending: (() => void) | undefined;
  const end = (code: number) => {
    const goOn = ending ?? (() => process.exit(code));
    ending = undefined;
    goOn();
  };
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => end(code));
  const pass = passTo(stdout);
  const passError = passTo(stderr);
  const err = (line: string) => passError(`${line}\n`);
  stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    // Each later line fails likewise.
    stdout.on('error', () => {});
    // The reader of the pipe, such as `head`, has read enough; or the terminal is gone.
    if (code === 'EPIPE' || code === 'EIO') return end(unread);
    err(`blockyard cannot write what it was answered: ${code}`);
    process.exit(2);
  });
  // Nobody is left to be told.
  stderr.on('error', () => {});
  const ask = (text: string) => {
    const lines = createInterface({ input: stdin, output: stdout });
    return new Promise<string | undefined>((resolve) => {
      let answer: string | undefined;
      lines.once('SIGINT', () => end(SIGNALS.SIGINT));
      // Ctrl-D closes it too.
      lines.once('close', () => {
        if (answer === undefined) stdout.write('\n');
        resolve(answer);
      });
      lines.question(visible(text), (line) => {
        answer = line;
        lines.close();
      });
    });
  };
  return {
    out: (line) => pass(`${line}\n`),
    err,
    pass,
    // 0 where nobody has told the terminal its size.
    columns: stdout.columns || undefined,
    ask: stdin.isTTY && stdout.isTTY ? ask : undefined,
    told: () =>
      new Promise((resolve) => {
        ending = resolve;
      }),
  };
}

/** A terminal gets nothing that it would obey; a file or a pipe gets the bytes as they are. */
function passTo(stream: NodeJS.WriteStream): Shell['pass'] {
  const decoder = new TextDecoder();
  let held = '';
  // A stream that fails is seen to above, once.
  const drained = () => once(stream, 'drain').catch(() => {});
  return (piece) => {
    if (!stream.isTTY) return stream.write(piece) || drained();
    const more = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const text = held + more;
    // The first half of a line end, perhaps.
    held = text.endsWith('\r') ? '\r' : '';
    return stream.write(visible(text.slice(0, text.length - held.length))) || drained();
  };
}
