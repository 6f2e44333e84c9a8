import type { Console } from '../../src/commands/console.ts';

/** A console that keeps what a command prints; questions are answered by `ask`. */
export function keptConsole(ask?: Console['ask']) {
  const printed = { out: '', err: '' };
  const terminal: Console = {
    out: (line) => {
      printed.out += `${line}\n`;
    },
    err: (line) => {
      printed.err += `${line}\n`;
    },
    ...(ask === undefined ? {} : { ask }),
  };
  return { terminal, printed };
}
