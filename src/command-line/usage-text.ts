import type { Usage } from '../chat/usage.ts';
import { widthOf } from './draw-table.ts';
import { printable } from './printable.ts';
import { DEFAULT_URL } from './service.ts';
import { shellLine } from './shell-line.ts';

/** How the command line is used, whatever the service has. */
export const USAGE = `npx blockyard run BLOCK [TEXT] [NAME:VALUE …]

  npx blockyard run               the blocks of the service, with an example each
  npx blockyard run BLOCK help    what a block takes

  --url URL         the service; else BLOCKYARD_URL, else ${DEFAULT_URL}
  --key KEY         a key, where it asks for one; else BLOCKYARD_KEY
  --format FORMAT   json, csv, ndjson …: the service's own answer, unchanged
  --help            this

docs/command-line.md has the grammar.
`;

/** Help as lines for a terminal. */
export function usageText({ title, lines }: Usage): string {
  const commands = lines.map(({ command, isWhole }) =>
    isWhole ? `npx blockyard run ${wordsOf(command)}` : wordsOf(command),
  );
  const width = Math.max(...commands.map(widthOf).filter((one) => one <= WIDEST), 0);
  const shown = lines.map(({ meaning }, i) => {
    const command = commands[i] as string;
    const space = widthOf(command) > width ? `\n  ${' '.repeat(width)}` : '';
    return `  ${command}${space || ' '.repeat(width - widthOf(command))}  ${printable(meaning)}`;
  });
  return `${printable(title)}\n\n${shown.join('\n')}\n`;
}

function wordsOf(command: string): string {
  return shellLine(printable(command));
}

/** A longer command stands on a line of its own. */
const WIDEST = 40;
