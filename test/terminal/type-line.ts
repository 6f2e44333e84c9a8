import { runCommandLine, type ShellIo } from '../../src/channels/terminal/run-command-line.ts';

export type Said = { readonly exit: number; readonly out: string; readonly err: string };

/** Runs a command line in this process, and keeps what it says. */
export async function typeLine(args: readonly string[], more: Partial<ShellIo>): Promise<Said> {
  const said = { err: '' };
  const out: Buffer[] = [];
  const exit = await runCommandLine(args, {
    fetch,
    out: (text) => out.push(Buffer.from(text as Uint8Array)),
    err: (line) => {
      said.err += `${line}\n`;
    },
    ...more,
  });
  return { exit, out: Buffer.concat(out).toString(), ...said };
}
